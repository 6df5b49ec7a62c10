"""Invalid requests to sessions: creation, actions, and unknown paths."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.sessions.playing import PATH, UNTIMED, Session, make, refusal
from tests.live import JSON, Service

pytestmark = pytest.mark.usefixtures("alive")


@pytest.fixture(scope="module")
def session(own_service: Service) -> Session:
    """A game of two in which nobody acts; it is ann's turn to roll."""
    return make(own_service, "dice-poker", "ann", "ben", house_rules=UNTIMED)


ROLL = [{"action": "roll", "player": "ann"}]
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
        (b'{"action": ""}', {"/action": "must be roll now"}),
        (b'{"action": "ROLL"}', {"/action": "must be roll now"}),
        (b'{"action": "score", "box": "ones"}', {"/action": "must be roll now"}),
        (b'{"action": "time_up"}', {"/action": "must be roll now"}),
        (b'{"action": "create"}', {"/action": "must be roll now"}),
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
    before = session.stands()
    reply = session.send(body, session.headers(key="never-used-up"))
    detail = refusal(reply, 422)
    violations = {error["pointer"]: error["detail"] for error in reply.json["errors"]}
    assert violations == errors
    assert reply.json["actions"] == ROLL
    pointer, first = next(iter(errors.items()))
    assert detail.endswith(f"{pointer or 'The body'} {first}.")
    assert session.stands() == before


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "it is empty"),
        (b"{", "Expecting property name enclosed in double quotes, at line 1, column 2"),
        (b'{"action": "roll"} {}', "Extra data, at line 1, column 20"),
        (b'{"action": "roll", "keep": NaN}', "NaN is not a JSON number"),
        (b'{"action": "roll", "keep": [Infinity]}', "Infinity is not a JSON number"),
        (b'{"action": "roll", "action": "roll"}', 'the key "action" appears twice in one object'),
        ('{"action": "roll"}'.encode("utf-16"), "it is not UTF-8, at byte 0"),
        (b'{"action": "\\ud800"}', "a \\u escape is half of a surrogate pair"),
        (b"[" * 100_000, "it is nested too deeply"),
    ],
    ids=lambda value: None if isinstance(value, str) else repr(value[:32]),
)
def test_no_json(session: Session, body: bytes, why: str) -> None:
    """Invalid JSON gets a 400, and nothing changes."""
    before = session.stands()
    reply = session.send(body, session.headers())
    assert refusal(reply, 400) == f"The body is not valid JSON: {why}."
    assert session.stands() == before


@pytest.mark.parametrize("depth", [250, 254, 300, 900])
@pytest.mark.parametrize("key", [None, "k"])
def test_nested(session: Session, depth: int, key: str | None) -> None:
    """A body that is nested deeper than any action is refused."""
    before = session.stands()
    body = b'{"action": "roll", "keep": ' + b"[" * depth + b"]" * depth + b"}"
    reply = session.send(body, session.headers(key=key))
    refusal(reply, 422)
    assert reply.json["actions"] == ROLL
    assert session.stands() == before


def test_ten_megabytes(session: Session) -> None:
    """A body over the limit is refused, and nothing changes."""
    before = session.stands()
    body = json.dumps({"action": "roll", "keep": [0] * 3_500_000}).encode()
    assert len(body) > 10_000_000
    assert "1048576 bytes" in refusal(session.send(body, session.headers()), 413)
    padded = b'{"action": "roll"' + b" " * 10_000_000 + b"}"
    refusal(session.send(padded, session.headers()), 413)
    refusal(session.service.ask("POST", PATH, padded, {"Content-Type": JSON}), 413)
    assert session.stands() == before


def test_within_the_limit(session: Session) -> None:
    """A megabyte of unknown fields is refused with the first hundred of them."""
    before = session.stands()
    body = {"action": "roll", **{f"field {number}": number for number in range(30_000)}}
    reply = session.send(json.dumps(body).encode(), session.headers())
    assert refusal(reply, 422).startswith("30000 violations; the first: /field 0 is not")
    assert len(reply.json["errors"]) == 100
    assert session.stands() == before


@pytest.mark.parametrize("media_type", ["", "text/plain", "application/json; charset=utf-16"])
def test_media_types(session: Session, media_type: str) -> None:
    """Requests and responses of actions must be JSON."""
    before = session.stands()
    headers = {**session.headers(), "Content-Type": media_type}
    refusal(session.send(b'{"action": "roll"}', headers), 415)
    headers = {**session.headers(), "Accept": "text/html"}
    refusal(session.send(b'{"action": "roll"}', headers), 406)
    assert session.stands() == before


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "GET"])
def test_methods(session: Session, method: str) -> None:
    """Actions take POST only."""
    reply = session.service.ask(method, f"{session.path}/actions", headers=session.bearer())
    assert reply.headers["Allow"] == "OPTIONS, POST"
    assert "is not allowed here" in refusal(reply, 405)


@pytest.mark.parametrize(
    "made_up",
    ["x", "{}", "%7Bx%7D", "a%20b", "%00", "%0A", "x" * 22, "-" * 22, "x" * 3000, "..", "%2e%2e",
     "%F0%9F%8E%B2", "%D9%A3" * 22, "%ff" * 22, "*", "dice:%7Bx%7D", "x" * 21 + "%0A", "a%2Fb",
     "a/b", "a//b", ".", "%"],
)  # fmt: skip
def test_no_such_session(session: Session, made_up: str) -> None:
    """Unknown ids get a 404, whatever characters they have."""
    path = f"{PATH}/{made_up}"
    asked: list[tuple[str, str, bytes | None]] = [
        ("GET", path, None),
        ("GET", f"{path}/events", None),
        ("DELETE", path, None),
        ("POST", f"{path}/actions", b'{"action": "roll"}'),
        ("POST", f"{path}/actions", b"[]"),
    ]
    for method, target, body in asked:
        reply = session.service.ask(method, target, body, session.headers(key="k"))
        detail = refusal(reply, 404)
        lost = "There is nothing at this path." if "%2F" in target or "a/" in target else None
        assert detail.startswith(lost or "There is no such session: it never existed")


@pytest.mark.parametrize("around", ["{%s}", "%s%%0A", "%s%%20", "%%00%s", "%sx"])
def test_nearly_an_id(session: Session, around: str) -> None:
    """The id of a session with anything added is unknown."""
    path = f"{PATH}/{around % session.made['id']}"
    refusal(session.service.ask("GET", path, headers=session.bearer()), 404)


def test_deleted(service: Service) -> None:
    """All requests to a deleted session get a 404."""
    session: Session = make(service, "dice-poker", "ann", house_rules=UNTIMED)
    session.act("roll", version=1, key="k")
    assert session.delete("").status == 204
    replies: list[Any] = [
        session.read(),
        session.wait(2, 5),
        session.events(),
        session.delete(),
        session.act("roll", version=2),
        session.act("roll", version=1, key="k"),
    ]
    for reply in replies:
        assert refusal(reply, 404).startswith(
            "There is no such session: it never existed, was deleted"
        )
