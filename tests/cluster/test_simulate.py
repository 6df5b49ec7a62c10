"""Simulated games in a folder, played on processes of a cluster."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet

from service import __version__
from service.advice.scorecard.scoring import scoring
from service.advice.scorecard.simulation import BLOCK, Policy, best_policy, greedy_policy, simulate
from service.advice.scorecard.table import Table, solve
from service.cli.folders.cluster import digest_of
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from tests.cli.commands import started
from tests.cli.score.tables import read
from tests.cluster.folders import BOOKS, HOUSE_RULES, ended, manifest, names

GREEDY = ["--policy", "greedy", "--seed", "5"]
JOKER = ["--house-rules", '{"joker": true, "extra_five_bonus": 100}']


def typed(target: Path, games: int, *more: str) -> list[str]:
    """The command that plays so many games, as it is typed."""
    python = [sys.executable, "-m", "service", "simulate", "--variant", "dice-poker"]
    return [*python, "--games", str(games), "-o", str(target), *more]


def ran(target: Path, games: int, *more: str) -> tuple[int, str]:
    """Runs the command, on two processes unless it says how many; see `ended`."""
    workers = [] if "--workers" in more else ["--workers", "2"]
    data = str(target.parent / "data")
    return ended(started(typed(target, games, *workers, *more), DATA_DIR=data))


def parts(target: Path) -> dict[str, str]:
    """A checksum of each part, which is the same for the same games and rules."""
    return {
        name: hashlib.sha256((target / name).read_bytes()).hexdigest()
        for name in names(target)
        if name[0] != "_"
    }


def expected(policy: Policy, seed: int, block: int, count: int) -> list[dict[str, int]]:
    """The rows of a part."""
    found = simulate(policy, seed, block, count)
    columns = {
        "game": np.arange(count) + block * BLOCK,
        **{
            box.id: found.scores[policy.steps.scoring.boxes.index(box.id)]
            for box in DICE_POKER.boxes
        },
        "upper_bonus": found.upper_bonus,
        "repeats": found.repeats,
        "total": found.total,
    }
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def test_games(tmp_path: Path) -> None:
    """Each game has its number, its boxes and bonuses, which make up its total; the manifest and
    the metadata say how they were played.
    """
    target = tmp_path / "games"
    rules = DicePokerRules(joker=True, extra_five_bonus=100)
    said = f"{BLOCK + 3:,} games in 2 parts played, in {target}"
    assert ran(target, BLOCK + 3, *GREEDY, *JOKER) == (0, said)
    files = ["games-000000.parquet", "games-000001.parquet"]
    assert names(target) == {*files, *(f"_parts/{name}.json" for name in files), *BOOKS}
    policy = greedy_policy(scoring(DICE_POKER, rules))
    first, second = (read(target / name).to_pylist() for name in files)
    assert second == expected(policy, 5, 1, 3)
    assert first == expected(policy, 5, 0, BLOCK)
    for row in first[:1_000]:
        points = [value for name, value in row.items() if name not in ("game", "total")]
        assert row["total"] == sum(points)
    assert max(row["repeats"] for row in first) >= 100
    played = {
        "variant": "dice-poker",
        "game": digest_of(DICE_POKER),
        "house_rules": {**HOUSE_RULES, "extra_five_bonus": 100, "joker": True},
        "policy": "greedy",
        "seed": 5,
        "version": __version__,
    }
    assert manifest(target) == {
        **played,
        "rows": BLOCK + 3,
        "parts": [{"part": files[0], "rows": BLOCK}, {"part": files[1], "rows": 3}],
    }
    metadata = pyarrow.parquet.read_schema(target / files[1]).metadata[b"dice_scoring"]
    assert json.loads(metadata) == {**played, "name": files[1], "block": 1, "games": 3}


def test_the_best_play(tmp_path: Path) -> None:
    """By default the play is the best one and the seed is 1; a table that is missing is made."""
    target = tmp_path / "games"
    assert ran(target, 200) == (0, f"200 games in 1 part played, in {target}")
    scored = scoring(DICE_POKER, DicePokerRules())
    policy = best_policy(Table.of(scored, solve(scored)))
    assert read(target / "games-000000.parquet").to_pylist() == expected(policy, 1, 0, 200)


def test_more_games_are_added(tmp_path: Path) -> None:
    """With more games, only the missing ones are played; then all is as if played at once, by any
    number of workers.
    """
    grown, whole = tmp_path / "grown", tmp_path / "whole"
    assert ran(grown, BLOCK + 100, *GREEDY)[0] == 0
    assert ran(grown, 2 * BLOCK + 7, *GREEDY) == (
        0,
        f"{2 * BLOCK + 7:,} games in 3 parts played, in {grown}; 1 of the parts was there before",
    )
    assert ran(whole, 2 * BLOCK + 7, *GREEDY, "--workers", "1")[0] == 0
    assert parts(grown) == parts(whole)
    assert manifest(grown) == manifest(whole)


def test_fewer_games_are_refused(tmp_path: Path) -> None:
    """A run never deletes games that another number of games would leave out."""
    target = tmp_path / "games"
    assert ran(target, BLOCK + 1, *GREEDY)[0] == 0
    before = parts(target)
    for games in (BLOCK, 10):
        said = (
            f"{target} has more games than {games:,}: ask for as many as it has, or for more, or "
            "name another folder"
        )
        assert ran(target, games, *GREEDY) == (2, said)
    assert (parts(target), manifest(target)["rows"]) == (before, BLOCK + 1)


def test_the_summary_of_a_part(tmp_path: Path) -> None:
    """The summary of a run that isn't complete says so."""
    target = tmp_path / "games"
    assert ran(target, 10, *GREEDY)[0] == 0
    for complete, said in (
        (True, ""),
        (False, f"{target} isn't complete: parts of it are missing.\n"),
    ):
        process = started([sys.executable, "-m", "service", "summary", str(target)])
        out, warned = process.communicate(timeout=60)
        assert (process.returncode, out.split()[:2], warned) == (0, ["rows", "10"], said), complete
        (target / "_SUCCESS").unlink(missing_ok=True)


def test_a_game_without_a_score_card(tmp_path: Path) -> None:
    """Only score cards can be simulated."""
    process = started([*typed(tmp_path / "games", 1), "--variant", "poker-dice"])
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert said.startswith("--variant must be one of dice-poker, yahtzee-deluxe")
    assert said.endswith(", not 'poker-dice'\n")
    assert not (tmp_path / "games").exists()
