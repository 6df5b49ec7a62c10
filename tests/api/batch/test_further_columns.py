"""Arrow streams with columns beside the dice: the response has them before the answers."""

from __future__ import annotations

import decimal
import struct
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from service.variants import variants
from tests.api.batch.batching import (
    ARROW,
    POKER_DICE,
    SMALL,
    SMALL_ANSWER,
    SMALL_COLUMNS,
    batch,
    column,
    post,
    stream,
)
from tests.api.operations.posting import reason, violations
from tests.live import JSON, Service

pytestmark = pytest.mark.usefixtures("alive")

DICE = column(SMALL, 5)

LONG = "a text that is longer than twelve bytes"

COLUMNS: dict[str, pa.Array] = {
    "null": pa.nulls(2),
    "bool": pa.array([True, None]),
    "uint8": pa.array([1, 255], pa.uint8()),
    "int64": pa.array([None, -(2**60)]),
    "float16": pa.array([0.5, None], pa.float16()),
    "decimal": pa.array([decimal.Decimal("1.25"), None]),
    "date": pa.array([date(2026, 1, 2), None]),
    "time": pa.array([None, time(1, 2, 3)]),
    "timestamp": pa.array([datetime(2026, 1, 2, tzinfo=UTC), None], pa.timestamp("us", "UTC")),
    "duration": pa.array([timedelta(1), None]),
    "binary": pa.array([b"ab", None]),
    "fixed_size_binary": pa.array([b"abc", None], pa.binary(3)),
    "utf8": pa.array(["ann", "b\u00e9n"]),
    "large_utf8": pa.array([None, LONG], pa.large_utf8()),
    "utf8_view": pa.array([LONG, "ben"], pa.string_view()),
    "binary_view": pa.array([b"ann", LONG.encode()], pa.binary_view()),
    "list": pa.array([[1, 2], None]),
    "large_list": pa.array([["a"], []], pa.large_list(pa.utf8())),
    "list_view": pa.array([[1], None], pa.list_view(pa.int8())),
    "fixed_size_list": pa.array([[1, 2], None], pa.list_(pa.int16(), 2)),
    "struct": pa.array([{"a": 1, "b": [{"c": "x"}]}, None]),
    "map": pa.array([[("a", 1)], None], pa.map_(pa.utf8(), pa.int8())),
    "dictionary": pa.array(["x", None]).dictionary_encode(),
    "within": pa.array([["x"], ["y", "x"]], pa.list_(pa.dictionary(pa.int8(), pa.utf8()))),
}  # fmt: skip
"""A column of each type that is repeated."""


def answered(service: Service, body: bytes, path: str = POKER_DICE, **headers: str) -> pa.Table:
    """The response to an Arrow stream, checked by pyarrow in full."""
    reply = post(service, body, ARROW, path, **headers)
    assert (reply.status, reply.headers["Content-Type"]) == (200, ARROW)
    table = pa.ipc.open_stream(reply.body).read_all()
    table.validate(full=True)
    return table


@pytest.mark.parametrize("name", COLUMNS)
def test_each_type(service: Service, name: str) -> None:
    """A column of any type comes back as it was, whether the dice come before or after it."""
    own = COLUMNS[name]
    for columns in ({"dice": DICE, name: own}, {name: own, "dice": DICE}):
        table = answered(service, stream([columns]))
        assert table.column_names == [name, "rank", "strength"]
        assert table.column(name).combine_chunks() == own or name == "null"
        assert table.schema.field(name) == pa.field(name, own.type)
        assert table.select(["rank", "strength"]).to_pydict() == SMALL_COLUMNS


def test_all_types_at_once(service: Service) -> None:
    """All columns come back in their order, in a record batch for each of the request."""
    names = [*COLUMNS]
    columns = {**{name: COLUMNS[name] for name in names[:16]}, "dice": DICE}
    columns |= {name: COLUMNS[name] for name in names[16:]}
    body = stream([columns, {name: own[:1] for name, own in columns.items()}])
    reply = post(service, body, ARROW)
    batches = [*pa.ipc.open_stream(reply.body)]
    assert [each.num_rows for each in batches] == [2, 1]
    for each in batches:
        each.validate(full=True)
        wanted = {name: own[: each.num_rows].to_pylist() for name, own in COLUMNS.items()}
        own = {name: values[: each.num_rows] for name, values in SMALL_COLUMNS.items()}
        assert each.to_pydict() == {**wanted, **own}


@pytest.mark.general("ranking", "community", "scorecard")
def test_each_game(service: Service, variant: str) -> None:
    """Every game with Arrow repeats further columns before its own."""
    described: Any = variants()[variant]
    dice, size = described.dice, min(described.hand_sizes)
    hand = (dice.notation or dice.written_faces)[:1] * size
    plain = answered(service, stream([{"dice": column([hand], size, dice)}]), batch(variant))
    body = stream([{"id": pa.array(["a"]), "dice": column([hand], size, dice)}])
    table = answered(service, body, batch(variant))
    assert table.to_pydict() == {"id": ["a"], **plain.to_pydict()}


