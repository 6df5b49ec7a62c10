"""How a turn with cards may end: what the dice that are still rolled will show."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from service.kinds.layout.cards import Turn
from service.kinds.layout.variant import Layout, LayoutRules

Face = tuple[int | None, bool]
"""What a die shows in the end: the code of its card (None for a blank), and whether the card came
on the first roll.
"""


@dataclass(frozen=True)
class RollsToCome:
    """The rolls that a turn still has.

    Only blanks are rolled again (R3), and a further card never makes the best layout worse. So a
    player has nothing to choose until the last roll. `turn` is what the dice show now,
    None before the first roll; up to `rolls` follow. `places` are the dice that are rolled, of
    `count` dice, and `chances` has for each of them the chance of every face that it can show in
    the end.
    """

    turn: Turn | None
    rolls: int
    places: tuple[int, ...]
    chances: tuple[dict[Face, float], ...]
    count: int

    @property
    def endings(self) -> int:
        """In how many ways the turn can end."""
        return prod(len(faces) for faces in self.chances)

    def all_endings(self) -> Iterator[tuple[float, Turn]]:
        """Every way in which the turn can end, with its chance."""
        for faces in product(*[chances.items() for chances in self.chances]):
            yield prod(chance for _, chance in faces), self._ended([face for face, _ in faces])

    def ending(self, source: random.Random) -> Turn:
        """One way in which the turn can end, drawn from `source`."""
        return self._ended(
            [source.choices(faces, chances)[0] for faces, chances in self._faces_and_chances]
        )

    @cached_property
    def _faces_and_chances(self) -> list[tuple[list[Face], list[float]]]:
        return [(list(faces), list(faces.values())) for faces in self.chances]

    def _ended(self, faces: Sequence[Face]) -> Turn:
        cards: list[int | None] = [None] * self.count
        first_roll = 0
        if self.turn:
            cards[:] = self.turn.cards
            first_roll = self.turn.first_roll
        for place, (card, first) in zip(self.places, faces, strict=True):
            cards[place] = card
            first_roll |= first << place
        return Turn(tuple(cards), first_roll, ((0, 0),) * self.count)


def rolls_to_come(variant: Layout, turn: Turn | None, rules: LayoutRules) -> RollsToCome:
    """What is still rolled in `turn`, None before its first roll.

    The dice are those of the published set (R20). Each card is on one die of the set, so the
    blanks are the dice whose cards don't show. Cards that can't show together on that set come from
    another one: then each die is taken to be the published one in its place, without the cards that
    other dice show.
    """
    codes = {card: code for code, card in enumerate(variant.dice.notation)}
    dice = [tuple([codes.get(face) for face in faces]) for faces in variant.dice.dice_set]
    left = variant.rolls
    places = tuple(range(variant.dice.count))
    if turn is not None:
        left -= 1 + max(roll for roll, _ in turn.at)
        places = tuple([die for die in places if turn.cards[die] is None])
        dice = _blank_dice(dice, turn, places, rules)
    if not left:
        places, dice = (), []
    chances = tuple([_chances(faces, left, turn is None) for faces in dice])
    return RollsToCome(turn, left, places, chances, variant.dice.count)


def _blank_dice(
    dice: Sequence[tuple[int | None, ...]], turn: Turn, places: Sequence[int], rules: LayoutRules
) -> list[tuple[int | None, ...]]:
    """The faces of the dice of `turn` that show blanks, at `places`."""
    showing = {card for card in turn.cards if card is not None}
    others = [faces for faces in dice if showing.isdisjoint(faces)]
    known = showing <= {card for faces in dice for card in faces}
    if known and len(others) == len(places):
        return others
    if rules.repeated_cards:
        return [dice[place] for place in places]
    free = [tuple([card for card in dice[place] if card not in showing]) for place in places]
    return [faces or (None,) for faces in free]


def _chances(faces: Sequence[int | None], rolls: int, first: bool) -> dict[Face, float]:
    """The chance of each face that a die shows after up to `rolls` rolls, which end with a card.

    `first` says that the first of them is that of the turn.
    """
    counts = Counter(faces)
    blank = counts.pop(None, 0) / len(faces)
    chances: dict[Face, float] = {}
    for card, times in counts.items():
        chance = times / len(faces)
        later = sum(blank**roll for roll in range(1, rolls))
        if first:
            chances[card, True] = chance
        else:
            later += 1
        if later:
            chances[card, False] = chance * later
    if blank:
        chances[None, False] = blank**rolls
    return chances
