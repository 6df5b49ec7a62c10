"""A layout read off its grid alone: which runs there are, what they are worth, what is illegal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tests.reference.crossword import groups_of, worth

Cell = tuple[int, int]
Run = tuple[str, Cell, tuple[int, ...]]
"""Across or down, the cell of the first die, and the dice in order."""


def runs_of(die_at: Mapping[Cell, int]) -> list[Run]:
    """Every run of two or more dice side by side, as far as it goes."""
    runs = []
    for name, (down, right) in (("across", (0, 1)), ("down", (1, 0))):
        for row, column in die_at:
            if (row - down, column - right) in die_at:
                continue
            dice = []
            cell = row, column
            while cell in die_at:
                dice.append(die_at[cell])
                cell = cell[0] + down, cell[1] + right
            if len(dice) > 1:
                runs.append((name, (row, column), tuple(dice)))
    return runs


def points_of_grid(
    grid: Iterable[tuple[int, int, int]], faces: Sequence[str], first: Sequence[bool], mode: str
) -> tuple[int, list[Run]]:
    """The points of a grid of dice (number, row, column), bonus included, and its runs.

    Raises AssertionError for a grid that is not a legal layout (R7, R26, R28).
    """
    placed = list(grid)
    die_at = {(row, column): die for die, row, column in placed}
    assert len(die_at) == len(placed) == len({die for die, _, _ in placed}), "two in one place"
    runs = runs_of(die_at)
    points = 0
    for _, _, dice in runs:
        value = worth([(faces[die], first[die]) for die in dice])
        assert value, f"no hand: {[faces[die] for die in dice]}"
        points += value
    held = [die for _, _, dice in runs for die in dice]
    assert set(held) == set(die_at.values()), "a die on its own"
    if mode == "unconnected":
        assert len(held) == len(set(held)), "a shared die"
    if mode == "connected" and runs:
        assert len(groups_of(frozenset(dice) for _, _, dice in runs)) == 1, "several groups"
        assert len(runs) > 1 or len(held) >= 4, "a lone pair or three"
        points += 500 * (len(set(held)) == 13)
    return points, runs
