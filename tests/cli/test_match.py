"""The command `match`: computers that play against each other."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from service.cli.match import lines_of, main, play
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules, options
from service.variants import SETTING, variants
from tests.cli.commands import children, ran, said, started
from tests.live import ROOT, SHARED_TABLES, lives
from tests.sessions.servers import until

HANDS = ["match", "--variant", "texas-holdem-dice", "--house-rules", '{"hands": 1}']
"""A hand each game."""

WITHOUT_ADVICE = """\
from dataclasses import replace

from service.rules.dice import Dice
from tests.trial_games.three_rolls import VARIANT as GAME

VARIANT = replace(
    GAME, id="many-faces", dice=Dice(count=5, faces=14), hand_size=5, ranks=GAME.ranks[2:]
)
"""
"""A game with too many different hands for advice."""

ALIKE = """\
player    won  +-   mean  +-  deviation
1 best  50.0%      100.0          100.0
2 best  50.0%      100.0          100.0
"""


ADVICE = (ROOT / "docs" / "advice.md").read_text()
((_LINE, PRINTED),) = re.findall(
    r"^\$ \.venv/bin/python -m service (match .*)\n((?:.+\n)+?)```$", ADVICE, re.MULTILINE
)
COMMAND = shlex.split(_LINE)
"""The command of docs/advice.md, above what it prints."""

OTHERS = re.findall(r"^\| `(\S+)` \| [\d,]+ \|(?: [\d.]+% \|){4}$", ADVICE, re.MULTILINE)
"""The games in the table of docs/advice.md, with the same players."""

CARDS = [each for each in variants().values() if isinstance(each, ScoreCard)]


@pytest.fixture
def with_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Score cards have the tables that all tests share."""
    (tmp_path / "tables").symlink_to(os.environ[SHARED_TABLES])
    monkeypatch.setenv("DATA_DIR", str(tmp_path))


def test_equal_players() -> None:
    """They win equally often, as both play the same game from each seat; here all of the chips.
    So the number of games is rounded up. A single deal has no standard errors.
    """
    few = ["--house-rules", '{"starting_chips": 100}', "--players", "best,best", "--games", "1"]
    assert said(ran("match", "--variant", "texas-holdem-dice", *few)) == (0, ALIKE, "")


def test_figures() -> None:
    """By hand, from the games of two deals: the first player wins three and a shared one, the
    second none and that one. Errors are those of the means of the deals.
    """
    first = [([1, 0], [12, 8]), ([1, 0], [14, 6])]
    second = [([1, 1], [10, 10]), ([1, 0], [20, 0])]
    assert lines_of(["hard", "easy"], np.array([first, second], float)) == [
        "player     won     +-  mean   +-  deviation",
        "1 hard  100.0%   0.0%  14.0  1.0        3.7",
        "2 easy   25.0%  25.0%   6.0  1.0        3.7",
    ]


@pytest.mark.fault
def test_seeds() -> None:
    """The same command prints the same; another seed has other dice."""
    command = [*HANDS, "--players", "easy,medium,hard", "--games", "3"]
    one, again, other = (said(ran(*command, "--seed", seed)) for seed in "778")
    assert one == again
    assert one[1] != other[1]
    assert [line.split()[:2] for line in one[1].splitlines()[1:]] == [
        ["1", "easy"],
        ["2", "medium"],
        ["3", "hard"],
    ]


def short(variant: str) -> HouseRules:
    """House rules of `variant` by which a game ends soon."""
    offered = variants()[variant].house_rules
    few = {"rounds": 1, "turns": 1, "hands": 1}
    return offered(**{each.name: few[each.name] for each in options(offered) if each.name in few})


@pytest.mark.usefixtures("with_tables")
@pytest.mark.parametrize("variant", variants())
def test_seats(variant: str) -> None:
    """In every game, two players alike do the same with the same dice, each from both seats."""
    (winners, scores), other = play(variant, short(variant), ("hard", "hard"), "1:0")
    assert any(winners)
    assert other == (winners[::-1], scores[::-1])


def players(printed: str) -> list[list[str]]:
    """The seats and names in a table of `match`, below its head."""
    return [line.split()[:2] for line in printed.splitlines()]


