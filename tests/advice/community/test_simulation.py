"""Simulated chances, and the choice between exact and simulated ones."""

from __future__ import annotations

from dataclasses import replace
from string import ascii_lowercase
from typing import Any

import pytest

from service.advice.community.adding import Chances
from service.advice.community.chances import chances, simulated_chances
from service.advice.community.position import CommunityPosition, most_opponents
from service.kinds.community.variant import CommunityRanking
from service.rules.dice import Dice, Suit
from service.variants.texas_holdem_dice import VARIANT
from tests.sampled import first
from tests.trial_games.small_holdem import VARIANT as SMALL


def with_dice(**changes: Any) -> CommunityRanking:
    """Hold'em with other dice."""
    suits = changes.pop("suits")
    named = tuple(Suit(letter, f"suit {letter}") for letter in ascii_lowercase[:suits])
    return replace(VARIANT, **changes, examples=(), dice=Dice(count=20, suits=named))


FIVE_SUITS = with_dice(suits=5, players=(2, 10), pocket=1, stages=(0, 2, 4))
TWO_SUITS = with_dice(suits=2, players=(2, 4), pocket=4, stages=(0, 1, 3))
MANY_SUITS = with_dice(suits=20, players=(2, 6))


def near(found: Chances) -> object:
    """What equals the figures of `found` within five standard errors."""
    figures = {"win": found.win, "tie": found.tie, "equity": found.equity, **found.ranks}
    return pytest.approx(figures, abs=0.005)


@pytest.mark.parametrize(
    ("variant", "position"),
    first(
        [
            (VARIANT, CommunityPosition([0, 8], [5, 6, 11], [[7, 12]], 2)),
            (SMALL, CommunityPosition([0], [], [[7], [6]], 1)),
            (FIVE_SUITS, CommunityPosition([0], [7, 8], [[3]], 8)),
            (TWO_SUITS, CommunityPosition([0, 1, 2, 8], [9], [], 3)),
            (VARIANT, CommunityPosition([0, 8], [], [], 3)),
            (VARIANT, CommunityPosition([0, 8], [5, 6, 11, 3, 4], [[7, 12]], 0)),
            (SMALL, CommunityPosition([0], [], [], 3)),
            (SMALL, CommunityPosition([0], [6], [], 2)),
            (FIVE_SUITS, CommunityPosition([0], [], [], 6)),
            (TWO_SUITS, CommunityPosition([0, 1, 2, 8], [], [], 1)),
        ],
        count=4,
    ),
)
def test_near_exact_chances(variant: CommunityRanking, position: CommunityPosition) -> None:
    """Simulated chances are near the exact ones, for any dice, pockets and communities."""
    rules = variant.default_rules
    exact, simulated = (find(variant, rules, position) for find in (chances, simulated_chances))
    assert (exact.exact, exact.standard_error) == (True, 0)
    assert (simulated.exact, simulated.standard_error) == (False, 0.001)
    figures = {"win": exact.win, "tie": exact.tie, "equity": exact.equity, **exact.ranks}
    assert figures == near(simulated)
    assert sum(simulated.ranks.values()) == pytest.approx(1)


def test_too_many_dice_for_exact_chances() -> None:
    """Where exact chances take too long, they are simulated; the same question, in any order of
    its dice, has the same answer.
    """
    rules = MANY_SUITS.default_rules
    found = chances(MANY_SUITS, rules, CommunityPosition([0, 8], [15, 20, 40], [[50, 60]], 2))
    assert (found.exact, found.standard_error) == (False, 0.001)
    assert (
        chances(MANY_SUITS, rules, CommunityPosition([8, 0], [40, 20, 15], [[60, 50]], 2)) == found
    )
    river = CommunityPosition([0, 8], [15, 20, 40, 65, 70], [], 2)
    assert chances(MANY_SUITS, rules, river).exact


def test_bound_of_the_work() -> None:
    """Advice takes all opponents into account, unless simulating so many hands takes too long."""
    games: list[CommunityRanking] = [
        VARIANT,
        SMALL,
        FIVE_SUITS,
        replace(MANY_SUITS, pocket=1, players=(2, 15)),
    ]
    assert [most_opponents(game) for game in games] == [5, 3, 9, 9]