def test_long_streams(service: Service) -> None:
    """Record batches of any length, and gzipped streams, keep their rows together."""
    hands, ids = SMALL * 50_000, [*range(100_000)]
    whole = {"dice": column(hands, 5), "id": pa.array(ids)}
    empty = {name: own[:0] for name, own in whole.items()}
    table = answered(service, stream([empty, whole, whole]))
    assert table.column("id").to_pylist() == ids * 2
    assert table.column("strength").to_pylist() == SMALL_COLUMNS["strength"] * 100_000
    assert answered(service, stream([empty])).to_pydict() == {"id": [], "rank": [], "strength": []}


def test_metadata_of_columns(service: Service) -> None:
    """Fields keep their metadata, and whether they may be null."""
    field = pa.field("id", pa.int8(), nullable=False, metadata={"unit": "game"})
    schema = pa.schema([pa.field("dice", DICE.type), field])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        writer.write_batch(pa.record_batch([DICE, pa.array([1, 2], pa.int8())], schema=schema))
    (found, *_) = answered(service, sink.getvalue().to_pybytes()).schema
    assert (found, found.metadata) == (field, {b"unit": b"game"})


def test_answer_in_json(service: Service) -> None:
    """A response in JSON has only the answers."""
    reply = post(service, stream([{"dice": DICE, "id": pa.array(["a", "b"])}]), ARROW, Accept=JSON)
    assert (reply.status, reply.json) == (200, SMALL_ANSWER)


@pytest.mark.parametrize(
    ("columns", "pointer", "detail"),
    [
        ({"rank": pa.array([1, 2])}, "/rank", "has the name of an answer; rename it"),
        (
            {"sum": pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [pa.array([1, 2])])},
            "/sum",
            "is union, which no response can repeat; leave the column out",
        ),
        (
            {"runs": pa.RunEndEncodedArray.from_arrays([2], pa.array([1]))},
            "/runs",
            "is run_end_encoded, which no response can repeat; leave the column out",
        ),
        (
            {"wide": pa.StructArray.from_arrays([pa.nulls(2)] * 1000, map(str, range(1000)))},
            "/wide",
            "must have at most 1,000 columns, nested ones included",
        ),
        (
            {str(number): pa.nulls(2) for number in range(1000)},
            "",
            "must have at most 1,000 columns, nested ones included",
        ),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_refused(service: Service, columns: dict[str, pa.Array], pointer: str, detail: str) -> None:
    """Columns with the name of an answer or of a type that can't be repeated are refused, and so
    are too many.
    """
    reply = post(service, stream([{"dice": DICE, **columns}]), ARROW)
    assert violations(reply, POKER_DICE) == [(pointer, detail)]


def test_too_many_rows(service: Service) -> None:
    """A record batch with further columns has at most 1,048,576 rows."""
    rows = (1 << 20) + 1
    hands = pa.FixedSizeListArray.from_arrays(pa.array(np.ones(5 * rows, np.uint8)), 5)
    reply = post(service, stream([{"dice": hands, "id": pa.nulls(rows)}]), ARROW)
    detail = "must have record batches of at most 1,048,576 rows beside other columns"
    assert violations(reply, POKER_DICE) == [("/dice", detail)]


def test_broken_metadata(service: Service) -> None:
    """A stream with any byte changed gets a response or a problem, never a 500.

    A response may repeat what is broken, so nothing reads it here.
    """
    body = stream([{"id": pa.array(["a", "b"]), "dice": DICE, "x": COLUMNS["dictionary"]}])
    for place in range(0, len(body), 5):
        broken = body[:place] + bytes([body[place] ^ 0xFF]) + body[place + 1 :]
        reply = service.ask_unchecked("POST", POKER_DICE, broken, {"Content-Type": ARROW})
        assert reply.status in (200, 400, 413, 422)


def test_shared_bytes(service: Service) -> None:
    """Buffers that share bytes of the body are refused: a response would multiply them."""
    texts = {"long": pa.array(["x" * 9_999, "x"]), "short": pa.array(["x" * 60, "x"])}
    body = stream([{"dice": DICE, **texts}])
    long, short = (body.index(struct.pack("<q", size)) for size in (10_000, 61))
    shared = body[: short - 8] + body[long - 8 : long + 8] + body[short + 8 :]
    assert reason(post(service, shared, ARROW), 400, POKER_DICE) == (
        "The body is not an Arrow stream of hands: a record batch has buffers that share bytes."
    )
