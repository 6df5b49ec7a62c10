"""The best set of lines by trying every set of them: lines are sets of dice with points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tests.reference.crossword import groups_of

Line = frozenset[int]


def in_two_directions(group: Sequence[Line]) -> bool:
    """Whether lines can run across and down so that only lines of other directions cross."""
    across = {group[0]: True}
    while len(across) < len(group):
        for line in group:
            for other in list(across):
                if line != other and line & other and line not in across:
                    across[line] = not across[other]
    return not any(
        one != other and one & other and across[one] == across[other]
        for one in group
        for other in group
    )


def best(
    lines: Mapping[Line, int],
    *,
    mode: str,
    uses: int,
    dice: int,
    bonus: int,
    placeable: Callable[[Sequence[Line]], bool],
) -> int:
    """The most points of a set that is legal (R7, R11, R12, R26 to R28) and whose groups fit."""
    most = 0
    for chosen in _sets(list(lines), [], uses):
        groups = groups_of(chosen)
        covered = frozenset().union(*chosen)
        if mode == "unconnected" and len(groups) < len(chosen):
            continue
        if mode == "connected" and (len(groups) > 1 or (len(chosen) == 1 and len(covered) < 4)):
            continue
        if uses == 2 and not all(in_two_directions(g) and placeable(g) for g in groups):
            continue
        whole = mode == "connected" and len(covered) == dice
        most = max(most, sum(lines[line] for line in chosen) + bonus * whole)
    return most


def _sets(left: list[Line], chosen: list[Line], uses: int) -> Iterator[list[Line]]:
    """Every set of lines that share at most one die, with a die in no more than `uses`."""
    for index, line in enumerate(left):
        if any(len(line & other) > 1 for other in chosen):
            continue
        if any(sum(die in other for other in chosen) == uses for die in line):
            continue
        yield [*chosen, line]
        yield from _sets(left[index + 1 :], [*chosen, line], uses)
