"""Lays connected lines on a grid, by the rules of a crossword (R26), and groups on one sheet.

Only the place of each line matters: its dice may lie in any order (R4), so two lines may cross in
any cell that belongs to both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from service.kinds.layout.solver.best import Group

COMPACTING_STEPS = 60
"""How many more places to try for a more compact layout than the first one."""

SHAPES_KEPT = 4096
"""How many shapes to cache; few occur often."""


class Segment(NamedTuple):
    """Where a line lies: across from `start` to `end` in row `at`, or down in column `at`."""

    across: bool
    at: int
    start: int
    end: int

    def cells(self) -> list[tuple[int, int]]:
        """Row and column of each of its cells, from the left or from the top."""
        steps = range(self.start, self.end + 1)
        return [(self.at, step) if self.across else (step, self.at) for step in steps]

    def moved(self, rows: int, columns: int) -> Segment:
        """The segment moved down by `rows` and right by `columns`."""
        at, along = (rows, columns) if self.across else (columns, rows)
        return Segment(self.across, self.at + at, self.start + along, self.end + along)


Places = tuple[Segment, ...]
"""Where each line of a group lies, in the order of the group."""

Shape = tuple[tuple[bool, int, tuple[int, ...]], ...]
"""For each line of a group: whether it runs across, its number of dice, and the earlier lines that
it crosses."""


def shape(group: Group) -> Shape:
    """The shape of `group`; its placement depends on nothing else."""
    return tuple(
        [
            (
                across,
                mask.bit_count(),
                tuple([before for before in range(line) if group[before][0] & mask]),
            )
            for line, (mask, across) in enumerate(group)
        ]
    )


@lru_cache(SHAPES_KEPT)
def placeable(shape: Shape) -> bool:
    """Whether the lines can be laid so that only dice of the same line touch."""
    return len(shape) < 3 or _Laying(shape, 0).best is not None


@lru_cache(SHAPES_KEPT)
def lay(shape: Shape) -> Places:
    """The places of the lines, from row and column 0, on the smallest area found in a short search.

    Raises `ValueError` if the lines can't be laid.
    """
    laying = _Laying(shape, COMPACTING_STEPS)
    if laying.best is None:
        raise ValueError("these lines can't be laid on a grid")
    top, bottom, left, right = laying.box
    places = [segment.moved(-top, -left) for segment in laying.best]
    if bottom - top > right - left:  # wide layouts are easier to read than tall ones
        places = [segment._replace(across=not segment.across) for segment in places]
    return tuple(places)


class _Laying:
    """Searches for places by backtracking.

    The line with the fewest places left comes next. A line with none ends the branch; this includes
    lines that would have to be too long or bent. After the first placement, up to `steps` more
    places are tried to find a more compact one.
    """

    def __init__(self, shape: Shape, steps: int) -> None:
        self.across = [across for across, _, _ in shape]
        self.length = [length for _, length, _ in shape]
        self.crosses: list[list[int]] = [[] for _ in shape]
        for line, (_, _, crossed) in enumerate(shape):
            for before in crossed:
                self.crosses[line].append(before)
                self.crosses[before].append(line)
        self.steps = steps
        self.best: Places | None = None
        self.box = 0, 0, 0, 0
        self.segments: list[Segment | None] = [None] * len(shape)
        first = max(range(len(shape)), key=lambda i: (len(self.crosses[i]), self.length[i], -i))
        start = Segment(self.across[first], 0, 0, self.length[first] - 1)
        self.segments[first] = start
        self._next(_box_with(None, start), len(shape) - 1)

    def _next(self, box: tuple[int, int, int, int], unplaced: int) -> None:
        """Places the remaining lines; `box` contains the placed ones."""
        if not unplaced:
            self.best = tuple([segment for segment in self.segments if segment])
            self.box = box
            return
        line, ways = self._fewest()
        if not ways:
            return
        options = []
        for segment in ways:
            wider = _box_with(box, segment)
            options.append((_area(wider), segment, wider))
        options.sort()
        for area, segment, wider in options:
            if self.best is not None:
                if area >= _area(self.box) or self.steps <= 0:
                    return
                self.steps -= 1
            if self._fits(line, segment):
                self.segments[line] = segment
                self._next(wider, unplaced - 1)
                self.segments[line] = None

    def _fewest(self) -> tuple[int, list[Segment]]:
        """The line with the fewest places that cross the placed lines correctly."""
        fewest = 1 << 30
        choice = 0, 0, 0, 0, 0
        for line, segment in enumerate(self.segments):
            if segment is not None:
                continue
            length = self.length[line]
            at_low = start_low = -1000
            at_high = start_high = 1000
            crossed = False
            for other in self.crosses[line]:
                placed = self.segments[other]
                if placed is None:
                    continue
                crossed = True
                at_low, at_high = max(at_low, placed.start), min(at_high, placed.end)
                start_low = max(start_low, placed.at - length + 1)
                start_high = min(start_high, placed.at)
            if not crossed:
                continue
            count = max(0, at_high - at_low + 1) * max(0, start_high - start_low + 1)
            if count < fewest:
                fewest = count
                choice = line, at_low, at_high, start_low, start_high
                if not count:
                    break
        line, at_low, at_high, start_low, start_high = choice
        length, across = self.length[line], self.across[line]
        return line, [
            Segment(across, at, start, start + length - 1)
            for at in range(at_low, at_high + 1)
            for start in range(start_low, start_high + 1)
        ]

    def _fits(self, line: int, new: Segment) -> bool:
        """Whether `line` at `new` touches no placed line that it doesn't cross."""
        crosses = self.crosses[line]
        across, at, start, end = new
        for other, old in enumerate(self.segments):
            if old is None:
                continue
            if old.across == across:
                gap = abs(old.at - at)
                if gap == 0:
                    if start <= old.end + 1 and old.start <= end + 1:
                        return False
                elif gap == 1:
                    # each pair of adjacent dice needs its own line that crosses both: allowed if
                    # there are as many such lines as pairs
                    beside = min(end, old.end) - max(start, old.start) + 1
                    if beside > 0 and beside > len(set(crosses) & set(self.crosses[other])):
                        return False
            elif other not in crosses and (
                (old.start <= at <= old.end and start - 1 <= old.at <= end + 1)
                or (start <= old.at <= end and old.start - 1 <= at <= old.end + 1)
            ):
                return False
        return True


