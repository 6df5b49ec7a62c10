"""The search for the best lines that share no die (R11): a branch and bound over disjoint sets."""

from __future__ import annotations

from service.kinds.layout.solver.best import Best, Group
from service.kinds.layout.solver.lineset import LONG, LineSet


class Packing:
    """Searches for the best separate lines, each a group of its own."""

    def __init__(self, lines: LineSet, best: Best) -> None:
        """Improves `best`."""
        self.lines = lines
        self.best = best
        self.done: list[Group] = []
        self._pack(lines.all, 0, (1 << lines.dice) - 1)

    def _pack(self, free: int, points: int, rest: int) -> None:
        """Adds each line of `free` in turn, on the dice `rest`.

        Later branches leave out lines that were tried, and those that differ only in alike dice.
        """
        lines = self.lines
        if points > self.best.points:
            self.best.improve(points, tuple(self.done))
        alike = lines.alike_among(rest)
        unordered = lines.out_of_order(alike)
        while firsts := free & ~unordered:
            low = firsts & -firsts
            line = low.bit_length() - 1
            self.best.spend()
            bound = points + self._short_most(free, rest)
            if low & lines.long:
                if bound + 2 * lines.points[line] <= self.best.points:
                    free &= lines.short
                    continue
                two = rest.bit_count() - lines.size[line] >= LONG
                bound += lines.points[line] * (2 if two else 1)
            elif bound <= self.best.points:
                return
            if not self.best.ends(bound):
                self.done.append(((lines.masks[line], True),))
                self._pack(
                    free & lines.apart(line), points + lines.points[line], rest & ~lines.masks[line]
                )
                self.done.pop()
            free &= ~lines.likes(line, alike)

    def _short_most(self, free: int, rest: int) -> int:
        """A bound on the points that short lines of `free` give to the dice `rest`, one a die."""
        lines = self.lines
        free &= lines.short
        most = 0
        while rest and free:
            low = rest & -rest
            rest ^= low
            here = free & lines.through[low.bit_length() - 1]
            if here:
                most += lines.share[(here & -here).bit_length() - 1]
        return most
