"""Tables: the solved states of a score card, and how to solve them.

Of the card without the upper bonus they also have *shapes*: how the points still to come are
distributed. There a state is little more than a set of open boxes, of which there are some
thousands. Each has `QUANTILES` quantiles of its points, which keep the lumps of boxes with fixed
points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.advice.lattice import Places, Values
from service.advice.scorecard.scoring import Position, Scoring, TooLarge
from service.advice.scorecard.solving import solve_states
from service.advice.scorecard.states import States, all_states
from service.advice.scorecard.steps import Cards, Steps
from service.rules.breaches import TooMuch

MAX_WORK = 15_000_000_000
"""The most work of a table, in `States.work`: about a minute on one core."""

MAX_PLAIN_WORK = 150_000_000
"""The most work of the table without the upper bonus, which is made with a table: two seconds."""

MAX_SMALL_WORK = 30_000_000
"""The most work of a table for a request that waits for it: about a sixth of a second, ..."""

MAX_SMALL_SETS = 256
"""... and the most sets of used boxes there, which take up to half a millisecond each."""


QUANTILES = 32

SHAPES_BLOCK = 128
"""The most states whose shapes are worked out together."""

Shapes = NDArray[np.uint16]
"""Quantiles of the points still to come: (upper places, lower places, quantiles)."""

Figures = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Table:
    """The expected points still to come, and their variance, for the states of a game.

    `array` has the shape (2, upper places, lower places). A state's points still to come include
    those of its open boxes and all bonuses not yet earned. `plain` is what is known of the whole
    game without the upper bonus, None if nothing is.
    """

    states: States
    array: Values
    plain: Plain | None = None

    @classmethod
    def of(cls, scoring: Scoring, figures: Sequence[Figures]) -> Table:
        """The table of a whole game, solved earlier: arrays as `solve` returns them."""
        array, *plain = figures
        states = all_states(scoring.without_bonus)
        return cls(
            all_states(scoring), array, Plain(Table(states, plain[0]), plain[1]) if plain else None
        )

    @property
    def scoring(self) -> Scoring:
        """What the boxes of the game score."""
        return self.states.scoring

    def expected(self, position: Position) -> float:
        """The expected points still to come from `position`, before the first roll of a turn.

        Raises `KeyError` if the table doesn't cover it.
        """
        return float(self.array[0][self.states.place(position)])

    def deviation(self, position: Position) -> float:
        """The standard deviation of these points under the best play."""
        return sqrt(self.array[1][self.states.place(position)])


@dataclass(frozen=True, eq=False)
class Plain:
    """The table of a game without its upper bonus, and the `shapes` of the points there."""

    table: Table
    shapes: Shapes


def forms(scoring: Scoring) -> list[tuple[type[Any], tuple[int, ...]]]:
    """The types and the shapes of the arrays that `solve` returns."""
    plain = all_states(scoring.without_bonus)
    made: list[tuple[type[Any], tuple[int, ...]]] = [(np.float64, checked(scoring).shape)]
    if plain.work <= MAX_PLAIN_WORK:
        made += [(np.float64, plain.shape), (np.uint16, (*plain.shape[1:], QUANTILES))]
    return made


def solve(scoring: Scoring, report: Callable[[float], object] = lambda _: None) -> list[Figures]:
    """The table of a whole game as arrays; `report` is called with the fraction solved.

    They are the table, and then that of the card without the upper bonus and its shapes, unless
    these take too long. It takes one core 3 seconds for `dice-poker`, and 12 for `yahtzee-deluxe`.
    Raises `TooLarge` for a game with too many states or too many keeps.
    """
    solved: list[Figures] = [solve_states(checked(scoring), report)]
    if len(forms(scoring)) > 1:
        states = all_states(scoring.without_bonus)
        plain = solve_states(states)
        solved += [plain, shapes(states, plain[0])]
    return solved


def checked(scoring: Scoring) -> States:
    """The states of a whole game that isn't too large to solve.

    Raises `TooLarge` otherwise.
    """
    states = all_states(scoring)
    if states.work > MAX_WORK:
        raise TooLarge(TooMuch.WORK(count=states.count))
    return states


@lru_cache(maxsize=256)
def small_table(scoring: Scoring, position: Position) -> Table:
    """A table of all that can follow `position`, solved at once; the last few are remembered, a few
    KB each.

    That takes up to 20 milliseconds with five open boxes, and 130 with eight. Raises `TooLarge` if
    it would take longer: with more open boxes, or with many dice.
    """
    open_boxes = len(scoring.upper) + len(scoring.lower)
    open_boxes -= position.upper_used.bit_count() + position.lower_used.bit_count()
    if 1 << open_boxes > MAX_SMALL_SETS:
        raise TooLarge(TooMuch.OPEN_BOXES(count=open_boxes))
    states = States(scoring, position)
    if states.work > MAX_SMALL_WORK:
        raise TooLarge(TooMuch.WORK(count=states.count))
    return Table(states, solve_states(states))


def shapes(states: States, expected: Values) -> Shapes:
    """The quantiles of all `states` under the best play by the `expected` points still to come.

    They are those in the middle of as many parts of equal chance. It takes a fifth of the time to
    solve a card with its bonus.
    """
    steps = Steps(states)
    found = np.zeros((*expected.shape, QUANTILES), np.uint16)
    most = int(states.most_points.max()) + 1
    for count in range(1, len(states.scoring.boxes) + 1):
        uppers, lowers = np.nonzero(states.opened == count)
        for start in range(0, len(uppers), SHAPES_BLOCK):
            block = slice(start, start + SHAPES_BLOCK)
            cards = Cards(uppers[block], lowers[block], np.zeros_like(uppers[block]))
            found[cards.upper, cards.lower] = _block(steps, cards, expected, found, most)
    return found


def _block(steps: Steps, cards: Cards, expected: Values, found: Shapes, most: int) -> Places:
    """The quantiles of `cards`, from those of all cards that may follow."""
    outcomes = steps.outcomes(cards, lambda after: expected[after.upper, after.lower] - after.need)
    after = outcomes.after
    points = found[after.upper, after.lower] - after.need[:, None]
    codes = (outcomes.before[:, None] * most + points).ravel()
    chances = np.repeat(outcomes.chances / QUANTILES, QUANTILES)
    below = np.bincount(codes, chances, len(cards) * most).reshape(-1, most).cumsum(axis=1)
    rows = 2 * np.arange(len(cards))[:, None]  # apart, so that all rows are searched at once
    levels = (np.arange(QUANTILES) + 0.5) / QUANTILES
    return np.searchsorted((below + rows).ravel(), levels + rows) - most * (rows // 2)
