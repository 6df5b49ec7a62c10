"""Makes the strategy for two players in Hold'em: `python -m service.advice.community.making`.

It takes minutes, and prints how many chips a hand the best response wins against the strategy;
the README beside this module explains that. The same seed makes the same table, up to the last bit
of sums.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.advice.community.communities import factorials, flop_rows, renamed, renaming
from service.advice.community.outlooks import BYTE, Codes, Floats, Outlook, Outlooks
from service.advice.community.rounds import FOLD, RAISE
from service.advice.community.solving import Classes, Solver
from service.advice.community.strategy import (
    FILE,
    Cuts,
    all_classes,
    class_of,
    feature,
    outlooks_of,
)
from service.batch.outcomes import suited_kernel
from service.variants.texas_holdem_dice import CHIP, VARIANT

SEED, DEALS, CUTTING_DEALS, ITERATIONS = 1, 8_000_000, 1_000_000, 100

PARTS = (8, 3, 3, 5)
"""In how many parts a class is divided at each stage; before the open there is one class."""

DEALT = 9
"""The dice of a deal: two pockets of two, then the flop, the turn and the river."""

_BLOCK = 500_000
"""Deals to look up at a time."""


def main() -> None:
    """Makes the table, and writes it over the one of the service."""
    parser = ArgumentParser("python -m service.advice.community.making", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path, default=FILE)
    given = parser.parse_args()
    source = np.random.default_rng(given.seed)
    hands = Hands(outlooks_of(suited_kernel(VARIANT, VARIANT.default_rules)))
    cuts = cut(hands.held(hands.deal(CUTTING_DEALS, source), 0).outlooks)
    solver = Solver(count(hands, cuts, DEALS, source))
    for _ in range(ITERATIONS):
        solver.iterate()
    fields = {"open": hands.open.astype(np.float32), "flop": hands.flop}
    fields |= {f"cuts{stage}": each for stage, each in enumerate(cuts)}
    fields |= {f"plan{stage}": in_bytes(plan) for stage, plan in enumerate(solver.plans())}
    np.save(given.output, as_table(fields))
    lost = CHIP * solver.exploitability()
    print(f"{given.output.stat().st_size} bytes; exploitability in chips a hand: {lost:.2f}")


class Held(NamedTuple):
    """What many players hold: their outlook at each stage, and their level at the showdown."""

    outlooks: list[Outlook]
    level: Codes


class Hands:
    """The outlook of every pocket in every community.

    Flops are numbered as in `flop_rows`, and pockets as in `Pockets`; so are the turn and the river
    together. `open` has the outlook of each pocket, and `flop` (in bytes), `turn` and `river` with
    a flop, and the dice after it.
    """

    def __init__(self, outlooks: Outlooks) -> None:
        self.dice, pockets = outlooks.dice, outlooks.pockets
        every = range(len(self.dice.notation))
        self._pair = np.array([[pockets.number((one, two)) for two in every] for one in every])
        pairs = np.array([*combinations_with_replacement(every, 2)])
        flops = np.array([*flop_rows(self.dice, 3)])
        river, level, turn, flop = [], [], [], []
        for lying in flops:
            shares, levels = outlooks.shares(np.hstack([np.tile(lying, (len(pairs), 1)), pairs]))
            later = shares[self._pair]
            lying = lying[np.newaxis]
            seen = np.hstack([lying.repeat(len(every), 0), np.array(every)[:, np.newaxis]])
            turn.append(outlooks.before(seen, Outlook(later, later**2)))
            flop.append(outlooks.before(lying, Outlook(*[each[np.newaxis] for each in turn[-1]])))
            river.append(shares.astype(np.float32))
            level.append(levels)
        self.river, self.level = np.stack(river), np.stack(level)
        self.turn = Outlook(
            *[np.stack(each).astype(np.float32) for each in zip(*turn, strict=True)]
        )
        found = np.stack([np.concatenate(each) for each in zip(*flop, strict=True)])
        self.flop = np.rint(found * BYTE).astype(np.uint8)
        self._index_flops()
        self.open = self._before_the_flop(outlooks, pairs, found)

    def _index_flops(self) -> None:
        """The row of each flop, and the number of the renaming, for dice in any order."""
        size = len(self.dice.notation)
        self._row = np.empty((size,) * 3, np.intp)
        self._names = np.empty((size,) * 3, np.intp)
        names: dict[tuple[int, ...], int] = {}
        for flop in combinations_with_replacement(range(size), 3):
            codes = tuple(renaming(self.dice, flop))
            number = names.setdefault(codes, len(names))
            for order in set(permutations(flop)):
                self._row[order] = flop_rows(self.dice, 3)[renamed(codes, flop)]
                self._names[order] = number
        self._codes = np.array([*names])

    def _before_the_flop(self, outlooks: Outlooks, pairs: Codes, flops: Floats) -> Floats:
        """The mean and the square of each pocket before the flop."""
        total, chances = np.zeros((2, len(pairs))), np.zeros(len(pairs))
        left = self.dice.per_suit - outlooks.counts(pairs)
        for flop in combinations_with_replacement(range(len(self.dice.notation)), 3):
            chance = np.full(len(pairs), 1 / factorials([*Counter(flop).values()]))
            for suit, count in enumerate(outlooks.counts(np.array(flop))):
                for taken in range(count):
                    chance *= left[:, suit] - taken
            codes = self._codes[self._names[flop]]
            total += chance * flops[:, self._row[flop], self._pair[tuple(codes[pairs.T])]]
            chances += chance
        return total / chances

    def deal(self, count: int, source: np.random.Generator) -> Codes:
        """`count` deals, of shape (deals, dice), as codes."""
        suits, size = len(self.dice.suits), (count, DEALT)
        bag = np.tile(np.repeat(np.arange(suits, dtype=np.uint8), self.dice.per_suit), (count, 1))
        drawn = source.permuted(bag, axis=1)[:, :DEALT].astype(np.intp)
        return self.dice.faces * drawn + source.integers(self.dice.faces, size=size)

    def held(self, deals: Codes, player: int) -> Held:
        """What `player` (0 or 1) holds in `deals`."""
        flop = tuple(deals[:, 4:7].T)
        row, codes = self._row[flop], self._codes[self._names[flop]]
        named = np.take_along_axis(codes, deals, 1)
        pocket = self._pair[named[:, 2 * player], named[:, 2 * player + 1]]
        turn, rest = named[:, 7], self._pair[named[:, 7], named[:, 8]]
        share = self.river[row, rest, pocket]
        before = self._pair[deals[:, 2 * player], deals[:, 2 * player + 1]]
        outlooks = [
            Outlook(*self.open[:, before].astype(np.float32)),
            Outlook(*(self.flop[:, row, pocket] / np.float32(BYTE))),
            Outlook(*[each[row, turn, pocket] for each in self.turn]),
            Outlook(share, share**2),
        ]
        return Held(outlooks, self.level[row, rest, pocket])


def cut(outlooks: Sequence[Outlook]) -> Cuts:
    """Cuts that leave each part of a class equally likely among hands with these `outlooks`."""
    before: Codes = np.zeros(len(outlooks[0].mean), np.intp)
    cuts = []
    for stage, (outlook, parts) in enumerate(zip(outlooks, PARTS, strict=True)):
        features = feature(outlook, stage)
        order = np.lexsort((features, before))
        first = np.searchsorted(before[order], np.arange(np.prod(PARTS[:stage], dtype=int) + 1))
        shares = np.arange(1, parts) / parts
        places = first[:-1, np.newaxis] + (np.diff(first)[:, np.newaxis] * shares).astype(int)
        cuts.append(features[order][places])
        before = class_of(cuts[-1], before, features)
    return cuts


def count(hands: Hands, cuts: Cuts, deals: int, source: np.random.Generator) -> Classes:
    """The chances of pairs of classes, by the frequencies in so many random `deals`.

    Each deal counts for both players, so that neither is ahead of the other.
    """
    sizes = np.cumprod(PARTS).tolist()
    both = [np.zeros((size, size)) for size in sizes]
    ahead, ahead_open = np.zeros_like(both[-1]), np.zeros_like(both[0])
    for _ in range(0, deals, _BLOCK):
        dealt = hands.deal(_BLOCK, source)
        one, other = hands.held(dealt, 0), hands.held(dealt, 1)
        sign = np.sign(one.level.astype(int) - other.level)
        pairs = [
            size * a + b
            for size, a, b in zip(
                sizes, *[all_classes(cuts, s.outlooks) for s in (one, other)], strict=True
            )
        ]
        for pair, total in zip(pairs, both, strict=True):
            total += np.bincount(pair, minlength=total.size).reshape(total.shape)
        for pair, total in ((pairs[-1], ahead), (pairs[0], ahead_open)):
            total += np.bincount(pair, sign, total.size).reshape(total.shape)
    both = [(each + each.T) / each.sum() / 2 for each in both]
    ahead, ahead_open = [(each - each.T) / 2 / deals for each in (ahead, ahead_open)]
    before = np.arange(sizes[1]) // PARTS[1]
    again = both[1] * (ahead_open / both[0])[np.ix_(before, before)]
    exact = [each.astype(np.float32) for each in (*both, ahead, again)]
    return Classes(PARTS, exact[:-2], *exact[-2:])


def in_bytes(plan: Floats) -> NDArray[np.uint8]:
    """The chances to fold and to raise in bytes; what is left is the chance to check or call.

    A half is rounded down, or two of them would be more than the whole.
    """
    return (plan[:, :, (FOLD, RAISE)] * BYTE + np.float32(0.499)).astype(np.uint8)


def as_table(fields: dict[str, NDArray[np.generic]]) -> NDArray[np.void]:
    """An array of one structure with the `fields`, so that the file says where each of them is."""
    table = np.zeros(1, [(name, each.dtype, each.shape) for name, each in fields.items()])
    for name, each in fields.items():
        table[name][0] = each
    return table


if __name__ == "__main__":
    main()
