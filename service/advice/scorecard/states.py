"""The states of a card between turns, numbered without gaps.

Two sums of the upper section are one state if every way to fill its open boxes earns the same bonus
for both: with only sixes open, 34 and 35 both need five sixes to reach 63. That leaves 209,920
states of `dice-poker` and 458,752 of `yahtzee-deluxe`, about half of the sums that can occur.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from service.advice.scorecard.scoring import EMPTY, Position, Scoring, TooLarge

MAX_STATES = 2_000_000
"""The most states of a table: with 16 bytes each, 32 MB."""

MAX_SUMS = 20_000
"""The most sums of the upper section, for all sets of its boxes together: half a second of work.
`yahtzee-deluxe` has 3,510.
"""

MAX_BOXES = 18
"""The most open boxes of a section that states are counted for."""

Places = NDArray[np.intp]


class States:
    """All states that a game can reach from `start`.

    A state is a pair of an upper and a lower place. `upper_count` and `lower_count` are the numbers
    of these. `uppers` has every set of used upper boxes, each after those with a box more, with the
    range of its places. `uppers_next[used][box]` has the upper places after filling a box, with a
    row for each place of `used` and a column for each number of dice that can show its number.
    """

    def __init__(self, scoring: Scoring, start: Position = EMPTY) -> None:
        self.scoring = scoring
        self.start = start
        self._check_boxes()
        self.uppers: dict[int, range] = {}
        self.uppers_next: dict[int, dict[int, Places]] = {}
        self._upper_places: dict[int, dict[int, int]] = {}
        self.final_bonus: list[int] = []
        self._number_uppers()
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
        return self._upper_places[used][min(upper, self.scoring.top)]

    def lower_place(self, used: int, armed: bool) -> int:
        """The lower place of a card with the boxes `used`."""
        return self._lower_places[used, armed]

    def covers(self, position: Position) -> bool:
        """Whether the game can reach `position` from the start."""
        sums = self._upper_places.get(position.upper_used)
        lower = (position.lower_used, position.armed)
        return sums is not None and position.upper in sums and lower in self._lower_places

    def _check_boxes(self) -> None:
        """Raises `TooLarge` if there are too many sets of boxes to count."""
        for boxes, used in (
            (self.scoring.upper, self.start.upper_used),
            (self.scoring.lower, self.start.lower_used),
        ):
            if len(boxes) - used.bit_count() > MAX_BOXES:
                raise TooLarge(f"more than {MAX_BOXES} open boxes of a section are too many")

    def _number_uppers(self) -> None:
        """Numbers the upper places, sets with more boxes used first."""
        scoring, start = self.scoring, self.start
        every = (1 << len(scoring.upper)) - 1
        sums = {start.upper_used: {start.upper}}
        rest: dict[int, list[int]] = {every: [0]}
        masks = [*_supersets(start.upper_used, every)]
        total = 1
        for used in masks[1:]:
            box = _last(used & ~start.upper_used)
            before = sums[used & ~(1 << box)]
            sums[used] = {min(had + got, scoring.top) for got in self._gains(box) for had in before}
            total += len(sums[used])
            if total > MAX_SUMS:
                raise TooLarge(f"more than {MAX_SUMS} sums of sets of upper boxes are too many")
        places = 0
        for used in reversed(masks):
            if used != every:
                box = _last(every & ~used)
                after = rest[used | 1 << box]
                gains = self._gains(box)
                rest[used] = sorted({min(g + a, scoring.top) for g in gains for a in after})
            needs = {upper: self._needs(upper, rest[used]) for upper in sums[used]}
            of_need: dict[tuple[int, ...], int] = {}
            examples: list[int] = []
            for upper in sorted(needs):
                if needs[upper] not in of_need:
                    of_need[needs[upper]] = places + len(of_need)
                    examples.append(upper)
            self.uppers[used] = range(places, places + len(of_need))
            self._upper_places[used] = {upper: of_need[need] for upper, need in needs.items()}
            places += len(of_need)
            self.uppers_next[used] = {
                box: np.array(
                    [
                        [self.upper_place(used | 1 << box, had + got) for got in self._gains(box)]
                        for had in examples
                    ],
                    np.intp,
                )
                for box in range(len(scoring.upper))
                if not used >> box & 1
            }
            if used == every:
                self.final_bonus = [scoring.bonus(upper) for upper in examples]

    def _gains(self, box: int) -> range:
        """The scores of an upper box, by the number of dice that show its number."""
        number = self.scoring.numbers[box]
        return range(0, number * self.scoring.lattice.count + 1, number)

    def _needs(self, upper: int, rest: list[int]) -> tuple[int, ...]:
        """The least of the sums `rest` that reach each tier from `upper`; -1 if none does."""
        needs = []
        for threshold, _ in self.scoring.tiers:
            place = bisect_left(rest, threshold - upper)
            needs.append(rest[place] if place < len(rest) else -1)
        return tuple(needs)

    def _lowers(self) -> Iterator[tuple[int, bool]]:
        """Every set of used lower boxes, with whether repeats earn their bonus."""
        scoring, start = self.scoring, self.start
        repeating = scoring.repeating
        for used in _supersets(start.lower_used, (1 << len(scoring.lower)) - 1):
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


def _supersets(start: int, every: int) -> Iterator[int]:
    """All bit masks between `start` and `every`, in ascending order."""
    free = every & ~start
    more = 0
    while True:
        yield start | more
        if more == free:
            return
        more = (more - free) & free


def _last(mask: int) -> int:
    """The place of the highest bit of `mask`."""
    return mask.bit_length() - 1
