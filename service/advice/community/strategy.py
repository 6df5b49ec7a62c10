"""The strategy for two players with fixed bets: a table in a file, which all processes map.

`service.advice.community.making` makes it, and its docstring says of what.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.advice.community.communities import flop_rows, renamed, renaming
from service.advice.community.outlooks import BYTE, Codes, Outlook, Outlooks
from service.advice.community.rounds import FLOP, FOLD, PASS, RAISE, RIVER, Past, places
from service.batch.kernels import SuitedKernel
from service.batch.outcomes import suited_kernel
from service.variants.texas_holdem_dice import VARIANT

FILE = Path(__file__).with_name("holdem.npy")

PLACES = places()
"""What a plan depends on at each stage, in the order of the table."""

Cuts = Sequence[NDArray[np.float32]]
"""For each stage, the least feature of each part but the first: (classes before, parts - 1). So the
classes of a stage are those of the stage before, each divided in parts.
"""


def feature(outlook: Outlook, stage: int) -> NDArray[np.float32]:
    """What hands are told apart by: what they win, and before the river their potential, too."""
    return np.asarray(outlook.mean if stage == RIVER else outlook.square, np.float32)


def class_of(cuts: NDArray[np.float32], before: Any, features: NDArray[np.float32]) -> Codes:
    """The class of each hand at a stage, by that `before` and by the feature now."""
    parts: Codes = (features[:, np.newaxis] >= cuts[before]).sum(1)
    found: Codes = before * (cuts.shape[1] + 1) + parts
    return found


def all_classes(cuts: Cuts, outlooks: Sequence[Outlook]) -> list[Codes]:
    """The class of each hand at each stage."""
    found: list[Codes] = [np.zeros(len(outlooks[0].mean), np.intp)]
    for stage, outlook in enumerate(outlooks):
        found.append(class_of(cuts[stage], found[-1], feature(outlook, stage)))
    return found[1:]


class Strategy:
    """The `table` of a file; `plans` has the chances to fold and to raise, in bytes.

    Their shape is (places, decisions, 2, classes), for each stage. `open` and `flop` are the
    outlooks of `Hands`, and `cuts` those of the classes.
    """

    def __init__(self, table: NDArray[np.void]) -> None:
        self.open, self.flop = table["open"][0], table["flop"][0]
        stages = range(len(PLACES))
        self.cuts = [table[f"cuts{stage}"][0] for stage in stages]
        self.plans = [table[f"plan{stage}"][0] for stage in stages]

    def chances(self, stage: int, past: Past, node: int, classes: Codes) -> NDArray[np.float64]:
        """The chance of each choice at a decision, of shape (choices, classes given).

        If the table has no such past, that with the nearest chips takes its place.
        """
        place = _nearest(stage, past)
        fold, more = self.plans[stage][place, node][:, classes] / BYTE
        return np.stack([fold, 1 - fold - more, more])

    def outlooks(
        self, rules: Any, pocket: Sequence[int], community: Sequence[int]
    ) -> list[Outlook]:
        """The outlook of a pocket at each stage so far: arrays of one number each."""
        outlooks, dice = outlooks_of(suited_kernel(VARIANT, rules)), VARIANT.dice
        number = outlooks.pockets.number(pocket)
        found = [Outlook(*self.open[:, number, np.newaxis])]
        if community:
            lying = community[:3]
            codes = renaming(dice, lying)
            own = outlooks.pockets.number([codes[die] for die in pocket])
            row = flop_rows(dice, 3)[renamed(codes, lying)]
            found.append(Outlook(*(self.flop[:, row, own, np.newaxis] / np.float32(BYTE))))
        if len(community) > VARIANT.stages[FLOP]:
            seen = np.array([community[:4]])
            every = np.arange(len(dice.notation))[:, np.newaxis]
            shares, _ = outlooks.shares(np.hstack([seen.repeat(len(every), 0), every]))
            turn = outlooks.before(seen, Outlook(shares[np.newaxis], shares[np.newaxis] ** 2))
            found.append(Outlook(*[each[0, number, np.newaxis] for each in turn]))
        if len(community) == VARIANT.stages[RIVER]:
            share = outlooks.shares(np.array([community]))[0][0, number, np.newaxis]
            found.append(Outlook(share, share**2))
        return found

    def class_of(self, outlooks: Sequence[Outlook]) -> Codes:
        """The class of a hand with these `outlooks`, at the last of their stages."""
        return all_classes(self.cuts, outlooks)[-1]


@cache
def strategy() -> Strategy:
    """The strategy that comes with the service, mapped once for each process."""
    return Strategy(np.load(FILE, mmap_mode="r"))


def choose(chances: NDArray[np.float64], draws: NDArray[np.float64]) -> Codes:
    """What is chosen, for each column of `chances` and a random number from 0 up to 1."""
    return np.where(draws < chances[FOLD], FOLD, np.where(draws < 1 - chances[RAISE], PASS, RAISE))


@lru_cache(maxsize=8)
def outlooks_of(kernel: SuitedKernel) -> Outlooks:
    """The outlooks of Hold'em where `kernel` ranks hands; there is one for all rules alike."""
    return Outlooks(VARIANT.dice, VARIANT.pocket, kernel)


@lru_cache(maxsize=1024)
def _nearest(stage: int, past: Past) -> int:
    def distance(place: int) -> tuple[int, bool, bool]:
        known = PLACES[stage][place]
        other = known.closing != past.closing, known.bettor != past.bettor
        return abs(known.chips - past.chips), *other

    return min(range(len(PLACES[stage])), key=distance)
