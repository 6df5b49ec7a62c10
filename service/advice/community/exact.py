"""Exact chances: every community, with every pocket of each opponent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import comb, factorial, perm
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import Legendre

from service.advice.community.communities import (
    Communities,
    completed,
    count_completed,
    count_up_to_names,
    up_to_names,
)
from service.advice.community.opponents import Opponents, products_of
from service.advice.community.pockets import Pockets
from service.advice.community.position import CommunityPosition
from service.advice.community.showdowns import Showdowns
from service.advice.community.suits import Counts, chance_in_order
from service.advice.community.sums import Chances, Sums
from service.batch.kinds.community import suited_kernel
from service.batch.kinds.suited_kernel import SuitedKernel
from service.kinds.community.variant import CommunityRanking
from service.rules.dice import Dice

_POCKET, _HAND, _CASE, _PRODUCT = 5e-6, 6e-8, 2e-7, 4e-10
"""The seconds to list a pocket, to rank a hand (a pocket with a community), to look up a case (what
is known, with its suits renamed, and a community), and to multiply for several opponents.
"""


class Work(NamedTuple):
    """About how many seconds exact chances take: `once` for a variant, and for `each` question."""

    once: float
    each: float


def exact_work(variant: CommunityRanking[Any], position: CommunityPosition) -> Work:
    """The work of `exact_chances`."""
    dice, suits = variant.dice, len(variant.dice.suits)
    pockets = comb(len(dice.notation) + variant.pocket - 1, variant.pocket)
    coming = variant.stages[-1] - len(position.community)
    once, each = pockets * _POCKET, 0.0
    if position.community:
        communities = cases = count_completed(dice, coming)
        each += pockets * communities * _HAND
    else:
        communities = count_up_to_names(dice, coming)
        cases = communities * perm(suits, len({dice.suit_of[code] for code in position.dice}))
        once += pockets * communities * _HAND
    points = len(_shares(len(position.known) + position.unknown))
    products = cases * points * products_of(position.unknown, variant.pocket, suits)
    return Work(once, each + cases * _CASE + products * _PRODUCT)


def exact_chances(
    variant: CommunityRanking[Any], rules: Any, position: CommunityPosition
) -> Chances:
    """The chances in this `position` under the house `rules`."""
    dice, coming = variant.dice, variant.stages[-1] - len(position.community)
    kernel = suited_kernel(variant, rules)
    pockets = _pockets(kernel, dice, variant.pocket)
    if position.community:
        communities = completed(kernel, dice, position.community, coming)
        showdowns = Showdowns(kernel, pockets, communities.tallies)
        tables: Mapping[_Table, int] = {_Table.of(dice, position): 1}
    else:
        communities, showdowns = _from_nothing(kernel, dice, variant.pocket, coming)
        tables = _renamed(dice, position)
    adding = _Adding(
        Sums(variant, rules, kernel.strongest), pockets, communities, showdowns, position
    )
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
    def of(cls, dice: Dice, position: CommunityPosition) -> _Table:
        used = Counter(dice.suit_of[code] for code in position.dice)
        return cls(
            own=tuple(sorted(position.pocket)),
            known=tuple(sorted(tuple(sorted(pocket)) for pocket in position.known)),
            bag=tuple(dice.per_suit - used[suit] for suit in range(len(dice.suits))),
        )


def _renamed(dice: Dice, position: CommunityPosition) -> Counter[_Table]:
    """The table with its suits renamed in every way; how many ways lead to the same table."""
    used = sorted({dice.suit_of[code] for code in position.dice})
    suits = range(len(dice.suits))
    tables: Counter[_Table] = Counter()
    for names in permutations(suits, len(used)):
        name = dict(zip(used, names, strict=True))
        code = {
            code: dice.faces * name[dice.suit_of[code]] + dice.number_of[code] - 1
            for code in position.dice
        }
        renamed = CommunityPosition(
            [code[die] for die in position.pocket],
            known=[[code[die] for die in pocket] for pocket in position.known],
        )
        tables[_Table.of(dice, renamed)] += factorial(len(suits) - len(used))
    return tables


class _Adding:
    """Adds up the chances in all `communities`."""

    def __init__(
        self,
        sums: Sums,
        pockets: Pockets,
        communities: Communities,
        showdowns: Showdowns,
        position: CommunityPosition,
    ) -> None:
        self.sums = sums
        self._pockets, self._communities, self._showdowns = pockets, communities, showdowns
        self._shares = _shares(len(position.known) + position.unknown)
        self._opponents = (
            Opponents(position.unknown, pockets.size, len(pockets.tallies))
            if position.unknown
            else None
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
