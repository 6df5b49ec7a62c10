"""`evaluate` of dice-poker with the score in the box five_of_a_kind (D15)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.batch.batching import NDJSON, batch, lines, post
from tests.live import Service

pytestmark = pytest.mark.smoke

EVALUATE = "/v1/variants/dice-poker/evaluate"
OPEN = ["full_house", "chance"]
FIVES = [4, 4, 4, 4, 4]
BONUS = {"extra_five_bonus": 100}
RULES = {
    "extra_five_bonus": 0,
    "joker": False,
    "five_alike_is_full_house": False,
    "turn_seconds": 30,
    "throw_to_begin": False,
    "zero_only_if_nothing_fits": False,
}
JOKER = {**BONUS, "joker": True}


@pytest.mark.parametrize(
    ("dice", "holds", "rules", "scores", "best", "earned"),
    [
        (FIVES, {"five_of_a_kind": 50}, BONUS, [0, 20], "chance", {"extra_fives_points": 100}),
        (FIVES, {"five_of_a_kind": 50.0}, JOKER, [25, 20], "full_house",
         {"extra_fives_points": 100}),
        (FIVES, {"five_of_a_kind": 0}, JOKER, [25, 20], "full_house", {"extra_fives_points": 0}),
        ([4, 4, 4, 4, 5], {"five_of_a_kind": 50}, BONUS, [0, 21], "chance",
         {"extra_fives_points": 0}),
        (FIVES, {"five_of_a_kind": 50}, {}, [0, 20], "chance", {}),
        (FIVES, {}, BONUS, [0, 20], "chance", {}),
    ],
    ids=["50", "50 and a joker", "0 and a joker", "four alike", "no house rules",
         "without the box"],
)  # fmt: skip
def test_what_the_box_holds(
    service: Service,
    dice: list[int],
    holds: dict[str, Any],
    rules: dict[str, Any],
    scores: list[int],
    best: str,
    earned: dict[str, int],
) -> None:
    """A joker counts once the box is used; the bonus, in whichever box, only if it holds 50."""
    body = {"dice": dice, "open_boxes": OPEN, **holds, "house_rules": rules}
    reply = service.post(EVALUATE, body)
    given = dict(zip(OPEN, scores, strict=True))
    assert (reply.status, reply.json) == (
        200,
        {
            "variant": "dice-poker",
            "scores": given,
            "best": {"box": best, "score": given[best]},
            **earned,
            **({"house_rules": {**RULES, **rules}} if rules else {}),
        },
    )


def test_in_lines(service: Service) -> None:
    """A line of a batch gets the response of the single request."""
    given = {"open_boxes": OPEN, "five_of_a_kind": 50, "house_rules": BONUS}
    body = lines([{"dice": FIVES, **given}, {"dice": FIVES, "five_of_a_kind": 0}])
    answered, refused = post(service, body, NDJSON, batch("dice-poker")).body.splitlines()
    assert answered == service.post(EVALUATE, {"dice": FIVES, **given}).body
    assert b"is allowed only with open_boxes that exclude five_of_a_kind (D15)" in refused
