"""Invalid Arrow streams, streams of something else, and house rules in the query."""

from __future__ import annotations

import struct
from typing import Any
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pytest

from tests.api.batch.batching import (
    ARROW,
    BODIES,
    POKER_DICE,
    SMALL,
    SMALL_ANSWER,
    SMALL_COLUMNS,
    arrow,
    batch,
    column,
    columns_of,
    lines,
    post,
    stream,
)
from tests.api.batch.batching import NDJSON as LINES
from tests.api.operations.posting import reason, violations
from tests.live import JSON, Service

pytestmark = pytest.mark.usefixtures("alive")

NUMBERS = pa.array(np.array(SMALL, np.uint8).ravel())
WANTED = "fixed_size_list<uint8>[5]"
NO_STREAM = "The body is not an Arrow stream of hands: "
NULLS = "must not hold nulls"
PACKED = "must not contain compressed record batches; use Content-Encoding: gzip for the whole body"
DIE = "must be between 1 and 6"


def refused(service: Service, body: bytes, path: str = POKER_DICE) -> list[tuple[str, str]]:
    """The violations of a refused Arrow stream."""
    return violations(post(service, body, ARROW, path), path.partition("?")[0])


@pytest.mark.parametrize(
    "columns",
    [
        {"rolls": column(SMALL, 5)},
        {"id": pa.array([1, 2]), "rolls": column(SMALL, 5)},
        {"Dice": column(SMALL, 5)},
    ],
)
def test_other_columns(service: Service, columns: dict[str, Any]) -> None:
    """A stream without a column `dice` is refused with the columns that it has."""
    detail = f"must hold one column dice, {WANTED}; it holds {', '.join(columns)}"
    assert refused(service, stream([columns])) == [("", detail)]


@pytest.mark.parametrize(
    ("dice", "kind"),
    [
        (pa.array(SMALL, pa.list_(pa.uint8())), "list<uint8>"),
        (pa.array(SMALL, pa.large_list(pa.uint8())), "large_list<uint8>"),
        *((pa.array(SMALL, pa.list_(kind, 5)), f"fixed_size_list<{name}>[5]") for kind, name in (
            (pa.int64(), "int64"), (pa.int8(), "int8"), (pa.float32(), "float32"))),
        (pa.FixedSizeListArray.from_arrays(NUMBERS[:8], 4), "fixed_size_list<uint8>[4]"),
        (pa.FixedSizeListArray.from_arrays(NUMBERS[:6], 6), "fixed_size_list<uint8>[6]"),
        (NUMBERS, "uint8"),
        (pa.array(["1r2b3w4y5r"]), "utf8"),
        (pa.array([b"12345"], pa.binary(5)), "fixed_size_binary"),
        (pa.nulls(2), "null"),
        (pa.array([{"die": 1}]), "struct"),
        (pa.DictionaryArray.from_arrays(pa.array([1, 0, 1], pa.int8()), column(SMALL, 5)),
         "dictionary<fixed_size_list<uint8>[5]>"),
        (pa.FixedSizeListArray.from_arrays(NUMBERS.dictionary_encode(), 5),
         "fixed_size_list<dictionary<uint8>>[5]"),
        (pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), NUMBERS[:1]),
         "run_end_encoded"),
        (pa.nulls(2, pa.list_(pa.list_(pa.list_(pa.list_(pa.list_(pa.uint8())))))),
         "list<list<list<list<list<…>>>>>"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)  # fmt: skip
def test_another_type(service: Service, dice: pa.Array, kind: str) -> None:
    """Dice of another type, or another number of them, are refused with the type that they have."""
    assert refused(service, stream([{"dice": dice}])) == [
        ("/dice", f"must be {WANTED}, not {kind}; cast it")
    ]


def test_sizes_of_suited_hands(service: Service) -> None:
    """Suited hands have five to seven dice."""
    path = batch("texas-holdem-dice")
    wanted = "fixed_size_list<uint8>[5], fixed_size_list<uint8>[6] or fixed_size_list<uint8>[7]"
    for size in (4, 8):
        ((pointer, detail),) = refused(service, arrow([[0] * size], size=size), path)
        assert pointer == "/dice"
        assert detail.startswith(f"must be {wanted}, not fixed_size_list<")


