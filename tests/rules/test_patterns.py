"""Patterns: what dice make, and which of them do."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

import pytest

from service.rules.patterns import Alike, AnyDice, Match, OneColour, Pattern, Run

COLOURS = ("black", "red", "green", "green", "red", "black")


@pytest.mark.parametrize(
    ("pattern", "dice", "made"),
    [
        (Alike((3, 2)), (5, 3, 5, 3, 3), Match((3, 3, 3, 5, 5), (3, 5), ())),
        (Alike((3, 2)), (3, 3, 3, 3, 3), None),
        (Alike((3, 2), splitting=True), (3, 3, 3, 3, 3), Match((3, 3, 3, 3, 3), (3, 3), ())),
        (Alike((2, 2)), (1, 6, 6, 2, 2), Match((6, 6, 2, 2), (6, 2), (1,))),
        (Alike((2,)), (1, 1, 1, 2, 2), Match((2, 2), (2,), (1, 1, 1))),
        (Alike((2,)), (1, 2, 2, 1, 1, 3), Match((2, 2), (2,), (3, 1, 1, 1))),
        (Alike((2, 2)), (1, 1, 1, 2, 2, 3, 3), Match((3, 3, 2, 2), (3, 2), (1, 1, 1))),
        (Alike((3, 2)), (1, 1, 1, 1, 2, 2, 2), Match((2, 2, 2, 1, 1), (2, 1), (1, 1))),
        (Alike((3, 2)), (1, 1, 1, 2, 2, 2), Match((2, 2, 2, 1, 1), (2, 1), (1,))),
        (Alike((7,)), (4,) * 7, Match((4, 4, 4, 4, 4, 4, 4), (4,), ())),
        (Alike((2, 2)), (6, 6, 6, 6, 2), None),
        (Alike((2, 2, 2)), (3, 3, 3, 3, 5, 5), None),
        (
            Alike((2, 2, 2), splitting=True),
            (3, 3, 3, 3, 5, 5),
            Match((5, 5, 3, 3, 3, 3), (5, 3, 3), ()),
        ),
        (Alike((2, 2, 2), splitting=True), (3, 3, 3, 5, 5, 5), None),
        (Alike((3, 3), splitting=True), (4, 4, 4, 4, 2, 2), None),
        (Run(4), (6, 5, 4, 3, 3), Match((6, 5, 4, 3), (6,), (3,))),
        (Run(4), (1, 2, 3, 4, 5), Match((5, 4, 3, 2), (5,), (1,))),
        (Run(5), (1, 2, 3, 4, 6), None),
        (Run(5, start=1), (1, 2, 3, 4, 5), Match((5, 4, 3, 2, 1), (5,), ())),
        (Run(5, start=1), (2, 3, 4, 5, 6), None),
        (Run(3, start=2), (6, 5, 4, 3, 2), Match((4, 3, 2), (4,), (6, 5))),
        (OneColour(AnyDice(), COLOURS), (1, 6, 1), Match((6, 1, 1), (6, 1, 1), ())),
        (OneColour(AnyDice(), COLOURS), (1, 6, 5), None),
        (OneColour(Alike((2, 2)), COLOURS), (3, 4, 3, 4, 6), Match((4, 4, 3, 3), (4, 3), (6,))),
        (OneColour(Alike((2, 2)), COLOURS), (3, 5, 3, 5, 6), None),
        (OneColour(Alike((2,)), COLOURS), (1, 1, 5, 5, 3), Match((5, 5), (5,), (3, 1, 1))),
        (AnyDice(), (1, 6, 3), Match((6, 3, 1), (6, 3, 1), ())),
    ],
)
def test_made_by(pattern: Pattern, dice: tuple[int, ...], made: Match | None) -> None:
    """A pattern puts the dice that make it first, and gives the numbers that two hands compare."""
    assert pattern.match(dice) == made


@pytest.mark.parametrize("sizes", [(2,), (3,), (2, 2), (3, 2), (2, 2, 2), (3, 3), (4, 2)])
@pytest.mark.parametrize("splitting", [False, True])
def test_groups_are_the_highest_that_there_are(sizes: tuple[int, ...], splitting: bool) -> None:
    """Of all ways to find the groups in the dice, the one with the highest numbers counts.

    Each way is tried: a number for each group, of which the dice must hold enough.
    """
    pattern = Alike(sizes, splitting)
    for dice in combinations_with_replacement(range(1, 5), 7):
        ways = [
            numbers
            for numbers in product(range(1, 5), repeat=len(sizes))
            if (splitting or len(set(numbers)) == len(numbers))
            and not Counter(
                number for number, size in zip(numbers, sizes, strict=True) for _ in range(size)
            )
            - Counter(dice)
        ]
        made = pattern.match(dice)
        assert (made.compared if made else None) == max(ways, default=None)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (Alike((2,)), ["pair", "next die"]),
        (Alike((2, 2)), ["higher pair", "lower pair", "next die"]),
        (Alike((3, 2)), ["three", "pair", "next die"]),
        (Alike((3, 2, 2)), ["three", "higher pair", "lower pair", "next die"]),
        (Alike((2, 2, 2)), ["highest pair", "next pair", "lowest pair", "next die"]),
        (Alike((7, 1)), ["group of 7", "die", "next die"]),
        (Run(4), ["top die", "next die"]),
        (AnyDice(), ["highest die", "next die"]),
    ],
)
def test_words(pattern: Pattern, words: list[str]) -> None:
    """Whatever two hands compare has a name, for the reason of a place."""
    assert [pattern.word(position) for position in range(len(words))] == words
