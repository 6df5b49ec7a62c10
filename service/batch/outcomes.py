"""The possible outcomes of the hands of a variant, and the outcome of each row of an array.

There are few outcomes, such as 252 rolls of five dice or 1,008 strengths of suited hands. So an
array of hands becomes an array of small numbers, by which each column of the response is looked up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from service.batch.kernels import SuitedKernel, roll_kernel
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.variant import Layout
from service.kinds.ranking.variant import AnyRanking, Ranking
from service.kinds.registry import ByKind
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.house_rules import read_rules
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation
from service.variants import variants

Hands = NDArray[np.uint8]
"""An array of shape (hands, dice): numbers of plain dice, codes of suited dice."""

MAX_REPORTED = 100
"""The most impossible hands that a response names."""

_PART = 1 << 16
"""Values of a column to write at a time."""

_IN_A_BYTE = 128
"""The most ranks whose positions fit in an int8."""


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a response: the value for each outcome, by the number of the outcome.

    With `words`, the values are positions in it. The first value is never used: outcome 0 stands
    for an impossible hand.
    """

    name: str
    values: NDArray[np.int8 | np.int16 | np.int32]
    words: tuple[str, ...] = ()

    def of(self, outcomes: NDArray[np.intp]) -> NDArray[Any]:
        """The value for each of `outcomes`."""
        return np.take(self.values, outcomes, mode="clip")


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The outcomes of a variant under house rules.

    `of` takes an array of shape (hands, dice) and returns the number of each hand's outcome, 0 for
    an impossible hand.
    """

    variant: Ranking | CommunityRanking | ScoreCard
    columns: tuple[Column, ...]
    of: Callable[[Hands], NDArray[np.uint16]]

    @property
    def dice(self) -> Dice:
        """The dice of the variant."""
        return self.variant.dice

    @property
    def sizes(self) -> Sequence[int]:
        """The numbers of dice that a hand can have."""
        return self.variant.hand_sizes

    def check(self, dice: Sequence[int]) -> None:
        """Raises `InvalidInput` unless `dice` are a possible hand."""
        if isinstance(self.variant, CommunityRanking):
            self.variant.check(dice)
        else:
            self.dice.check_numbers(dice)

    def refused(
        self,
        hands: Hands,
        numbers: NDArray[np.uint16],
        path: str = "",
        first: int = 0,
        known: Mapping[int, Violation] | None = None,
    ) -> InvalidInput | None:
        """The error for impossible hands, those with the number 0: the first violation in each of
        the first `MAX_REPORTED`. None if all are possible.

        A violation is below `path`, at its row, counted from `first`; some are `known` already.
        """
        bad = len(numbers) - int(np.count_nonzero(numbers))
        if not bad:
            return None
        above = [path] if path else []
        violations = [
            (known or {}).get(row)
            or self._first_violation(hands[row].tolist()).within(*above, first + row)
            for row in np.flatnonzero(numbers == 0)[:MAX_REPORTED].tolist()
        ]
        return InvalidInput(*violations, omitted=bad - len(violations))

    def _first_violation(self, dice: list[int]) -> Violation:
        try:
            self.check(dice)
        except InvalidInput as refused:
            return refused.violations[0]
        raise AssertionError(f"{dice} have no outcome, but nothing is wrong with them")


def write_columns(outcomes: Outcomes, numbers: NDArray[np.uint16]) -> Iterator[bytes]:
    """Yields `"rank":[…],"strength":[…]` or `"scores":{"ones":[…],…}` for outcomes by number."""
    boxes = isinstance(outcomes.variant, ScoreCard)
    if boxes:
        yield b'"scores":{'
    for place, column in enumerate(outcomes.columns):
        yield b"%s%s:[" % (b"," if place else b"", _json(column.name))
        texts = _texts(column)
        for start in range(0, len(numbers), _PART):
            part = b",".join(texts[numbers[start : start + _PART]].tolist())
            yield b"," + part if start else part
        yield b"]"
    if boxes:
        yield b"}"


@cache
def _texts(column: Column) -> NDArray[np.object_]:
    """The value of each outcome, as JSON."""
    values = [column.words[value] if column.words else value for value in column.values.tolist()]
    texts = np.empty(len(values), object)
    texts[:] = [_json(value) for value in values]
    return texts


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _ranked(variant: Ranking, rules: Any) -> Outcomes:
    """An outcome for each roll: its rank and its strength."""
    kernel, table = roll_kernel(variant.dice), variant.table(rules)
    hands = [table.hand(roll) for roll in kernel.rolls]
    columns = _rank_columns(variant, [(hand.rank.id, hand.strength) for hand in hands])
    return Outcomes(variant, columns, kernel.numbers)


def _community(variant: CommunityRanking, rules: Any) -> Outcomes:
    """An outcome for each strength of pocket and community dice together."""
    hands = {hand.strength: hand.rank.id for hand in variant.table(rules)}
    columns = _rank_columns(variant, [(hands[strength], strength) for strength in sorted(hands)])
    return Outcomes(variant, columns, suited_kernel(variant, rules).strengths)


def _rank_columns(variant: AnyRanking, hands: Sequence[tuple[str, int]]) -> tuple[Column, Column]:
    """The columns `rank` and `strength`, given both of each hand by the number of the outcome."""
    words = tuple(rank.id for rank in variant.ranks)
    places = [0, *(words.index(rank) for rank, _ in hands)]
    held = np.int8 if len(words) <= _IN_A_BYTE else np.int16
    strengths = [0, *(strength for _, strength in hands)]
    return (
        Column("rank", np.array(places, held), words),
        Column("strength", np.array(strengths, np.int32)),
    )


def _score_card(variant: ScoreCard, rules: Any) -> Outcomes:
    """An outcome for each roll: what it is worth in each box."""
    kernel = roll_kernel(variant.dice)
    scores = [variant.scores(roll, rules) for roll in kernel.rolls]
    columns = tuple(
        Column(box.id, np.array([0, *(score[box.id] for score in scores)], np.int16))
        for box in variant.boxes
    )
    return Outcomes(variant, columns, kernel.numbers)


def suited_kernel(variant: CommunityRanking, rules: Any) -> SuitedKernel:
    """The kernel of `variant` under `rules`; built once for all rules with the same hands."""
    return _suited(variant.best_of(rules), variant.table(rules), variant.dice)


_suited = cache(SuitedKernel)


OUTCOMES = ByKind[Callable[[Any, Any], Outcomes] | None](
    __name__,
    ranking=_ranked,
    community=_community,
    scorecard=_score_card,
    layout=None,  # layouts are searched for, each by itself
)

_known: dict[tuple[Variant, tuple[bool, ...]], Outcomes] = {}


def outcomes_of(variant: Any, rules: Any) -> Outcomes:
    """The outcomes of `variant` under `rules`; built once for all rules with the same outcomes.

    Raises `ValueError` for a variant whose hands can't be answered in columns.
    """
    make = OUTCOMES.of(variant)
    if make is None:
        raise ValueError(f"hands of {variant.id} have no answers in columns")
    key = variant, tuple(getattr(rules, switch) for switch in variant.switches)
    if key not in _known:
        _known.setdefault(key, make(variant, rules))
    return _known[key]


Function = Literal["rank_hands", "score_rolls", "score_batches"]


def named_outcomes(name: str, house_rules: Mapping[str, Any], function: Function) -> Outcomes:
    """The outcomes of the variant called `name`, for `function` of `service.batch`.

    Raises `ValueError` for a variant that it isn't for, and `InvalidInput` naming all invalid house
    rules.
    """
    known = in_tables()
    if name in known and _function(known[name]) != function:
        raise ValueError(f"{name!r} is not for {function}: use {_function(known[name])}")
    offered = {id_: each for id_, each in known.items() if _function(each) == function}
    return outcomes_of(*_chosen(name, house_rules, offered))


def _function(variant: Variant) -> Function:
    """The function that takes hands of `variant` in the simplest form."""
    if isinstance(variant, Layout):
        return "score_batches"
    return "score_rolls" if isinstance(variant, ScoreCard) else "rank_hands"


def in_tables() -> Mapping[str, Variant]:
    """The variants whose hands or turns are scored in tables, by their names."""
    return {
        variant.id: variant
        for variant in variants().values()
        if OUTCOMES.of(variant) or isinstance(variant, Layout)
    }


def table_game(name: str, house_rules: Mapping[str, Any]) -> tuple[Variant, Any]:
    """The variant called `name`, and its rules with these `house_rules`, to score tables by.

    Raises `ValueError` for a variant that isn't scored in tables, and `InvalidInput` naming all
    invalid house rules.
    """
    return _chosen(name, house_rules, in_tables())


def _chosen(
    name: str, house_rules: Mapping[str, Any], offered: Mapping[str, Variant]
) -> tuple[Variant, Any]:
    if name not in offered:
        raise ValueError(f"{name!r} is not one of {', '.join(offered)}")
    variant = offered[name]
    return variant, read_rules(variant.house_rules, house_rules)
