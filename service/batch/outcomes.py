"""What the hands of a variant can come to, and which of it each row of an array of hands is.

There are few outcomes, 252 rolls of five dice or 1,008 strengths of suited hands. So an array of
hands becomes an array of small numbers, and whatever is told of hands, a column each, is looked up
by them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.batch.roll_kernel import RollKernel
from service.batch.suited_kernel import SuitedKernel
from service.kinds.columnar import Columnar, hand_sizes
from service.kinds.community.hand_finder import BestOf
from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.hand_table import HandTable
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation

Hands = NDArray[np.uint8]
"""Hands as rows of dice: numbers of plain dice, codes of suited ones."""

MOST_TOLD = 100
"""Of the hands that can't be, so many are named."""


@dataclass(frozen=True, eq=False)
class Column:
    """Something told of every hand: a value for each outcome, by its number.

    With `words`, the values are positions in it. The first value only fills: no hand has outcome 0.
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

    `sizes` are the numbers of dice that a hand can have. `of` takes an array of shape (hands, dice)
    to the number of each hand's outcome, 0 for one that can't be. `check` raises `InvalidInput` for
    a row that can't be, with what is wrong with it. `boxes`: the columns are boxes of a score card.
    """

    variant: Variant[Any]
    dice: Dice
    sizes: Collection[int]
    columns: tuple[Column, ...]
    boxes: bool
    of: Callable[[Hands], NDArray[np.uint16]]
    check: Callable[[Sequence[int]], object]

    def refusals(self, hands: Hands, outcomes: NDArray[np.uint16]) -> list[tuple[int, Violation]]:
        """The first `MOST_TOLD` hands that can't be, by row, with the first thing wrong in each."""
        rows = np.flatnonzero(outcomes == 0)[:MOST_TOLD]
        return [(int(row), self._first_violation(hands[row].tolist())) for row in rows]

    def _first_violation(self, dice: list[int]) -> Violation:
        try:
            self.check(dice)
        except InvalidInput as refused:
            return refused.violations[0]
        raise AssertionError(f"{dice} have no outcome, but nothing is wrong with them")


def outcomes_of(variant: Columnar, rules: Any) -> Outcomes:
    """The outcomes of `variant` under the house `rules`, made once for all that are alike here."""
    key = variant, tuple(getattr(rules, switch) for switch in variant.switches)
    try:
        return _made[key]
    except KeyError:
        return _made.setdefault(key, _KINDS[type(variant)](variant, rules))


def suited_kernel(variant: CommunityRanking[Any], rules: Any) -> SuitedKernel:
    """The best hands of `variant` under the house `rules`, made once for all alike here."""
    return _suited(variant.best_of(rules), variant.table(rules), variant.dice)


def _ranking(variant: Ranking[Any], rules: Any) -> Outcomes:
    kernel = _rolls(variant.dice)
    table = variant.table(rules)
    hands = [table.hand(roll) for roll in kernel.rolls]
    return Outcomes(
        variant,
        variant.dice,
        hand_sizes(variant),
        _rank_columns(variant, [hand.rank.id for hand in hands], [hand.strength for hand in hands]),
        False,
        kernel.numbers,
        lambda roll: variant.dice.read_numbers(list(roll), variant.dice.count),
    )


def _community(variant: CommunityRanking[Any], rules: Any) -> Outcomes:
    table = variant.table(rules)
    kernel = suited_kernel(variant, rules)
    hands = sorted({hand.strength: hand for hand in table}.items())
    return Outcomes(
        variant,
        variant.dice,
        hand_sizes(variant),
        _rank_columns(
            variant, [hand.rank.id for _, hand in hands], [strength for strength, _ in hands]
        ),
        False,
        kernel.strengths,
        variant.check,
    )


def _scorecard(variant: ScoreCard[Any], rules: Any) -> Outcomes:
    kernel = _rolls(variant.dice)
    scores = [variant.scores(roll, rules) for roll in kernel.rolls]
    return Outcomes(
        variant,
        variant.dice,
        hand_sizes(variant),
        tuple(
            Column(box.id, np.array([0, *(score[box.id] for score in scores)], np.int16))
            for box in variant.boxes
        ),
        True,
        kernel.numbers,
        lambda roll: variant.dice.read_numbers(list(roll), variant.dice.count),
    )


def _rank_columns(
    variant: Ranking[Any] | CommunityRanking[Any], ranks: Sequence[str], strengths: Sequence[int]
) -> tuple[Column, Column]:
    """The columns `rank` and `strength`."""
    words = tuple(rank.id for rank in variant.ranks)
    places = [0, *(words.index(rank) for rank in ranks)]
    return (
        Column("rank", np.array(places, np.int8), words),
        Column("strength", np.array([0, *strengths], np.int32)),
    )


@cache
def _suited(best_of: BestOf, table: HandTable, dice: Dice) -> SuitedKernel:
    return SuitedKernel(best_of, table, dice)


@cache
def _rolls(dice: Dice) -> RollKernel:
    return RollKernel(dice)


_made: dict[tuple[Columnar, tuple[bool, ...]], Outcomes] = {}

_KINDS: dict[type[Variant[Any]], Callable[[Any, Any], Outcomes]] = {
    Ranking: _ranking,
    CommunityRanking: _community,
    ScoreCard: _scorecard,
}
