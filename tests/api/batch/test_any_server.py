"""Batches under a server that knows nothing but WSGI, whose input doesn't end with the body, and
where pyarrow isn't installed.
"""

from __future__ import annotations

import gzip
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from service.app import create_app
from service.settings import Settings
from tests.api.batch.batching import (
    ARROW,
    BODIES,
    NDJSON,
    POKER_DICE,
    SMALL_ANSWER,
    SMALL_COLUMNS,
    columns_of,
    head,
    parsed,
)
from tests.api.causes import LANGUAGE, LANGUAGES, Said
from tests.live import JSON, ROOT, Reply
from tests.worker.raw import EVALUATE

NEXT = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Quiet(WSGIRequestHandler):
    """Handles requests without a log."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the parent
        """Does nothing."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of the app under wsgiref, whose `wsgi.input` is the connection."""
    with make_server("127.0.0.1", 0, create_app(), handler_class=Quiet) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def answer(port: int, request: bytes, *, end: bool = False) -> Reply:
    """The response to `request`, after which the connection stays open; with `end` it doesn't."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as raw:
        raw.sendall(request)
        if end:
            raw.shutdown(socket.SHUT_WR)
        return parsed(b"".join(iter(lambda: raw.recv(65536), b"")))


def evaluated(body: bytes) -> list[tuple[Any, Any]]:
    """The rank, or the status and detail, in each line of `body`."""
    return [
        (line["rank"], "") if "rank" in line else (line["status"], line["detail"])
        for line in map(json.loads, body.splitlines())
    ]


@pytest.mark.parametrize("after", [b"", NEXT], ids=["open", "pipelined"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("media_type", [JSON, NDJSON, ARROW])
def test_the_body_ends_with_its_length(
    port: int, media_type: str, packed: bool, after: bytes
) -> None:
    """A batch is answered when the bytes of its Content-Length have arrived.

    The client need not close its end, and what follows is not part of the body.
    """
    body = gzip.compress(BODIES[media_type]) if packed else BODIES[media_type]
    fields = ["Content-Encoding: gzip"] if packed else []
    length = f"Content-Length: {len(body)}"
    reply = answer(port, head(media_type, length, *fields) + body + after)
    assert (reply.status, reply.headers["Content-Type"]) == (200, media_type)
    if media_type == JSON:
        assert reply.json == SMALL_ANSWER
    elif media_type == ARROW:
        assert columns_of(reply.body) == SMALL_COLUMNS
    else:
        assert evaluated(reply.body) == [("small_straight", ""), ("full_house", "")]


@pytest.mark.parametrize(
    ("path", "media_type", "status"),
    [(POKER_DICE, JSON, 400), (POKER_DICE, NDJSON, 200), (EVALUATE, JSON, 400)],
)
def test_without_a_length_there_is_no_body(
    port: int, path: str, media_type: str, status: int
) -> None:
    """A request without a Content-Length has no body: nothing that follows is read as one."""
    reply = answer(port, head(media_type, path=path) + NEXT)
    assert reply.status == status
    if status == 200:
        assert reply.body == b""
    else:
        assert reply.json["detail"].startswith("The body is not valid JSON: ")


SHORT_BODY = Said("short-body", 400, "The body is shorter than its Content-Length.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_half_a_body(port: int, language: str) -> None:
    """If the client closes its end within the body, its lines are answered up to there."""
    body = BODIES[NDJSON]
    fields = (f"Content-Length: {len(body) + 9}", f"{LANGUAGE}: {language}")
    reply = answer(port, head(NDJSON, *fields) + body, end=True)
    *lines, _ = reply.body.splitlines(keepends=True)
    assert evaluated(b"".join(lines)) == [("small_straight", ""), ("full_house", "")]
    SHORT_BODY.check_reply(reply, POKER_DICE, language)


def test_a_body_over_the_limit(port: int) -> None:
    """A body whose length is over the limit gets 413 before any of it is read."""
    reply = answer(port, head(NDJSON, "Content-Length: 9000000000"))
    assert (reply.status, reply.json["detail"]) == (
        413,
        "The body may hold at most 67108864 bytes.",
    )


@pytest.mark.parametrize("path", [POKER_DICE, EVALUATE])
def test_a_long_body_without_a_length(path: str) -> None:
    """If the server ends the input with the body, a body without a length is read to its end, and
    gets 413 if it is over the limit.
    """
    settings = Settings(max_batch_bytes=1000, max_body_bytes=1000)
    ended = {"wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    reply = (
        create_app(settings)
        .test_client()
        .post(path, input_stream=BytesIO(b" " * 1001), content_type=JSON, environ_overrides=ended)
    )
    detail = "The body may hold at most 1000 bytes."
    assert (reply.status_code, reply.get_json()["detail"]) == (413, detail)


PROGRAM = f"""
import sys
sys.modules["pyarrow"] = None
from service.app import create_app
client = create_app().test_client()
reply = client.post({POKER_DICE!r}, data=sys.stdin.buffer.read(), content_type={ARROW!r})
assert reply.status_code == 200, reply.text
sys.stdout.buffer.write(reply.data)
"""


@pytest.mark.fault
def test_arrow_needs_no_pyarrow() -> None:
    """An Arrow stream gets its response where pyarrow isn't installed."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        input=BODIES[ARROW],
        capture_output=True,
        check=True,
    )
    assert columns_of(done.stdout) == SMALL_COLUMNS


IMPORTED = """
import sys
from service.app import create_app
client = create_app().test_client()
for game, hand in (("roll-a-royal", [["--"] * 13]), ("dice-poker", [1, 2, 3, 4, 5])):
    reply = client.post(f"/v1/variants/{game}/batch", json={"hands": [hand]})
    print(reply.status_code, *(name for name in ("flatbuffers", "numpy") if name in sys.modules))
"""


def test_what_json_batches_import() -> None:
    """A batch of searched hands doesn't import NumPy; no batch in JSON imports what Arrow needs."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert done.stdout.splitlines() == ["200", "200 numpy"]
