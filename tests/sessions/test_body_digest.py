"""Which bodies of actions count as the same when they are sent again."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import orjson
import pytest

from service.rules.violations import InvalidInput
from service.sessions.requests import body_digest, key_digest, key_record, recorded_version
from tests.problems import breach


def lay(**fields: Any) -> dict[str, Any]:
    """An action that lays out one line with these fields."""
    return {"action": "lay", "layout": [{"dice": [0, 1], **fields}]}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lay(), lay(row=None, column=None)),
        (lay(row=-1), lay(row=-1.0)),
        (lay(row=0), lay(row=-0.0)),
        (lay(row=2**53 - 1), lay(row=2.0**53 - 1)),
        ({"action": "lay"}, {"action": "lay", "layout": None}),
        ({"action": "bet", "amount": 60}, {"amount": 60.0, "player": None, "action": "bet"}),
    ],
)
def test_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Null means the same as leaving out the field, and 60.0 the same as 60, at any depth."""
    assert body_digest(one) == body_digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lay(row=1), lay(row=1.5)),
        (lay(row=1), lay(row=True)),
        (lay(row=1), lay(row="1")),
        (lay(row=1e300), lay(row=1e301)),
        (lay(row=2**53), lay(row=2.0**53)),
        (lay(row=2**53 + 1), lay(row=2.0**53)),
        ({"action": "roll", "keep": []}, {"action": "roll"}),
        ({"action": "roll", "keep": [None]}, {"action": "roll", "keep": []}),
    ],
)
def test_another(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Any other difference makes another body."""
    assert body_digest(one) != body_digest(other)


def nested(depth: int) -> dict[str, Any]:
    """A body of `depth` levels."""
    value: object = 1
    for _ in range(depth - 1):
        value = [value]
    return {"keep": value}


def test_depth() -> None:
    """The error of a body that is nested too deeply names the limit."""
    body_digest(nested(100))
    with pytest.raises(InvalidInput) as refused:
        body_digest(nested(101))
    assert refused.value.violations == (
        breach((), "has more than 100 levels of lists and objects"),
    )


def test_what_is_stored() -> None:
    """What is stored for a key never changes: each release recognizes the keys of others."""
    assert key_digest("token", "key").hex() == "7f3bd38f33edb09aad"  # of "token:key", by sha256sum
    assert key_digest("token", "") == b""
    body = body_digest({"b": 1.0, "a": None})
    assert body == sha256(b'{"b":1}').digest()[:4]
    record = key_record(258, body)
    assert record == b"\0\1\2" + body
    assert recorded_version(record, body) == 258


def test_long_integer() -> None:
    """The error of an integer that no parser of requests makes says what is wrong with it."""
    with pytest.raises(orjson.JSONEncodeError, match="64-bit"):
        body_digest({"amount": 2**64})
