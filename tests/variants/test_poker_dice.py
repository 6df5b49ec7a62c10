"""`poker-dice`: what beats what."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from service.kinds.ranking.variant import Contender
from service.rules.reasons import spoken
from service.variants.poker_dice import VARIANT, PokerDiceRules
from tests.reference import poker_dice as reference

pytestmark = pytest.mark.smoke

PLAIN = PokerDiceRules()
PAIRS = PokerDiceRules(pairs_rank=True)


@pytest.mark.parametrize("pairs_rank", [False, True])
def test_all_rolls_agree_with_the_reference(pairs_rank: bool) -> None:
    """All 7,776 rolls have the rank and the strength that P3 and P10-P12 say."""
    rules = PokerDiceRules(pairs_rank=pairs_rank)
    expected = {
        roll: reference.rank_and_key(roll, pairs_rank=pairs_rank)
        for roll in product(range(1, 7), repeat=5)
    }
    order = sorted({key for _, key in expected.values()})
    strengths = {key: strength for strength, key in enumerate(order, start=1)}
    assert len(expected) == 7776
    for roll, (rank, key) in expected.items():
        hand = VARIANT.evaluate(roll, rules)
        assert (hand.rank.id, hand.numbers, hand.strength) == (rank, key[1:], strengths[key])
        assert sorted(hand.best) == sorted(roll)


def test_how_often_each_rank_is_rolled() -> None:
    """Of the 7,776 rolls, each rank takes the published share (P3, P12)."""
    counts = Counter(
        VARIANT.evaluate(roll, PLAIN).rank.id for roll in product(range(1, 7), repeat=5)
    )
    assert counts == {
        "five_of_a_kind": 6,
        "four_of_a_kind": 150,
        "full_house": 300,
        "straight": 240,
        "small_straight": 960,
        "three_of_a_kind": 1200,
        "no_combination": 4920,
    }


@pytest.mark.parametrize(
    ("stronger", "weaker", "reason"),
    [
        ((6, 6, 6, 6, 1), (5, 5, 5, 6, 6), "Four of a kind beats full house (P3)."),
        (
            (5, 5, 5, 6, 6),
            (5, 5, 5, 4, 4),
            "Same rank, full house: the pair decides, 6 over 4 (P10).",
        ),
        (
            (3, 3, 3, 1, 1),
            (2, 2, 2, 6, 6),
            "Same rank, full house: the three decides, 3 over 2 (P10).",
        ),
        (
            (6, 6, 6, 6, 5),
            (6, 6, 6, 6, 1),
            "Same rank, four of a kind: the next die decides, 5 over 1 (P10).",
        ),
        (
            (2, 3, 4, 5, 6),
            (1, 2, 3, 4, 5),
            "Same rank, straight: the top die decides, 6 over 5 (P10).",
        ),
        (
            (6, 6, 5, 5, 4),
            (6, 6, 5, 5, 3),
            "Same rank, no combination: the next die decides, 4 over 3 (P10).",
        ),
    ],
)
def test_reasons(stronger: tuple[int, ...], weaker: tuple[int, ...], reason: str) -> None:
    """The reason of a place names what separates it from the next, and the last place says so."""
    places = VARIANT.rank([Contender("ann", weaker), Contender("ben", stronger)], PLAIN)
    last = VARIANT.evaluate(weaker, PLAIN).rank.name
    assert [(p.place, [e.id for e in p.entries], spoken(p.because)) for p in places] == [
        (1, ["ben"], reason),
        (2, ["ann"], f"The lowest hand here: {last}."),
    ]


def test_equal_hands_share_a_place() -> None:
    """Hands equal in all dice share a place, and the next place skips (P10, P15)."""
    rolls = {"ann": (6, 6, 5, 5, 4), "ben": (4, 5, 6, 5, 6), "cat": (6, 6, 5, 5, 3)}
    places = VARIANT.rank([Contender(name, roll) for name, roll in rolls.items()], PLAIN)
    assert [(place.place, [entry.id for entry in place.entries]) for place in places] == [
        (1, ["ann", "ben"]),
        (3, ["cat"]),
    ]


def test_everybody_equal() -> None:
    """A tie of all is one place that says so (P10)."""
    places = VARIANT.rank([Contender("ann", (1,) * 5), Contender("ben", (1,) * 5)], PLAIN)
    assert [(place.place, spoken(place.because)) for place in places] == [
        (1, "Five of a kind; equal hands tie (P10).")
    ]


def test_pairs_rank_only_under_the_house_rule() -> None:
    """Pairs are no combination by default; under `pairs_rank` two pair beats one pair (P11)."""
    two_pair, one_pair, nothing = (3, 3, 2, 2, 1), (6, 6, 5, 4, 2), (6, 5, 4, 2, 1)
    names = [VARIANT.evaluate(roll, PLAIN).rank.id for roll in (two_pair, one_pair, nothing)]
    assert names == ["no_combination"] * 3
    assert VARIANT.evaluate(two_pair, PLAIN).strength < VARIANT.evaluate(one_pair, PLAIN).strength
    hands = [VARIANT.evaluate(roll, PAIRS) for roll in (two_pair, one_pair, nothing)]
    assert [hand.rank.id for hand in hands] == ["two_pair", "one_pair", "no_combination"]
    assert hands == sorted(hands, key=lambda hand: hand.strength, reverse=True)


def test_dice_of_a_hand_in_the_order_in_which_they_count() -> None:
    """The dice that make the rank come first, then the others from the highest down (P10)."""
    assert VARIANT.evaluate((1, 2, 3, 4, 6), PLAIN).best == (4, 3, 2, 1, 6)
    assert VARIANT.evaluate((5, 2, 5, 2, 2), PLAIN).best == (2, 2, 2, 5, 5)
    assert VARIANT.evaluate((1, 6, 4, 4, 4), PLAIN).best == (4, 4, 4, 6, 1)
