"""Lines that fail, among others that don't."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from tests.api.batch.batching import CHUNKED, NDJSON, POKER_DICE, chunked, head, parsed, post
from tests.live import Service

pytestmark = pytest.mark.usefixtures("alive")

GOOD = b'{"dice":[1,2,3,4,6]}'
ANSWER = (
    b'{"variant":"poker-dice","rank":"small_straight","clause":"P3","strength":175,'
    b'"best":[4,3,2,1,6],"tie_break":{"numbers":[4,6]}}\n'
)
TITLES = {
    400: "Bad Request",
    413: "Request Entity Too Large",
    422: "Unprocessable Entity",
}
BROKE_OFF = "The body ended early, or its chunked encoding is invalid."


def problem(status: int, detail: str, line: int | None, **more: Any) -> dict[str, Any]:
    """The problem of a line, or of the whole body."""
    body = {
        "type": "about:blank",
        "title": TITLES[status],
        "status": status,
        "detail": detail,
        "instance": POKER_DICE,
        **more,
    }
    return body if line is None else {**body, "line": line}


def not_json(why: str, line: int) -> dict[str, Any]:
    """The problem of a line that is invalid JSON."""
    return problem(400, f"The line is not valid JSON: {why}.", line)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"", "it is empty"),
        (b" ", "Expecting value, at line 1, column 2"),
        (b"\r", "Expecting value, at line 1, column 2"),
        (GOOD[:-1], "Expecting ',' delimiter, at line 1, column 20"),
        (GOOD + GOOD, "Extra data, at line 1, column 21"),
        (GOOD + b",", "Extra data, at line 1, column 21"),
        (b'{"dice":[1,2,3,4,NaN]}', "NaN is not a JSON number"),
        (b'{"dice":[1,2,3,4,06]}', "Expecting ',' delimiter, at line 1, column 19"),
        (b'{"dice":[],"dice":[1,2,3,4,6]}', 'the key "dice" appears twice in one object'),
        (b'{"dice":[],"d\\u0069ce":[1,2,3,4,6]}', 'the key "dice" appears twice in one object'),
        (b"\xef\xbb\xbf" + GOOD, "it begins with a byte order mark"),
        (b'{"d\xff":1}', "it is not UTF-8, at byte 3"),
        (GOOD + b"\xff", "it is not UTF-8, at byte 20"),
        (GOOD + b"\0", "Extra data, at line 1, column 21"),
        (b'{"\\ud800":1}', "a \\u escape is half of a surrogate pair"),
        (b"[" * 100_000, "it is nested too deeply"),
    ],
    ids=lambda value: None if isinstance(value, str) else repr(value[:24]),
)
def test_a_line_that_is_no_json(service: Service, bad: bytes, why: str) -> None:
    """An invalid line in the middle gets its problem, and the batch continues."""
    reply = post(service, b"\n".join([GOOD, bad, GOOD, bad, GOOD]), NDJSON)
    got = reply.body.splitlines(keepends=True)
    assert (reply.status, got[::2]) == (200, [ANSWER] * 3)
    assert [json.loads(line) for line in got[1::2]] == [not_json(why, 2), not_json(why, 4)]


@pytest.mark.parametrize(
    ("bad", "errors"),
    [
        (b"{}", [("/dice", "is missing")]),
        (b"[]", [("", "must be an object")]),
        (b'{"dice":[1,2,3,4]}', [("/dice", "must hold 5 dice, not 4")]),
        (b'{"dice":[1,2,3,4,7]}', [("/dice/4", "must be between 1 and 6")]),
        (b'{"dice":[-0,2,3,4,5]}', [("/dice/0", "must be between 1 and 6")]),
        (b'{"dice":[true,2,3,4,5]}', [("/dice/0", "must be a whole number between 1 and 6")]),
        (
            b'{"dice":[1,2,3,4,5],"house_rules":{"pairs_rank":1}}',
            [("/house_rules/pairs_rank", "must be true or false")],
        ),
    ],
)
def test_a_line_that_is_refused(
    service: Service, bad: bytes, errors: list[tuple[str, str]]
) -> None:
    """A line that violates the rules gets its problem, with pointers into that line."""
    reply = post(service, b"\n".join([GOOD, GOOD, bad, GOOD, b""]), NDJSON)
    got = reply.body.splitlines(keepends=True)
    assert (got[:2], got[3:]) == ([ANSWER] * 2, [ANSWER])
    detail = f"{errors[0][0] or 'The body'} {errors[0][1]}."
    violations = [{"pointer": pointer, "detail": said} for pointer, said in errors]
    assert json.loads(got[2]) == problem(422, detail, 3, errors=violations)


@pytest.mark.parametrize(
    "line", [GOOD, b'{"\\u0064ice": [6.0, 4, 1, 3, 2e0]}', b" {%s}" % GOOD[1:-1]]
)
@pytest.mark.parametrize("between", [b"\n", b"\r\n", b" \t\r\n"])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_ends_of_lines(service: Service, line: bytes, between: bytes, end: bytes) -> None:
    """Lines end with a line feed, which the last one may omit; whitespace before it is ignored."""
    reply = post(service, between.join([line] * 3) + end, NDJSON)
    assert (reply.status, reply.body) == (200, ANSWER * 3)


@pytest.mark.parametrize("body", [b"", b"\n"])
def test_no_lines(service: Service, body: bytes) -> None:
    """An empty body gets an empty response; a blank line counts as a line."""
    reply = post(service, body, NDJSON)
    assert (reply.status, reply.headers["Content-Type"]) == (200, NDJSON)
    assert [json.loads(line) for line in reply.body.splitlines()] == (
        [not_json("it is empty", 1)] if body else []
    )


@pytest.mark.parametrize("size", [2**20 + 1, 10_000_000])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_long_line(service: Service, size: int, place: int) -> None:
    """A line over the limit gets its problem, and the batch continues."""
    sent = [GOOD, GOOD]
    sent.insert(place, GOOD.ljust(size))
    got = post(service, b"\n".join(sent), NDJSON).body.splitlines(keepends=True)
    last = json.loads(got.pop(place))
    assert last == problem(413, "A line may hold at most 1048576 bytes.", place + 1)
    assert got == [ANSWER] * 2


def test_as_long_as_a_line_may_be(service: Service) -> None:
    """A line exactly at the limit gets its response."""
    assert post(service, GOOD.ljust(2**20) + b"\n" + GOOD, NDJSON).body == ANSWER * 2


@pytest.mark.parametrize(
    ("length", "rest", "detail"),
    [
        ("Content-Length: 500", b"%s", "The body ended after 50 of 500 bytes."),
        (CHUNKED, b"100\r\n%s", BROKE_OFF),
        (CHUNKED, b"32\r\n%s\r\n", BROKE_OFF),
        (CHUNKED, b"32\r\n%sXX0\r\n\r\n", BROKE_OFF),
        (CHUNKED, b"32\r\n%s\r\nzz\r\n", BROKE_OFF),
    ],
)
def test_a_body_cut_short(service: Service, length: str, rest: bytes, detail: str) -> None:
    """An incomplete body gets no response lines."""
    body = (GOOD + b"\n") * 2 + GOOD[:8]
    reply = parsed(service.send(head(NDJSON, length) + rest % body))
    assert (reply.status, reply.json) == (400, problem(400, detail, None))


@pytest.mark.parametrize(
    ("cut", "detail"),
    [
        (lambda packed: packed[:-4], "The body ended within its gzip."),
        (
            lambda packed: packed + b"rubbish",
            "The body must be one gzip member, with nothing after it.",
        ),
    ],
)
def test_broken_gzip(service: Service, cut: Any, detail: str) -> None:
    """The lines before a gzip breaks get responses; the last line reports the error."""
    packed = gzip.compress((GOOD + b"\n") * 3)
    reply = post(service, cut(packed), NDJSON, Content_Encoding="gzip")
    *answered, last = reply.body.splitlines(keepends=True)
    assert (reply.status, answered) == (200, [ANSWER] * 3)
    assert json.loads(last) == problem(400, detail, None)


def test_a_line_in_many_chunks(service: Service) -> None:
    """Lines may extend over several chunks."""
    body = (GOOD + b"\r\n") * 2 + GOOD
    for size in (1, 2, 3, 7, 19, 23, 64):
        parts = [body[start : start + size] for start in range(0, len(body), size)]
        reply = parsed(service.send(head(NDJSON, CHUNKED) + chunked(*parts)))
        assert (reply.status, reply.body) == (200, ANSWER * 3)
