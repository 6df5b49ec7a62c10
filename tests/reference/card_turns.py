"""How a turn with cards may end, by rolling the dice one by one in every way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

DiceSet = Sequence[Sequence[str]]


def ends(
    rolls: list[list[str]], dice_set: DiceSet, most: int
) -> Iterator[tuple[Fraction, list[list[str]]]]:
    """Every way to end a turn of up to `most` rolls that begins with `rolls`, with its chance.

    Each die is the one of `dice_set` in its place; blanks are rolled again.
    """
    rolling = list(range(len(dice_set)))
    for roll in rolls:
        rolling = [die for die, face in zip(rolling, roll, strict=True) if face == "--"]
    if not rolling or len(rolls) == most:
        yield Fraction(1), rolls
        return
    for chance, roll in _each_roll([dice_set[die] for die in rolling]):
        for later, end in ends([*rolls, roll], dice_set, most):
            yield chance * later, end


def _each_roll(dice: DiceSet) -> Iterator[tuple[Fraction, list[str]]]:
    """Every roll of `dice`, with its chance."""
    if not dice:
        yield Fraction(1), []
        return
    for face in dict.fromkeys(dice[0]):
        chance = Fraction(list(dice[0]).count(face), len(dice[0]))
        for others, roll in _each_roll(dice[1:]):
            yield chance * others, [face, *roll]


def cards(rolls: list[list[str]]) -> list[tuple[str, bool] | None]:
    """What each die shows after `rolls`, and whether it came on the first; None for a blank."""
    shown = [None if face == "--" else (face, True) for face in rolls[0]]
    for roll in rolls[1:]:
        again = iter(roll)
        shown = [
            card or (None if (face := next(again)) == "--" else (face, False)) for card in shown
        ]
    return shown
