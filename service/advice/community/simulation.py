"""Simulated chances, for tables with too many communities and pockets to go through."""

from __future__ import annotations

import hashlib
from math import sqrt
from typing import Any

import numpy as np

from service.advice.community.position import SAMPLES, CommunityPosition, simulated_seconds
from service.advice.community.sums import Chances, Sums
from service.batch.kinds import suited_kernel
from service.kinds.community.variant import CommunityRanking

_BLOCK = 10_000
"""Showdowns to simulate at a time."""


def simulated_chances(
    variant: CommunityRanking, rules: Any, position: CommunityPosition
) -> Chances:
    """The chances in this `position` under the house `rules`.

    The same question, in whatever order its dice are, has the same answer.
    """
    dice, final = variant.dice, variant.stages[-1]
    kernel = suited_kernel(variant, rules)
    sums = Sums(variant, rules, kernel.strongest)
    source = np.random.default_rng(_seed(variant, rules, position))
    left = np.full(len(dice.suits), dice.per_suit)
    np.subtract.at(left, [dice.suit_of[code] for code in position.dice], 1)
    bag = np.repeat(np.arange(len(left), dtype=np.uint8), left)
    coming = final - len(position.community)
    drawn = coming + variant.pocket * position.unknown
    lying = np.array([position.community], np.uint8).repeat(_BLOCK, axis=0)
    fixed = [
        np.array([p], np.uint8).repeat(_BLOCK, axis=0) for p in (position.pocket, *position.known)
    ]
    for _ in range(SAMPLES // _BLOCK):
        suits = source.permuted(np.tile(bag, (_BLOCK, 1)), axis=1)[:, :drawn]
        numbers = source.integers(dice.faces, size=suits.shape, dtype=np.uint8)
        codes = suits * np.uint8(dice.faces) + numbers
        community = np.hstack([lying, codes[:, :coming]])
        pockets = [*fixed]
        for start in range(coming, drawn, variant.pocket):
            pockets.append(codes[:, start : start + variant.pocket])
        hands = [kernel.strengths(np.hstack([pocket, community])) for pocket in pockets]
        others = np.stack(hands[1:])
        best = hands[0] >= others.max(axis=0)
        shared = (others == hands[0]).sum(axis=0)[best]
        sums.strengths += np.bincount(hands[0], minlength=len(sums.strengths))
        sums.win += float((shared == 0).sum())
        sums.tie += float((shared > 0).sum())
        sums.equity += float((1 / (1 + shared)).sum())
    return sums.chances(
        SAMPLES,
        seconds=simulated_seconds(variant, len(others)),
        standard_error=1 / sqrt(4 * SAMPLES),
    )


def _seed(variant: CommunityRanking, rules: Any, position: CommunityPosition) -> int:
    """A seed made from the question."""
    question = (
        variant.id,
        [getattr(rules, switch) for switch in variant.switches],
        sorted(position.pocket),
        sorted(position.community),
        sorted(sorted(pocket) for pocket in position.known),
        position.unknown,
    )
    return int.from_bytes(hashlib.sha256(repr(question).encode()).digest())
