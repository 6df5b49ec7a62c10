"""The chances of a player at a table with pocket and community dice."""

from __future__ import annotations

from typing import Any

from service.advice.community.exact import exact_chances, exact_work
from service.advice.community.position import CommunityPosition
from service.advice.community.simulation import simulated_chances
from service.advice.community.sums import Chances
from service.kinds.community.variant import CommunityRanking

_MOST_WORK = 0.7
"""The most seconds that exact chances may take; others are simulated."""


def chances(variant: CommunityRanking[Any], rules: Any, position: CommunityPosition) -> Chances:
    """The chances of a player who stays until the showdown, as all opponents do.

    All dice in the bag are equally likely to come next (H2, H24). The chances are exact if that
    doesn't take too long, as it never does in `texas-holdem-dice`. Raises `InvalidInput` if the
    dice can't be on one table (H24).
    """
    variant.check_hand(position.pocket, position.community, position.known)
    if sum(exact_work(variant, position)) <= _MOST_WORK:
        return exact_chances(variant, rules, position)
    return simulated_chances(variant, rules, position)
