"""The best set of lines that a search has found, and when the search stops."""

from __future__ import annotations

from enum import Enum


class Mode(Enum):
    """Which groups of lines a layout may consist of (R11, R28)."""

    CONNECTED = "connected"
    UNCONNECTED = "unconnected"
    EITHER = "either"


LONE = 4
"""A line of fewer dice counts in a connected layout only if it crosses another (R7, R28)."""

Placed = tuple[int, bool]
"""A line of a layout: its dice as a mask, and whether it runs across."""

Group = tuple[Placed, ...]
"""Connected lines, in an order in which each crosses an earlier one."""


class Best:
    """The best groups of lines so far and their `points`, bonus included. All points and bounds are
    multiplied by `SCALE`.
    """

    def __init__(
        self, work: int | None, step: int, known: Best | None = None, times: int = 1
    ) -> None:
        """A step takes `step` of the allowed `work`, which is unlimited if None, and counts as
        `times` steps.

        The search starts from the result `known`, if given.
        """
        self.points: int = known.points if known else 0
        self.groups: tuple[Group, ...] = known.groups if known else ()
        self.stopped = False
        self.spent = 0
        self._steps_before: int = known.steps if known else 0
        self._work = work
        self._step, self._times = step, times
        self._unsearched = 0

    def improve(self, points: int, groups: tuple[Group, ...]) -> None:
        """Stores `groups` as the best."""
        self.points = points
        self.groups = groups

    def spend(self) -> None:
        """Counts a step of work."""
        self.spent += self._step

    @property
    def steps(self) -> int:
        """How many steps were taken so far, including those to the result it started from."""
        return self._steps_before + self.spent // self._step * self._times

    def ends(self, bound: int) -> bool:
        """Whether to give up a branch with at most `bound` points.

        Either that is no more than the best, or the work is used up; in that case `bound` is
        recorded.
        """
        if bound <= self.points:
            return True
        if self._work is None or self.spent <= self._work:
            return False
        self.stopped = True
        self.leave(bound)
        return True

    def leave(self, bound: int) -> None:
        """Records that an unsearched branch may have up to `bound` points."""
        self._unsearched = max(self._unsearched, bound)

    @property
    def upper_bound(self) -> int:
        """What no layout has more points than; it equals `points` unless the search was stopped."""
        return max(self.points, self._unsearched)
