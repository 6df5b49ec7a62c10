"""Patterns: what dice make, and which of them do."""

from __future__ import annotations

import pytest

from service.dice.patterns import Alike, AnyDice, Made, Pattern, Run


@pytest.mark.parametrize(
    ("pattern", "dice", "made"),
    [
        (Alike((3, 2)), (5, 3, 5, 3, 3), Made((3, 3, 3, 5, 5), (3, 5))),
        (Alike((3, 2)), (3, 3, 3, 3, 3), None),
        (Alike((3, 2), splitting=True), (3, 3, 3, 3, 3), Made((3, 3, 3, 3, 3), (3, 3))),
        (Alike((2, 2)), (1, 6, 6, 2, 2), Made((6, 6, 2, 2, 1), (6, 2, 1))),
        (Alike((2, 2)), (6, 6, 6, 6, 2), None),
        (Alike((2, 2, 2)), (3, 3, 3, 3, 5, 5), None),
        (
            Alike((2, 2, 2), splitting=True),
            (3, 3, 3, 3, 5, 5),
            Made((3, 3, 5, 5, 3, 3), (3, 5, 3)),
        ),
        (Alike((2, 2, 2), splitting=True), (3, 3, 3, 5, 5, 5), None),
        (Alike((3, 3), splitting=True), (4, 4, 4, 4, 2, 2), None),
        (Run(4), (6, 5, 4, 3, 3), Made((6, 5, 4, 3, 3), (6, 3))),
        (Run(4), (1, 2, 3, 4, 5), Made((5, 4, 3, 2, 1), (5, 1))),
        (Run(5), (1, 2, 3, 4, 6), None),
        (AnyDice(), (1, 6, 3), Made((6, 3, 1), (6, 3, 1))),
    ],
)
def test_made_by(pattern: Pattern, dice: tuple[int, ...], made: Made | None) -> None:
    """A pattern tells the dice that make it first, and the numbers that two such hands compare."""
    assert pattern.made_by(dice) == made
