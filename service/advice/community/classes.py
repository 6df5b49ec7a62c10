"""Classes of hands: those of a stage are the classes of the stage before, each divided in parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.advice.community.hands import Hands
from service.advice.community.outlooks import Codes, Outlook
from service.advice.community.rounds import RIVER
from service.advice.community.solving import Classes

PARTS = (8, 3, 3, 5)
"""In how many parts a class is divided at each stage; before the open there is one class."""

_BLOCK = 500_000
"""Deals to look up at a time."""

Cuts = Sequence[NDArray[np.float32]]
"""For each stage, the least feature of each part but the first: (classes before, parts - 1)."""


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
