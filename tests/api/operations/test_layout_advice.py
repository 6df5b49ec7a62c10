"""`advise` of games of layouts over HTTP: whole responses, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.kinds.layout.variant import Layout
from service.variants import variants
from tests.api.batch.batching import NDJSON, batch, lines, out_of_steps, post
from tests.live import PROBLEM, Service

ADVISE = "/v1/variants/roll-a-royal/advise"
EVALUATE = "/v1/variants/roll-a-royal/evaluate"

LAST = [
    ["As", "Ks", "Qs", "Js", "Ts", "--", "2h", "4d", "6c", "8h", "3c", "5d", "7h"],
    ["--"],
    ["--"],
]
NONE = dict.fromkeys(
    ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
     "three_of_a_kind", "pair", "super_royal"],
    0.0,
)  # fmt: skip
EXACT = {"exact": True, "standard_error": 0.0, "simulated": 0, "proven": True}


def test_after_the_last_roll(service: Service) -> None:
    """The best layout, and what to expect of it with and without the risk die (R10)."""
    evaluated = service.post(EVALUATE, {"rolls": LAST}).json
    risked = pytest.approx(evaluated["points"] * 10 / 6)
    points = evaluated["points"]
    assert service.post(ADVISE, {"rolls": LAST, "need": 8000}).json == {
        "variant": "roll-a-royal",
        "expected": risked,
        "reach": 1.0,
        "points": points,
        "hands": {**NONE, **{hand["hand"]: 1.0 for hand in evaluated["hands"]}},
        "options": [
            {"action": "bank", "expected": points, "loss": pytest.approx(points * 4 / 6),
             "reach": 1.0},
            {"action": "risk", "expected": risked, "loss": 0.0, "reach": round(4 / 6, 9)},
        ],
        "layout": evaluated["hands"],
        **EXACT,
    }  # fmt: skip


def test_before_the_last_roll(service: Service) -> None:
    """Before the last roll, values are means over all faces that the blank can show.

    Without `need` there is no `reach`; changed house rules are repeated.
    """
    rules = {"opening": "none", "layout": "unconnected"}
    answer = service.post(ADVISE, {"rolls": LAST[:2], "house_rules": rules}).json
    # the published set has Qs and 2h on one die, so this is another one, and the blank counts as
    # the sixth published die: 7s, Th, Kd, 3c, which shows already, and two blanks
    ended = [
        service.post(EVALUATE, {"rolls": [*LAST[:2], [face]], "house_rules": rules}).json
        for face in ("7s", "Th", "Kd", "--", "--")
    ]
    points = sum(turn["points"] for turn in ended) / len(ended)
    held = [{hand["hand"] for hand in turn["hands"]} for turn in ended]
    assert answer == {
        "variant": "roll-a-royal",
        "expected": pytest.approx(points * 10 / 6),
        "points": pytest.approx(points),
        "hands": pytest.approx(
            {hand: sum(hand in names for names in held) / len(held) for hand in NONE}
        ),
        "options": [],
        **EXACT,
        "house_rules": ended[0]["house_rules"],
    }


def test_simulated_turns(service: Service) -> None:
    """Before the first roll, turns are simulated: the same for everyone who asks."""
    answer = service.post(ADVISE, {"rolls": [], "need": 1000}).json
    assert (answer["exact"], answer["simulated"], answer["options"]) == (False, 1000, [])
    assert answer["expected"] == pytest.approx(880, abs=4 * answer["standard_error"])
    assert 0.2 < answer["reach"] < 0.6
    again = service.post(ADVISE, {"rolls": [], "limit": 1}).json
    assert again == {name: value for name, value in answer.items() if name != "reach"}


def test_a_turn_that_does_not_open(service: Service) -> None:
    """A turn that doesn't open scores nothing, and the response says why (R31)."""
    roll = ["2s", "3h", "8d", "Jc", *["--"] * 9]
    assert service.post(ADVISE, {"rolls": [roll], "need": 1}).json == {
        "variant": "roll-a-royal",
        **dict.fromkeys(("expected", "reach", "points"), 0.0),
        "missing": service.post(EVALUATE, {"rolls": [roll]}).json["missing"],
        "lacks": {"decided_by": "no_pair", "clause": "R25"},
        "hands": NONE,
        "options": [],
        **EXACT,
    }


def test_own_layout(service: Service) -> None:
    """With the player's own layout, it is banked or risked, whatever the best one is."""
    royal = {"dice": [0, 1, 2, 3, 4], "direction": "down", "row": 0, "column": 0}
    answer = service.post(ADVISE, {"rolls": LAST[:1], "layout": [royal]}).json
    assert (answer["points"], answer["exact"], answer["proven"]) == (8000.0, True, True)
    assert [hand["hand"] for hand in answer["layout"]] == ["royal_flush"]
    assert [(option["action"], option["expected"]) for option in answer["options"]] == [
        ("risk", pytest.approx(8000 * 10 / 6)),
        ("bank", 8000.0),
    ]
    wrong = service.post(ADVISE, {"rolls": LAST[:1], "layout": [{**royal, "dice": [0, 1]}]})
    assert wrong.pointers == {"/layout/0"}


def test_every_violation_is_listed(service: Service) -> None:
    """What is wrong with each field, all at once."""
    roll = [*LAST[0][:11], "3c", "1h"]
    reply = service.post(ADVISE, {"rolls": [roll], "need": 0, "limit": 501, "risk": 3})
    assert (reply.status, reply.headers["Content-Type"]) == (422, PROBLEM)
    assert reply.pointers == {"/rolls/0/12", "/need", "/limit", "/risk"}


@pytest.mark.general("layout")
def test_every_layout(service: Service, variant: str) -> None:
    """There is advice before the first roll, and after a roll without blanks."""
    described = variants()[variant]
    assert isinstance(described, Layout)
    path = f"/v1/variants/{variant}/advise"
    before: dict[str, Any] = service.post(path, {"rolls": []}).json
    mean = max(1, sum(described.risk_faces) / len(described.risk_faces))
    assert before["points"] <= before["expected"] <= before["points"] * mean + 1e-6
    assert before["options"] == []
    roll = described.dice.notation[: described.dice.count]
    rules = {"opening": "none"}
    after = service.post(path, {"rolls": [roll], "need": 1, "house_rules": rules}).json
    evaluated = service.post(
        f"/v1/variants/{variant}/evaluate", {"rolls": [roll], "house_rules": rules}
    ).json
    assert (after["points"], after["layout"]) == (evaluated["points"], evaluated["hands"])
    assert after["reach"] == (evaluated["points"] > 0 or evaluated["wins_game"])


@pytest.mark.proof
def test_lines_count_their_steps(service: Service) -> None:
    """The searches of all lines count: a simulation takes most of the 100,000 of a request."""
    path = f"{batch('roll-a-royal')}?operation=advise"
    first: dict[str, Any] = {"rolls": []}
    last = {"rolls": LAST}
    body = lines([last, first, first, last])
    *answered, ended = post(service, body, NDJSON, path).body.splitlines()
    assert answered == [service.post(ADVISE, asked).body for asked in (last, first, first)]
    assert json.loads(ended) == out_of_steps(3, batch("roll-a-royal"))
