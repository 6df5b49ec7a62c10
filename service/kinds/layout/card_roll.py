"""Rolls of dice with cards, and the layout in an action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from service.engine.chance import Below, Rolled, RollOf
from service.kinds.layout.cards import BLANK, CardDice, Turn
from service.kinds.layout.own_layout import OwnLine, most_lines, read_lines
from service.kinds.layout.variant import Layout, LayoutRules
from service.rules.violations import InvalidInput, Violation

Faces = tuple[str, ...]
"""A roll in notation: a card or a blank for each die (R21)."""


def shown(rolls: Sequence[Faces]) -> Faces:
    """The dice after `rolls`: each later roll replaces the blanks (R3)."""
    faces = list(rolls[0]) if rolls else []
    for roll in rolls[1:]:
        again = iter(roll)
        faces = [next(again) if face == BLANK else face for face in faces]
    return tuple(faces)


def blanks(faces: Faces) -> tuple[int, ...]:
    """The dice that show blanks, by their numbers in the first roll."""
    return tuple([die for die, face in enumerate(faces) if face == BLANK])


def roll_of(dice: CardDice, count: int) -> RollOf:
    """What a roll of `count` of the dice can show (R21)."""
    return RollOf(count, tuple(dice.faces_written))


@dataclass(frozen=True, slots=True)
class CardRoll:
    """The next roll of a turn after `rolls`: all dice, or those that show blanks (R3)."""

    variant: Layout
    rules: LayoutRules
    rolls: tuple[Faces, ...]

    @property
    def rolled(self) -> Sequence[int]:
        """The dice that are rolled, by their numbers in the first roll."""
        return blanks(shown(self.rolls)) if self.rolls else range(self.variant.dice.count)

    def draw(self, below: Below) -> Rolled:
        """A face of each die of the published set that is rolled (R20)."""
        dice = [self.variant.dice.dice_set[die] for die in self.rolled]
        return tuple([faces[below(len(faces))] for faces in dice])

    def read(self, dice: object) -> Rolled:
        """Parses a roll of any set (R20, R21).

        Raises `InvalidInput` for invalid faces, a wrong number of them, and cards that show twice
        unless the rules allow that.
        """
        try:
            turn = self.variant.read_rolls([*self.rolls, dice])
        except InvalidInput as refused:
            # earlier rolls are valid, so every violation is in this one
            violations = [
                Violation(violation.path[1:], violation.detail) for violation in refused.violations
            ]
            raise InvalidInput(*violations) from None
        rolled = self.rolled
        if not self.rules.repeated_cards:
            self._check_repeats(turn, rolled)
        notation = self.variant.dice.notation
        cards = [turn.cards[die] for die in rolled]
        return tuple([BLANK if card is None else notation[card] for card in cards])

    def _check_repeats(self, turn: Turn, rolled: Sequence[int]) -> None:
        """Raises `InvalidInput` for each rolled die that shows the card of another (R20)."""
        violations = [
            self.variant.dice.repeat(
                turn, die, (rolled.index(die),), [f"die {other}" for other in others]
            )
            for die, others in self.variant.dice.same_card(turn).items()
            if die in rolled
        ]
        if violations:
            raise InvalidInput(*violations)


@dataclass(frozen=True, slots=True)
class OwnLines:
    """A player's own layout of `dice` dice, each in up to `uses` lines, or null."""

    default: ClassVar[object] = None

    dice: int
    uses: int

    @property
    def most(self) -> int:
        """The most lines that there can be."""
        return most_lines(self.dice, self.uses)

    def read(self, value: object) -> tuple[OwnLine, ...] | None:
        """Parses the lines, or null. Raises `InvalidInput` with all violations of their form."""
        if value is None:
            return None
        return read_lines(value, self.dice, self.most)
