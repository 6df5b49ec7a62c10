"""Hooks of schemathesis for batches: how to write and parse lines and Arrow streams.

It loads only this module, and with it the hooks that play in sessions.
"""

from __future__ import annotations

import atexit
import json
from typing import Any

import pyarrow as pa
import schemathesis

from tests.contract.fuzzing import playing_hooks

atexit.register(playing_hooks.print_summary)

NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"

LONGEST_QUERY = 2_000
"""Characters; much more is refused by gunicorn, which knows nothing of the contract."""


@schemathesis.serializer(NDJSON)
def write_lines(_: schemathesis.SerializationContext, value: Any) -> bytes:
    """Writes each item as a line."""
    return "".join(json.dumps(item) + "\n" for item in value).encode()


@schemathesis.deserializer(NDJSON)
def read_lines(_: schemathesis.DeserializationContext, response: schemathesis.Response) -> Any:
    """Parses each line as an item."""
    return [json.loads(line) for line in response.content.splitlines()]


@schemathesis.serializer(ARROW)
def write_arrow(_: schemathesis.SerializationContext, value: Any) -> bytes:
    """Writes the hands as a record batch of fixed-size lists."""
    hands = value["dice"]
    size = len(hands[0]) if hands else 5
    kind = pa.list_(pa.uint8(), size)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, pa.schema([("dice", kind)])) as stream:
        stream.write_batch(pa.record_batch({"dice": pa.array(hands, kind)}))
    data: bytes = sink.getvalue().to_pybytes()
    return data


@schemathesis.deserializer(ARROW)
def read_arrow(_: schemathesis.DeserializationContext, response: schemathesis.Response) -> Any:
    """The columns of all record batches."""
    return pa.ipc.open_stream(response.content).read_all().to_pydict()


@schemathesis.hook
def filter_case(_: schemathesis.HookContext, case: schemathesis.Case[Any]) -> bool:
    """Whether `case` can be written in its media type and expects the status of the whole response.

    An invalid line gets its problem within a 200, so lines are valid here. A record batch can only
    be made of a column of equally long lists of small numbers. Only Arrow streams have house rules
    in the query.
    """
    query = dict(case.query or {})
    if sum(len(str(value)) for value in query.values()) > LONGEST_QUERY:
        return False
    if case.media_type != ARROW and "house_rules" in query:
        return False
    if case.media_type == NDJSON:
        return not playing_hooks.broken(case)
    return case.media_type != ARROW or is_table(case.body)


def is_table(body: Any) -> bool:
    """Whether `body` can be written as a record batch of hands."""
    hands = body.get("dice") if isinstance(body, dict) and len(body) == 1 else None
    return isinstance(hands, list) and all(
        isinstance(hand, list)
        and len(hand) == len(hands[0])
        and all(type(die) is int and 0 <= die < 256 for die in hand)
        for hand in hands
    )
