"""Sets of lines as bits of an int, and which lines are compatible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

LONG = 5
"""A line with this many dice or more is long, otherwise short."""

MAX_DICE = 13
"""With one more die there would be room for three long lines that aren't all of five dice."""

SCALE = 12
"""All points are multiplied by this, so that those of a short line divide evenly among its dice."""


class LineSet:
    """All lines that a layout can consist of, numbered; a set of lines is an int with their bits.

    Long lines come first, by points, then short ones by points per die. `points`, and `share` (the
    points per die of a short line), are multiplied by `SCALE`. `through[d]` are the lines with die
    `d`; `long`, `five` and `short` are the lines of five or more dice, of exactly five, and of
    fewer. `step` estimates the work of a search step, which grows with the number of lines.
    """

    def __init__(self, lines: Mapping[int, int], dice: int) -> None:
        """`lines` are masks of dice with their points; there are `dice` dice, from bit 0."""
        if dice > MAX_DICE:
            raise ValueError(f"the bounds of the search hold for up to {MAX_DICE} dice")
        self.dice = dice
        self.step = 1 + len(lines) // 512
        order = sorted(lines.items(), key=_order)
        self.masks = [mask for mask, _ in order]
        self.points = [points * SCALE for _, points in order]
        self.size = [mask.bit_count() for mask in self.masks]
        self.share = [
            points // size if size < LONG else 0
            for points, size in zip(self.points, self.size, strict=True)
        ]
        self.through = [0] * dice
        through = self.through
        self.members: list[tuple[int, ...]] = []
        self.long = self.five = 0
        bit = 1
        for mask, size in zip(self.masks, self.size, strict=True):
            members = []
            while mask:
                low = mask & -mask
                die = low.bit_length() - 1
                members.append(die)
                through[die] |= bit
                mask ^= low
            self.members.append(tuple(members))
            if size >= LONG:
                self.long |= bit
                if size == LONG:
                    self.five |= bit
            bit <<= 1
        self.all = bit - 1
        self.short = self.all & ~self.long
        self._apart: list[int | None] = [None] * len(self.masks)
        self._crossing: list[int] = [0] * len(self.masks)
        self._counted: dict[int, list[int]] = {}
        self.alike = self._alike_dice(lines)
        self.linked = self._linked()
        self.most_short = [self._most_short(die) for die in range(dice)]

    def apart(self, line: int) -> int:
        """The lines that share no die with `line`."""
        apart = self._apart[line]
        if apart is None:
            apart = self._compare(line)
        return apart

    def crossing(self, line: int) -> int:
        """The lines that share at most one die with `line`."""
        if self._apart[line] is None:
            self._compare(line)
        return self._crossing[line]

    def _compare(self, line: int) -> int:
        once = twice = 0
        for die in self.members[line]:
            through = self.through[die]
            twice |= once & through
            once |= through
        self._apart[line] = apart = self.all & ~once
        self._crossing[line] = self.all & ~twice
        return apart

    def without(self, free: int, dice: int) -> int:
        """The lines of `free` with none of `dice`, a mask."""
        while dice:
            low = dice & -dice
            dice ^= low
            free &= ~self.through[low.bit_length() - 1]
        return free

    def most_of_short(self, free: int, rest: int, uses: int) -> int:
        """A bound on the points that short lines of `free` give to the dice `rest`, one or two a
        die, as `uses` says.
        """
        free &= self.short
        most = 0
        while rest and free:
            low = rest & -rest
            rest ^= low
            die = low.bit_length() - 1
            here = free & self.through[die]
            if here:
                shared = uses * self.share[(here & -here).bit_length() - 1]
                cap = self.most_short[die]
                most += shared if shared < cap else cap
        return most

    def alike_among(self, dice: int) -> list[int]:
        """The groups of alike dice among `dice` that have more than one."""
        return several(group & dice for group in self.alike)

    def out_of_order(self, alike: Sequence[int]) -> int:
        """The lines with an alike die but without the previous one of its group."""
        lines = 0
        for group in alike:
            before = self.all
            while group:
                low = group & -group
                group ^= low
                through = self.through[low.bit_length() - 1]
                lines |= through & ~before
                before = through
        return lines

    def likes(self, line: int, alike: Sequence[int]) -> int:
        """`line` and all lines that it becomes when dice of the groups of `alike` are swapped."""
        mask = self.masks[line]
        movable = 0
        for group in alike:
            if mask & group and group & ~mask:
                movable |= group
        if not movable:
            return 1 << line
        likes = self.all
        for group in alike:
            if group & movable:
                likes &= self._holding(group, (mask & group).bit_count())
        for die, through in enumerate(self.through):
            if not movable >> die & 1:
                likes &= through if mask >> die & 1 else ~through
        return likes

    def _holding(self, dice: int, count: int) -> int:
        """The lines with exactly `count` of `dice`."""
        counted = self._counted.get(dice)
        if counted is None:
            counted = [self.all]
            for die, through in enumerate(self.through):
                if dice >> die & 1:
                    without = [lines & ~through for lines in [*counted, 0]]
                    with_it = [0, *(lines & through for lines in counted)]
                    counted = [a | b for a, b in zip(without, with_it, strict=True)]
            self._counted[dice] = counted
        return counted[count]

    def _most_short(self, die: int) -> int:
        """The most points that two short lines crossing in `die` can give it."""
        here = left = self.through[die] & self.short
        most = 0
        while left:
            low = left & -left
            left ^= low
            line = low.bit_length() - 1
            share = self.share[line]
            if 2 * share <= most:
                break
            other = here & self.crossing(line)
            if other:
                share += self.share[(other & -other).bit_length() - 1]
            most = max(most, share)
        return most

    def _alike_dice(self, lines: Mapping[int, int]) -> list[int]:
        """Groups of two or more dice that are interchangeable in all lines."""
        groups: list[int] = []
        for die, through in enumerate(self.through):
            if not through:
                continue
            for index, group in enumerate(groups):
                first = (group & -group).bit_length() - 1
                if self.through[first].bit_count() == through.bit_count() and self._interchangeable(
                    first, die, lines
                ):
                    groups[index] |= 1 << die
                    break
            else:
                groups.append(1 << die)
        return several(groups)

    def _interchangeable(self, one: int, other: int, lines: Mapping[int, int]) -> bool:
        both = 1 << one | 1 << other
        only = self.through[one] & ~self.through[other]
        while only:
            low = only & -only
            mask = self.masks[low.bit_length() - 1]
            if lines.get(mask ^ both) != lines[mask]:
                return False
            only ^= low
        return True

    def _linked(self) -> list[int]:
        """For each die, the short lines that are connected to it by short lines alone."""
        linked = [through & self.short for through in self.through]
        groups: list[tuple[int, int]] = []
        for die, short in enumerate(linked):
            if not short:
                continue
            dice = 1 << die
            apart = []
            for others, lines in groups:
                if lines & short:
                    dice |= others
                    short |= lines
                else:
                    apart.append((others, lines))
            groups = [*apart, (dice, short)]
        for dice, lines in groups:
            for die in range(self.dice):
                if dice >> die & 1:
                    linked[die] = lines
        return linked


def several(groups: Iterable[int]) -> list[int]:
    """The `groups` of dice, as masks, with more than one die."""
    return [group for group in groups if group & (group - 1)]


def _order(line: tuple[int, int]) -> tuple[int, int, int]:
    mask, points = line
    size = mask.bit_count()
    if size >= LONG:
        return 0, -points, mask
    return 1, -points * SCALE // size, mask
