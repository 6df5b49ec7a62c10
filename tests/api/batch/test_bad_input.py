"""Batches that are refused as a whole: invalid hands or JSON, limits, gzip."""

from __future__ import annotations

import gzip
import json
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.batch.batching import (
    ARROW,
    BODIES,
    CHUNKED,
    GOOD,
    NDJSON,
    POKER_DICE,
    SMALL,
    SMALL_ANSWER,
    arrow,
    batch,
    chunked,
    columns_of,
    head,
    line_problem,
    lines,
    parsed,
    post,
)
from tests.api.operations.posting import is_problem, reason, violations
from tests.live import JSON, Service, running

pytestmark = pytest.mark.usefixtures("alive")

DIE = "must be between 1 and 6"
BODY = BODIES[JSON]
BROKE_OFF = "The body ended early, or its chunked encoding is invalid."


@pytest.fixture(scope="module")
def small() -> Iterator[Service]:
    """A service with low limits for batches."""
    with running(MAX_BATCH_BYTES="2000", MAX_BATCH_HANDS="100") as started:
        yield started


@pytest.mark.parametrize(
    ("bad", "pointer", "detail"),
    [
        (b"[1,2,7,4,5]", "/hands/500000/2", DIE),
        (b"[1,2,3,4]", "/hands/500000", "must hold 5 dice, not 4"),
        (b'[1,2,3,4,"5"]', "/hands/500000/4", "must be a whole number between 1 and 6"),
        (b"null", "/hands/500000", "must be a list of dice"),
    ],
)
def test_one_bad_hand_of_a_million(service: Service, bad: bytes, pointer: str, detail: str) -> None:
    """An invalid hand in the middle of a million is reported by its index."""
    good = b"[1,2,3,4,6],"
    body = b'{"hands":[' + good * 500_000 + bad + b"," + (good * 499_999)[:-1] + b"]}"
    reply = post(service, body)
    assert violations(reply, POKER_DICE) == [(pointer, detail)]
    assert reply.json["detail"] == f"{pointer} {detail}."


def test_many_bad_hands(service: Service) -> None:
    """Of 250 invalid hands the first 100 are reported, and the detail has the total."""
    hands = [[1, 2, 3, 4, 0 if place % 4 == 0 else 5] for place in range(1000)]
    reply = post(service, json.dumps({"hands": hands}).encode())
    assert violations(reply, POKER_DICE) == [(f"/hands/{n}/4", DIE) for n in range(0, 400, 4)]
    assert reply.json["detail"] == f"250 violations; the first: /hands/0/4 {DIE}."


def test_bad_suited_hands(service: Service) -> None:
    """Invalid suited hands, lists or strings, are reported with the reasons."""
    hands = [
        "1r2b3w4y5r", ["1r", "2b", "3w", "4y", "7r"], "1r2b3w4y5x", "1r2b3w4y5r6b",
        ["1r", "2b", "3w", "4y"], ["1r", "2b", "3w", "4y", "5r"], 3,
    ]  # fmt: skip
    path = batch("texas-holdem-dice")
    reply = post(service, json.dumps({"hands": hands}).encode(), JSON, path)
    wrong = "must be a number from 1 to 6 and a suit letter (r, b, w, y), such as 6r"
    assert violations(reply, path) == [
        ("/hands/1/4", wrong),
        ("/hands/2", f"die 4 of the string {wrong}"),
        ("/hands/3", "must hold 5 dice, like the hands before, not 6"),
        ("/hands/4", "must hold 5, 6 or 7 dice, not 4"),
        ("/hands/6", "must be a list of dice"),
    ]


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        (b"{}", ["/hands"]),
        (b"[]", [""]),
        (b'{"hands": null}', ["/hands"]),
        (b'{"hands": {}}', ["/hands"]),
        (b'{"hands": "1r2b3w4y5r"}', ["/hands"]),
        (b'[{"hands": [[1,2,3,4,5]]}]', [""]),
        (b'{"hands": [[[1,2,3,4,5]]]}', ["/hands/0"]),
        (b'{"hands": [[1,2,3,4,7]], "house_rules": {"pairs_rank": 1, "x": 0}, "y": 0}',
         ["/hands/0/4", "/house_rules/pairs_rank", "/house_rules/x", "/y"]),
    ],
)  # fmt: skip
def test_no_hands(service: Service, body: bytes, pointers: list[str]) -> None:
    """A body without a list of hands violates the schema; everything invalid is in one response."""
    reply = post(service, body)
    assert is_problem(reply, 422, POKER_DICE)
    assert sorted(reply.pointers) == pointers


