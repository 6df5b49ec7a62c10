"""`evaluate` of score cards with a card: what a roll scores in its open boxes, and earns."""

from __future__ import annotations

from typing import Any

import pytest

from service.kinds.scorecard.variant import ScoreCard
from service.variants import variants
from tests.live import Service

EVALUATE = "/v1/variants/dice-poker/evaluate"
FIVES = [4, 4, 4, 4, 4]
FULL = {
    "ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18,
    "three_of_a_kind": 22, "four_of_a_kind": 0, "small_straight": 30, "large_straight": 0,
    "five_of_a_kind": 50, "full_house": 25, "chance": 20,
}  # fmt: skip
OPEN = {**FULL, "full_house": None, "chance": None}
RULES = {
    "extra_five_bonus": 100,
    "joker": True,
    "five_alike_is_full_house": False,
    "turn_seconds": 30,
    "throw_to_begin": False,
    "zero_only_if_nothing_fits": False,
}
BONUS = {"extra_five_bonus": 100, "joker": True}


@pytest.mark.general("scorecard")
def test_open_boxes(service: Service, variant: str) -> None:
    """The open boxes of a card are scored as if they were listed."""
    described = variants()[variant]
    assert isinstance(described, ScoreCard)
    first, *others = described.possible
    dice, path = described.dice.named(described.rolls_of_dice[0]), f"/v1/variants/{variant}"
    by_card = service.post(f"{path}/evaluate", {"dice": dice, "card": {first: 0}})
    by_list = service.post(f"{path}/evaluate", {"dice": dice, "open_boxes": others})
    assert (by_card.status, by_card.json) == (200, by_list.json)
    assert [*by_card.json["scores"]] == others


@pytest.mark.parametrize(
    ("card", "scores", "best", "earned"),
    [
        (OPEN, {"full_house": 25, "chance": 20}, "full_house", 100),
        ({**OPEN, "extra_fives": 1}, {"full_house": 25, "chance": 20}, "full_house", 100),
        ({**OPEN, "five_of_a_kind": 0}, {"full_house": 25, "chance": 20}, "full_house", 0),
        ({**FULL, "five_of_a_kind": None}, {"five_of_a_kind": 50}, "five_of_a_kind", 0),
    ],
    ids=["used", "used and repeated", "crossed out", "open"],
)
def test_repeats(
    service: Service, card: dict[str, Any], scores: dict[str, int], best: str, earned: int
) -> None:
    """The card says whether a repeat earns its bonus and is a joker (D10, D15)."""
    reply = service.post(EVALUATE, {"dice": FIVES, "card": card, "house_rules": BONUS})
    assert (reply.status, reply.json) == (
        200,
        {
            "variant": "dice-poker",
            "scores": scores,
            "best": {"box": best, "score": scores[best]},
            "extra_fives_points": earned,
            "house_rules": RULES,
        },
    )
