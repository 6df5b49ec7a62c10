"""The dice of a game with community dice: those drawn from the bag, and the flop once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from service.engine.chance import Below, Rolled
from service.rules.breaches import Breach
from service.rules.dice import Dice
from service.rules.violations import Violation, refuse


@dataclass(frozen=True, slots=True)
class BagDice:
    """`count` dice from the bag of `dice`, without those already on the table (codes).

    `supply` is the clause that limits the dice of one suit.
    """

    dice: Dice
    on_table: Sequence[int]
    count: int
    supply: str

    def draw(self, below: Below) -> Rolled:
        """Picks each die from the bag, which is in order of suits, and rolls it (H2)."""
        left = self._left()
        drawn = []
        for _ in range(self.count):
            place = below(sum(left))
            suit = 0
            while place >= left[suit]:
                place -= left[suit]
                suit += 1
            left[suit] -= 1
            drawn.append(self.dice.notation[self.dice.faces * suit + below(self.dice.faces)])
        return tuple(drawn)

    def read(self, dice: object) -> Rolled:
        """Parses the dice. Raises `InvalidInput` for more of a suit than are left (H24, H28).

        The error doesn't say where the others are, because they may be hidden.
        """
        codes = self.dice.read_codes(dice, (self.count,))
        left = self._left()
        violations = []
        for index, code in enumerate(codes):
            suit = self.dice.suit_of[code]
            left[suit] -= 1
            if left[suit] < 0:
                name = self.dice.suits[suit].name
                detail = Breach.SUIT_USED_UP(
                    suit=name, maximum=self.dice.per_suit, clause=self.supply
                )
                violations.append(Violation((index,), detail))
        refuse(violations)
        return tuple(self.dice.written(codes))

    def _left(self) -> list[int]:
        """How many dice of each suit are in the bag."""
        left = [self.dice.per_suit] * len(self.dice.suits)
        for code in self.on_table:
            left[self.dice.suit_of[code]] -= 1
        return left


@dataclass(frozen=True, slots=True)
class SameSuits:
    """Dice on the table (codes) that roll again; each keeps its suit."""

    dice: Dice
    lying: Sequence[int]

    def draw(self, below: Below) -> Rolled:
        """Rolls a new number for each die (H13)."""
        faces = self.dice.faces
        return tuple(
            [
                self.dice.notation[faces * self.dice.suit_of[code] + below(faces)]
                for code in self.lying
            ]
        )

    def read(self, dice: object) -> Rolled:
        """Parses the dice in order. Raises `InvalidInput` for a die of another suit."""
        codes = self.dice.read_codes(dice, (len(self.lying),))
        suit_of, suits = self.dice.suit_of, self.dice.suits
        refuse(
            Violation((index,), Breach.OTHER_SUIT(suit=suits[suit_of[old]].name))
            for index, (code, old) in enumerate(zip(codes, self.lying, strict=True))
            if suit_of[code] != suit_of[old]
        )
        return tuple(self.dice.written(codes))
