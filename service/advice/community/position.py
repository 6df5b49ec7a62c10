"""What a player asks who sees a pocket and a community, and its checks.

This module is free of NumPy, so that the schemas of requests can use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service.kinds.community.variant import CommunityRanking
from service.rules.violations import InvalidInput, Violation

Pocket = Sequence[int]


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


def has_advice(variant: CommunityRanking[Any]) -> bool:
    """Whether there can be opponents."""
    return most_opponents(variant) > 0


def most_opponents(variant: CommunityRanking[Any]) -> int:
    """The most opponents at a table: the game has a limit, because the dice are shared."""
    return (variant.players[1] or 1) - 1


def check_position(
    variant: CommunityRanking[Any],
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
        detail = f"must be at least {len(known)}, because as many pockets are known"
        violations.append(Violation(("opponents",), detail, ("known",)))
    try:
        variant.check_hand(pocket, community, known)
    except InvalidInput as refused:
        violations += refused.violations
    if violations:
        raise InvalidInput(*violations)


def break_even(pot: int, to_call: int) -> float:
    """The share of the pot from which on it pays to call: the price by the pot that can be won."""
    return to_call / (pot + to_call)
