"""The states of the upper section between turns; most house rules don't change them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from service.advice.scorecard.scoring import TooLarge

MAX_SUMS = 20_000
"""The most sums of the upper section, for all sets of its boxes together: half a second of work.
`yahtzee-deluxe` has 3,510.
"""

Places = NDArray[np.intp]


class UpperPlaces:
    """The places of the upper section: its sums, and those that earn the same bonus as one.

    `of` has the range of the places of each set of used boxes, larger sets first, and `of_sum` the
    place of each of its sums. `following` has the places after filling each box with each number of
    dice that can show its number, -1 where the box is used: the shape (places, boxes, 1 + dice).
    `final_bonus` has the bonus of each place of a full section.
    """

    def __init__(
        self,
        numbers: tuple[int, ...],
        dice: int,
        tiers: tuple[tuple[int, int], ...],
        start: int,
        upper: int,
    ) -> None:
        """Numbers what can follow the boxes used at the `start`, with the sum `upper`.

        Raises `TooLarge` above `MAX_SUMS`.
        """
        self._numbers, self._dice, self._tiers = numbers, dice, tiers
        self._top = tiers[-1][0] if tiers else 0
        self.of: dict[int, range] = {}
        self.of_sum: dict[int, dict[int, int]] = {}
        self.final_bonus: list[int] = []
        self.following = self._number(start, upper)

    def place(self, used: int, upper: int) -> int:
        """The place of a card with the boxes `used` and the sum `upper`."""
        return self.of_sum[used][min(upper, self._top)]

    def _number(self, start: int, upper: int) -> Places:
        """Numbers the places, sets with more boxes used first; returns `following`."""
        every = (1 << len(self._numbers)) - 1
        sums = {start: {upper}}
        rest: dict[int, list[int]] = {every: [0]}
        masks = [*supersets(start, every)]
        total = 1
        for used in masks[1:]:
            box = _last(used & ~start)
            before = sums[used & ~(1 << box)]
            sums[used] = {min(had + got, self._top) for got in self._gains(box) for had in before}
            total += len(sums[used])
            if total > MAX_SUMS:
                raise TooLarge(f"more than {MAX_SUMS} sums of sets of upper boxes are too many")
        places = 0
        following: list[list[list[int]]] = []
        for used in reversed(masks):
            if used != every:
                box = _last(every & ~used)
                after = rest[used | 1 << box]
                gains = self._gains(box)
                rest[used] = sorted({min(g + a, self._top) for g in gains for a in after})
            needs = {upper: self._needs(upper, rest[used]) for upper in sums[used]}
            of_need: dict[tuple[int, ...], int] = {}
            examples: list[int] = []
            for upper in sorted(needs):
                if needs[upper] not in of_need:
                    of_need[needs[upper]] = places + len(of_need)
                    examples.append(upper)
            self.of[used] = range(places, places + len(of_need))
            self.of_sum[used] = {upper: of_need[need] for upper, need in needs.items()}
            places += len(of_need)
            following += [self._after(used, upper) for upper in examples]
            if used == every:
                self.final_bonus = [self._bonus(upper) for upper in examples]
        shape = places, len(self._numbers), self._dice + 1
        return np.array(following, np.intp).reshape(shape)

    def _after(self, used: int, upper: int) -> list[list[int]]:
        """The places after each box with each number of dice, -1 where the box is used."""
        return [
            [-1 if used >> box & 1 else self.place(used | 1 << box, upper + got) for got in gains]
            for box, gains in enumerate(map(self._gains, range(len(self._numbers))))
        ]

    def _gains(self, box: int) -> range:
        """The scores of an upper box, by the number of dice that show its number."""
        number = self._numbers[box]
        return range(0, number * self._dice + 1, number)

    def _needs(self, upper: int, rest: list[int]) -> tuple[int, ...]:
        """The least of the sums `rest` that reach each tier from `upper`; -1 if none does."""
        needs = []
        for threshold, _ in self._tiers:
            place = bisect_left(rest, threshold - upper)
            needs.append(rest[place] if place < len(rest) else -1)
        return tuple(needs)

    def _bonus(self, upper: int) -> int:
        """The bonus of a sum of `upper` (D3, Y4)."""
        return max([points for threshold, points in self._tiers if threshold <= upper], default=0)


@lru_cache(maxsize=16)
def upper_places(
    numbers: tuple[int, ...],
    dice: int,
    tiers: tuple[tuple[int, int], ...],
    start: int,
    upper: int,
) -> UpperPlaces:
    """The upper places of the last few cards, which take 25 milliseconds for a whole game.

    A client that asks under other house rules each time would take as long for each request.
    """
    return UpperPlaces(numbers, dice, tiers, start, upper)


def supersets(start: int, every: int) -> Iterator[int]:
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
