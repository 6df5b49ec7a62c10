"""`choose` over HTTP: whole responses, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.operations.test_scorecard_advice import CHANCE
from tests.live import Service
from tests.problems import problem

CARD = "/v1/variants/dice-poker/choose"
LAST = {"card": CHANCE, "dice": [6, 5, 4, 3, 2], "rolls_left": 0}
"""The chance is open: it is scored, or crossed out for 20 points less."""


def test_the_best_play_on_a_card(service: Service) -> None:
    """The action as in sessions, and why, in the language of the request."""
    body = json.dumps({**LAST, "strength": "best"}).encode()
    german = {"Content-Type": "application/json", "Accept-Language": "de"}
    answer = {
        "variant": "dice-poker",
        "strength": "best",
        "action": {"action": "score", "box": "chance"},
        "reason": "The best play: the final total to expect is 195.0.",
        "because": {"decided_by": "best_play", "expected": 195.0},
    }
    assert service.post(CARD, {**LAST, "strength": "best"}).json == answer
    assert service.ask("POST", CARD, body, german).json == {
        **answer,
        "reason": "Der beste Zug: Zu erwarten ist am Ende eine Summe von 195,0.",
    }


def test_seeds(service: Service) -> None:
    """The same seed makes the same choice; others make an easy player lose something, too."""
    asked = {"card": CHANCE, "dice": [6, 1, 4, 3, 6], "rolls_left": 1, "strength": "easy"}
    chosen = [service.post(CARD, {**asked, "seed": seed}).json for seed in range(20)]
    assert chosen == [service.post(CARD, {**asked, "seed": seed}).json for seed in range(20)]
    assert {
        "variant": "dice-poker",
        "strength": "easy",
        "action": {"action": "roll", "keep": [0, 2, 3, 4]},
        "reason": "The final total to expect is 197.5, 0.5 less than with the best play.",
        "because": {"decided_by": "worse_play", "expected": 197.5, "loss": 0.5},
    } in chosen


FULL = {**CHANCE, "chance": 20}


@pytest.mark.parametrize(
    ("path", "asked", "errors"),
    [
        (CARD, {**LAST, "card": FULL, "strength": "best"}, [
            ("/card", "must have an open box: the card is full"),
        ]),
        (CARD, LAST, [("/strength", "is missing")]),
        (CARD, {**LAST, "strength": "strong", "seed": -1}, [
            ("/strength", "must be one of easy, medium, hard, best"),
            ("/seed", "must be a whole number between 0 and 9007199254740991"),
        ]),
    ],
)  # fmt: skip
def test_refused(
    service: Service, path: str, asked: dict[str, Any], errors: list[tuple[str, str]]
) -> None:
    """Where nothing is to be decided, and for unknown strengths, each violation with its code."""
    reply = service.post(path, asked)
    detail = "{} {}.".format(*errors[0])
    if errors[1:]:
        detail = f"{len(errors)} violations; the first: {detail}"
    assert reply.status == 422
    assert reply.json == problem(422, detail, path, errors)
