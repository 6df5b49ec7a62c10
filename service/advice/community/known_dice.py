"""The dice that a player sees before the first of the community, and renamed suits."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from math import factorial

from service.advice.community.position import CommunityPosition
from service.advice.community.suits import Counts
from service.rules.dice import Dice


@dataclass(frozen=True)
class KnownDice:
    """The known pockets, as sorted codes, and the number of dice of each suit in the bag."""

    own: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    bag: Counts

    @classmethod
    def of(cls, dice: Dice, position: CommunityPosition) -> KnownDice:
        """Those of `position`."""
        used = Counter(dice.suit_of[code] for code in position.dice)
        return cls(
            own=tuple(sorted(position.pocket)),
            known=tuple(sorted(tuple(sorted(pocket)) for pocket in position.known)),
            bag=tuple(dice.per_suit - used[suit] for suit in range(len(dice.suits))),
        )


def renamed(dice: Dice, position: CommunityPosition) -> Counter[KnownDice]:
    """The dice with their suits renamed in every way, and how many ways lead to the same dice."""
    used = sorted({dice.suit_of[code] for code in position.dice})
    suits = range(len(dice.suits))
    found: Counter[KnownDice] = Counter()
    for names in permutations(suits, len(used)):
        name = dict(zip(used, names, strict=True))
        code = {
            code: dice.faces * name[dice.suit_of[code]] + dice.number_of[code] - 1
            for code in position.dice
        }
        other = CommunityPosition(
            [code[die] for die in position.pocket],
            known=[[code[die] for die in pocket] for pocket in position.known],
        )
        found[KnownDice.of(dice, other)] += factorial(len(suits) - len(used))
    return found
