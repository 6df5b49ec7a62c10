"""Simulated games in parts: what a run plays, and what a worker does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from typing import IO, Any, Literal

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet

from service.advice.scorecard.scoring import Scoring, TooLarge, scoring
from service.advice.scorecard.simulation import (
    BLOCK,
    Policy,
    SimulatedGames,
    best_policy,
    greedy_policy,
    simulate,
)
from service.cli.command_error import CommandError
from service.cli.files.formats import command_errors
from service.cli.files.places import Place
from service.cli.own_settings import own_settings
from service.cli.parts.output import FINGERPRINT, Note, Output
from service.cli.parts.part import Done, Listed, Report, Summary
from service.cli.parts.run import make_parts
from service.cli.parts.same_game import check_worker
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import read_rules
from service.tables import NotMade
from service.tables.blocking import wait_for_table
from service.variants import variants

PolicyName = Literal["best", "greedy"]

_GROUP = 1 << 14
"""The rows of a row group."""


@dataclass(frozen=True)
class Rules:
    """What decides each game, with its number: all parts of an output have the same. `game` is the
    digest of the variant's description.
    """

    variant: str
    game: str
    house_rules: Mapping[str, Any]
    policy: PolicyName
    seed: int
    version: str


@dataclass(frozen=True)
class GamesPart:
    """The first `games` of a block, in the file `name`."""

    name: str
    block: int
    games: int

    @property
    def share(self) -> int:
        """Each game is as much work."""
        return self.games

    def as_json(self) -> dict[str, Any]:
        """Its fields, as JSON has them."""
        return asdict(self)


def parts_of(games: int) -> list[GamesPart]:
    """The parts of so many games."""
    return [
        GamesPart(f"games-{block:06}.parquet", block, min(BLOCK, games - block * BLOCK))
        for block in range(-(-games // BLOCK))
    ]


def play_games(
    target: Place, rules: Rules, games: int, *, workers: int, scheduler: str | None
) -> Summary:
    """Plays so many games into the folder `target`, those that aren't there yet.

    Raises `CommandError` if it can't.
    """
    parts = {part.name: part for part in parts_of(games)}
    output = Output(target, asdict(rules))

    def check(notes: Mapping[str, Note]) -> None:
        for name, note in notes.items():
            if note.rows > (parts[name].games if name in parts else 0):
                raise CommandError(
                    f"{target.shown} has more games than {games:,}: ask for as many as it has, or "
                    "for more, or name another folder"
                )
        _policy(rules.variant, orjson.dumps(rules.house_rules), rules.policy)  # makes its table

    return make_parts(
        output,
        [*parts.values()],
        partial(play_part, output, rules),
        _listed,
        workers=workers,
        scheduler=scheduler,
        unit="games",
        check=check,
    )


def play_part(
    output: Output, rules: Rules, part: GamesPart, _: Report
) -> Done[GamesPart] | CommandError:
    """Plays a part, and returns that it is whole, or the error. A part takes seconds, so nothing is
    reported before.
    """
    try:
        return _play(output, rules, part)
    except CommandError as error:
        return error


def _play(output: Output, rules: Rules, part: GamesPart) -> Done[GamesPart]:
    """Plays a part. Raises `CommandError` if it can't."""
    check_worker(rules.version, rules.variant, rules.game)

    def write(file: IO[bytes]) -> tuple[int, int]:
        policy = _policy(rules.variant, orjson.dumps(rules.house_rules), rules.policy)
        played = simulate(policy, rules.seed, part.block, part.games)
        table = _table(rules, part, policy.steps.scoring, played)
        pyarrow.parquet.write_table(table, file, row_group_size=_GROUP)
        return part.games, 0

    with command_errors(f"{output.place.shown}/{part.name} can't be written as Parquet"):
        return output.make(part, write)


@lru_cache(maxsize=4)
def _policy(variant_id: str, house_rules: bytes, name: PolicyName) -> Policy:
    """A policy, with its table. Raises `CommandError` if that can't be made."""
    variant = variants()[variant_id]
    assert isinstance(variant, ScoreCard)
    rules = read_rules(variant.house_rules, orjson.loads(house_rules))
    try:
        if name == "greedy":
            return greedy_policy(scoring(variant, rules))
        return best_policy(wait_for_table(variant, rules, own_settings()))
    except (NotMade, TooLarge) as error:
        raise CommandError(f"{variant_id} can't be simulated: {error}") from None


def _table(rules: Rules, part: GamesPart, scored: Scoring, played: SimulatedGames) -> pa.Table:
    """The games as rows: their numbers, the boxes in card order, the bonuses, and the totals."""
    variant = variants()[rules.variant]
    assert isinstance(variant, ScoreCard)
    columns = {"game": np.arange(part.games) + part.block * BLOCK}
    for box in variant.boxes:
        columns[box.id] = played.scores[scored.boxes.index(box.id)].astype(np.int32)
    if variant.upper_bonus:
        columns["upper_bonus"] = played.upper_bonus.astype(np.int32)
    if variant.repeats:
        columns["repeats"] = played.repeats.astype(np.int32)
    columns["total"] = played.total.astype(np.int32)
    fingerprint = orjson.dumps({**asdict(rules), **part.as_json()})
    return pa.table(columns).replace_schema_metadata({FINGERPRINT: fingerprint})


def _listed(done: Iterable[Done[GamesPart]]) -> Iterator[Listed]:
    for each in sorted(done, key=lambda each: each.part.block):
        yield {"part": each.part.name, "rows": each.rows}