@pytest.mark.proof
@pytest.mark.usefixtures("with_tables")
def test_printed_matches() -> None:
    """The command of docs/advice.md prints such a table as below it, in each game."""
    game = COMMAND[COMMAND.index("--variant") + 1]
    assert {game, *OTHERS} == {*variants()}
    for other in (game, *OTHERS):
        words = [other if word == game else word for word in COMMAND]
        one_hand = HANDS[3:] if other in HANDS else []
        tables = os.environ["DATA_DIR"]
        status, found, _ = said(ran(*words, *one_hand, "--games", "1", DATA_DIR=tables))
        assert (status, players(found)) == (0, players(PRINTED)), other


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_printed_strengths(card: ScoreCard) -> None:
    """The means and deviations of docs/advice.md are those of the catalogue, and the means that
    `match` printed there for one game agree with them within four standard errors.
    """
    first = 2 + 2 * CARDS.index(card)
    for strength, figures in card.strengths.items():
        (row,) = re.findall(rf"^\| `{strength}` \|(?: [\d.]+ \|){{5}}$", ADVICE, re.MULTILINE)
        cells = row.strip("| ").split(" | ")
        assert cells[first : first + 2] == [str(each) for each in figures]
        if card.id in COMMAND:
            (line,) = (line.split() for line in PRINTED.splitlines() if strength in line)
            mean, error = map(float, line[4:6])
            assert abs(mean - figures[0]) < 4 * error


@pytest.fixture
def _without_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """There is a game without advice."""
    (tmp_path / "many.py").write_text(WITHOUT_ADVICE)
    with monkeypatch.context() as changed:
        changed.syspath_prepend(tmp_path)
        changed.setenv(SETTING, "many")
        variants.cache_clear()
        yield
    variants.cache_clear()


@pytest.mark.usefixtures("_without_advice")
@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("--variant chess --players best",
         "--variant must be one of dice-poker, poker-dice, roll-a-royal, texas-holdem-dice, "
         "yahtzee-deluxe, many-faces, not 'chess'\n"),
        ("--variant texas-holdem-dice --players best",
         "--players must be a list of 2 to 6 players\n"),
        ("--variant texas-holdem-dice --players best,best,best,best,best,best,best",
         "--players must be a list of 2 to 6 players\n"),
        ('--variant dice-poker --players best --house-rules {"rounds":1}',
         "--house-rules: 'rounds' is not a house rule of this game; it has extra_five_bonus, "
         "joker, five_alike_is_full_house, turn_seconds, throw_to_begin, "
         "zero_only_if_nothing_fits\n"),
        ('--variant roll-a-royal --players best --house-rules {"turns":null}',
         "house_rules must hold turns or target_score: a game without both never ends\n"),
        ("--variant many-faces --players best,best",
         "computers can't be used: this game has no advice by which computers could play\n"),
    ],
)  # fmt: skip
def test_refused(capsys: pytest.CaptureFixture[str], typed: str, why: str) -> None:
    """What can't be played is refused before the first game."""
    assert (main(typed.split()), *capsys.readouterr()) == (2, "", why)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("--players best,super", "--players: must be some of easy, medium, hard, best, with commas "
         "between them"),
        ("--players best, --games 2", "--players: must be some of easy, medium, hard, best, with "
         "commas between them"),
        ("--players best --games 0", "--games: must be a whole number from 1 to 1000000: '0'"),
    ],
)  # fmt: skip
def test_usage(capsys: pytest.CaptureFixture[str], typed: str, why: str) -> None:
    """Unknown strengths and numbers are refused, with the usage of the command."""
    with pytest.raises(SystemExit) as ended:
        main(["--variant", "dice-poker", *typed.split()])
    printed, error = capsys.readouterr()
    assert (ended.value.code, printed) == (2, "")
    assert error.splitlines()[-1].endswith(f" match: error: argument {why}")


@pytest.mark.fault
def test_all_cores() -> None:
    """Each core plays; a match that is stopped says so, and leaves no process."""
    command = [sys.executable, "-m", "service", *HANDS, "--players", "hard,best"]
    process = started([*command, "--games", "1000000"])
    until(lambda: len(children(process.pid)) == os.cpu_count(), "a process for each core")
    there = children(process.pid)
    process.terminate()
    printed, shown = process.communicate(timeout=60)
    # what a process prints that ends while it starts is Python's own
    assert (process.returncode, printed, shown[:9]) == (143, "", "Stopped.\n")
    # one that was just being started ends by itself, perhaps a moment after the command
    until(lambda: not any(map(lives, there)), "no process of the match is left")


@pytest.mark.fault
def test_a_table_that_is_missing(tmp_path: Path) -> None:
    """The table of a score card is made first, and standard error says so."""
    command = ["match", "--variant", "dice-poker", "--players", "best", "--games", "1"]
    status, printed, shown = said(ran(*command, DATA_DIR=str(tmp_path)))
    made = "The table of dice-poker is being made: "
    assert status == 0
    assert {line[: len(made)] for line in shown.splitlines()} == {made}
    assert printed.splitlines()[1].split()[:3] == ["1", "best", "100.0%"]
