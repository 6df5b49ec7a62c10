"""Adds up the chances in every community, for the dice that a player knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise, permutations
from math import comb, factorial, perm
from typing import Any

import numpy as np
from numpy.polynomial import Legendre
from numpy.typing import NDArray

from service.advice.community.communities import (
    Communities,
    Counts,
    Pockets,
    Showdowns,
    chance_in_order,
    counts_of,
    orders,
)
from service.advice.community.position import CommunityPosition
from service.kinds.community.variant import CommunityRanking
from service.rules.dice import Dice

Floats = NDArray[np.float64]

_BLOCK = 200_000
"""Products to sum up at a time: so few that BLAS takes one thread for them. With more, it waits for
threads that other requests keep busy.
"""

_FEW_PRODUCTS = 200
"""The products for a case that take no longer than to merge it with others that are alike."""

_DIGITS = 12
"""Decimal places of chances: what follows depends on the order of sums."""


class Opponents:
    """`count` unknown opponents, each with a pocket of `size` dice in some of `suits` suits.

    What opponents roll is independent, but the suits that they draw from one bag are not. So the
    chances of one opponent, for each choice of suits, become the coefficients of a polynomial with
    a variable for each suit. A power of it has a coefficient for all dice that the opponents draw
    together, by suits. The sum of these, each by the chance to draw such dice in a given order, is
    the chance that is wanted.
    """

    def __init__(self, count: int, size: int, suits: int) -> None:
        self._dice = size * count
        self._some, self._others = count // 2, count - count // 2
        drawn = [np.array(counts_of(size * n, suits)) for n in range(self._others + 1)]
        self._orders = np.array([[orders(counts)] for counts in drawn[1].tolist()], np.float64)
        self._sums = [
            _positions(drawn[1][:, np.newaxis] + some, more) for some, more in pairwise(drawn[1:])
        ]
        self._together = drawn[self._some][:, np.newaxis] + drawn[self._others]
        self._bags: dict[Counts, Floats] = {}

    def all(self, bag: Counts, chances: Floats) -> Floats:
        """The chance that something holds for all opponents, in each of several cases.

        `chances` are those that it holds for one, of shape (choices of suits, cases). `bag` is the
        number of dice of each suit that the opponents draw from.
        """
        cases = chances.shape[1]
        one = chances * self._orders
        powers = [np.ones((1, cases)), one]
        for sums in self._sums:
            more = np.zeros((sums.max() + 1, cases))
            for chance, places in zip(one, sums, strict=True):
                more[places] += powers[-1] * chance
            powers.append(more)
        some, others = powers[self._some], powers[self._others]
        drawn, result = self._drawn(bag), np.empty(cases)
        size = max(1, _BLOCK // drawn.size)
        for start in range(0, cases, size):
            block = slice(start, start + size)
            result[block] = (drawn @ others[:, block] * some[:, block]).sum(axis=0)
        return result

    def _drawn(self, bag: Counts) -> Floats:
        """The chance to draw, in a given order, the dice of some opponents and those of others."""
        if bag not in self._bags:
            chances = np.full(self._together.shape[:2], 1 / perm(sum(bag), self._dice))
            for suit, left in enumerate(bag):
                ways = np.array([perm(left, dice) for dice in range(self._dice + 1)], np.float64)
                chances *= ways[self._together[..., suit]]
            self._bags[bag] = chances
        return self._bags[bag]


def products_of(count: int, size: int, suits: int) -> int:
    """About how many multiplications `Opponents.all` takes for a case."""
    terms = [comb(size * n + suits - 1, suits - 1) for n in range(count - count // 2 + 1)]
    return sum(terms[1] * term for term in terms[1:-1]) + terms[count // 2] * terms[-1]


def _positions(wanted: NDArray[np.int64], drawn: NDArray[np.int64]) -> NDArray[np.intp]:
    """The position in `drawn` of each of `wanted`; both have a last axis of suits."""
    position = {tuple(counts): index for index, counts in enumerate(drawn.tolist())}
    flat = wanted.reshape(-1, wanted.shape[-1]).tolist()
    return np.array([position[tuple(counts)] for counts in flat]).reshape(wanted.shape[:-1])


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
        self.strengths: Floats = np.zeros(strongest + 1)
        self._variant, self._rules = variant, rules

    def chances(self, total: float = 1, *, seconds: float, standard_error: float = 0) -> Chances:
        """The sums as chances, out of a `total`; exact without a standard error."""
        ranks = {rank.id: 0.0 for rank in self._variant.ranks_in_force(self._rules)}
        strengths = self.strengths.tolist()
        hands = {hand.strength: hand.rank.id for hand in self._variant.table(self._rules)}
        for strength, rank in hands.items():
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


def rename_suits(dice: Dice, position: CommunityPosition) -> Counter[KnownDice]:
    """Renames the suits in every way, and counts how many ways lead to the same dice."""
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
        opponents = position.unknown, pockets.size, len(pockets.tallies)
        self._opponents = Opponents(*opponents) if position.unknown else None
        products = products_of(*opponents)
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
    counts: NDArray[np.unsignedinteger], tied: NDArray[np.intp], chances: Floats
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.intp], Floats]:
    """One case for all with the same counts and ties, with the sum of their chances.

    That leaves a tenth of the cases before the flop.
    """
    alike = np.hstack([counts, tied[:, np.newaxis].astype(counts.dtype)])
    whole = alike.view(f"V{alike.shape[1] * alike.itemsize}").ravel()
    _, first, case = np.unique(whole, return_index=True, return_inverse=True)
    merged: Floats = np.zeros(len(first))
    np.add.at(merged, case, chances)
    return counts[first], tied[first], merged


@lru_cache
def shares_of(opponents: int) -> tuple[Floats, Floats]:
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
