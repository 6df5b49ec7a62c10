"""The search for the best set of lines, when a die may lie in three or four of them (R12, R27).

Lines then run in any direction. The only rule is that two share at most one die. As in `search`,
open dice are settled one by one, and long and short lines have separate bounds. Thirteen dice have
room for three long lines if each two share a die: two of five dice, and one of at most six.
"""

from __future__ import annotations

from service.kinds.layout.solver.best import LONE, Best
from service.kinds.layout.solver.lineset import LONG, SCALE, LineSet, several


class SharedSearch:
    """Searches for the best set of `lines`, starting from a known one."""

    def __init__(
        self, lines: LineSet, *, uses: int, connected: bool, bonus: int, best: Best
    ) -> None:
        """Improves `best`.

        A die lies in up to `uses` lines. `bonus` is for all dice in one connected group.
        """
        self.lines = lines
        self.connected = connected
        self.bonus = bonus * SCALE if connected else 0
        self.best = best
        self.all_dice = (1 << lines.dice) - 1
        self.left = [uses] * lines.dice
        self.chosen: list[int] = []
        self._begin()

    def _begin(self) -> None:
        """Starts with each line in turn, then, if lines needn't be connected, with none."""
        lines = self.lines
        free = lines.all
        unordered = lines.out_of_order(lines.alike)
        while firsts := free & ~unordered & (lines.all if self.connected else lines.long):
            low = firsts & -firsts
            line = low.bit_length() - 1
            self.best.spend()
            bound = self.bonus + self._short_most(free)
            if low & lines.long:
                if bound + 3 * lines.points[line] <= self.best.points:
                    break  # nor can short lines alone have more
                bound += lines.points[line] * (3 if lines.size[line] <= LONG + 1 else 2)
            if not self.best.ends(bound):
                self._place(line, free, 0, 0, 0 if self.connected else self.all_dice)
            free &= ~lines.likes(line, lines.alike)
        if not self.connected:
            self._grow(free & lines.short, 0, 0, self.all_dice)

    def _place(self, line: int, free: int, points: int, used: int, open_dice: int) -> None:
        """Places `line`, continues, and removes it again."""
        lines = self.lines
        free &= lines.crossing(line)
        mask = lines.masks[line]
        if self.connected:
            open_dice |= mask & ~used
        for die in lines.members[line]:
            self.left[die] -= 1
            if not self.left[die]:
                free &= ~lines.through[die]
        self.chosen.append(mask)
        self._grow(free, points + lines.points[line], used | mask, open_dice)
        self.chosen.pop()
        for die in lines.members[line]:
            self.left[die] += 1

    def _grow(self, free: int, points: int, used: int, open_dice: int) -> None:
        """Stores the lines if they are the best, then settles the next open die.

        `free` are the lines that may still be placed.
        """
        self.best.spend()
        lines = self.lines
        total = points + (self.bonus if used == self.all_dice else 0)
        if total > self.best.points and (
            not self.connected or len(self.chosen) > 1 or used.bit_count() >= LONE
        ):
            self.best.improve(total, (tuple([(mask, True) for mask in self.chosen]),))
        reach = 0
        fewest = 1 << 62
        pick = -1
        dice = open_dice
        while dice:
            low = dice & -dice
            dice ^= low
            die = low.bit_length() - 1
            here = free & lines.through[die]
            if here:
                reach |= lines.linked[die]
                if here.bit_count() < fewest:
                    fewest, pick = here.bit_count(), die
        if pick < 0:
            return
        far = free & lines.long
        bound = points + self.bonus + self._long_most(far)
        bound += self._short_most(free if far else free & reach)
        if self.best.ends(bound):
            return
        self._settle(pick, free, points, used, open_dice)
        if self.best.stopped:
            self.best.leave(bound)

    def _settle(self, die: int, free: int, points: int, used: int, open_dice: int) -> None:
        """Places each line through `die` in turn, without those tried before, then none."""
        lines = self.lines
        alike = self._alike_now(open_dice)
        low = 1 << die
        likes = next((group for group in alike if group & low), low)
        alike = [group & ~low for group in alike]
        unordered = lines.out_of_order(alike)
        while firsts := free & lines.through[die] & ~unordered:
            line = (firsts & -firsts).bit_length() - 1
            self._place(line, free, points, used, open_dice)
            if self.best.stopped:
                return
            free &= ~lines.likes(line, alike)
        self._grow(lines.without(free, likes), points, used, open_dice & ~likes)

    def _alike_now(self, open_dice: int) -> list[int]:
        """The groups of alike dice that are in the same lines and equally open."""
        cells: list[int] = []
        for group in self.lines.alike:
            cells += [group & open_dice, group & ~open_dice]
        cells = several(cells)
        for mask in self.chosen:
            if not cells:
                break
            cells = several([part for cell in cells for part in (cell & mask, cell & ~mask)])
        return cells

    def _long_most(self, far: int) -> int:
        """A bound on the points that long lines of `far` can add."""
        lines = self.lines
        if not far:
            return 0
        placed = [mask.bit_count() for mask in self.chosen if mask.bit_count() >= LONG]
        most = lines.points[(far & -far).bit_length() - 1]
        five = far & lines.five
        if len(placed) == 1 and placed[0] <= LONG + 1 and five:
            most += lines.points[(five & -five).bit_length() - 1]
        return most

    def _short_most(self, free: int) -> int:
        """A bound on the points that short lines of `free` can add.

        Two short lines give a die at most `most_short`, so three give it at most 3 / 2 of that.
        """
        lines = self.lines
        free &= lines.short
        most = 0
        for die, through in enumerate(lines.through):
            here = free & through
            if here:
                share = lines.share[(here & -here).bit_length() - 1]
                left = self.left[die]
                if left > 1:
                    share = min(left * share, (left * lines.most_short[die] + 1) // 2)
                most += share
        return most
