"""Simulated games in a folder: each part is a block of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import IO, Any, Literal

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet

from service.advice.scorecard.scoring import TooLarge, scoring
from service.advice.scorecard.simulation import BLOCK, Policy, best_policy, greedy_policy, simulate
from service.cli.command import CommandError
from service.cli.files.locations import Location, command_errors
from service.cli.folders.cluster import check_worker, rules_of
from service.cli.folders.output import FINGERPRINT, Note, Output, Part
from service.cli.folders.run import Summary, make_parts
from service.cli.own_settings import own_settings
from service.cli.score_file import Report
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules, read_rules
from service.tables import NotMade
from service.tables.prepare import wait_for_table
from service.variants import variants

PolicyName = Literal["best", "greedy"]

_GROUP = 1 << 14
"""The rows of a row group."""


@dataclass(frozen=True)
class GamesPart(Part):
    """The first `games` of a block; each is as much work."""

    block: int
    games: int


def play_games(
    target: str,
    variant: ScoreCard,
    house_rules: HouseRules,
    policy: PolicyName,
    seed: int,
    games: int,
    *,
    workers: int,
    scheduler: str | None,
) -> Summary:
    """Plays so many games into the folder `target`, those that aren't there yet.

    Raises `CommandError` if it can't.
    """
    rules = {**rules_of(variant, house_rules), "policy": policy, "seed": seed}
    output = Output(Location.of(target), rules)
    blocks = [min(BLOCK, games - first) for first in range(0, games, BLOCK)]
    names = [f"games-{block:06}.parquet" for block in range(len(blocks))]
    parts = {
        name: GamesPart(name, count, block, count)
        for block, (name, count) in enumerate(zip(names, blocks, strict=True))
    }

    def check(notes: Mapping[str, Note]) -> None:
        for name, note in notes.items():
            if note.rows > (parts[name].games if name in parts else 0):
                shown = output.location.shown
                raise CommandError(
                    f"{shown} has more games than {games:,}: ask for as many as it has, or for "
                    "more, or name another folder"
                )
        _policy(orjson.dumps(rules))  # makes its table

    return make_parts(
        output,
        [*parts.values()],
        partial(play_part, output),
        lambda part, note: {"part": part.name, "rows": note.rows},
        workers=workers,
        scheduler=scheduler,
        unit="games",
        check=check,
    )


def play_part(output: Output, part: GamesPart, _: Report) -> Note:
    """Plays a part on a worker, and returns what is noted of it. A part takes seconds, so nothing
    is reported before. Raises `CommandError` if it can't.
    """
    rules = output.rules

    def write(file: IO[bytes]) -> tuple[int, int]:
        table = _played(_policy(orjson.dumps(rules)), rules, part)
        pyarrow.parquet.write_table(table, file, row_group_size=_GROUP)
        return part.games, 0

    check_worker(rules)
    with command_errors(f"{output.location.shown}/{part.name} can't be written as Parquet"):
        return output.make(part, write)


@lru_cache(maxsize=4)
def _policy(rules_json: bytes) -> Policy:
    """The policy of a run, with its table. Raises `CommandError` if that can't be made."""
    rules = orjson.loads(rules_json)
    variant = variants()[rules["variant"]]
    assert isinstance(variant, ScoreCard)
    house_rules = read_rules(variant.house_rules, rules["house_rules"])
    try:
        if rules["policy"] == "greedy":
            return greedy_policy(scoring(variant, house_rules))
        return best_policy(wait_for_table(variant, house_rules, own_settings()))
    except (NotMade, TooLarge) as error:
        raise CommandError(f"{variant.id} can't be simulated: {error}") from None


def _played(policy: Policy, rules: Mapping[str, Any], part: GamesPart) -> pa.Table:
    """The games as rows: their numbers, the boxes in card order, the bonuses, and the totals."""
    variant = variants()[rules["variant"]]
    assert isinstance(variant, ScoreCard)
    played = simulate(policy, rules["seed"], part.block, part.games)
    places = policy.steps.scoring.boxes
    columns = {box.id: played.scores[places.index(box.id)] for box in variant.boxes}
    if variant.upper_bonus:
        columns["upper_bonus"] = played.upper_bonus
    if variant.repeats:
        columns["repeats"] = played.repeats
    columns["total"] = played.total
    numbers = {"game": np.arange(part.games) + part.block * BLOCK}
    columns = {name: points.astype(np.int32) for name, points in columns.items()}
    fingerprint = orjson.dumps({**rules, **part.as_json()})
    return pa.table(numbers | columns).replace_schema_metadata({FINGERPRINT: fingerprint})
