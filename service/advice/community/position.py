"""What a player sees of a table with pocket and community dice, and the checks of that.

This module is free of NumPy, so that the schemas of requests can use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from service.kinds.community.variant import CommunityRanking
from service.rules.breaches import Breach
from service.rules.violations import Violation, gathering, refuse

Pocket = Sequence[int]

SAMPLES = 250_000
"""Showdowns to simulate where exact chances take too long. The standard error of a chance or share
is then at most `1 / sqrt(4 * SAMPLES)`, a thousandth.
"""

_DRAW, _HAND, _HAND_SUIT = 3e-7, 7e-8, 1.5e-8
"""The seconds of a simulated showdown: to draw the dice, for each hand, and for each suit of it."""

_MOST_SECONDS = 1.0
"""The most seconds that a simulation may take."""


@dataclass(frozen=True)
class CommunityPosition:
    """What a player sees, before the showdown or at it; dice are codes.

    `known` are the pockets of opponents that the player knows, `unknown` is the number of further
    opponents.
    """

    pocket: Pocket
    community: Sequence[int] = ()
    known: Sequence[Pocket] = ()
    unknown: int = 1

    @property
    def dice(self) -> list[int]:
        """All dice that the player sees."""
        return [*self.pocket, *self.community, *(code for pocket in self.known for code in pocket)]


def has_advice(variant: CommunityRanking) -> bool:
    """Whether there can be opponents."""
    return most_opponents(variant) > 0


def most_opponents(variant: CommunityRanking) -> int:
    """The most opponents that advice takes into account: all, unless simulating takes too long.

    The game has a limit, because the dice are shared.
    """
    hands = (_MOST_SECONDS / SAMPLES - _DRAW) / _seconds_of_hand(variant)
    return min(variant.players[1] or 1, int(hands)) - 1


def simulated_seconds(variant: CommunityRanking, opponents: int) -> float:
    """About how many seconds it takes to simulate showdowns."""
    return SAMPLES * (_DRAW + (1 + opponents) * _seconds_of_hand(variant))


def _seconds_of_hand(variant: CommunityRanking) -> float:
    return _HAND + _HAND_SUIT * len(variant.dice.suits)


def check_position(
    variant: CommunityRanking,
    pocket: Pocket,
    community: Sequence[int],
    known: Sequence[Pocket],
    opponents: int | None,
) -> None:
    """Raises `InvalidInput` if the dice can't be on one table (H24), or if more pockets are known
    than there are `opponents`.
    """
    violations: list[Violation] = []
    if opponents is not None and opponents < len(known):
        detail = Breach.FEWER_THAN_KNOWN(minimum=len(known))
        violations.append(Violation(("opponents",), detail, ("known",)))
    with gathering(violations):
        variant.check_hand(pocket, community, known)
    refuse(violations)


def break_even(pot: int, to_call: int) -> float:
    """The share of the pot from which on it pays to call: the price by the pot that can be won."""
    return to_call / (pot + to_call)
