"""`evaluate` of score cards: what a roll scores in the open boxes, and what it earns besides."""

from __future__ import annotations

from typing import Any

import pytest

from service.kinds.scorecard.variant import ScoreCard
from service.variants import variants
from tests.api.batch.batching import NDJSON, batch, lines, post
from tests.live import Service

EVALUATE = "/v1/variants/dice-poker/evaluate"
FIVES = [4, 4, 4, 4, 4]
FULL = {
    "ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18,
    "three_of_a_kind": 22, "four_of_a_kind": 0, "small_straight": 30, "large_straight": 0,
    "five_of_a_kind": 50, "full_house": 25, "chance": 20,
}  # fmt: skip
CARD = {**FULL, "full_house": None, "chance": None}
BOXES = {"open_boxes": ["full_house", "chance"]}
RULES = {
    "extra_five_bonus": 0,
    "joker": False,
    "five_alike_is_full_house": False,
    "turn_seconds": 30,
    "throw_to_begin": False,
    "zero_only_if_nothing_fits": False,
}
BONUS = {"extra_five_bonus": 100}
JOKER = {**BONUS, "joker": True}


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


AS_FIVES = {"full_house": 0, "chance": 20}
AS_JOKER = {"full_house": 25, "chance": 20}


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("dice", "given", "rules", "scores", "best", "earned"),
    [
        (FIVES, {**BOXES, "five_of_a_kind": 50}, BONUS, AS_FIVES, "chance", 100),
        (FIVES, {**BOXES, "five_of_a_kind": 50.0}, JOKER, AS_JOKER, "full_house", 100),
        (FIVES, {**BOXES, "five_of_a_kind": 0}, JOKER, AS_JOKER, "full_house", 0),
        ([4, 4, 4, 4, 5], {**BOXES, "five_of_a_kind": 50}, BONUS, {"full_house": 0, "chance": 21},
         "chance", 0),
        (FIVES, {**BOXES, "five_of_a_kind": 50}, {}, AS_FIVES, "chance", None),
        (FIVES, BOXES, BONUS, AS_FIVES, "chance", None),
        (FIVES, {"card": CARD}, JOKER, AS_JOKER, "full_house", 100),
        (FIVES, {"card": {**CARD, "extra_fives": 1}}, JOKER, AS_JOKER, "full_house", 100),
        (FIVES, {"card": {**CARD, "five_of_a_kind": 0}}, JOKER, AS_JOKER, "full_house", 0),
        (FIVES, {"card": {**FULL, "five_of_a_kind": None}}, JOKER, {"five_of_a_kind": 50},
         "five_of_a_kind", 0),
    ],
    ids=["50", "50 and a joker", "0 and a joker", "four alike", "no house rules",
         "without the box", "used", "used and repeated", "crossed out", "open"],
)  # fmt: skip
def test_repeats(
    service: Service,
    dice: list[int],
    given: dict[str, Any],
    rules: dict[str, Any],
    scores: dict[str, int],
    best: str,
    earned: int | None,
) -> None:
    """A joker counts once the box is used; the bonus, in whichever box, only if it holds 50. The
    card says what it holds, or the request (D10, D15).
    """
    reply = service.post(EVALUATE, {"dice": dice, **given, "house_rules": rules})
    assert (reply.status, reply.json) == (
        200,
        {
            "variant": "dice-poker",
            "scores": scores,
            "best": {"box": best, "score": scores[best]},
            **({} if earned is None else {"extra_fives_points": earned}),
            **({"house_rules": {**RULES, **rules}} if rules else {}),
        },
    )


@pytest.mark.smoke
def test_in_lines(service: Service) -> None:
    """A line of a batch gets the response of the single request."""
    given = {**BOXES, "five_of_a_kind": 50, "house_rules": BONUS}
    body = lines([{"dice": FIVES, **given}, {"dice": FIVES, "five_of_a_kind": 0}])
    answered, refused = post(service, body, NDJSON, batch("dice-poker")).body.splitlines()
    assert answered == service.post(EVALUATE, {"dice": FIVES, **given}).body
    assert b"is allowed only with open_boxes that exclude five_of_a_kind (D15)" in refused
