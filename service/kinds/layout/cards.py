"""Dice with playing cards, and a turn with them: up to three rolls, in which blanks roll again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from service.kinds.layout.solver.lineset import MAX_DICE
from service.rules.breaches import Breach
from service.rules.dice import DiceSet, Notation
from service.rules.field_types import Clause, require
from service.rules.sentences import Sentence
from service.rules.violations import InvalidInput, Violation, refuse

RANKS = "23456789TJQKA"
"""The ranks from the lowest up, in notation."""

MAX_SUITS = 4
"""The most suits: more cards of one rank would make searches too long."""

BLANK = "--"
"""How a blank face is written."""

PLURALS = (
    "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks",
    "queens", "kings", "aces",
)  # fmt: skip
"""The ranks in words, as in "a pair of nines"."""


@dataclass(frozen=True)
class Turn:
    """The dice after the last roll, in the order of the first.

    `cards` are codes, None for a blank. `first_roll` is a mask of the dice whose cards came on the
    first roll. `at` says where each die's face is in the request: the roll and the index in it.
    """

    cards: tuple[int | None, ...]
    first_roll: int
    at: tuple[tuple[int, int], ...]

    def rank(self, die: int) -> int:
        """The rank of the card on `die` as an index, -1 for a blank."""
        card = self.cards[die]
        return -1 if card is None else card % len(RANKS)

    @property
    def super_royal(self) -> bool:
        """Whether all dice show cards of one suit (R9, R30)."""
        suits = {-1 if card is None else card // len(RANKS) for card in self.cards}
        return len(suits) == 1 and -1 not in suits


@dataclass(frozen=True, kw_only=True)
class CardClauses:
    """The clauses that violations in rolls of cards cite.

    `count` is for the number of dice, `rolls` for which dice are rolled and how often, `again` for
    the number of faces in a later roll, and `once` for cards that show twice.
    """

    count: Clause
    rolls: Clause
    again: Clause
    once: Clause


@dataclass(frozen=True, kw_only=True)
class CardDice(DiceSet):
    """Dice with cards on their faces, and blanks.

    A card has a *code*: 13 times the index of its suit, plus the index of its rank in `RANKS`.
    `dice_set` has the faces of each die of one such set; no two dice have the same card. `cites`
    has the clauses for rolls.
    """

    dice_set: tuple[tuple[str, ...], ...]
    cites: CardClauses

    def check(self) -> None:
        """Raises `Mistake` for what contradicts itself in the description of the dice."""
        super().check()
        require(
            self.count <= MAX_DICE and 1 <= len(self.suits) <= MAX_SUITS,
            f"dice: a layout must have at most {MAX_DICE} dice, in 1 to {MAX_SUITS} suits",
        )
        require(
            not self.names and not self.colours,
            "dice: must have no names or colours: their faces are cards and blanks",
        )
        require(
            [len(faces) for faces in self.dice_set] == [self.faces] * self.count,
            f"dice: dice_set must have {self.count} dice with {self.faces} faces each",
        )
        die_with: dict[str, int] = {}
        for die, faces in enumerate(self.dice_set):
            for face in faces:
                known = face in (*self.notation, BLANK)
                require(known, f"dice: {face!r:.80} of die {die} is neither a card nor a blank")
                other = die if face == BLANK else die_with.setdefault(face, die)
                require(other == die, f"dice: dice {other} and {die} of dice_set both have {face}")

    @cached_property
    def notation(self) -> tuple[str, ...]:
        """Every card in notation, in the order of the codes."""
        return tuple(rank + suit.letter for suit in self.suits for rank in RANKS)

    @property
    def how_written(self) -> Sentence:
        """Describes the notation of a die."""
        letters = " ".join(suit.letter for suit in self.suits)
        return Notation.CARD(ranks=" ".join(RANKS), letters=letters, blank=BLANK)

    @cached_property
    def codes(self) -> Mapping[str, int | None]:
        """The code of every face in notation, None for a blank; a ten also as 10."""
        codes = {card: code for code, card in enumerate(self.notation)}
        tens = {f"10{suit.letter}": codes[f"T{suit.letter}"] for suit in self.suits}
        return {**codes, **tens, BLANK: None}

    def read_rolls(self, rolls: object, most: int, least: int = 1) -> Turn:
        """Parses up to `most` rolls: all dice, then a face for each blank of the last roll (R21).

        Raises `InvalidInput` with every invalid face and every roll of a wrong size. `least` is the
        fewest rolls that the error names: some callers take an empty list, too.
        """
        if not isinstance(rolls, list | tuple) or not 1 <= len(rolls) <= most:
            detail = Breach.NOT_A_LIST_BETWEEN(
                minimum=least, maximum=most, of="rolls", clause=self.cites.rolls
            )
            raise InvalidInput(Violation((), detail))
        cards: list[int | None] = [None] * self.count
        at = [(0, die) for die in range(self.count)]
        first_roll = 0
        to_roll = list(range(self.count))
        violations: list[Violation] = []
        for index, roll in enumerate(rolls):
            # after an invalid roll the size of the next one is unknown
            violations += self._roll_violations(roll, index, None if violations else len(to_roll))
            if violations:
                continue
            for place, (die, face) in enumerate(zip(to_roll, roll, strict=True)):
                cards[die] = self.codes[face]
                at[die] = index, place
            to_roll = [die for die in to_roll if cards[die] is None]
            if not index:
                first_roll = sum(1 << die for die, card in enumerate(cards) if card is not None)
        refuse(violations)
        return Turn(tuple(cards), first_roll, tuple(at))

    def _roll_violations(self, roll: object, index: int, count: int | None) -> list[Violation]:
        """The violations of the roll at `index`, of `count` dice (None if unknown)."""
        if not isinstance(roll, list | tuple):
            return [Violation((index,), Breach.NOT_A_LIST(of="faces"))]
        suits = [suit.letter for suit in self.suits]
        must_be = Breach.NOT_A_FACE(suits=suits, example=self.notation[-1], blank=BLANK)
        violations = [
            Violation((index, place), must_be)
            for place, face in enumerate(roll[: self.count])
            if not isinstance(face, str) or face not in self.codes
        ]
        if count is None or len(roll) == count:
            return violations
        if not index:
            detail = Breach.WRONG_FIRST_ROLL(
                maximum=count, count=len(roll), clause=self.cites.count
            )
            return [Violation((0,), detail), *violations]
        detail = Breach.WRONG_LATER_ROLL(maximum=count, count=len(roll), clause=self.cites.again)
        surplus = [
            Violation((index, place), Breach.NO_BLANK_FOR_IT(clause=self.cites.rolls))
            for place in range(count, min(len(roll), self.count))
        ]
        return [Violation((index,), detail), *violations, *surplus]

    def repeats(self, turn: Turn, rolls: tuple[str | int, ...]) -> list[Violation]:
        """A violation for each die with the same card as another, which it names (R20).

        `rolls` is the path to the rolls.
        """
        return [
            Violation(
                (*rolls, *turn.at[die]),
                Breach.CARD_TWICE(
                    card=self.cards_of(turn, [die])[0],
                    others=[
                        f"/{'/'.join(map(str, (*rolls, *turn.at[other])))}" for other in others
                    ],
                    clause=self.cites.once,
                ),
            )
            for die, others in self.same_card(turn).items()
        ]

    def same_card(self, turn: Turn) -> dict[int, list[int]]:
        """Every die with the same card as other dice, and those dice."""
        showing: dict[int, list[int]] = {}
        for die, card in enumerate(turn.cards):
            if card is not None:
                showing.setdefault(card, []).append(die)
        return {
            die: [other for other in showing[card] if other != die]
            for die, card in enumerate(turn.cards)
            if card is not None and len(showing[card]) > 1
        }

    def cards_of(self, turn: Turn, dice: Sequence[int]) -> list[str]:
        """The cards on `dice`, in notation."""
        return [self.notation[card] for die in dice if (card := turn.cards[die]) is not None]
