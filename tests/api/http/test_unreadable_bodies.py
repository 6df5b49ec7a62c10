"""Bodies that can't be read, and responses that can't be: which problem they get."""

from __future__ import annotations

import json

import pytest

from tests.api.batch.batching import ANSWER, GOOD, NDJSON, line_problem
from tests.api.batch.batching import post as batch
from tests.api.operations.posting import EVALUATE, is_problem, send
from tests.api.sessions.playing import PATH, UNTIMED, Session, make
from tests.live import JSON, Reply, Service

pytestmark = pytest.mark.usefixtures("alive")


@pytest.fixture(scope="module")
def session(own_service: Service) -> Session:
    """A game in which nobody acts."""
    return make(own_service, "dice-poker", "ann", house_rules=UNTIMED)


NEW = b'{"variant":"dice-poker","players":["ann"]}'
ROLL = b'{"action":"roll"}'


def refused(
    session: Session, status: int, headers: dict[str, str], body: bytes | None = None
) -> list[Reply]:
    """The responses to a request, a new session and an action, all with `status`. They are valid
    but for their `headers`, or have another `body`.
    """
    before = session.stands()
    given = {**session.bearer(), "If-Match": "*", **headers}
    paths = {
        EVALUATE: (GOOD, headers),
        PATH: (NEW, headers),
        f"{session.path}/actions": (ROLL, given),
    }
    replies = []
    for path, (valid, sent) in paths.items():
        replies.append(session.service.ask("POST", path, valid if body is None else body, sent))
        assert is_problem(replies[-1], status, path)
    assert session.stands() == before
    return replies


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "it is empty"),
        (b" ", "Expecting value, at line 1, column 2"),
        (b"\r", "Expecting value, at line 1, column 2"),
        (b"{", "Expecting property name enclosed in double quotes, at line 1, column 2"),
        (GOOD[:-1], "Expecting ',' delimiter, at line 1, column 20"),
        (GOOD + GOOD, "Extra data, at line 1, column 21"),
        (GOOD + b",", "Extra data, at line 1, column 21"),
        (GOOD + b"\0", "Extra data, at line 1, column 21"),
        (b'{"dice":[1,2,3,4,NaN]}', "NaN is not a JSON number"),
        (b'{"dice":[1,2,3,4,Infinity]}', "Infinity is not a JSON number"),
        (b'{"dice":[1,2,3,4,-Infinity]}', "-Infinity is not a JSON number"),
        (b'{"dice":[1,2,3,4,06]}', "Expecting ',' delimiter, at line 1, column 19"),
        (b'{"dice":[],"dice":[1,2,3,4,6]}', 'the key "dice" appears twice in one object'),
        (b'{"dice":[],"d\\u0069ce":[1,2,3,4,6]}', 'the key "dice" appears twice in one object'),
        (GOOD.decode().encode("utf-16"), "it is not UTF-8, at byte 0"),
        (b"\xef\xbb\xbf" + GOOD, "it begins with a byte order mark"),
        (b'{"d\xff":1}', "it is not UTF-8, at byte 3"),
        (GOOD + b"\xff", "it is not UTF-8, at byte 20"),
        (b'{"\\ud800":1}', "a \\u escape is half of a surrogate pair"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "it is nested too deeply"),
    ],
    ids=lambda value: None if isinstance(value, str) else repr(value[:24]),
)
def test_no_valid_json(session: Session, body: bytes, why: str) -> None:
    """Invalid JSON gets a 400 with the reason, and nothing changes. So does an invalid line in the
    middle of a batch, which continues.
    """
    for reply in refused(session, 400, {"Content-Type": JSON}, body):
        assert reply.json["detail"] == f"The body is not valid JSON: {why}."
    reply = batch(session.service, b"\n".join([GOOD, body, GOOD, body, GOOD]), NDJSON)
    got = reply.body.splitlines(keepends=True)
    assert (reply.status, got[::2]) == (200, [ANSWER] * 3)
    assert [json.loads(line) for line in got[1::2]] == [
        line_problem(400, f"The line is not valid JSON: {why}.", line=line) for line in (2, 4)
    ]


def test_very_many_keys(service: Service) -> None:
    """A repeated key after very many others is found at once."""
    keys = [f'"{number}": 0' for number in range(80_000)]
    reply = send(service, f"{{{', '.join([*keys, keys[-1]])}}}".encode())
    assert is_problem(reply, 400)
    assert 'the key "79999" appears twice' in reply.json["detail"]


def test_the_longest_body(own_service: Service) -> None:
    """A legal roll of a byte more than a body may have isn't done; one byte less, and it is."""
    session = make(own_service, "dice-poker", "ann", house_rules=UNTIMED)
    before = session.stands()
    headers = session.headers(version=1)
    refusal = session.send(ROLL.ljust((1 << 20) + 1), headers)
    assert is_problem(refusal, 413, f"{session.path}/actions")
    assert session.stands() == before
    assert session.send(ROLL.ljust(1 << 20), headers).json["version"] == 2


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": ""},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "application/vnd.dice+json"},
        {"Content-Type": JSON, "Content-Encoding": "gzip"},
    ],
    ids=str,
)
def test_media_type_of_the_body(session: Session, headers: dict[str, str]) -> None:
    """Another media type, charset or encoding gets a 415, and nothing changes."""
    refused(session, 415, headers)


@pytest.mark.parametrize(
    "content_type", [JSON, "application/json; charset=UTF-8", "Application/JSON"]
)
def test_json_by_its_names(service: Service, content_type: str) -> None:
    """JSON in UTF-8 is accepted in all spellings of its type."""
    assert service.ask("POST", EVALUATE, GOOD, {"Content-Type": content_type}).status == 200


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/json", 200),
        ("application/json; charset=utf-8", 200),
        ("", 200),
        ("*/*", 200),
        ("text/html, application/*;q=0.5", 200),
        ("text/html", 406),
        ("application/json;q=0", 406),
        ("application/json;q=0, text/html", 406),
    ],
)
def test_accept(session: Session, accept: str, status: int) -> None:
    """An Accept header that rules out the media type of the response gets a 406."""
    headers = {"Content-Type": JSON, "Accept": accept}
    replies = [
        session.service.ask("POST", EVALUATE, GOOD, headers),
        session.service.get("/v1/variants", Accept=accept),
        session.read(Accept=accept),
    ]
    assert [reply.status for reply in replies] == [status] * 3
    if status == 406:
        refused(session, 406, headers)