def test_nulls(service: Service) -> None:
    """Hands that are null or have a null are reported by their index in the whole stream."""
    holed = pa.array([SMALL[0], None, [1, 2, None, 4, 5]], pa.list_(pa.uint8(), 5))
    whole = pa.array(SMALL, pa.list_(pa.uint8(), 5))
    assert refused(service, stream([{"dice": whole}, {"dice": holed}])) == [
        ("/dice/3", NULLS),
        ("/dice/4", NULLS),
    ]
    many = pa.array([None] * 250, pa.list_(pa.uint8(), 5))
    assert refused(service, stream([{"dice": many}])) == [
        (f"/dice/{row}", NULLS) for row in range(100)
    ]


@pytest.mark.parametrize("codec", ["lz4", "zstd"])
@pytest.mark.parametrize("count", [1, 10_000])
def test_compressed_batches(service: Service, codec: str, count: int) -> None:
    """Compressed record batches are refused."""
    options = pa.ipc.IpcWriteOptions(compression=codec)
    body = stream([{"dice": column(SMALL * count, 5)}], options)
    assert refused(service, body) == [("/dice", PACKED)]


def ends(body: bytes) -> dict[int, int]:
    """The ends of the messages of a stream, each with the number of record batches before it."""
    source = pa.BufferReader(body)
    reader = pa.MessageReader.open_stream(source)
    found: dict[int, int] = {}
    for batches in range(body.count(b"\xff\xff\xff\xff") - 1):
        reader.read_next_message()
        found[source.tell()] = batches
    return {**found, len(body): len(found) - 1}


def test_a_stream_cut_anywhere(service: Service) -> None:
    """A stream that ends within a message gets a 400; if it ends between two, the rest counts."""
    body = arrow(SMALL, SMALL[:1], SMALL)
    whole = ends(body)
    assert list(whole.values()) == [0, 1, 2, 3, 3]
    for end in sorted({*range(0, len(body), 16), *whole}):
        reply = post(service, body[:end], ARROW)
        if end in whole:
            hands = [0, 2, 3, 5][whole[end]]
            expected = {
                name: (column + column[:1] + column)[:hands]
                for name, column in SMALL_COLUMNS.items()
            }
            assert (reply.status, columns_of(reply.body)) == (200, expected)
        else:
            assert reason(reply, 400, POKER_DICE).startswith(NO_STREAM)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"ARROW1\0\0", b'{"hands": [[1,2,3,4,5]]}', b"\xff" * 64, b"\0" * 64, b"rubbish" * 99,
        b"\xff\xff\xff\xff\xff\xff\xff\x7f", b"\xff\xff\xff\xff\x00\x00\x00\x00",
    ],
)  # fmt: skip
def test_no_stream(service: Service, body: bytes) -> None:
    """Anything but an Arrow stream, or an empty one, gets a 400 with the reason."""
    reply = post(service, body, ARROW)
    assert reason(reply, 400, POKER_DICE).startswith(NO_STREAM)


def test_a_bad_hand_in_a_later_batch(service: Service) -> None:
    """An invalid hand is reported by its index in the whole stream."""
    later = [*SMALL, [1, 2, 3, 4, 0], [1, 255, 3, 4, 0]]
    assert refused(service, arrow(SMALL, [], SMALL, later, SMALL)) == [
        ("/dice/6/4", DIE),
        ("/dice/7/1", DIE),
    ]


@pytest.mark.parametrize(
    ("rules", "pointer", "detail"),
    [
        ("{", "/house_rules", "must be valid JSON: Expecting property name"),
        ("", "/house_rules", "must be valid JSON: it is empty"),
        ("NaN", "/house_rules", "must be valid JSON: NaN is not a JSON number"),
        ("[]", "/house_rules", "must be an object"),
        ('{"x": 1}', "/house_rules/x", "is not a house rule of this game; it has pairs_rank"),
        ('{"pairs_rank": 1}', "/house_rules/pairs_rank", "must be true or false"),
    ],
)
def test_bad_house_rules(service: Service, rules: str, pointer: str, detail: str) -> None:
    """Invalid house rules in the query are refused with what they must be."""
    (found,) = refused(service, arrow(SMALL), f"{POKER_DICE}?house_rules={quote(rules)}")
    assert (found[0], found[1][: len(detail)]) == (pointer, detail)