def test_an_escaped_key(service: Service) -> None:
    """Hands under a key with escapes are refused, not ignored."""
    reply = post(service, b'{"\\u0068ands": [[1,2,3,4,6]]}')
    assert violations(reply, POKER_DICE) == [
        ("/hands", "must have its name written without escapes")
    ]


PACKED = gzip.compress(BODY, mtime=0)
NO_GZIP = "The body is not a valid gzip, although Content-Encoding says so."


def no_json(why: str) -> str:
    """The detail for a body that is invalid JSON."""
    return f"The body is not valid JSON: {why}."


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"", no_json("it is empty")),
        (b'{"hands": [[1,2', no_json("it ends within the list of hands, after 0 of them")),
        (b'{"hands": [[1,2,3,4,5],', no_json("it ends within the list of hands, after 1 of them")),
        (b'{"hands": [[1,2,3,4,5]]',
         no_json("Expecting ',' delimiter, at a position outside the list of hands")),
        (b'{"hands": [[1,2,3,4,5]], "hands": []}',
         no_json('the key "hands" appears twice in one object')),
    ],
    ids=["nothing", "half a hand", "half of the hands", "no end", "hands twice"],
)  # fmt: skip
def test_unreadable(service: Service, body: bytes, detail: str) -> None:
    """Invalid JSON is refused with the reason."""
    assert reason(post(service, body), 400, POKER_DICE) == detail


@pytest.mark.parametrize("more", [0, 1])
def test_beside_the_hands(service: Service, more: int) -> None:
    """Apart from the hands, a body may have 64 KiB, spaces and the brackets included."""
    spaces = b" " * (65_536 - len(b'{"hands":[]}') + more)
    reply = post(service, b'{"hands":[[1,2,3,4,6]]' + spaces + b"}")
    if more:
        why = "Apart from the hands, the body may have at most 65536 bytes."
        assert reason(reply, 413, POKER_DICE) == why
    else:
        assert (reply.status, reply.json["count"]) == (200, 1)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (PACKED[:-8] + b"\0" * 8, NO_GZIP),
        (zlib.compress(BODY), NO_GZIP),
        (b"", no_json("it is empty")),
    ],
)
def test_no_gzip(service: Service, body: bytes, detail: str) -> None:
    """A body that is declared as a gzip but isn't one gets a 400."""
    reply = post(service, body, Content_Encoding="gzip")
    assert reason(reply, 400, POKER_DICE) == detail


def test_gzip_cut_anywhere(service: Service) -> None:
    """A gzip that is cut off anywhere gets a 400."""
    assert post(service, PACKED, Content_Encoding="gzip").json == SMALL_ANSWER
    for end in range(1, len(PACKED)):
        reply = post(service, PACKED[:end], Content_Encoding="gzip")
        assert reason(reply, 400, POKER_DICE) == "The body ended within its gzip."


CUT = {JSON: BODY.ljust(50), NDJSON: (GOOD + b"\n") * 2 + GOOD[:8], ARROW: BODIES[ARROW][:50]}
"""The first fifty bytes of a body."""


@pytest.mark.parametrize(
    ("length", "rest", "detail"),
    [
        ("Content-Length: 500", b"CUT", "The body ended after 50 of 500 bytes."),
        ("Content-Length: 500", b"", "The body ended after 0 of 500 bytes."),
        (CHUNKED, b"100\r\nCUT", BROKE_OFF),
        (CHUNKED, b"32\r\nCUT\r\n", BROKE_OFF),
        (CHUNKED, b"32\r\nCUTXX0\r\n\r\n", BROKE_OFF),
        (CHUNKED, b"32\r\nCUT\r\nzz\r\n", BROKE_OFF),
        (CHUNKED, b"zz\r\n{}\r\n0\r\n\r\n", BROKE_OFF),
    ],
)
@pytest.mark.parametrize("media_type", CUT)
def test_a_body_cut_short(
    service: Service, media_type: str, length: str, rest: bytes, detail: str
) -> None:
    """An incomplete body gets a 400, and none of its lines a response."""
    sent = head(media_type, length) + rest.replace(b"CUT", CUT[media_type])
    reply = parsed(service.send(sent))
    assert reason(reply, 400, POKER_DICE) == detail


LARGE = {
    JSON: json.dumps({"hands": SMALL * 99}).encode(),
    NDJSON: lines([{"dice": [1, 2, 3, 4, 5]}] * 99),
    ARROW: arrow(SMALL * 300),
}


