"""The search for the best set of lines, when a die lies in at most one line across and one down.

A line is a set of dice with points here; which hand it is doesn't matter. A set of lines is legal
if parallel lines share no die, crossing lines at most one (R26), and its groups are allowed by the
mode (R28). `placeable` says whether a group can be laid on a grid (R33). A group that can't be is
skipped, but larger groups with it are still tried, since another line can make touching dice legal.

The search is a branch and bound that makes each set once:

- It starts with a line. A placed line opens the other direction of each of its dice. The open die
  with the fewest possible lines is settled next, with one of those lines or with none. So groups
  are connected and directions alternate without a check. A set of lines is an int with a bit for
  each. There is one such set for each direction: the lines that may still be placed in it.
- Lines of five or more dice are *long*. Thirteen dice have room for at most three of them, and only
  if all have five dice, since three lines cross in at most two dice. So the points to come are
  bounded by the best remaining long lines, plus the points of the short ones, spread over their
  dice. Long lines are tried first, by points, so the first one that can't win ends the search among
  long lines.
- Dice that are interchangeable in every line are alike. Of lines that differ only in alike dice,
  the one with the first of them is tried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from service.kinds.layout.solver.best import LONE, Best, Group, Placed
from service.kinds.layout.solver.lineset import LONG, SCALE, LineSet, several


class _Node(NamedTuple):
    """A state of the search: a partial group.

    `across` and `down` are the lines that may still be placed in that direction. `used` are the
    dice of placed lines, including earlier groups. `open_down` are dice of lines across that may
    still get a line down, `open_across` the reverse. `two_more` says that two more long lines may
    fit, not only one.
    """

    across: int
    down: int
    points: int
    used: int
    open_down: int
    open_across: int
    two_more: bool

    def with_line(self, lines: LineSet, line: int, across: bool) -> _Node:
        """The state after placing `line`."""
        mask = lines.masks[line]
        fresh = mask & ~self.used
        apart, crossing = lines.apart(line), lines.crossing(line)
        return _Node(
            self.across & (apart if across else crossing),
            self.down & (crossing if across else apart),
            self.points + lines.points[line],
            self.used | mask,
            self.open_down | fresh if across else self.open_down & ~mask,
            self.open_across & ~mask if across else self.open_across | fresh,
            self.two_more and lines.size[line] < LONG,
        )

    def closed(self, lines: LineSet, dice: int, across: bool) -> _Node:
        """The state in which no line `across` (or else down) runs through any of `dice`."""
        if across:
            free = lines.without(self.across, dice)
            return self._replace(across=free, open_across=self.open_across & ~dice)
        free = lines.without(self.down, dice)
        return self._replace(down=free, open_down=self.open_down & ~dice)


class Search:
    """Searches for the best groups of crossing lines."""

    def __init__(
        self,
        lines: LineSet,
        *,
        connected: bool,
        bonus: int,
        placeable: Callable[[Group], bool],
        best: Best,
    ) -> None:
        """Improves `best`.

        If `connected`, there is only one group, which gets `bonus` if it has all dice.
        """
        self.lines = lines
        self.connected = connected
        self.bonus = bonus * SCALE if connected else 0
        self.placeable = placeable
        self.best = best
        self.all_dice = (1 << lines.dice) - 1
        self.done: list[Group] = []
        self.group: list[Placed] = []
        self._begin(lines.all, 0, 0)

    def _begin(self, free: int, points: int, used: int) -> None:
        """Starts a group with each line of `free` in turn that has no `used` die.

        Later branches leave out lines that were tried, and those that differ only in alike dice.
        """
        lines = self.lines
        rest = self.all_dice & ~used
        room = rest.bit_count()
        free = lines.without(free, used)
        alike = lines.alike_among(rest)
        unordered = lines.out_of_order(alike)
        short = lines.most_of_short(free, rest, 2)
        while firsts := free & ~unordered:
            low = firsts & -firsts
            line = low.bit_length() - 1
            self.best.spend()
            bound = points + self.bonus + short
            if low & lines.long:
                if bound + 3 * lines.points[line] <= self.best.points:
                    free &= lines.short
                    short = lines.most_of_short(free, rest, 2)
                    continue
                bound += lines.points[line] * _long_lines(lines.size[line], room)
            elif bound <= self.best.points:
                return
            if not self.best.ends(bound):
                start = _Node(free, free, points, used, 0, 0, False).with_line(lines, line, True)
                three = _long_lines(lines.size[line], room) == 3
                self.group.append((lines.masks[line], True))
                self._grow(start._replace(two_more=three))
                self.group.pop()
            free &= ~lines.likes(line, alike)
            if low & lines.short:
                short = lines.most_of_short(free, rest, 2)

    def _grow(self, node: _Node) -> None:
        """Stores the group if it is the best, then settles its next open die."""
        self.best.spend()
        total = node.points + (self.bonus if node.used == self.all_dice else 0)
        if (
            total > self.best.points
            and (not self.connected or len(self.group) > 1 or node.used.bit_count() >= LONE)
            and self.placeable(tuple(self.group))
        ):
            self.best.improve(total, (*self.done, tuple(self.group)))
        die, most, reach = self._open(node)
        if die is None and self.connected:
            return
        bound = node.points + most + self._long_most(node) + self._fresh_most(node, reach)
        if self.best.ends(bound):
            return
        if die is not None:
            self._settle(die, node)
        elif self.placeable(tuple(self.group)):
            self.done.append(tuple(self.group))
            group, self.group = self.group, []
            self._begin(node.across & node.down, node.points, node.used)
            self.group = group
            self.done.pop()
        if self.best.stopped:
            self.best.leave(bound)

    def _open(self, node: _Node) -> tuple[int | None, int, int]:
        """The open die with the fewest lines to choose from, None if no line is left for any.

        Also the most that short lines can share out to open dice, and the short lines that can
        be reached from these over short ones.
        """
        lines = self.lines
        through, share, short = lines.through, lines.share, lines.short
        fewest = 1 << 62
        pick = None
        most = reach = 0
        for dice, free in ((node.open_down, node.down), (node.open_across, node.across)):
            while dice:
                low = dice & -dice
                dice ^= low
                die = low.bit_length() - 1
                here = free & through[die]
                if not here:
                    continue
                reach |= lines.linked[die]
                count = here.bit_count()
                if count < fewest:
                    fewest, pick = count, die
                here &= short
                if here:
                    most += share[(here & -here).bit_length() - 1]
        return pick, most, reach

    def _long_most(self, node: _Node) -> int:
        """The most that long lines can still add."""
        lines = self.lines
        far = (node.across | node.down) & lines.long
        if not far:
            return 0
        one = lines.points[(far & -far).bit_length() - 1]
        five = far & lines.five
        if not node.two_more or not five:
            return one
        return max(one, 2 * lines.points[(five & -five).bit_length() - 1])

    def _fresh_most(self, node: _Node, reach: int) -> int:
        """The most that short lines can share out to dice not used yet, with the bonus.

        Without long lines to come, a connected group grows only where short ones `reach`. There is
        no bonus if no line is left for some die.
        """
        lines = self.lines
        through, share, cap = lines.through, lines.share, lines.most_short
        far = (node.across | node.down) & lines.long
        short = lines.short if far or not self.connected else reach
        across, down = node.across & short, node.down & short
        most = self.bonus
        whole = True
        rest = self.all_dice & ~node.used
        while rest:
            low = rest & -rest
            rest ^= low
            die = low.bit_length() - 1
            here = through[die]
            one, two = here & across, here & down
            if one or two:
                shared = share[(one & -one).bit_length() - 1] if one else 0
                shared += share[(two & -two).bit_length() - 1] if two else 0
                most += shared if shared < cap[die] else cap[die]
            elif not here & far:
                whole = False
        return most if whole else most - self.bonus

    def _settle(self, die: int, node: _Node) -> None:
        """Places each line that `die` is open for in turn, then none.

        If `die` gets no line, the open dice alike to it get none either: with the dice swapped,
        that was tried already.
        """
        lines = self.lines
        across = not node.open_down >> die & 1
        firsts = (node.across if across else node.down) & lines.through[die]
        likes = low = 1 << die
        if lines.alike:
            alike = self._alike_now(node)
            likes = next((group for group in alike if group & low), low)
            firsts &= ~lines.out_of_order([group & ~low for group in alike])
        while firsts:
            low = firsts & -firsts
            firsts ^= low
            line = low.bit_length() - 1
            self.group.append((lines.masks[line], across))
            self._grow(node.with_line(lines, line, across))
            self.group.pop()
            if self.best.stopped:
                return
        self._grow(node.closed(lines, likes, across))

    def _alike_now(self, node: _Node) -> list[int]:
        """The groups of alike dice that are in no line, or open and in the same line."""
        cells: list[int] = []
        for group in self.lines.alike:
            cells.append(group & ~node.used)
            in_lines = group & (node.open_down | node.open_across)
            if in_lines:
                cells += [in_lines & mask for mask, _ in self.group]
        return several(cells)


def _long_lines(size: int, room: int) -> int:
    """How many long lines fit on `room` dice if the first has `size` dice.

    Two lines share at most one die, three lines two.
    """
    if size == LONG and room >= 3 * LONG - 2:
        return 3
    return 2 if room - size >= LONG - 1 else 1


class Packing:
    """Searches for the best lines that share no die (R11), each a group of its own: a branch and
    bound over disjoint sets.
    """

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
            bound = points + lines.most_of_short(free, rest, 1)
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
