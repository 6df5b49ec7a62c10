"""`yahtzee-deluxe`: the 14-box score card."""

from __future__ import annotations

from itertools import product

from service.rules.house_rules import HouseRules
from service.variants.yahtzee_deluxe import VARIANT
from tests.reference import score_cards as reference

RULES = HouseRules()


def test_all_rolls_agree_with_the_reference() -> None:
    """All 46,656 rolls score in all 14 boxes what Y4, Y5, Y6, Y10 and Y12 say."""
    for roll in product(range(1, 7), repeat=6):
        assert VARIANT.scores(roll, RULES) == reference.yahtzee_deluxe(roll)


def test_there_are_fourteen_boxes() -> None:
    """Six upper and eight lower boxes, in card order (Y10)."""
    assert list(VARIANT.possible) == [
        "ones",
        "twos",
        "threes",
        "fours",
        "fives",
        "sixes",
        "three_pairs",
        "two_triplets",
        "full_house",
        "straight",
        "yahtzee",
        "small_straight",
        "small_yahtzee",
        "chance",
    ]


def test_upper_bonus() -> None:
    """An upper section of 84 earns 50, one of 83 nothing (Y4)."""
    written = {"ones": 4, "twos": 8, "threes": 12, "fours": 16, "fives": 20, "sixes": 24}
    totals = VARIANT.total(VARIANT.read_card(written), RULES)
    assert (totals.upper, totals.bonus, totals.total) == (84, 50, 134)
    totals = VARIANT.total(VARIANT.read_card({**written, "ones": 3}), RULES)
    assert (totals.upper, totals.bonus, totals.total) == (83, 0, 83)
