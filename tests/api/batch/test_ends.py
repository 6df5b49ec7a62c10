"""NDJSON batches that end before their body does, and clients that are still sending."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from tests.api.batch.batching import (
    ANSWER,
    CHUNKED,
    GOOD,
    NDJSON,
    POKER_DICE,
    batch,
    chunked,
    head,
    line_problem,
    lines,
    out_of_steps,
    parsed,
    post,
)
from tests.live import Service

pytestmark = pytest.mark.usefixtures("alive")

LINE = GOOD + b"\n"
EMPTY = "The line is not valid JSON: it is empty."
TOO_LARGE = "The body may hold at most 67108864 bytes."
NO_GZIP = "The body is not a valid gzip, although Content-Encoding says so."
MORE_THAN_A_GZIP = "The body must be one gzip member, with nothing after it."
MEBIBYTE = 2**20
STILL_SENT = 16 * MEBIBYTE
"""More than the buffers between client and service hold."""


def ended(line: int, path: str = POKER_DICE) -> dict[str, Any]:
    """The last line of a batch that ends with the 1,001st failed line."""
    detail = (
        f"The batch ends here: 1001 of the first {line} lines failed, and a request may "
        "have at most 1000 such lines. Correct them, and send this line and those after it in "
        "another request."
    )
    return line_problem(422, detail, path, line=line)


def test_as_many_failed_lines_as_there_may_be(service: Service) -> None:
    """A batch continues after a thousand failed lines."""
    got = post(service, b"\n" * 1_000 + LINE * 5, NDJSON).body.splitlines(keepends=True)
    assert [json.loads(line) for line in got[:1_000]] == [
        line_problem(400, EMPTY, line=line) for line in range(1, 1_001)
    ]
    assert got[1_000:] == [ANSWER] * 5


@pytest.mark.parametrize(
    ("variant", "good", "bad"),
    [
        ("poker-dice", LINE, b"\n"),
        ("poker-dice", LINE, b"{\n"),
        ("dice-poker", LINE, b'{"dice":[1,2,3,4,7]}\n'),
        ("texas-holdem-dice", b'{"pocket":["1r","2r"],"community":[]}\n', b'{"pocket":[]}\n'),
        ("roll-a-royal", lines([{"rolls": [["--"] * 13]}]), b"[]\n"),
    ],
)
def test_more_failed_lines(service: Service, variant: str, good: bytes, bad: bytes) -> None:
    """The next failed line ends the batch: all lines before it get responses, none after it."""
    path = batch(variant)
    reply = post(service, (good + bad) * 1_001 + good * 100, NDJSON, path)
    *answers, last = [json.loads(line) for line in reply.body.splitlines()]
    assert (reply.status, len(answers), last) == (200, 2_001, ended(2_002, path))
    assert ["status" in answer for answer in answers] == [False, True] * 1_000 + [False]


def test_a_failed_line_is_not_searched(service: Service) -> None:
    """Refused lines use up nothing of the search limit."""
    path = batch("roll-a-royal")
    twice = json.dumps({"rolls": [["As"] * 13]}).encode() + b"\n"
    found = post(service, twice * 1_000 + twice, NDJSON, path).body.splitlines()
    assert {json.loads(line)["status"] for line in found} == {422}
    assert json.loads(found[-1]) == ended(1_001, path)


TURN = {"rolls": [["As", "Ah", "Kd", *["--"] * 10]]}


def test_searches_have_a_limit_together(service: Service) -> None:
    """Once the searches of a request have taken 100,000 steps, the next line ends the batch.

    A line that can't be parsed takes no steps, and is refused as usual if it comes before.
    """
    path = batch("roll-a-royal")
    single = service.post(path.replace("batch", "evaluate"), TURN).body + b"\n"
    reply = post(service, b"?\n" + lines([TURN] * 4_000) + b"?\n", NDJSON, path)
    again = post(service, lines([TURN] * 4_000), NDJSON, path)
    unread, *answered, last = reply.body.splitlines(keepends=True)
    assert json.loads(unread)["status"] == 400
    assert answered == [single] * 2_381
    assert json.loads(last) == out_of_steps(2_382, path)
    assert again.body.count(b"\n") == 2_382


@pytest.mark.parametrize("framing", ["length", "chunks"])
@pytest.mark.parametrize("kept", [True, False], ids=["kept", "closed"])
def test_a_client_that_still_sends(service: Service, framing: str, kept: bool) -> None:
    """A client that sends everything first sees where the batch ended, and can continue."""
    body = b"{\n" * (STILL_SENT // 2)
    if framing == "length":
        request = head(NDJSON, f"Content-Length: {len(body)}") + body
    else:
        parts = [body[start : start + MEBIBYTE] for start in range(0, len(body), MEBIBYTE)]
        request = head(NDJSON, CHUNKED) + chunked(*parts)
    if kept:
        request = request.replace(b"Connection: close\r\n", b"")
        request += b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    received = service.send(request)
    first, _, rest = received.partition(b"\r\n0\r\n\r\n")
    reply = parsed(first + b"\r\n0\r\n\r\n")
    found = [json.loads(line) for line in reply.body.splitlines()]
    assert (len(found), found[-1]) == (1_001, ended(1_001))
    assert (parsed(rest).json if kept else rest) == ({"status": "ok"} if kept else b"")


def packed(text: bytes, count: int) -> bytes:
    """The beginning of a gzip with `text` `count` times, without an end."""
    first, another = (zlib.compressobj(wbits=wbits) for wbits in (31, -15))
    start, block = (
        packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH) for packer in (first, another)
    )
    return start + block * (count - 1)


@pytest.mark.parametrize(
    ("begin", "answered", "last"),
    [
        (lambda: packed(b" " * MEBIBYTE, 129), 0, line_problem(413, TOO_LARGE)),
        (lambda: packed(LINE.rjust(MEBIBYTE), 129), 64, line_problem(413, TOO_LARGE)),
        (lambda: packed(b"\n" * MEBIBYTE, 65), 0, ended(1_001)),
        (lambda: gzip.compress(LINE * 9), 9, line_problem(400, MORE_THAN_A_GZIP)),
        (lambda: b"no gzip", 0, line_problem(400, NO_GZIP)),
    ],
    ids=["a bomb", "a bomb of lines", "blank lines", "rubbish behind", "no gzip"],
)
@pytest.mark.parametrize("times", [2, pytest.param(10, marks=pytest.mark.proof)])
def test_a_gzip_that_is_not_read_to_its_end(
    service: Service, begin: Callable[[], bytes], answered: int, last: dict[str, Any], times: int
) -> None:
    """Whatever ends a gzip of lines early, the last line is its problem, each time.

    That also holds while most of the gzip is still to arrive.
    """
    body = begin().ljust(STILL_SENT, b"x")
    for _ in range(times):
        reply = post(service, body, NDJSON, Content_Encoding="gzip")
        found = reply.body.splitlines(keepends=True)
        assert (reply.status, json.loads(found.pop())) == (200, last)
        good = [line for line in found if line == ANSWER]
        assert len(good) == answered