@pytest.mark.parametrize(
    ("media_type", "framing", "packed"),
    [
        (JSON, "length", False), (NDJSON, "length", False), (ARROW, "length", False),
        (JSON, "chunks", False), (ARROW, "chunks", False),
        (JSON, "chunks", True), (ARROW, "chunks", True),
    ],
)  # fmt: skip
def test_more_bytes_than_may_be(
    small: Service, media_type: str, framing: str, packed: bool
) -> None:
    """A body over the limit gets a 413 that states it, whether before or after decompression."""
    body = gzip.compress(LARGE[media_type]) if packed else LARGE[media_type]
    fields = ["Content-Encoding: gzip"] if packed else []
    if framing == "length":
        assert len(body) > 2000
        request = head(media_type, f"Content-Length: {len(body)}", *fields) + body
    else:
        parts = [body[start : start + 900] for start in range(0, len(body), 900)]
        request = head(media_type, CHUNKED, *fields) + chunked(*parts)
    reply = parsed(small.send(request))
    assert reason(reply, 413, POKER_DICE) == "The body may hold at most 2000 bytes."
    assert small.get("/livez").status == 200


def test_more_lines_than_may_be(small: Service) -> None:
    """Lines of a gzip get responses up to the limit; the last line reports that it is reached."""
    body = LARGE[NDJSON]
    answer = post(small, lines([{"dice": [1, 2, 3, 4, 5]}]), NDJSON).body
    reply = post(small, gzip.compress(body), NDJSON, Content_Encoding="gzip")
    *answered, last = reply.body.splitlines(keepends=True)
    assert (reply.status, answered) == (200, [answer] * body[:2000].count(b"\n"))
    assert json.loads(last) == line_problem(413, "The body may hold at most 2000 bytes.")


def test_more_hands_than_may_be(small: Service) -> None:
    """More JSON hands than the limit, sent or returned, get a 413; Arrow has no limit."""
    most = json.dumps({"hands": [[1] * 5] * 100}, separators=(",", ":")).encode()
    assert post(small, most).json["count"] == 100
    over = json.dumps({"hands": [[1] * 5] * 101}, separators=(",", ":")).encode()
    streamed = arrow(*[[[1] * 5] * 34] * 3)
    assert len(columns_of(post(small, streamed, ARROW).body)["rank"]) == 102
    for reply in (
        post(small, over),
        post(small, over, Accept=ARROW),
        post(small, streamed, ARROW, Accept=JSON),
    ):
        assert reason(reply, 413, POKER_DICE) == "One request may hold at most 100 hands."


def _begun() -> bytes:
    """An Arrow stream that ends within a record batch, whose body has a gigabyte."""
    count = 1001
    size = 5 * count + 3  # up to a multiple of 8 bytes
    before, after = arrow([[1] * 5] * count).split(struct.pack("<q", size))
    whole: bytes = before + struct.pack("<q", 1 << 30) + after
    return whole[: -size // 2]


@pytest.mark.parametrize(
    ("media_type", "begins", "filler"),
    [(JSON, b" ", b"\0"), (JSON, b" ", b" "), (JSON, b" ", b"["), (ARROW, _begun(), b"\1")],
    ids=["zeros", "spaces", "brackets", "arrow"],
)
def test_a_bomb(service: Service, media_type: str, begins: bytes, filler: bytes) -> None:
    """A megabyte that would decompress to a gigabyte gets a 413."""
    packer = zlib.compressobj(wbits=31)
    start = packer.compress(begins) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(filler * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
    reply = post(service, start + block * 1024, media_type, Content_Encoding="gzip")
    assert reason(reply, 413, POKER_DICE) == "The body may hold at most 67108864 bytes."


@pytest.mark.parametrize("bad", ["x", ["9r", "1b", "2b", "3b", "4b", "5b", "6w"]], ids=str)
def test_bad_hands_before_longer_ones(service: Service, bad: Any) -> None:
    """Invalid hands don't determine how many dice the others have."""
    good = ["1r", "1b", "2b", "3b", "4b", "5b", "6w"]
    path = batch("texas-holdem-dice")
    for count in (50, 60_000):
        body = json.dumps({"hands": [bad] * count + [good] * 8_000}).encode()
        reply = post(service, body, JSON, path)
        assert is_problem(reply, 422, path)
        die = "/0" if isinstance(bad, list) else ""
        assert reply.pointers == {f"/hands/{row}{die}" for row in range(min(count, 100))}
