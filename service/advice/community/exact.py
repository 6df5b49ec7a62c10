"""Exact chances: every community, with every pocket of each opponent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import comb, factorial, perm
from typing import Any

import numpy as np
from numpy.polynomial import Legendre

from service.advice.community.chances import Chances, Seen, Sums
from service.advice.community.communities import (
    Communities,
    completed,
    count_completed,
    count_up_to_names,
    up_to_names,
)
from service.advice.community.opponents import Opponents, work
from service.advice.community.pockets import Pockets
from service.advice.community.showdowns import Showdowns
from service.advice.community.suits import Counts, chance_in_order
from service.batch.kinds.community import suited_kernel
from service.batch.kinds.suited_kernel import SuitedKernel
from service.kinds.community.variant import CommunityRanking
from service.rules.dice import Dice

_MOST_POCKETS = 100_000
"""The most pockets: they are listed one by one."""

_MOST_HANDS = 4_000_000
"""The most hands, each a pocket with a community, at some 40 nanoseconds each."""

_MOST_PRODUCTS = 1_500_000_000
"""The most multiplications for several opponents, at some 0.3 nanoseconds each."""


def feasible(variant: CommunityRanking[Any], seen: Seen) -> bool:
    """Whether exact chances take less than about half a second."""
    dice, suits = variant.dice, len(variant.dice.suits)
    pockets = comb(len(dice.notation) + variant.pocket - 1, variant.pocket)
    coming = variant.stages[-1] - len(seen.community)
    if seen.community:
        communities = count_completed(dice, coming)
        cases = communities
    else:
        communities = count_up_to_names(dice, coming)
        cases = communities * perm(suits, len({dice.suit_of[code] for code in seen.dice}))
    products = cases * len(_shares(len(seen.known) + seen.unknown))
    return (
        pockets <= _MOST_POCKETS
        and pockets * communities <= _MOST_HANDS
        and products * work(seen.unknown, variant.pocket, suits) <= _MOST_PRODUCTS
    )


def exact_chances(variant: CommunityRanking[Any], rules: Any, seen: Seen) -> Chances:
    """The chances of the player with what is `seen`, under the house `rules`."""
    dice, coming = variant.dice, variant.stages[-1] - len(seen.community)
    kernel = suited_kernel(variant, rules)
    pockets = _pockets(kernel, dice, variant.pocket)
    if seen.community:
        communities = completed(kernel, dice, seen.community, coming)
        showdowns = Showdowns(kernel, pockets, communities.tallies)
        tables: Mapping[_Table, int] = {_Table.of(dice, seen): 1}
    else:
        communities, showdowns = _from_nothing(kernel, dice, variant.pocket, coming)
        tables = _renamed(dice, seen)
    adding = _Adding(Sums(variant, rules, kernel.strongest), pockets, communities, showdowns, seen)
    for table, times in tables.items():
        adding.add(table, times)
    return adding.sums.chances(exact=True)


@lru_cache(maxsize=4)
def _pockets(kernel: SuitedKernel, dice: Dice, size: int) -> Pockets:
    return Pockets(dice, size, kernel)


@lru_cache(maxsize=4)
def _from_nothing(
    kernel: SuitedKernel, dice: Dice, pocket: int, coming: int
) -> tuple[Communities, Showdowns]:
    """Every community, up to the names of suits; 6 MB and 0.1 seconds for 24 kinds of dice."""
    communities = up_to_names(kernel, dice, coming)
    return communities, Showdowns(kernel, _pockets(kernel, dice, pocket), communities.tallies)


@dataclass(frozen=True)
class _Table:
    """The pockets known at a table, as sorted codes, and the dice of each suit in the bag."""

    own: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    bag: Counts

    @classmethod
    def of(cls, dice: Dice, seen: Seen) -> _Table:
        used = Counter(dice.suit_of[code] for code in seen.dice)
        return cls(
            own=tuple(sorted(seen.pocket)),
            known=tuple(sorted(tuple(sorted(pocket)) for pocket in seen.known)),
            bag=tuple(dice.per_suit - used[suit] for suit in range(len(dice.suits))),
        )


def _renamed(dice: Dice, seen: Seen) -> Counter[_Table]:
    """The table with its suits renamed in every way; how many ways lead to the same table."""
    used = sorted({dice.suit_of[code] for code in seen.dice})
    suits = range(len(dice.suits))
    tables: Counter[_Table] = Counter()
    for names in permutations(suits, len(used)):
        name = dict(zip(used, names, strict=True))
        code = {
            code: dice.faces * name[dice.suit_of[code]] + dice.number_of[code] - 1
            for code in seen.dice
        }
        table = Seen([code[c] for c in seen.pocket], (), [[code[c] for c in p] for p in seen.known])
        tables[_Table.of(dice, table)] += factorial(len(suits) - len(used))
    return tables


class _Adding:
    """Adds up the chances in all `communities`."""

    def __init__(
        self,
        sums: Sums,
        pockets: Pockets,
        communities: Communities,
        showdowns: Showdowns,
        seen: Seen,
    ) -> None:
        self.sums = sums
        self._pockets, self._communities, self._showdowns = pockets, communities, showdowns
        self._shares = _shares(len(seen.known) + seen.unknown)
        self._opponents = (
            Opponents(seen.unknown, pockets.size, len(pockets.tallies)) if seen.unknown else None
        )

    def add(self, table: _Table, times: int) -> None:
        """Adds those at `table`, so many `times`."""
        own = self._pockets.number(table.own)
        known = [self._pockets.number(pocket) for pocket in table.known]
        for drawn, columns in self._communities.groups:
            chance = times * chance_in_order(table.bag, drawn)
            if chance:
                bag = tuple(map(int.__sub__, table.bag, drawn))
                self._add(own, known, bag, columns, chance)

    def _add(self, own: int, known: list[int], bag: Counts, columns: slice, chance: float) -> None:
        sums, table = self.sums, self._showdowns
        chances = self._communities.chances[columns] * chance
        levels = table.levels[own, columns]
        rows = table.first[columns] + levels
        sums.strengths += np.bincount(table.strengths[rows], chances, len(sums.strengths))
        tied = np.zeros(len(rows), np.intp)
        if known:
            others = table.levels[known, columns]
            ahead = levels >= others.max(axis=0)
            tied = (others == levels).sum(axis=0)[ahead]
            rows, chances = rows[ahead], chances[ahead]
        below = table.up_to[rows - 1].T / self._pockets.rolls
        equal = table.up_to[rows].T / self._pockets.rolls - below
        for point, weight in self._shares:
            best = chances * point**tied
            if self._opponents:
                best *= self._opponents.all(bag, below + point * equal)
            total = float(best.sum())
            sums.equity += weight * total
            if point == 0:
                sums.win += total
                sums.tie -= total
            elif point == 1:
                sums.tie += total


@lru_cache
def _shares(opponents: int) -> tuple[tuple[float, float], ...]:
    """Points from 0 to 1 and weights that sum up to the share of the pot.

    With `p[k]` as the chance to have the best hand together with `k` of `opponents`, the share is
    the sum of `p[k] / (k + 1)`: the integral from 0 to 1 of the polynomial with the coefficients
    `p`. Lobatto's rule of integration is exact for it. At 0, the polynomial is the chance to win
    alone, at 1 the chance that nobody is stronger.
    """
    points = (opponents + 4) // 2
    inner = Legendre.basis(points - 1).deriv().roots()
    return tuple(
        (float(x + 1) / 2, float(1 / (points * (points - 1) * Legendre.basis(points - 1)(x) ** 2)))
        for x in (-1.0, *inner, 1.0)
    )
