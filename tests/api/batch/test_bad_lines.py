"""Lines that fail, among others that don't."""

from __future__ import annotations

import gzip
import json

import pytest

from tests.api.batch.batching import (
    ANSWER,
    CHUNKED,
    GOOD,
    NDJSON,
    chunked,
    head,
    line_problem,
    parsed,
    post,
)
from tests.live import Service
from tests.problems import error

pytestmark = pytest.mark.usefixtures("alive")


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
    violations = [error(pointer, said) for pointer, said in errors]
    assert json.loads(got[2]) == line_problem(422, detail, line=3, errors=violations)


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
        [line_problem(400, "The line is not valid JSON: it is empty.", line=1)] if body else []
    )


@pytest.mark.parametrize("size", [2**20 + 1, 10_000_000])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_long_line(service: Service, size: int, place: int) -> None:
    """A line over the limit gets its problem, and the batch continues; one at it is answered."""
    sent = [GOOD, GOOD]
    sent.insert(place, GOOD.ljust(size))
    got = post(service, b"\n".join(sent), NDJSON).body.splitlines(keepends=True)
    last = json.loads(got.pop(place))
    assert last == line_problem(413, "A line may hold at most 1048576 bytes.", line=place + 1)
    assert got == [ANSWER] * 2
    assert post(service, GOOD.ljust(2**20) + b"\n" + GOOD, NDJSON).body == ANSWER * 2


@pytest.mark.parametrize(
    ("cut", "more", "detail"),
    [
        (-4, b"", "The body ended within its gzip."),
        (None, b"rubbish", "The body must be one gzip member, with nothing after it."),
    ],
)
def test_broken_gzip(service: Service, cut: int | None, more: bytes, detail: str) -> None:
    """The lines before a gzip breaks get responses; the last line reports the error."""
    packed = gzip.compress((GOOD + b"\n") * 3)
    reply = post(service, packed[:cut] + more, NDJSON, Content_Encoding="gzip")
    *answered, last = reply.body.splitlines(keepends=True)
    assert (reply.status, answered) == (200, [ANSWER] * 3)
    assert json.loads(last) == line_problem(400, detail)


def test_a_line_in_many_chunks(service: Service) -> None:
    """Lines may extend over several chunks."""
    body = (GOOD + b"\r\n") * 2 + GOOD
    for size in (1, 2, 3, 7, 19, 23, 64):
        parts = [body[start : start + size] for start in range(0, len(body), size)]
        reply = parsed(service.send(head(NDJSON, CHUNKED) + chunked(*parts)))
        assert (reply.status, reply.body) == (200, ANSWER * 3)
