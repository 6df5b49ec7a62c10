"""Several unknown opponents at once, who draw their dice from one bag.

What opponents roll is independent, but the suits that they draw are not. So the chances of one
opponent, for each choice of suits, become the coefficients of a polynomial with a variable for each
suit. A power of it has a coefficient for all dice that the opponents draw together, by suits. The
sum of these, each by the chance to draw such dice in a given order, is the chance that is wanted.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb, perm

import numpy as np
from numpy.typing import NDArray

from service.advice.community.suits import Counts, counts_of, orders

Floats = NDArray[np.float64]

_BLOCK = 200_000
"""Products to sum up at a time: so few that BLAS takes one thread for them. With more, it waits for
threads that other requests keep busy.
"""


class Opponents:
    """`count` opponents, each with a pocket of `size` dice in some of `suits` suits."""

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
