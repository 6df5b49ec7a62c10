"""Paths, queries and headers of requests to the service, sessions included: what it answers is what
the contract allows, and never 500.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import orjson

from service.variants import variants
from tests.contract.openapi import operations, read_contract
from tests.fuzz.app import ask
from tests.live import JSON
from tests.worker.raw import head

DICTIONARY = (
    *b"*/* text/html application/*;q=0.5 q= * -01 [::1]:80 ?wait=60 ?wait=-1".split(),
    *b"&operation=rank ?house_rules=%7B%7D ?store %00 %ff %2e%2e/ // /v1/sessions/".split(),
    *b"/actions /events /advice /review /docs /openapi.json /metrics <id0> <id1> <id2>".split(),
    *b"<id3> <id4> <token0> <token1> <token2> <token3> <token4> <player0> <player1>".split(),
    *b"<player2> <player3> <player4>".split(),
    *b'W/"1"'.split(),
    *(b"Accept: ", b"Accept-Encoding: gzip;q=0", b"Authorization: Bearer "),
    *(b"Authorization: Basic ", b"If-Match: ", b"If-None-Match: ", b'"1", "2"'),
    *(b"Idempotency-Key: ", b"X-Request-ID: ", b"Content-Type: application/json"),
    *(b"; charset=utf-16", b"Content-Encoding: gzip, gzip", b"Origin: https://a.example"),
    *(b"Origin: null", b"Access-Control-Request-Method: POST"),
    *(b"Access-Control-Request-Headers: If-Match", b"traceparent: 00-", b"X-Forwarded-For: "),
    *(b"10.0.0.1, ", b"Host: ", b"OPTIONS ", b"HEAD ", b"PUT ", b"DELETE ", b"\r\n", b"\r\n\r\n"),
)

RENEWED = 200
"""After how many inputs there are new sessions: games end, and sessions are deleted."""

_inputs = count()
_words: dict[bytes, bytes] = {}

_TAGS = b'If-Match: "1"\r\nIdempotency-Key: k1\r\nContent-Type: application/json'
_OTHERS = (
    b"Accept: application/json;q=0.5, */*;q=0.1\r\nAccept-Encoding: gzip\r\n"
    b'If-None-Match: W/"a", "b"',
    b"Origin: https://a.example\r\nX-Forwarded-For: 1.2.3.4:80, [::1]\r\nX-Request-ID: a",
    b"Origin: https://b.example\r\nAccess-Control-Request-Method: POST\r\n"
    b"Access-Control-Request-Headers: if-match",
    b"traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\nAccept: text/html",
)


def seeds() -> Iterator[bytes]:
    """Requests, with words in angle brackets in place of the ids and tokens of sessions."""
    for path, method, operation in operations(read_contract()):
        media_types = operation.get("requestBody", {}).get("content", {JSON: {}})
        for place in range(5) if "{" in path else (0,):
            target = path.replace("{session_id}", f"<id{place}>")
            line = f"{method} {target} HTTP/1.1\r\nHost: a\r\n".encode()
            token = b"Authorization: Bearer <token%d>\r\n" % place
            for each in media_types:
                body = b""
                for example in media_types[each].get("examples", {}).values():
                    body = orjson.dumps(example["value"])
                tags = _TAGS.replace(JSON.encode(), each.encode())
                yield line + token + tags + b"\r\n\r\n" + body
    for others in _OTHERS:
        for line in (
            b"GET /v1/sessions/<id0>?wait=5 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer <player0>",
            b"OPTIONS /v1/variants/poker-dice/evaluate HTTP/1.1\r\nHost: a",
            b"GET /readyz?store HTTP/1.0",
        ):
            yield line + b"\r\n" + others + b"\r\n\r\n"


def _create() -> Iterator[tuple[bytes, bytes]]:
    """New sessions: the words for their ids, and for the tokens of table and first player."""
    for place, variant in enumerate(variants().values()):
        body = orjson.dumps({"variant": variant.id, "players": ["ann", "ben"]})
        made = ask(head("POST", "/v1/sessions"), body)
        assert made is not None
        if made.status == 503:  # there is no store
            return
        assert made.status == 201, made.body
        tokens = made.json["tokens"]
        yield b"<id%d>" % place, made.json["id"].encode()
        yield b"<token%d>" % place, tokens["table"].encode()
        yield b"<player%d>" % place, next(iter(tokens["players"].values())).encode()


def check(data: bytes) -> None:
    """Sends a request."""
    if not next(_inputs) % RENEWED:
        _words.update(_create())
    for word, value in _words.items():
        data = data.replace(word, value)
    sent, _, body = data.partition(b"\r\n\r\n")
    ask(sent + b"\r\n\r\n", body)
