"""How often a pocket wins against another, from each stage on: what hands are told apart by.

The *share* of a pocket in a whole community is what it wins on average of a pot against one pocket
that is drawn and rolled from the bag. Before that, an outlook has the mean of the shares to come,
and the mean of their squares: of equal means, a hand with more potential has the greater squares.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.advice.community.communities import Pockets, Showdowns, orders
from service.batch.kernels import SuitedKernel
from service.rules.dice import Dice

Floats = NDArray[np.floating[Any]]
Codes = NDArray[np.integer[Any]]

BYTE = 255
"""What a share or a chance of 1 is in a table of bytes."""

_LEAST_VARIANCE = 1e-9


class Outlook(NamedTuple):
    """The mean of the shares still to come, and the mean of their squares: arrays of one shape."""

    mean: Floats
    square: Floats

    def against(self, opponents: int) -> Floats:
        """About how often the hand is the best of several.

        It is exact for one opponent. For more, the shares to come count as a beta distribution,
        whose mean rises with each opponent beaten.
        """
        variance = np.maximum(self.square - self.mean**2, _LEAST_VARIANCE)
        weight = np.maximum(self.mean * (1 - self.mean) / variance - 1, 0)
        beaten = [(self.mean * weight + count) / (weight + count) for count in range(1, opponents)]
        best: Floats = np.prod([self.mean, *beaten], axis=0)
        return best


class Outlooks:
    """The outlooks of all pockets of `size` dice, exact by counting; the `kernel` ranks hands."""

    def __init__(self, dice: Dice, size: int, kernel: SuitedKernel) -> None:
        self.dice, self._kernel = dice, kernel
        self.pockets = Pockets(dice, size, kernel)
        self._suits = np.array(self.pockets.suits)
        self._orders = np.array([orders(suits) for suits in self.pockets.suits])
        self._tally = np.array([self._kernel.tally((number,)) for number in self.dice.number_of])
        self._suit_of = np.array(self.dice.suit_of)

    def counts(self, codes: Codes) -> Codes:
        """How many dice of each suit are in each row of `codes`."""
        found: Codes = np.eye(len(self.dice.suits), dtype=np.int64)[self._suit_of[codes]].sum(-2)
        return found

    def shares(self, communities: Codes) -> tuple[Floats, Codes]:
        """The share and the level (`Showdowns`) of each pocket in each of whole `communities`.

        Both have the shape (communities, pockets). Pockets that can't be there have any share.
        """
        lying, suits = self._suit_of[communities], range(len(self.dice.suits))
        tallies = [np.where(lying == suit, self._tally[communities], 0).sum(1) for suit in suits]
        shown = Showdowns(self._kernel, self.pockets, np.stack(tallies))
        rows = shown.first[:, np.newaxis] + shown.levels
        rolls = shown.up_to[rows - 1].astype(np.float32) + shown.up_to[rows]
        chances = self._drawn(self.counts(communities))[:, self.pockets.suits_of]
        return np.einsum("cps,cps->cp", chances, rolls) / (2 * self.pockets.rolls), shown.levels

    def _drawn(self, counts: Codes) -> NDArray[np.float32]:
        """The chance that another pocket has certain suits, by the suits of the own pocket.

        `counts` are those of the communities; the shape is (communities, own suits, its suits).
        """
        left = self.dice.per_suit - counts[:, np.newaxis] - self._suits
        total = self.dice.count - counts[0].sum() - self.pockets.size
        ways = self._orders.astype(np.float32)
        for dice in range(self.pockets.size):
            each = np.maximum(left - dice, 0)[:, :, np.newaxis]
            ways = ways * np.where(self._suits > dice, each, 1).prod(-1) / (total - dice)
        return ways

    def before(self, seen: Codes, later: Outlook) -> Outlook:
        """The outlook of each pocket before a die comes, given that after each die (axis -2).

        `seen` are the communities so far, of shape (communities, dice).
        """
        left = self.dice.per_suit - self.counts(seen)[:, np.newaxis] - self._suits
        chance = np.maximum(left, 0) / left.sum(-1, keepdims=True) / self.dice.faces
        chance = chance[:, :, self._suit_of][:, self.pockets.suits_of]
        return Outlook(*[np.einsum("cpd,cdp->cp", chance, each) for each in later])
