"""Bodies of every operation and batch, plain and in gzip: the response is what the contract allows,
never 500, and the pointers of a problem exist in the body.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from functools import cache
from typing import Any

import orjson

from service.strict_json import InvalidJson, decode
from tests.contract.openapi import operations, read_contract
from tests.fuzz.app import ask
from tests.live import JSON
from tests.worker.raw import head

PLAIN, ZIPPED, BROKEN_GZIP = 0, 1, 2

NDJSON = "application/x-ndjson"

_MOST_WORDS = 400


@cache
def targets() -> list[tuple[str, str, tuple[bytes, ...]]]:
    """Each path that takes a body with the media type of the body, and the examples of it.

    Those of a line in a batch are those of `evaluate`.
    """
    found = []
    paths = read_contract()["paths"]
    for path, _, operation in operations(read_contract()):
        for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
            if media_type in (JSON, NDJSON):
                if media_type == NDJSON:
                    evaluate = paths[path.replace("/batch", "/evaluate")]["post"]
                    content = evaluate["requestBody"]["content"][JSON]
                written = [orjson.dumps(each["value"]) for each in content["examples"].values()]
                found.append((path.replace("{session_id}", "a" * 22), media_type, tuple(written)))
    return found


def seeds() -> Iterator[bytes]:
    """The path as one byte, how the body is sent as another, then the body."""
    for place, (_, _, examples) in enumerate(targets()):
        for example in examples:
            yield bytes((place, PLAIN)) + example
    yield from (bytes((place, ZIPPED)) + each[2][0] for place, each in enumerate(targets()))
    yield bytes((0, BROKEN_GZIP)) + gzip.compress(b"{}", mtime=0)


def _words(schema: Any) -> Iterator[str]:
    """The names of fields and the words of enumerations in a part of the contract."""
    if isinstance(schema, dict):
        yield from (name for name in schema.get("properties", ()))
        yield from (word for word in schema.get("enum", ()) if isinstance(word, str))
        for inner in schema.values():
            yield from _words(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _words(inner)


def _dictionary() -> Iterator[bytes]:
    schemas = read_contract()["components"]["schemas"]
    asked = {
        name: schema for name, schema in schemas.items() if "Request" in name or "Rules" in name
    }
    for word in sorted(set(_words(asked)))[:_MOST_WORDS]:
        yield b'"%s"' % word.encode()
    yield from (*b'null true -1 1e999 1.0 [] {} "": [[ ]]'.split(), b"\n")
    yield from (b'"6r"', b'"1r2b3w4y5r"', b'"\\u0000"', b'"\xe2\x80\xae"', b"99999999999999999999")


DICTIONARY = tuple(_dictionary())


def check(data: bytes) -> None:
    """Sends a body to one of the paths."""
    place, form, body = (data[0], data[1], data[2:]) if len(data) > 1 else (0, 0, data)
    path, media_type, _ = targets()[place % len(targets())]
    headers = [f"Content-Type: {media_type}"]
    sent = body
    if form % 3:
        headers.append("Content-Encoding: gzip")
        sent = gzip.compress(body, 1, mtime=0) if form % 3 == ZIPPED else body
    lines = [
        line for line in head("POST", path).decode().split("\r\n") if "Content-Type" not in line
    ]
    lines[2:2] = headers
    reply = ask("\r\n".join(lines).encode(), sent)
    assert reply is not None
    if reply.status == 422 and media_type == JSON:
        broken = form % 3 == BROKEN_GZIP
        check_pointers(reply.json, zlib.decompressobj(31).decompress(sent) if broken else body)


def check_pointers(problem: Any, body: bytes) -> None:
    """Fails unless each pointer of `problem` is in `body`; its last step may be what is missing."""
    try:
        value = decode(body)
    except InvalidJson:
        return
    for error in problem.get("errors", ()):
        steps = error["pointer"].split("/")[1:]
        inner: Any = value
        for step in steps[:-1]:
            inner = _inside(inner, step, error)
        if steps and isinstance(inner, list):
            _inside(inner, steps[-1], error)
        assert not steps or isinstance(inner, (dict, list)), error


def _inside(value: Any, step: str, error: Any) -> Any:
    name = step.replace("~1", "/").replace("~0", "~")
    if isinstance(value, list):
        assert name.isdigit(), error
        assert int(name) < len(value), error
        return value[int(name)]
    assert isinstance(value, dict), error
    assert name in value, error
    return value[name]
