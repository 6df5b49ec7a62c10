"""Little royal from its clauses: every placement of the dice on a grid is tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

Card = tuple[str, bool]
"""A card in notation, and whether it came on the first roll."""
Cell = tuple[int, int]
Dice = frozenset[int]

_SEQUENCES = ["A23456789TJQKA"[low:high] for high in range(15) for low in range(high - 4)]


def worth(cards: Sequence[Card]) -> int:
    """The points of a line of up to six cards (B1, B2); 0 if it is not a hand."""
    size = len(cards)
    ranks = [card[0] for card, _ in cards]
    one_suit = len({card[1] for card, _ in cards}) == 1
    alike = sorted(Counter(ranks).values())
    points = [0]
    if alike == [size]:
        points.append({2: 10, 3: 40, 4: 200}.get(size, 0))
    if alike == [2, 3]:
        points.append(120)
    if size >= 5 and one_suit:
        points.append(90 + 15 * (size - 5))
    if size >= 5 and sorted(ranks) in [sorted(sequence) for sequence in _SEQUENCES]:
        points.append(60 + 10 * (size - 5))
        if one_suit:
            first = {card[0] for card, rolled_first in cards if rolled_first}
            fives = [five for five in map(set, _SEQUENCES) if len(five) == 5 and five <= set(ranks)]
            twice = 2 if any(five <= first for five in fives) else 1
            points.append(300 * twice + 30 * (size - 5))
            if set("TJQKA") <= set(ranks):
                points.append(600 * (2 if set("TJQKA") <= first else 1) + 60 * (size - 5))
    return max(points)


@cache
def shapes(size: int) -> frozenset[frozenset[Cell]]:
    """Every connected shape of `size` cells, from row and column 0."""
    if size == 1:
        return frozenset([frozenset([(0, 0)])])
    grown = set()
    for shape in shapes(size - 1):
        for row, column in shape:
            for cell in (
                (row + 1, column),
                (row - 1, column),
                (row, column + 1),
                (row, column - 1),
            ):
                cells = shape | {cell}
                top, left = (min(place) for place in zip(*cells, strict=True))
                grown.add(frozenset((row - top, column - left) for row, column in cells))
    return frozenset(shape for shape in grown if len(shape) == size)


@cache
def runs(shape: frozenset[Cell]) -> tuple[tuple[Cell, ...], ...]:
    """All runs of two or more cells side by side, across and down (C1)."""
    found = []
    for down, right in ((0, 1), (1, 0)):
        for row, column in sorted(shape):
            if (row - down, column - right) not in shape:
                run = [(row, column)]
                while (run[-1][0] + down, run[-1][1] + right) in shape:
                    run.append((run[-1][0] + down, run[-1][1] + right))
                if len(run) > 1:
                    found.append(tuple(run))
    return tuple(found)


def group_points(lines: dict[Dice, int], dice: Dice) -> tuple[int, int]:
    """The most points of a group of exactly `dice`: as one hand, and as several that cross."""
    alone = lines.get(dice, 0)
    crossing = 0
    lengths = {len(line) for line in lines if line <= dice}
    for shape in shapes(len(dice)):
        if len(runs(shape)) > 1 and all(len(run) in lengths for run in runs(shape)):
            ending = {cell: [run for run in runs(shape) if run[-1] == cell] for cell in shape}
            cells = sorted(shape)
            crossing = max([crossing, *_fillings(lines, cells, ending, {}, dice)])
    return alone, crossing


def _fillings(
    lines: dict[Dice, int],
    cells: list[Cell],
    ending: dict[Cell, list[tuple[Cell, ...]]],
    placed: dict[Cell, int],
    left: Dice,
) -> Iterator[int]:
    """The points of every way to put the dice `left` on the other cells so that runs are hands."""
    if not left:
        yield 0
        return
    cell = cells[len(placed)]
    for die in left:
        filled = {**placed, cell: die}
        points = [lines.get(frozenset(filled[at] for at in run), 0) for run in ending[cell]]
        if all(points):
            for rest in _fillings(lines, cells, ending, filled, left - {die}):
                yield sum(points) + rest


def best(cards: Sequence[Card | None]) -> dict[str, int]:
    """The most points under each value of `layout` (C3, C4); None is a blank."""
    shown = [die for die, card in enumerate(cards) if card]
    sets = [frozenset(dice) for size in range(2, 7) for dice in combinations(shown, size)]
    lines = {
        dice: points for dice in sets if (points := worth([c for d in dice if (c := cards[d])]))
    }
    groups = {dice: group_points(lines, dice) for dice in sets}
    connected = [0]
    for dice, (alone, crossing) in groups.items():
        points = max(crossing, alone if len(dice) > 3 else 0)
        connected.append(points + 25 if points and len(dice) == 6 else points)
    everything = frozenset(shown)
    return {
        "connected": max(connected),
        "unconnected": _apart({dice: alone for dice, (alone, _) in groups.items()}, everything),
        "either": _apart({dice: max(points) for dice, points in groups.items()}, everything),
    }


def _apart(groups: dict[Dice, int], left: Dice) -> int:
    """The most points of groups that share no die, out of the dice `left`."""
    return max(
        (
            points + _apart(groups, left - dice)
            for dice, points in groups.items()
            if points and dice <= left
        ),
        default=0,
    )
