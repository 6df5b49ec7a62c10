"""Lines on a grid, compared with all ways to lay them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from service.kinds.layout.solver.grid import Shape, lay, placeable

Cell = tuple[int, int]


def shapes(number: int, count: int) -> Iterator[Shape]:
    """Connected lines of two to five dice, three to five of them, most of which just fit."""
    random = Random(number)
    for _ in range(count):
        lines: list[tuple[bool, int, tuple[int, ...]]] = [(True, random.randint(2, 5), ())]
        for _ in range(random.randint(2, 4)):
            before = random.randrange(len(lines))
            across = not lines[before][0]
            others = [at for at, line in enumerate(lines) if line[0] != across and at != before]
            more = [other for other in others if random.random() < 0.7]
            lines.append((across, random.randint(2, 5), tuple(sorted([before, *more]))))
        yield tuple(lines)


def cells(across: bool, row: int, column: int, length: int) -> list[Cell]:
    """The cells of a line that begins at `row` and `column`."""
    if across:
        return [(row, column + step) for step in range(length)]
    return [(row + step, column) for step in range(length)]


def ways(shape: Shape, laid: list[list[Cell]]) -> Iterator[list[list[Cell]]]:
    """All ways to lay the lines that aren't laid yet, so that just those that cross share a die."""
    if len(laid) == len(shape):
        yield laid
        return
    across, length, crossed = shape[len(laid)]
    for row, column in laid[crossed[0]] if crossed else [(0, 0)]:
        for back in range(length) if crossed else [0]:
            start = (row, column - back) if across else (row - back, column)
            new = cells(across, *start, length)
            if all(len({*new} & {*old}) == (before in crossed) for before, old in enumerate(laid)):
                yield from ways(shape, [*laid, new])


def legal(laid: list[list[Cell]]) -> bool:
    """Whether only dice of the same line lie beside each other (R26)."""
    together = {frozenset(pair) for line in laid for pair in combinations(line, 2)}
    dice = {cell for line in laid for cell in line}
    return all(
        beside not in dice or frozenset([(row, column), beside]) in together
        for row, column in dice
        for beside in ((row + 1, column), (row, column + 1))
    )


@pytest.mark.parametrize(
    ("number", "count"),
    [(2, 25), *(pytest.param(number, 100, marks=pytest.mark.proof) for number in range(3))],
)
def test_against_all_ways(number: int, count: int) -> None:
    """Lines can be laid just if one of all ways is legal; how they are laid is legal, too."""
    possible = 0
    for shape in shapes(number, count):
        legals = [laid for laid in ways(shape, []) if legal(laid)]
        assert placeable(shape) == bool(legals), shape
        if not legals:
            with pytest.raises(ValueError, match="can't be laid"):
                lay(shape)
            continue
        possible += 1
        places = [segment.cells() for segment in lay(shape)]
        first = min(places[0])
        turned = lay(shape)[0].across != shape[0][0]
        moved = [[(row - first[0], column - first[1]) for row, column in line] for line in places]
        if turned:
            moved = [[(column, row) for row, column in line] for line in moved]
        assert moved in legals, shape
    assert count / 10 < possible < count * 9 / 10
