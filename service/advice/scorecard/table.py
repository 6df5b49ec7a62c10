"""Tables: the solved states of a score card, and how to solve them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from service.advice.lattice import Values
from service.advice.scorecard.scoring import Position, Scoring, TooLarge
from service.advice.scorecard.solving import solve_states
from service.advice.scorecard.states import States, all_states
from service.rules.breaches import TooMuch

MAX_WORK = 15_000_000_000
"""The most work of a table, in `States.work`: about a minute on one core."""

MAX_SMALL_WORK = 30_000_000
"""The most work of a table for a request that waits for it: about a sixth of a second, ..."""

MAX_SMALL_SETS = 256
"""... and the most sets of used boxes there, which take up to half a millisecond each."""


@dataclass(frozen=True, eq=False)
class Table:
    """The expected points still to come, and their variance, for the states of a game.

    `array` has the shape (2, upper places, lower places). A state's points still to come include
    those of its open boxes and all bonuses not yet earned.
    """

    states: States
    array: Values

    @classmethod
    def of(cls, scoring: Scoring, array: Values) -> Table:
        """The table of a whole game, solved earlier: an array as `solve` returns it."""
        return cls(all_states(scoring), array)

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


def solve(scoring: Scoring, report: Callable[[float], object] = lambda _: None) -> Values:
    """The table of a whole game as an array; `report` is called with the fraction solved.

    It takes one core 2 to 3 seconds for `dice-poker`, and 10 for `yahtzee-deluxe`. Raises
    `TooLarge` for a game with too many states or too many keeps.
    """
    return solve_states(checked(scoring), report)


def checked(scoring: Scoring) -> States:
    """The states of a whole game that isn't too large to solve.

    Raises `TooLarge` otherwise.
    """
    states = all_states(scoring)
    if states.work > MAX_WORK:
        raise TooLarge(TooMuch.WORK(count=states.count))
    return states


def small_table(scoring: Scoring, position: Position) -> Table:
    """A table of all that can follow `position`, solved at once.

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
