"""Requests and responses of `batch`, in each of its media types."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from service.kinds.community.variant import CommunityRanking
from service.rules.dice import Dice
from service.rules.variant import Variant
from service.variants import poker_dice
from tests.live import JSON, Reply, Service, named
from tests.problems import problem

NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"

POKER_DICE = "/v1/variants/poker-dice/batch"

GOOD = b'{"dice":[1,2,3,4,6]}'
"""A line without its end."""

ANSWER = (
    b'{"variant":"poker-dice","rank":"small_straight","clause":"P3","strength":175,'
    b'"best":[4,3,2,1,6],"tie_break":{"numbers":[4,6]}}\n'
)
"""The line of the response to that line."""

SMALL = [[1, 2, 3, 4, 6], [5, 5, 5, 2, 2]]
SMALL_ANSWER: dict[str, Any] = {
    "variant": "poker-dice",
    "count": 2,
    "rank": ["small_straight", "full_house"],
    "strength": [175, 208],
}
SMALL_COLUMNS = {name: SMALL_ANSWER[name] for name in ("rank", "strength")}


def batch(variant: str) -> str:
    """The path of a variant's batches."""
    return f"/v1/variants/{variant}/batch"


def post(
    service: Service, body: bytes, media_type: str = JSON, path: str = POKER_DICE, **headers: str
) -> Reply:
    """Sends a batch as bytes; underscores in a header's name become hyphens."""
    return service.ask("POST", path, body, {"Content-Type": media_type, **named(headers)})


def lines(requests: Iterable[object]) -> bytes:
    """Requests as NDJSON."""
    return b"".join(json.dumps(request).encode() + b"\n" for request in requests)


def line_problem(status: int, detail: str, path: str = POKER_DICE, **more: Any) -> dict[str, Any]:
    """A problem as a line of a response: that of `line`, or of all those that would follow."""
    errors = more.pop("errors", None)
    pairs = None if errors is None else [(each["pointer"], each["detail"]) for each in errors]
    return problem(status, detail, path, pairs, **more)


def out_of_steps(answered: int, path: str) -> dict[str, Any]:
    """The last line of a batch whose first `answered` lines have used up the steps of a request."""
    detail = (
        f"The batch ends here, after {answered} lines: all lines of a request may take 100000 "
        "steps, and those lines used them up. Send this line and those after it in another request."
    )
    return line_problem(413, detail, path, line=answered + 1)


def single(variant: Variant, hand: Sequence[Any]) -> dict[str, Any]:
    """The `evaluate` request for a hand; the first dice of a hand with a pocket are the pocket."""
    if isinstance(variant, CommunityRanking):
        return {"pocket": hand[: variant.pocket], "community": hand[variant.pocket :]}
    return {"dice": hand}


def column(
    hands: Sequence[Sequence[Any]], size: int, dice: Dice = poker_dice.VARIANT.dice
) -> pa.Array:
    """Hands of `size` of the `dice` as an Arrow array, suited ones as codes."""
    written = [die for hand in hands for die in hand]
    if dice.suits:
        written = [dice.notation.index(die) for die in written]
    values = pa.array(written, pa.utf8() if dice.names else pa.uint8())
    return pa.FixedSizeListArray.from_arrays(values, size)


def stream(columns: Iterable[Mapping[str, pa.Array]], options: Any = None) -> bytes:
    """An Arrow stream with a record batch for each of `columns`, all of one schema."""
    batches = [pa.RecordBatch.from_pydict(dict(columns_)) for columns_ in columns]
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batches[0].schema, options=options) as writer:
        for each in batches:
            writer.write_batch(each)
    written: bytes = sink.getvalue().to_pybytes()
    return written


def arrow(*batches: Sequence[Sequence[Any]], size: int = 5) -> bytes:
    """An Arrow stream with a record batch for each of `batches` of hands."""
    return stream([{"dice": column(hands, size)} for hands in batches])


BODIES = {
    JSON: json.dumps({"hands": SMALL}).encode(),
    NDJSON: lines({"dice": dice} for dice in SMALL),
    ARROW: arrow(SMALL),
}
"""The small batch in each media type."""


def columns_of(body: bytes) -> dict[str, list[Any]]:
    """The columns of an Arrow response."""
    found: dict[str, list[Any]] = pa.ipc.open_stream(body).read_all().to_pydict()
    return found


def unchunked(data: bytes) -> tuple[bytes, bool]:
    """The content of chunks, and whether they include the last one."""
    parts: list[bytes] = []
    while data:
        head, _, data = data.partition(b"\r\n")
        size = int(head, 16)
        if not size:
            return b"".join(parts), True
        parts.append(data[:size])
        data = data[size + 2 :]
    return b"".join(parts), False


def parsed(received: bytes) -> Reply:
    """A whole response as it came over the wire, parsed."""
    head, _, rest = received.partition(b"\r\n\r\n")
    status, _, fields = head.partition(b"\r\n")
    headers = dict(field.split(": ", 1) for field in fields.decode().split("\r\n"))
    if headers.get("Transfer-Encoding") == "chunked":
        rest, ended = unchunked(rest)
        assert ended, received[-200:]
    return Reply(int(status.split()[1]), headers, rest)


def head(media_type: str, *fields: str, path: str = POKER_DICE) -> bytes:
    """The head of a batch over a connection that is closed afterwards."""
    own = ["Host: localhost", "Connection: close", f"Content-Type: {media_type}", *fields]
    return "\r\n".join([f"POST {path} HTTP/1.1", *own, "", ""]).encode()


def chunked(*parts: bytes) -> bytes:
    """`parts` as chunks, with the last one."""
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])


CHUNKED = "Transfer-Encoding: chunked"
