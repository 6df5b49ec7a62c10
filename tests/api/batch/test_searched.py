"""Batches in JSON of turns with cards: each hand takes a search."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.api.operations.posting import is_problem, reason, violations
from tests.live import JSON, ROOT, Reply, Service

LAYOUT = "/v1/variants/roll-a-royal"
BATCH = f"{LAYOUT}/batch"
OPEN = [["As", "Ah", "Kd", *["--"] * 10]]
BLANK = [["--"] * 13]
REPEATED = [["As"] * 13]


def turns(count: int) -> list[Any]:
    """The first turns of the cases that other tests use."""
    with Path(ROOT, "tests/cases/roll_a_royal.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line)["rolls"] for line in islice(lines, count)]


def asked(service: Service, **body: Any) -> Reply:
    """The response to a batch."""
    return service.post(BATCH, body)


@pytest.mark.parametrize("rules", [{}, {"layout": "unconnected", "opening": "none"}])
def test_columns_are_those_of_evaluate(service: Service, rules: dict[str, Any]) -> None:
    """Each column has what `evaluate` returns for each hand, in order."""
    hands = [*turns(40), BLANK, OPEN]
    single = [
        service.post(f"{LAYOUT}/evaluate", {"rolls": rolls, "house_rules": rules}).json
        for rolls in hands
    ]
    names = ("opened", "points", "all_dice_bonus", "wins_game", "proven")
    wanted = {
        "variant": "roll-a-royal",
        "count": len(hands),
        **{name: [answer[name] for answer in single] for name in names},
        "hands": [[hand["hand"] for hand in answer["hands"]] for answer in single],
    }
    if rules:
        wanted["house_rules"] = single[0]["house_rules"]
    reply = asked(service, hands=hands, house_rules=rules)
    assert (reply.status, reply.headers["Content-Type"], reply.json) == (200, JSON, wanted)


def test_no_hands_and_a_gzip(service: Service) -> None:
    """A batch may be empty or compressed; null for the house rules means the defaults."""
    empty = asked(service, hands=[], house_rules=None)
    assert (empty.status, empty.json["count"], empty.json["hands"]) == (200, 0, [])
    body = json.dumps({"hands": [OPEN]}).encode()
    headers = {"Content-Type": JSON, "Content-Encoding": "gzip"}
    packed = service.ask("POST", BATCH, gzip.compress(body), headers)
    assert packed.json == asked(service, hands=[OPEN]).json


def test_every_bad_hand_is_named(service: Service) -> None:
    """One bad hand refuses the request; each of the first 100 has an error, and invalid house rules
    have one, too.
    """
    reply = asked(service, hands=[OPEN, [], OPEN, REPEATED, 7])
    assert is_problem(reply, 422, BATCH)
    assert sorted(reply.pointers) == ["/hands/1", "/hands/3/0/0", "/hands/4"]
    many = asked(service, hands=[[]] * 150)
    assert is_problem(many, 422, BATCH)
    assert many.pointers == {f"/hands/{index}" for index in range(100)}
    assert many.json["detail"].startswith("150 violations; ")
    rules = asked(service, hands=[[], REPEATED], house_rules={"repeated_cards": 1})
    assert rules.pointers == {"/house_rules/repeated_cards", "/hands/0"}


def test_a_repeated_card_says_where_the_others_are(service: Service) -> None:
    """The error of a card that is there twice names the other one by a pointer into the batch."""
    twice = [["As", "As", *["--"] * 11]]
    reply = asked(service, hands=[OPEN, twice])
    detail = "shows As, and so does /hands/1/0/1; the set has each card once (R20)"
    assert violations(reply, BATCH) == [("/hands/1/0/0", detail)]


def test_repeated_cards_are_a_house_rule(service: Service) -> None:
    """With `repeated_cards`, a turn with repeated cards is a hand like any other."""
    reply = asked(service, hands=[REPEATED], house_rules={"repeated_cards": True})
    assert (reply.status, reply.json["opened"]) == (200, [True])


@pytest.mark.parametrize(
    ("body", "pointers"),
    [({}, {"/hands"}), ({"hands": None}, {"/hands"}), ({"hands": {}, "x": 1}, {"/hands", "/x"})],
)
def test_no_list_of_hands(service: Service, body: Any, pointers: set[str]) -> None:
    """A body without a list of hands violates the schema."""
    reply = service.post(BATCH, body)
    assert is_problem(reply, 422, BATCH)
    assert reply.pointers == pointers


def test_searches_have_a_limit_together(service: Service) -> None:
    """Searches of more than 100,000 steps get a 413 that says where to divide the request."""
    reply = asked(service, hands=[OPEN] * 2_400)
    assert reason(reply, 413, BATCH) == (
        "The searches of one request may take 100000 steps, and those of the first 2381 hands used "
        "them up. Send these hands in one request, and those from /hands/2381 on in another."
    )
    first, second = asked(service, hands=[OPEN] * 2_381), asked(service, hands=[OPEN] * 19)
    assert (first.json["count"], second.json["count"]) == (2_381, 19)


def test_hands_have_a_limit(service: Service) -> None:
    """More hands than can ever be searched are refused before any of them is parsed."""
    reply = asked(service, hands=[7] * 2_501)
    assert reason(reply, 413, BATCH) == "One request may hold at most 2500 hands."
