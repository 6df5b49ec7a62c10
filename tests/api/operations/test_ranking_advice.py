"""`advise` of rankings over HTTP, and lines of batches that ask for advice: whole responses."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import pytest

from service.advice.ranking.position import has_advice, most_players_after
from service.kinds.ranking.variant import Ranking
from service.variants import variants
from tests.api.batch.batching import ANSWER, NDJSON, batch, lines, out_of_steps, post
from tests.api.operations.posting import violations
from tests.live import Service

ADVISE = "/v1/variants/poker-dice/advise"


def test_last_roll(service: Service) -> None:
    """The best option first, each with its chance and loss; rolled dice by place and by face."""
    asked = {"dice": [6, 2, 6, 1, 6], "rolls_left": 1, "to_beat": [5, 5, 5, 5, 6], "limit": 2}
    reply = service.post(ADVISE, asked)
    best, second = 11 / 36, 1 / 6
    assert reply.status == 200
    assert reply.json == {
        "variant": "poker-dice",
        "chance": pytest.approx(best, abs=1e-15),
        "options": [
            {"action": "roll", "keep": [0, 2, 4], "dice": [6, 6, 6],
             "chance": pytest.approx(best, abs=1e-15), "loss": 0.0},
            {"action": "roll", "keep": [0, 1, 2, 4], "dice": [6, 2, 6, 6],
             "chance": pytest.approx(second, abs=1e-15),
             "loss": pytest.approx(best - second, abs=1e-15)},
        ],
    }  # fmt: skip


def test_after_the_last_roll(service: Service) -> None:
    """Without rolls left, the only option is to stop; changed house rules are repeated."""
    hands = {"dice": [6, 6, 5, 5, 4], "to_beat": [6, 6, 5, 4, 1]}
    asked = {**hands, "rolls_left": 0, "house_rules": {"pairs_rank": True}}
    assert service.post(ADVISE, asked).json == {
        "variant": "poker-dice",
        "chance": 1.0,
        "options": [{"action": "stop", "chance": 1.0, "loss": 0.0}],
        "house_rules": {
            "pairs_rank": True,
            "starting_chips": 100,
            "stakes": "smallest_stack",
            "rounds": 10,
            "turn_seconds": None,
        },
    }


def test_defaults(service: Service) -> None:
    """By default there are two rolls left, no hand to beat, nobody after, and ten options."""
    asked: dict[str, Any] = {"dice": [1, 2, 2, 3, 5]}
    defaults = {"rolls_left": 2, "to_beat": None, "players_after": 0, "limit": 10}
    spelt_out = {**asked, **defaults, "house_rules": {}}
    reply = service.post(ADVISE, asked)
    assert len(reply.json["options"]) == 10
    assert reply.body == service.post(ADVISE, spelt_out).body


@pytest.mark.general("ranking")
def test_options_of_every_ranking(service: Service, variant: str) -> None:
    """Options are in order of their loss, which is the difference from the best chance.

    There is advice against as many players as the contract allows.
    """
    described = variants()[variant]
    assert isinstance(described, Ranking)
    assert has_advice(described)
    hand = max(described.table(described.default_rules), key=lambda hand: hand.strength)
    dice = described.dice.named(hand.best)
    after = most_players_after(described)
    path = f"/v1/variants/{variant}/advise"
    answer = service.post(path, {"dice": dice, "players_after": after, "limit": 500}).json
    options = answer["options"]
    assert options[0] == {"action": "stop", "chance": 1.0, "loss": 0.0}
    assert answer["chance"] == 1.0
    assert [option["loss"] for option in options] == sorted(option["loss"] for option in options)
    assert all(option["loss"] == pytest.approx(1 - option["chance"]) for option in options)
    keeps = math.prod(dice.count(face) + 1 for face in {*dice})
    assert len(options) == (min(keeps, 500) if described.rolls > 1 else 1)
    refused = service.post(path, {"dice": dice, "players_after": after + 1})
    assert refused.pointers == {"/players_after"}


def test_lines(service: Service) -> None:
    """A batch of lines returns the response to each line, and a problem for an invalid one. It can
    be one of `evaluate`, too.
    """
    path = f"{batch('poker-dice')}?operation=advise"
    pairs = itertools.product(range(1, 8), repeat=2)
    requests = [{"dice": [*pair, 3, 4, 6], "limit": 2} for pair in pairs]
    reply = post(service, lines(requests), NDJSON, path)
    for line, request in zip(reply.body.splitlines(), requests, strict=True):
        single = service.post(ADVISE, request)
        if single.status == 200:
            assert line == single.body
        else:
            assert json.loads(line)["errors"] == single.json["errors"]
    named = post(service, b'{"dice": [1, 2, 3, 4, 6]}', NDJSON, path.replace("advise", "evaluate"))
    assert (named.status, named.body) == (200, ANSWER)


def test_lines_have_a_limit_together(service: Service) -> None:
    """Once the advice of a request has taken 100,000 steps, the next line ends the batch."""
    path = batch("poker-dice")
    body = lines([{"dice": [1, 2, 3, 4, 6], "rolls_left": 0}] * 2_000)
    *answered, last = post(service, body, NDJSON, f"{path}?operation=advise").body.splitlines()
    assert len(answered) == 1_250
    assert json.loads(last) == out_of_steps(1_250, path)


@pytest.mark.parametrize(
    ("query", "media_type", "detail"),
    [
        ("operation=rank", NDJSON, "must be one of evaluate, advise"),
        ("operation=", NDJSON, "must be one of evaluate, advise"),
        ("operation=advise&operation=advise", NDJSON, "must be given once"),
        ("operation=advise", "application/json", "is only for application/x-ndjson"),
    ],
)
def test_wrong_operations(service: Service, query: str, media_type: str, detail: str) -> None:
    """Lines can ask for evaluate or advise, and nothing else can name an operation."""
    path = batch("poker-dice")
    reply = post(service, b'{"hands": []}', media_type, f"{path}?{query}")
    assert violations(reply, path) == [("/operation", detail)]
