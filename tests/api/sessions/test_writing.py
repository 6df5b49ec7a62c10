"""Turns of score cards that are written in one step, over HTTP (G4)."""

from __future__ import annotations

import pytest

from tests.api.sessions.playing import UNTIMED, Session, make
from tests.live import Service
from tests.problems import error


def typed(service: Service) -> Session:
    """A game of dice-poker of ann and ben, who type in their dice."""
    return make(service, "dice-poker", "ann", "ben", dice="client", house_rules=UNTIMED)


def test_a_turn_is_one_event(service: Service) -> None:
    """A turn is one request, with its dice or its points, and one event of the history (G4)."""
    session = typed(service)
    session.act("write", box="fours", dice=[4, 4, 4, 2, 1])
    reply = session.act("write", box="fours", points=16, dice=None)
    assert (reply.status, reply.json["version"]) == (200, 3)
    steps = session.events().json["events"][1:]
    assert [(step["action"], step["player"], step["box"]) for step in steps] == [
        ("write", "ann", "fours"),
        ("write", "ben", "fours"),
    ]
    assert (steps[0]["dice"], steps[1]["points"]) == ([4, 4, 4, 2, 1], 16)
    assert "points" not in steps[0]
    assert "dice" not in steps[1]
    totals = {name: card["total"] for name, card in reply.json["state"]["cards"].items()}
    assert totals == {"ann": 12, "ben": 16}


def test_what_is_refused(service: Service) -> None:
    """Impossible points are refused with those that there can be; nothing is written (G4)."""
    session = typed(service)
    before = session.stands()
    reply = session.act("write", box="fours", points=13)
    text = "must be 0, 4, 8, 12, 16 or 20: a turn can bring nothing else there"
    assert (reply.status, reply.json["errors"]) == (422, [error("/points", text)])
    assert [each["action"] for each in reply.json["actions"]][:2] == ["roll", "write"]
    reply = session.act("write", box="fours", points=12, dice=[4, 4, 4, 2, 1])
    expected = error("", "must have exactly one of points and dice")
    assert (reply.status, reply.json["errors"]) == (422, [expected])
    assert session.stands() == before


@pytest.mark.usefixtures("solved_dice_poker")
def test_review(service: Service) -> None:
    """The review leaves out who wrote a turn in one step, since nobody knows its rolls (G4)."""
    session = typed(service)
    session.act("roll", dice=[6, 2, 6, 3, 1])
    session.act("score", box="chance")
    assert session.read(below="/review").json["players"].keys() == {"ann", "ben"}
    session.act("write", box="chance", dice=[6, 2, 6, 3, 1])
    reviews = session.read(below="/review").json["players"]
    assert [(name, found["decisions"][0]["dice"]) for name, found in reviews.items()] == [
        ("ann", [6, 2, 6, 3, 1])
    ]
    session.act("write", box="ones", points=3)
    found = session.read(below="/review").json
    assert found["players"] == {}
    assert [(each["version"], each["moved_by"]) for each in found["curve"]] == [
        (1, None), (2, "roll"), (3, "choice"), (4, None), (5, None),
    ]  # fmt: skip
