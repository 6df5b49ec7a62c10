"""Turns to try: natural ones with the published dice, and structured ones that are hard."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

RANKS = "23456789TJQKA"
SUITS = "shdc"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]

Rolls = list[list[str]]


def natural(source: random.Random, dice_set: Sequence[Sequence[str]]) -> Rolls:
    """Up to three rolls of `dice_set`, blanks rolled again."""
    rolls = [[source.choice(die) for die in dice_set]]
    blank = [die for die, face in zip(dice_set, rolls[0], strict=True) if face == "--"]
    while blank and len(rolls) < 3:
        rolls.append([source.choice(die) for die in blank])
        blank = [die for die, face in zip(blank, rolls[-1], strict=True) if face == "--"]
    return rolls


def in_rolls(faces: Sequence[str], first: Sequence[bool]) -> Rolls:
    """A turn of one or two rolls that ends with `faces`; the cards of `first` came on the first."""
    early = [came and face != "--" for face, came in zip(faces, first, strict=True)]
    again = [face for face, came in zip(faces, early, strict=True) if not came]
    rolls = [[face if came else "--" for face, came in zip(faces, early, strict=True)]]
    return [*rolls, again] if again else rolls


def structured(source: random.Random) -> Iterator[Rolls]:
    """One turn after another with many lines: few suits, few ranks, ranks in a row."""
    while True:
        ranks = source.sample(RANKS, source.randint(4, 8))
        start = source.randrange(13)
        row = [RANKS[(start + step) % 13] for step in range(source.randint(5, 7))]
        suit = source.choice(SUITS)
        two, three = source.sample(SUITS, 2), source.sample(SUITS, 3)
        of_suit = source.sample([rank + suit for rank in RANKS], source.randint(6, 9))
        others = [card for card in CARDS if card not in of_suit]
        for cards in (
            [rank + suit for rank in ranks for suit in SUITS],
            [rank + suit for rank in row for suit in SUITS],
            [rank + suit for rank in RANKS for suit in two],
            [rank + suit for rank in row for suit in three],
            of_suit + source.sample(others, 13 - len(of_suit)),
        ):
            dice = source.sample(cards, min(13, len(cards)))
            first = [source.random() < 0.75 for _ in range(13)]
            yield in_rolls(dice + ["--"] * (13 - len(dice)), first)
