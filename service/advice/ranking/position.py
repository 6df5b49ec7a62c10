"""The position of a player in beat it or bust, its checks, and the bounds of the work.

This module is free of NumPy, so that the schemas of requests can read the bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

from service.kinds.ranking.variant import Ranking
from service.rules.breaches import Breach
from service.rules.violations import ON_HOUSE_RULES, Violation, refuse

MOST_AFTER = 19
"""The most players still to roll, where a game has no limit: a table of twenty."""

MAX_LATTICE = 100_000
"""The most ways to add a die to kept dice. They are listed once, at some microseconds each, and
every roll that is left takes a step of some nanoseconds for each."""

MAX_STEPS = 200_000_000
"""The most such steps for the chances against all players still to roll, which are worked out once
for all hands to beat."""


@dataclass(frozen=True)
class RankingPosition:
    """A player's `dice`, as numbers, and the rolls that are left in the turn.

    `to_beat` is the best hand so far, None for the first player. `players_after` are still to roll.
    """

    dice: tuple[int, ...]
    rolls_left: int
    to_beat: tuple[int, ...] | None = None
    players_after: int = 0


@dataclass(frozen=True)
class RankingTurn:
    """A turn of a player who still rolls: the `dice` so far, empty for none, and the rolls left."""

    dice: tuple[int, ...]
    rolls_left: int


def check_hands(variant: Ranking, rules: Any, **hands: tuple[int, ...] | None) -> None:
    """Raises `InvalidInput` for each of `hands`, by the name of its field, that doesn't count."""
    wrong: list[Violation] = []
    for name, dice in hands.items():
        rank = variant.evaluate(dice, rules).rank if dice else None
        if rank and not rank.counts:
            detail = Breach.DOES_NOT_COUNT(rank=rank.id, clause=rank.clause)
            wrong.append(Violation((name,), detail, ON_HOUSE_RULES))
    refuse(wrong)


def has_advice(variant: Ranking) -> bool:
    """Whether the dice of `variant` are few enough for advice while a client waits."""
    return _lattice(variant) <= MAX_LATTICE


def most_players_after(variant: Ranking) -> int:
    """The most players still to roll that advice takes into account: all, if the work allows it."""
    _, most = variant.players
    strengths = comb(variant.hand_size + variant.dice.faces - 1, variant.hand_size)
    allowed = MAX_STEPS // (_lattice(variant) * variant.rolls * strengths)
    return min(MOST_AFTER if most is None else most - 1, allowed)


def _lattice(variant: Ranking) -> int:
    """The number of ways to add a die to kept dice."""
    faces = variant.dice.faces
    return comb(variant.hand_size + faces, faces) * faces
