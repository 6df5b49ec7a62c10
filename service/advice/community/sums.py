"""Chances, and how they are added up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.kinds.community.variant import CommunityRanking

_DIGITS = 12
"""Decimal places of chances: what follows depends on the order of sums."""


@dataclass(frozen=True)
class Chances:
    """The chances to have the best hand alone (`win`) and together with others (`tie`).

    `equity` is the expected share of the pot. `ranks` has the chance of each rank for the player's
    own hand, from the highest. Figures that aren't `exact` have a standard error of at most
    `standard_error`. `seconds` is about how long they take a processor; it is the same number
    whenever the question is the same.
    """

    win: float
    tie: float
    equity: float
    ranks: Mapping[str, float]
    exact: bool
    standard_error: float
    seconds: float = field(default=0.0, compare=False)


class Sums:
    """Chances while they are added up, and the number of `products` of several opponents.

    `strengths` has the chance of each strength of the own hand.
    """

    def __init__(self, variant: CommunityRanking, rules: Any, strongest: int) -> None:
        self.win = self.tie = self.equity = 0.0
        self.products = 0
        self.strengths: NDArray[np.float64] = np.zeros(strongest + 1)
        self._variant, self._rules = variant, rules

    def chances(self, total: float = 1, *, seconds: float, standard_error: float = 0) -> Chances:
        """The sums as chances, out of a `total`; exact without a standard error."""
        ranks = {rank.id: 0.0 for rank in self._variant.ranks_in_force(self._rules)}
        strengths = self.strengths.tolist()
        for strength, rank in {
            hand.strength: hand.rank.id for hand in self._variant.table(self._rules)
        }.items():
            ranks[rank] += strengths[strength]
        return Chances(
            win=_rounded(self.win / total),
            tie=_rounded(self.tie / total),
            equity=_rounded(self.equity / total),
            ranks={rank: _rounded(chance / total) for rank, chance in ranks.items()},
            exact=not standard_error,
            standard_error=standard_error,
            seconds=seconds,
        )


def _rounded(chance: float) -> float:
    """`chance`, which a sum can put a little below 0 or above 1."""
    return min(max(round(chance, _DIGITS), 0.0), 1.0)
