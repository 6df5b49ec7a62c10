"""The states of a card between turns, numbered without gaps.

Two sums of the upper section are one state if every way to fill its open boxes earns the same bonus
for both: with only sixes open, 34 and 35 both need five sixes to reach 63. That leaves 209,920
states of `dice-poker` and 458,752 of `yahtzee-deluxe`, about half of the sums that can occur.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from service.advice.scorecard.position import EMPTY, Position
from service.advice.scorecard.scoring import Scoring, TooLarge
from service.advice.scorecard.uppers import Places, supersets, upper_places

MAX_STATES = 2_000_000
"""The most states of a table: with 16 bytes each, 32 MB."""

MAX_BOXES = 18
"""The most open boxes of a section that states are counted for."""


class States:
    """All states that a game can reach from `start`.

    A state is a pair of an upper and a lower place. `upper_count` and `lower_count` are the numbers
    of these. `uppers` has the range of the places of each set of used upper boxes; larger sets come
    first. `uppers_next` has the upper places after filling each box with each number of dice that
    can show its number, -1 where the box is used: the shape (upper places, upper boxes, 1 + dice).
    `lowers` has for each lower place its set of used boxes, and whether repeats earn their bonus.
    `lowers_next` has the lower places after a zero and after a score in each box, -1 where the box
    is used: the shape (lower places, lower boxes, 2).
    """

    def __init__(self, scoring: Scoring, start: Position = EMPTY) -> None:
        self.scoring = scoring
        self.start = start
        self._check_boxes()
        numbered = upper_places(
            scoring.numbers, scoring.lattice.count, scoring.tiers, start.upper_used, start.upper
        )
        self._numbered = numbered
        self.uppers = numbered.of
        self.uppers_next = numbered.following
        self.final_bonus = numbered.final_bonus
        self.upper_count = sum(map(len, self.uppers.values()))
        sets = 1 << len(scoring.lower) - start.lower_used.bit_count()
        if self.upper_count * sets > MAX_STATES:
            raise TooLarge(f"the states of a card are more than {MAX_STATES}")
        self._lower_places = {
            (used, armed): place for place, (used, armed) in enumerate(self._lowers())
        }
        self.lowers = tuple(self._lower_places)
        self.lower_count = len(self.lowers)
        if self.count > MAX_STATES:
            raise TooLarge(f"{self.count} states of a card are more than {MAX_STATES}")

    @property
    def count(self) -> int:
        """The number of states."""
        return self.upper_count * self.lower_count

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of a table: expectations and variances by upper and lower place."""
        return 2, self.upper_count, self.lower_count

    @property
    def work(self) -> int:
        """What a table takes: one for each state, each keep of its dice and each face."""
        dice = self.scoring.lattice
        return self.count * len(dice.keeps) * dice.faces

    def upper_place(self, used: int, upper: int) -> int:
        """The upper place of a card with the boxes `used` and the sum `upper`."""
        return self._numbered.place(used, upper)

    def lower_place(self, used: int, armed: bool) -> int:
        """The lower place of a card with the boxes `used`."""
        return self._lower_places[used, armed]

    @cached_property
    def upper_used(self) -> Places:
        """The used boxes of each upper place, as bits."""
        used = [np.full(len(places), used) for used, places in self.uppers.items()]
        return np.concatenate(used)

    @cached_property
    def lower_used(self) -> Places:
        """The used boxes of each lower place, as bits."""
        return np.array([used for used, _ in self.lowers])

    @cached_property
    def armed(self) -> NDArray[np.bool_]:
        """Whether repeats earn their bonus, for each lower place."""
        return np.array([armed for _, armed in self.lowers])

    @cached_property
    def lowers_next(self) -> Places:
        """See the class. A score in the repeated box makes repeats earn their bonus (D15)."""
        scoring = self.scoring
        repeated = scoring.repeating.box if scoring.repeating and scoring.arms else -1
        after = np.full((self.lower_count, len(scoring.lower), 2), -1, np.intp)
        for place, (used, armed) in enumerate(self.lowers):
            for box in range(len(scoring.lower)):
                if not used >> box & 1:
                    more = used | 1 << box
                    scored = self.lower_place(more, armed or box == repeated)
                    after[place, box] = self.lower_place(more, armed), scored
        return after

    def _check_boxes(self) -> None:
        """Raises `TooLarge` if there are too many sets of boxes to count."""
        for boxes, used in (
            (self.scoring.upper, self.start.upper_used),
            (self.scoring.lower, self.start.lower_used),
        ):
            if len(boxes) - used.bit_count() > MAX_BOXES:
                raise TooLarge(f"more than {MAX_BOXES} open boxes of a section are too many")

    def _lowers(self) -> Iterator[tuple[int, bool]]:
        """Every set of used lower boxes, with whether repeats earn their bonus."""
        scoring, start = self.scoring, self.start
        repeating = scoring.repeating
        for used in supersets(start.lower_used, (1 << len(scoring.lower)) - 1):
            if not (scoring.arms and repeating and used >> repeating.box & 1):
                yield used, False
            elif start.lower_used >> repeating.box & 1:
                yield used, start.armed
            else:
                yield from ((used, False), (used, True))


@lru_cache(maxsize=8)
def all_states(scoring: Scoring) -> States:
    """All states of a game from an empty card; those of the last few games are remembered.

    Raises `TooLarge` above `MAX_STATES`.
    """
    return States(scoring)
