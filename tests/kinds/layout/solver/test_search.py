"""The searches on made-up lines, whatever their points: the best of all sets that are legal."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

import pytest

from service.kinds.layout.solver.best import LONE, Best, Group
from service.kinds.layout.solver.grid import lay, placeable, shape
from service.kinds.layout.solver.lineset import SCALE, LineSet
from service.kinds.layout.solver.search import Packing, Search
from service.kinds.layout.solver.shared_search import SharedSearch
from tests.reference import crossword as oracle
from tests.reference import line_sets as reference

DICE = 13
BONUS = 200

Lines = dict[frozenset[int], int]


def line_sets(seed: int, count: int) -> Iterator[Lines]:
    """Up to twelve lines with points of any kind; in half of the sets some dice are alike."""
    source = random.Random(seed)
    for number in range(count):
        lines: Lines = {}
        while len(lines) < 10:
            size = source.choice((2, 2, 2, 3, 3, 4, 5, 5, 5, 6, 7))
            line = frozenset(source.sample(range(DICE), size))
            points = 50 * source.randint(1, 3 * size)
            lines[line] = points
            if number % 2 and len(line - {0, 1, 2}) < size and len(lines) < 10:
                kept = line - {0, 1, 2}
                for some in combinations((0, 1, 2), size - len(kept)):
                    lines[kept.union(some)] = points
        yield dict(list(lines.items())[:12])


def mask(line: frozenset[int]) -> int:
    """A line as a mask of its dice."""
    return sum(1 << die for die in line)


def members(mask: int) -> frozenset[int]:
    """The dice of a mask."""
    return frozenset(die for die in range(DICE) if mask >> die & 1)


def search(lines: Lines, mode: str, uses: int, refused: set[tuple[int, int]]) -> Best:
    """The best that the search of the service finds, groups of some sizes refused."""

    def fits(group: Group) -> bool:
        return size_of([members(mask) for mask, _ in group]) not in refused

    lineset = LineSet({mask(line): points for line, points in lines.items()}, DICE)
    best = Best(None, 1)
    connected = mode == "connected"
    if uses > 2:
        SharedSearch(lineset, uses=uses, connected=connected, bonus=BONUS, best=best)
    elif mode == "unconnected":
        Packing(lineset, best)
    else:
        Search(lineset, connected=connected, bonus=BONUS, placeable=fits, best=best)
    return best


def size_of(group: Sequence[frozenset[int]]) -> tuple[int, int]:
    """How many lines and dice a group has: what made-up refusals go by."""
    return len(group), len(frozenset().union(*group))


def not_refused(refused: set[tuple[int, int]], group: Sequence[frozenset[int]]) -> bool:
    """Whether a group has a place by a made-up rule."""
    return size_of(group) not in refused


@pytest.mark.parametrize(
    ("mode", "uses"),
    [
        ("connected", 2),
        ("unconnected", 2),
        ("either", 2),
        ("connected", 3),
        ("either", 3),
        ("connected", 4),
        ("either", 4),
    ],
)
@pytest.mark.parametrize("count", [15, pytest.param(1_000, marks=pytest.mark.proof)])
def test_best_of_all_sets(mode: str, uses: int, count: int) -> None:
    """For made-up lines, the search finds the same points as trying every set.

    Groups of some sizes are refused a place, so the search must skip such sets, and extend them.
    """
    source = random.Random(uses)
    for number, lines in enumerate(line_sets(7, count)):
        refused = {(source.randint(2, 4), dice) for dice in range(4, 13) if number % 3}
        found = search(lines, mode, uses, refused)
        expected = reference.best(
            lines,
            mode=mode,
            uses=uses,
            dice=DICE,
            bonus=BONUS,
            placeable=partial(not_refused, refused),
        )
        most = expected * SCALE
        assert (found.points, found.upper_bound) == (most, most), (number, lines, refused)
        chosen = [members(mask) for group in found.groups for mask, _ in group]
        assert sum(lines[line] for line in chosen) in (expected, expected - BONUS)


@pytest.mark.parametrize(
    ("mode", "uses", "most"),
    [
        ("connected", 2, 4_181),
        ("unconnected", 2, 1_667),
        ("either", 2, 4_212),
        ("connected", 3, 10_955),
        ("either", 3, 8_525),
        ("connected", 4, 14_337),
        ("either", 4, 14_896),
    ],
)
def test_few_steps(mode: str, uses: int, most: int) -> None:
    """For 200 sets of made-up lines, the searches take no more steps than they once did: each bound
    and each order that leaves out what was tried still saves all that it saved.
    """
    assert sum(search(lines, mode, uses, set()).steps for lines in line_sets(9, 200)) <= most


def test_lone_line() -> None:
    """A connected layout of one line needs four dice (R7)."""
    for size in range(2, 7):
        lines = {frozenset(range(size)): 100}
        expected = 100 * SCALE if size >= LONE else 0
        for uses in (2, 3):
            assert search(lines, "connected", uses, set()).points == expected


@pytest.mark.parametrize("mode", ["connected", "either"])
@pytest.mark.parametrize("uses", [2, 3])
def test_bounds_hold_wherever_it_stops(mode: str, uses: int) -> None:
    """A search that stops after any number of steps has a bound that the best doesn't exceed."""
    connected = mode == "connected"
    for lines in line_sets(8, 12):
        lineset = LineSet({mask(line): points for line, points in lines.items()}, DICE)
        expected = search(lines, mode, uses, set()).points
        for work in range(0, 60, 3):
            best = Best(work, 1)
            if uses == 2:
                Search(lineset, connected=connected, bonus=BONUS, placeable=bool, best=best)
            else:
                SharedSearch(lineset, uses=uses, connected=connected, bonus=BONUS, best=best)
            assert best.points <= expected <= best.upper_bound


