"""JSON: what is accepted means what Python's and orjson's parsers say; what isn't has a reason."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import orjson

from service.strict_json import InvalidJson, decode
from tests.contract.openapi import operations, read_contract

DICTIONARY = (
    *b"{} [] true false null NaN -Infinity 1e999 -0 0.1 9007199254740993 E+".split(),
    *b"1.0000000000000000001 123456789012345678901234567890".split(),
    *b'": ",'.split(),
    *(b"\\u0000", b"\\ud800", b"\\udc00", b"\\\\", b"\xef\xbb\xbf", b"\xed\xa0\x80"),
    *(b"\xf0\x9f\x8e\xb2", b"\x00", b"\r\n\t "),
)

_DEEPEST = 200
"""The nesting that both other parsers take."""


def examples() -> Iterator[Any]:
    """The bodies in the contract's examples."""
    for _, _, operation in operations(read_contract()):
        content = operation.get("requestBody", {}).get("content", {})
        for example in content.get("application/json", {}).get("examples", {}).values():
            yield example["value"]


def seeds() -> Iterator[bytes]:
    """The examples of the contract, and what JSON parsers get wrong."""
    yield from map(orjson.dumps, examples())
    yield b'{"a":"\\ud83c\\udfb2","b":[1.5,-0.0,1e5,12345678901234567890],"c":{"c":null}}'
    yield b'{"a":1,"a":2}'
    yield b'["\\ud800"]'
    yield b"[NaN]"
    yield b"[1.0000000000000000001,1e400]"


def check(data: bytes) -> None:
    """Compares the three parsers. Raises `AssertionError` where they differ without a reason."""
    known, refused = _other(data)
    try:
        value = decode(data)
    except InvalidJson as error:
        why = error.why
    else:
        own = json.loads(data.decode(), parse_int=_number)
        assert _same(value, own), "Python's parser differs"
        if refused:
            assert _has_infinity(value) or _depth(value) > _DEEPEST, "orjson refuses it"
        else:
            assert _same(value, known), "orjson differs"
        return
    if not refused:
        twice = "appears twice" in why and _has_twice(data)
        deep = "too deeply" in why and _depth(known) > _DEEPEST
        assert twice or deep, f"refused without a reason: {why}"


def _other(data: bytes) -> tuple[Any, bool]:
    """What orjson makes of `data`, and whether it refuses it."""
    try:
        return orjson.loads(data), False
    except orjson.JSONDecodeError:
        return None, True


def _number(digits: str) -> float | int:
    return int(digits) if len(digits) < 19 else float(digits)


def _has_twice(data: bytes) -> bool:
    """Whether an object has a key twice."""
    found = []

    def pairs(members: list[tuple[str, Any]]) -> None:
        found.append(len(dict(members)) < len(members))

    json.loads(data.decode(), object_pairs_hook=pairs)
    return any(found)


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_depth, inner), default=0) if isinstance(value, (dict, list)) else 0


def _has_infinity(value: object) -> bool:
    if isinstance(value, (dict, list)):
        return any(map(_has_infinity, value.values() if isinstance(value, dict) else value))
    return isinstance(value, float) and math.isinf(value)


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON; a float may be the next one."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [*one] == [*other] and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float) or (isinstance(other, float) and type(one) is int):
        return type(other) in (int, float) and math.isclose(
            one, other, rel_tol=1e-15, abs_tol=5e-324
        )
    return type(one) is type(other) and bool(one == other)
