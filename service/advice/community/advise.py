"""What a player at a table with pocket and community dice can expect."""

from __future__ import annotations

from typing import Any

from service.advice.community.chances import Chances, Seen
from service.advice.community.exact import exact_chances, feasible
from service.kinds.community.variant import CommunityRanking


def chances(variant: CommunityRanking[Any], rules: Any, seen: Seen) -> Chances:
    """The chances of a player who sees this and stays until the showdown, as all others do.

    The dice still in the bag are equally likely to come (H2, H24). The chances are exact if that
    takes less than about half a second, as it always does in `texas-holdem-dice`. Otherwise they
    are simulated. Raises `InvalidInput` if the dice can't be on one table (H24).
    """
    variant.check_hand(seen.pocket, seen.community, seen.known)
    if feasible(variant, seen):
        return exact_chances(variant, rules, seen)
    from service.advice.community.simulation import simulated_chances  # seldom needed

    return simulated_chances(variant, rules, seen)


def break_even(pot: int, to_call: int) -> float:
    """The share of the pot from which on it pays to call: what it costs, by the pot with that."""
    return to_call / (pot + to_call)
