"""The states of a card between turns, numbered without gaps.

Two sums of the upper section are one state if every way to fill its open boxes earns the same bonus
for both: with only sixes open, 34 and 35 both need five sixes to reach 63. That leaves 209,920
states of `dice-poker` and 458,752 of `yahtzee-deluxe`, about half of the sums that can occur.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from service.advice.lattice import Places
from service.advice.scorecard.scoring import EMPTY, Position, Scoring, TooLarge, open_boxes
from service.rules.breaches import TooMuch

MAX_SUMS = 20_000
"""The most sums of the upper section, for all sets of its boxes together: half a second of work.
`yahtzee-deluxe` has 3,510.
"""


class UpperPlaces:
    """The places of the upper section: its sums, and those that earn the same bonus as one.

    `of` has the range of the places of each set of used boxes, larger sets first, and `of_sum` the
    place of each of its sums. `following` has the places after filling each box with each number of
    dice that can show its number, -1 where the box is used: the shape (places, boxes, 1 + dice).
    `final_bonus` has the bonus of each place of a full section (D3, Y4).
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
                raise TooLarge(TooMuch.SUMS(maximum=MAX_SUMS))
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
                self.final_bonus = [
                    max([points for least, points in self._tiers if least <= upper], default=0)
                    for upper in examples
                ]
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


upper_places = lru_cache(maxsize=16)(UpperPlaces)
"""The upper places of the last few cards, which take 25 milliseconds for a whole game.

A client that asks under other house rules each time would take as long for each request.
"""


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
        """Raises `TooLarge` if there are too many states, or too many sets of boxes to count."""
        self.scoring = scoring
        self.start = start
        sections = (scoring.upper, start.upper_used), (scoring.lower, start.lower_used)
        if any(len(boxes) - used.bit_count() > MAX_BOXES for boxes, used in sections):
            raise TooLarge(TooMuch.BOXES(maximum=MAX_BOXES))
        self._numbered = numbered = upper_places(
            scoring.numbers, scoring.lattice.count, scoring.tiers, start.upper_used, start.upper
        )
        self.uppers = numbered.of
        self.uppers_next = numbered.following
        self.final_bonus = numbered.final_bonus
        self.upper_count = sum(map(len, self.uppers.values()))
        sets = 1 << len(scoring.lower) - start.lower_used.bit_count()
        if self.upper_count * sets > MAX_STATES:
            raise TooLarge(TooMuch.STATES(maximum=MAX_STATES))
        self._lower_places = {
            (used, armed): place for place, (used, armed) in enumerate(self._lowers())
        }
        self.lowers = tuple(self._lower_places)
        self.lower_count = len(self.lowers)
        if self.count > MAX_STATES:
            raise TooLarge(TooMuch.STATES(maximum=MAX_STATES))

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

    def place(self, position: Position) -> tuple[int, int]:
        """The upper and the lower place of `position`. Raises `KeyError` if it has none."""
        return (
            self._numbered.place(position.upper_used, position.upper),
            self._lower_places[position.lower_used, position.armed],
        )

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
    def opened(self) -> NDArray[np.uint8]:
        """The number of open boxes of each state: (upper places, lower places)."""
        used = np.bitwise_count(self.upper_used)[:, None] + np.bitwise_count(self.lower_used)
        return len(self.scoring.boxes) - used

    @cached_property
    def most_points(self) -> Places:
        """The most points that can still come from each state: (upper places, lower places).

        Every open box has its most, and every roll is a repeat.
        """
        scoring, repeating = self.scoring, self.scoring.repeating
        upper = np.zeros(self.upper_count, np.intp)
        gains = np.arange(scoring.lattice.count + 1)
        for used, places in self.uppers.items():  # those with more boxes used come first
            own = upper[places.start : places.stop]
            if used == (1 << len(scoring.upper)) - 1:
                own[:] = self.final_bonus
            for box in open_boxes(len(scoring.upper), used):
                to = self.uppers_next[places.start : places.stop, box]
                np.maximum(own, (upper[to] + gains * scoring.numbers[box]).max(axis=1), out=own)
        tops = scoring.scores.max(axis=1, initial=0)
        for box, scores in (repeating.fills if repeating else {}).items():
            tops[box] = max(tops[box], scores.max())
        lower_open = (self.lower_used[:, None] >> np.arange(len(tops)) & 1) == 0
        most: Places = upper[:, None] + (lower_open @ tops).astype(np.intp)
        if repeating and repeating.bonus:
            earns = self.armed | ((self.lower_used >> repeating.box & 1) == 0)
            most += repeating.bonus * self.opened.astype(np.intp) * earns
        return most

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
                    zero = self._lower_places[more, armed]
                    after[place, box] = zero, self._lower_places[more, armed or box == repeated]
        return after

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