def _box_with(box: tuple[int, int, int, int] | None, segment: Segment) -> tuple[int, int, int, int]:
    """First and last row and column of `box` and `segment` together."""
    across, at, start, end = segment
    top, bottom, left, right = (at, at, start, end) if across else (start, end, at, at)
    if box is None:
        return top, bottom, left, right
    return min(box[0], top), max(box[1], bottom), min(box[2], left), max(box[3], right)


def _area(box: tuple[int, int, int, int]) -> int:
    return (box[1] - box[0] + 1) * (box[3] - box[2] + 1)


Footprint = tuple[int, ...]
"""The cells of a group: for each row, its columns as a mask."""


def footprint(places: Places) -> Footprint:
    """The cells of lines that start at row and column 0."""
    cells = [cell for segment in places for cell in segment.cells()]
    rows = [0] * (1 + max(row for row, _ in cells))
    for row, column in cells:
        rows[row] |= 1 << column
    return tuple(rows)


@lru_cache(SHAPES_KEPT)
def arrange(footprints: tuple[Footprint, ...]) -> tuple[tuple[int, int], ...]:
    """The row and column of each group, so that none touch, on a small sheet.

    The largest group comes first; each of the others goes where the sheet grows least.
    """
    cells = [sum(map(int.bit_count, rows)) for rows in footprints]
    order = sorted(range(len(footprints)), key=lambda group: (-cells[group], group))
    positions = [(0, 0)] * len(footprints)
    taken: list[int] = []
    height = width = 0
    for group in order:
        rows = footprints[group]
        deep, wide = len(rows), max(rows).bit_length()
        _, row, column = min(
            (_size(max(height, row + deep), max(width, column + wide)), row, column)
            for row, column in _spots(taken, rows, height, width)
        )
        positions[group] = row, column
        height, width = max(height, row + deep), max(width, column + wide)
        taken += [0] * (height - len(taken))
        for offset, columns in enumerate(rows):
            taken[row + offset] |= columns << column
    return tuple(positions)


def _size(height: int, width: int) -> tuple[int, int]:
    """A sort key: small sheets first, then nearly square ones, which are easy to read."""
    return height * width, abs(height - width)


def _spots(
    taken: Sequence[int], rows: Footprint, height: int, width: int
) -> Iterator[tuple[int, int]]:
    """The places where a group of `rows` touches no taken cell, up to just outside the sheet."""
    near = [0] * (height + 1 + len(rows) + 1)
    for row, columns in enumerate(taken):
        near[row] |= columns | columns << 1 | columns >> 1
        near[row + 1] |= columns
        if row:
            near[row - 1] |= columns
    for row in range(height + 2 if height else 1):
        for column in range(width + 2 if width else 1):
            if not any(
                row + offset < len(near) and columns << column & near[row + offset]
                for offset, columns in enumerate(rows)
            ):
                yield row, column
