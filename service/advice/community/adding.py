"""Adds up the chances in every community, for the dice that a player knows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np
from numpy.polynomial import Legendre
from numpy.typing import NDArray

from service.advice.community.communities import Communities
from service.advice.community.opponents import Opponents, products_of
from service.advice.community.position import CommunityPosition
from service.advice.community.showdowns import Pockets, Showdowns
from service.advice.community.suits import Counts, chance_in_order
from service.advice.community.sums import Sums
from service.rules.dice import Dice

_FEW_PRODUCTS = 200
"""The products for a case that take no longer than to merge it with others that are alike."""


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


class Adding:
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
        points, weights = shares_of(len(position.known) + position.unknown)
        self._points, self._weights = points[:, np.newaxis], weights
        self._opponents = (
            Opponents(position.unknown, pockets.size, len(pockets.tallies))
            if position.unknown
            else None
        )
        products = products_of(position.unknown, pockets.size, len(pockets.tallies))
        self._products = products * len(points)
        self._merge = products > _FEW_PRODUCTS

    def add(self, dice: KnownDice, times: int) -> None:
        """Adds the chances of a player who knows these `dice`, multiplied by `times`."""
        own = self._pockets.number(dice.own)
        known = [self._pockets.number(pocket) for pocket in dice.known]
        for drawn, columns in self._communities.groups:
            chance = times * chance_in_order(dice.bag, drawn)
            if chance:
                bag = tuple(map(int.__sub__, dice.bag, drawn))
                self._add(own, known, bag, columns, chance)

    def _add(self, own: int, known: list[int], bag: Counts, columns: slice, chance: float) -> None:
        sums, table = self.sums, self._showdowns
        chances = self._communities.chances[columns] * chance
        levels = table.levels[columns, own]
        rows = table.first[columns] + levels
        sums.strengths += np.bincount(table.strengths[rows], chances, len(sums.strengths))
        tied = np.zeros(len(rows), np.intp)
        if known:
            others = table.levels[columns, known]
            ahead = levels >= others.max(axis=1)
            tied = (others == levels[:, np.newaxis]).sum(axis=1)[ahead]
            rows, chances = rows[ahead], chances[ahead]
        counts = np.hstack([table.up_to[rows - 1], table.up_to[rows]])
        if self._merge:
            counts, tied, chances = _merged(counts, tied, chances)
        below, up_to = np.split(counts.T / self._pockets.rolls, 2)
        best = chances * self._points**tied
        if self._opponents:
            each = below[:, np.newaxis] + self._points * (up_to - below)[:, np.newaxis]
            best *= self._opponents.all(bag, each.reshape(len(each), -1)).reshape(best.shape)
        alone, *_, not_behind = totals = best.sum(axis=1)
        sums.win += float(alone)
        sums.tie += float(not_behind - alone)
        sums.equity += float(self._weights @ totals)
        sums.products += self._products * len(chances)


def _merged(
    counts: NDArray[Any], tied: NDArray[np.intp], chances: NDArray[np.float64]
) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.float64]]:
    """One case for all with the same counts and ties, with the sum of their chances.

    That leaves a tenth of the cases before the flop.
    """
    alike = np.hstack([counts, tied[:, np.newaxis].astype(counts.dtype)])
    whole = alike.view(f"V{alike.shape[1] * alike.itemsize}").ravel()
    _, first, case = np.unique(whole, return_index=True, return_inverse=True)
    merged: NDArray[np.float64] = np.zeros(len(first))
    np.add.at(merged, case, chances)
    return counts[first], tied[first], merged


@lru_cache
def shares_of(opponents: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points from 0 to 1, and weights by which the values there sum up to the share of the pot.

    With `p[k]` as the chance to have the best hand together with `k` of `opponents`, the share is
    the sum of `p[k] / (k + 1)`: the integral from 0 to 1 of the polynomial with the coefficients
    `p`. Lobatto's rule of integration is exact for it. At 0, the polynomial is the chance to win
    alone, at 1 the chance that nobody is stronger.
    """
    count = (opponents + 4) // 2
    last = Legendre.basis(count - 1)
    points = np.concatenate([[-1.0], last.deriv().roots(), [1.0]])
    return (points + 1) / 2, 1 / (count * (count - 1) * last(points) ** 2)
