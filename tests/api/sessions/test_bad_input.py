"""Invalid actions, and requests to sessions that don't exist."""

from __future__ import annotations

import json

import pytest

from tests.api.sessions.causing import ACTIONS
from tests.api.sessions.playing import UNTIMED, Session, make, refusal, refuses
from tests.live import Service

pytestmark = pytest.mark.usefixtures("alive")


@pytest.fixture(scope="module")
def session(own_service: Service) -> Session:
    """A game of two in which nobody acts; it is ann's turn to roll."""
    return make(own_service, "dice-poker", "ann", "ben", house_rules=UNTIMED)


LEGAL = "must be roll or leave now"
NO_PLAYER = "must be a string of 1 to 64 characters"


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        (b"[]", {"": "must be an object"}),
        (b"null", {"": "must be an object"}),
        (b'"roll"', {"": "must be an object"}),
        (b"{}", {"/action": "is missing; it must be the name of an action"}),
        (b'{"action": null}', {"/action": "must be the name of an action"}),
        (b'{"action": ["roll"]}', {"/action": "must be the name of an action"}),
        (b'{"action": ""}', {"/action": LEGAL}),
        (b'{"action": "ROLL"}', {"/action": LEGAL}),
        (b'{"action": "score", "box": "ones"}', {"/action": LEGAL}),
        (b'{"action": "time_up"}', {"/action": LEGAL}),
        (b'{"action": "create"}', {"/action": LEGAL}),
        (b'{"action": "roll", "player": ["ann"]}', {"/player": NO_PLAYER}),
        (b'{"action": "roll", "player": ""}', {"/player": "must be one of ann, ben"}),
        (b'{"action": "roll", "player": "zoe"}', {"/player": "must be one of ann, ben"}),
        (b'{"action": "roll", "player": "ben"}', {"/player": "can't roll now; only ann can"}),
        (b'{"action": "roll", "dice": [1, 2, 3, 4, 5]}',
         {"/dice": "must be omitted: the service rolls the dice in this session"}),
        (b'{"action": "roll", "keep": [0]}',
         {"/keep": "must be left out: there is nothing to choose"}),
        (b'{"action": "roll", "a/b": 1, "m~n": [], "": {}}',
         {"/a~1b": "is not a field of roll; it has none",
          "/m~0n": "is not a field of roll; it has none",
          "/": "is not a field of roll; it has none"}),
        (b'{"action": 1e999, "player": 1, "dice": []}',
         {"/action": "must be the name of an action",
          "/player": NO_PLAYER}),
    ],
    ids=lambda value: value.decode() if isinstance(value, bytes) else "",
)  # fmt: skip
def test_no_action(session: Session, body: bytes, errors: dict[str, str]) -> None:
    """Anything but a legal action is refused with the legal ones, and nothing changes."""
    assert session.read().json["actions"] == ACTIONS
    refuses(session, body, errors)


@pytest.mark.parametrize("depth", [250, 254, 300, 900])
@pytest.mark.parametrize("key", [None, "k"])
def test_nested(session: Session, depth: int, key: str | None) -> None:
    """A body that is nested deeper than any action is refused."""
    before = session.stands()
    body = b'{"action": "roll", "keep": ' + b"[" * depth + b"]" * depth + b"}"
    reply = session.send(body, session.headers(key=key))
    refusal(reply, 422)
    assert reply.json["actions"] == ACTIONS
    assert session.stands() == before


def test_within_the_limit(session: Session) -> None:
    """A megabyte of unknown fields is refused with the first hundred of them."""
    before = session.stands()
    body = {"action": "roll", **{f"field {number}": number for number in range(30_000)}}
    reply = session.send(json.dumps(body).encode(), session.headers())
    assert refusal(reply, 422).startswith("30000 violations; the first: /field 0 is not")
    assert len(reply.json["errors"]) == 100
    assert session.stands() == before


@pytest.mark.parametrize(
    "made_up",
    ["x", "{}", "%7Bx%7D", "a%20b", "%00", "%0A", "x" * 22, "-" * 22, "x" * 3000, "..", "%2e%2e",
     "%F0%9F%8E%B2", "%D9%A3" * 22, "%ff" * 22, "*", "dice:%7Bx%7D", "x" * 21 + "%0A", "a%2Fb",
     "a/b", "a//b", ".", "%", "{ID}", "ID%0A", "ID%20", "%00ID", "IDx"],
)  # fmt: skip
def test_no_such_session(session: Session, made_up: str) -> None:
    """Unknown ids get a 404, whatever they hold, and so does an id with anything added."""
    path = made_up.replace("ID", session.made["id"])
    lost = "%2F" in path or "/" in path
    unknown = Session(session.service, {**session.made, "id": path})
    for reply in unknown.every_request(session.bearer()):
        assert refusal(reply, 404).startswith(
            "There is nothing at this path."
            if lost
            else "There is no such session: it never existed"
        )


def test_deleted(service: Service) -> None:
    """All requests to a deleted session get a 404."""
    session: Session = make(service, "dice-poker", "ann", house_rules=UNTIMED)
    session.act("roll", version=1, key="k")
    assert session.delete("").status == 204
    for reply in session.every_request(session.bearer(), 2):
        assert refusal(reply, 404).startswith(
            "There is no such session: it never existed, was deleted"
        )
