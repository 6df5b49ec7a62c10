"""What a search for the best set of lines looks for, what it has found, and when it stops."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from service.kinds.layout.solver.lineset import SCALE


class Mode(Enum):
    """Which groups of lines a layout may consist of (R11, R28)."""

    CONNECTED = "connected"
    UNCONNECTED = "unconnected"
    EITHER = "either"


LONE = 4
"""In a connected layout a line of fewer dice counts only if it crosses another (R7, R28)."""

Placed = tuple[int, bool]
"""A line of a layout: its dice as a mask, and whether it runs across."""

Group = tuple[Placed, ...]
"""Lines that hang together, in an order where each crosses one before it."""


@dataclass(frozen=True)
class Found:
    """The best groups of lines and their points, bonus included.

    `upper_bound` is what no layout exceeds: the same as `points` unless the search was stopped.
    `steps` is how many steps the search took.
    """

    points: int
    groups: tuple[Group, ...]
    upper_bound: int
    steps: int


class Best:
    """The best so far. Points and bounds here are times `SCALE`."""

    def __init__(self, work: int | None, step: int, known: Best | None = None) -> None:
        """The search may take `work`, of which a step takes `step`; None is no limit.

        It begins with what is `known` already.
        """
        self.points: int = known.points if known else 0
        self.groups: tuple[Group, ...] = known.groups if known else ()
        self.stopped = False
        self.spent = 0
        self._steps_before: int = known.steps if known else 0
        self._work = work
        self._step = step
        self._unsearched = 0

    def improve(self, points: int, groups: tuple[Group, ...]) -> None:
        """Takes `groups` as the best."""
        self.points = points
        self.groups = groups

    def spend(self) -> None:
        """Counts a step of work."""
        self.spent += self._step

    @property
    def steps(self) -> int:
        """How many steps were taken so far, those to what was known at the beginning included."""
        return self._steps_before + self.spent // self._step

    def ends(self, bound: int) -> bool:
        """Whether to search no further where no more than `bound` points can be found.

        Either they wouldn't be more than the best, or the work is used up; then `bound` is kept
        in mind.
        """
        if bound <= self.points:
            return True
        if self._work is None or self.spent <= self._work:
            return False
        self.stopped = True
        self.leave(bound)
        return True

    def leave(self, bound: int) -> None:
        """Keeps in mind that up to `bound` points may lie where wasn't searched."""
        self._unsearched = max(self._unsearched, bound)

    def found(self) -> Found:
        """The best there was."""
        bound = max(self.points, self._unsearched)
        return Found(self.points // SCALE, self.groups, bound // SCALE, self.steps)