def test_it_begins_with_what_is_known() -> None:
    """The known result stays, unless the search finds a better one."""
    lines = {frozenset({0, 1, 2, 3}): 100}
    lineset = LineSet({mask(line): points for line, points in lines.items()}, DICE)
    known = Best(None, 1)
    known.improve(150 * SCALE, (((3, True),),))
    best = Best(None, 1, known)
    Search(lineset, connected=True, bonus=0, placeable=bool, best=best)
    assert (best.points, best.groups) == (known.points, (((3, True),),))


def crossing_groups(count: int) -> Iterator[Group]:
    """Connected lines, grown at random: shapes that can be laid and some that can't."""
    source = random.Random(5)
    while count:
        group = [(mask(frozenset(range(source.randint(2, 5)))), True)]
        used = group[0][0].bit_length()
        for _ in range(source.randint(3, 12)):
            crossed = source.choice(group)
            across = not crossed[1]
            parallel = 0
            for other, direction in group:
                parallel |= other if direction == across else 0
            line = 0
            for other, direction in group:
                dice = sorted(members(other & ~parallel & ~line))
                if direction != across and dice and (not line or source.random() < 0.9):
                    line |= 1 << source.choice(dice)
            fresh = source.randint(0 if line.bit_count() > 1 else 1, 2)
            if line and used + fresh <= DICE:
                line |= ((1 << fresh) - 1) << used
                used += fresh
                group.append((line, across))
        if len(group) > 2:
            count -= 1
            yield tuple(group)


@pytest.mark.parametrize("count", [5, pytest.param(100, marks=pytest.mark.proof)])
def test_a_place_is_found_if_there_is_one(count: int) -> None:
    """Lines get a place on the grid exactly if CP-SAT finds one (R26, R33)."""
    laid = 0
    for group in crossing_groups(count):
        fits = placeable(shape(group))
        assert fits == oracle.can_be_laid([members(mask) for mask, _ in group]), group
        if fits:
            laid += 1
        else:
            with pytest.raises(ValueError, match="can't be laid"):
                lay(shape(group))
    assert 0.4 < laid / count < 0.95


@pytest.mark.parametrize("count", [100, pytest.param(1_500, marks=pytest.mark.proof)])
def test_only_dice_of_a_line_touch(count: int) -> None:
    """Lines that are laid have all their dice, cross as they should, and touch no other (R26)."""
    for group in crossing_groups(count):
        if not placeable(shape(group)):
            continue
        lines = [members(mask) for mask, _ in group]
        lines_at: dict[tuple[int, int], set[int]] = {}
        for index, segment in enumerate(lay(shape(group))):
            assert len(segment.cells()) == len(lines[index])
            for cell in segment.cells():
                lines_at.setdefault(cell, set()).add(index)
        assert len(lines_at) == len(frozenset().union(*lines))
        assert (min(row for row, _ in lines_at), min(column for _, column in lines_at)) == (0, 0)
        for (row, column), held in lines_at.items():
            assert len(held) <= 2
            for beside in ((row, column + 1), (row + 1, column)):
                assert beside not in lines_at or held & lines_at[beside]
        for one, other in combinations(range(len(lines)), 2):
            crossings = [cell for cell, held in lines_at.items() if {one, other} <= held]
            assert len(crossings) == len(lines[one] & lines[other])