def test_house_rules_given_twice(service: Service) -> None:
    """House rules may be in the query once, and only for Arrow; null and {} are ignored."""
    none, some = (f"{POKER_DICE}?house_rules={quote(rules)}" for rules in ("{}", '{"x": 1}'))
    assert refused(service, arrow(SMALL), f"{none}&house_rules=%7B%7D") == [
        ("/house_rules", "must be given once")
    ]
    for path in (none, f"{POKER_DICE}?house_rules=null"):
        assert post(service, BODIES[JSON], JSON, path).json == SMALL_ANSWER
        assert post(service, lines([{"dice": SMALL[0]}]), LINES, path).status == 200
        assert post(service, arrow(SMALL), ARROW, path).status == 200
    for media_type in (JSON, LINES):
        reply = post(service, lines([{"dice": SMALL[0]}]), media_type, some)
        detail = f"is only for {ARROW}; with {media_type}, put the house rules in the body"
        assert violations(reply, POKER_DICE) == [("/house_rules", detail)]


def test_broken_messages(service: Service) -> None:
    """A stream with any byte of its metadata changed gets a response or a problem, never a 500."""
    body = arrow(SMALL, SMALL)
    for place in range(0, len(body), 3):
        broken = body[:place] + bytes([body[place] ^ 0xFF]) + body[place + 1 :]
        assert post(service, broken, ARROW).status in (200, 400, 422), place


def test_a_column_name_that_is_no_text(service: Service) -> None:
    """A column whose name isn't UTF-8 is refused."""
    body = arrow(SMALL)
    assert body.count(b"dice") == 1
    reply = post(service, body.replace(b"dice", b"\xff\xfe\xfd\xfc"), ARROW)
    assert reply.status == 400


def test_a_message_of_no_type(service: Service) -> None:
    """A first message without a type isn't parsed as a schema."""
    body = pa.schema([("dice", pa.list_(pa.uint8(), 5))]).serialize().to_pybytes()
    for lost in range(12, 32, 2):
        for place in range(8, 100, 2):
            broken = bytearray(body)
            broken[lost], broken[place] = 0, 32
            assert post(service, bytes(broken), ARROW).status in (200, 400, 422), (lost, place)


def test_a_null_among_very_many(service: Service) -> None:
    """Nulls at the end of a large batch are reported, both null dice and null hands."""
    count = 300_000
    flat = np.ones(5 * count, np.uint8)
    present = np.ones(5 * count, bool)
    present[-7] = False
    dice = pa.array(flat, mask=~present)
    hands = pa.FixedSizeListArray.from_arrays(dice, 5, mask=pa.array(np.arange(count) == count - 1))
    assert [pointer for pointer, _ in refused(service, stream([{"dice": hands}]))] == [
        f"/dice/{count - 2}",
        f"/dice/{count - 1}",
    ]


@pytest.mark.parametrize("number", [-(2**63), -1, 0, 1000, 1002, 4999, 5010, 2**31, 2**62])
@pytest.mark.parametrize("true", [1001, 5005, 5008])
def test_lengths_that_lie(service: Service, true: int, number: int) -> None:
    """A record batch with another number of hands, dice or bytes than its body has is refused."""
    right, wrong = struct.pack("<q", true), struct.pack("<q", number)
    parts = arrow([[1] * 5] * 1001).split(right)
    assert len(parts) > 1
    for place in range(1, len(parts)):
        body = right.join(parts[:place]) + wrong + right.join(parts[place:])
        reply = post(service, body, ARROW)
        assert (reply.status, reply.json["detail"][: len(NO_STREAM)]) == (400, NO_STREAM)
