"""The dice of the best hand, for whole arrays of suited hands."""

from __future__ import annotations

import random

import numpy as np
import pytest

from service.batch.kinds import suited_kernel
from service.kinds.community.variant import TableHand
from service.rules.violations import InvalidInput
from service.variants.texas_holdem_dice import VARIANT

HANDS = 4_000


def expected(codes: list[int]) -> tuple[int, list[int]]:
    """The strength of the best hand and its dice from a single evaluation, or 0 and none."""
    try:
        found = VARIANT.evaluate(codes[:2], codes[2:], VARIANT.default_rules)
    except InvalidInput:
        return 0, []
    assert isinstance(found, TableHand)
    return found.hand.strength, list(found.best)


@pytest.mark.parametrize("dice", [5, 6, 7])
@pytest.mark.parametrize("suits", [4, 2])
def test_the_dice_of_a_single_hand_are_picked(dice: int, suits: int) -> None:
    """Each row has the strength and the best dice, in order, of a single evaluation."""
    source = random.Random(dice * suits)
    drawn = [[source.randrange(6 * suits) for _ in range(dice)] for _ in range(HANDS)]
    hands = np.array(drawn, np.uint8)
    kernel = suited_kernel(VARIANT, VARIANT.default_rules)
    strengths = kernel.strengths(hands)
    possible = np.flatnonzero(strengths)
    best = kernel.picked(hands[possible], strengths[possible])
    picked = dict(zip(possible.tolist(), best.tolist(), strict=True))
    for row, codes in enumerate(drawn):
        assert (int(strengths[row]), picked.get(row, [])) == expected(codes), codes
    assert (len(possible) < HANDS) == (dice > 5)
