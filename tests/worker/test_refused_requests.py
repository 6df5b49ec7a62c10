"""Requests that can't be parsed get problems, like every other error."""

from __future__ import annotations

import json
import socket

import pytest

from tests.live import Service
from tests.worker.raw import EVALUATE, connected, get, head, post
from tests.worker.refusing import problem, refused

HOST = "A request must have one Host header: a host, and perhaps a port."


@pytest.mark.parametrize(
    ("request_bytes", "expected"),
    [
        (
            b"GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
            (400, "Bad Request", "invalid request line 'GET  / HTTP/1.1'", ""),
        ),
        (
            b"GET /livez HTTP/2.0\r\nHost: a\r\n\r\n",
            (400, "Bad Request", "invalid request line 'GET /livez HTTP/2.0'", ""),
        ),
        (
            b"GET / HTTP/1.1\nHost: a\n\r\n\r\n",
            (400, "Bad Request", "invalid request line 'GET / HTTP/1.1\\nHost: a\\n'", ""),
        ),
        (
            b"GET /livez HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
            (400, "Bad Request", "Missing expected CR after header value", "/livez"),
        ),
        (
            b"GET * HTTP/1.1\r\nHost: a\r\n\r\n",
            (400, "Bad Request", "invalid target '*'", ""),
        ),
        (
            b"OPTIONS livez HTTP/1.1\r\nHost: a\r\n\r\n",
            (400, "Bad Request", "invalid target 'livez'", ""),
        ),
        (
            b"DRAW /livez HTTP/1.1\r\nHost: a\r\n\r\n",
            (400, "Bad Request", "Invalid method encountered", "/livez"),
        ),
        (
            b"GET /livez HTTP/1.1\r\nHost : a\r\n\r\n",
            (400, "Bad Request", "Invalid header token", "/livez"),
        ),
        (
            b"GET /livez HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
            (400, "Bad Request", "Unexpected whitespace after header value", "/livez"),
        ),
        (
            b"GET /v1/variants/\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n",
            (400, "Bad Request", "Invalid char in url path", "/v1/variants/%C3%A9"),
        ),
        (
            head("POST", EVALUATE, "Content-Length: x"),
            (400, "Bad Request", "Invalid character in Content-Length", EVALUATE),
        ),
        (
            head("POST", EVALUATE, "Content-Length: 2", "Content-Length: 2") + b"{}",
            (400, "Bad Request", "Duplicate Content-Length", EVALUATE),
        ),
        (
            head("POST", EVALUATE, "Content-Length: 2", "Transfer-Encoding: chunked") + b"{}",
            (
                400,
                "Bad Request",
                "Transfer-Encoding can't be present with Content-Length",
                EVALUATE,
            ),
        ),
        (
            head("POST", EVALUATE, "Transfer-Encoding: chunked").replace(b"P/1.1", b"P/1.0", 1),
            (400, "Bad Request", "HTTP/1.0 has no Transfer-Encoding", EVALUATE),
        ),
        (
            get("/" + "a" * 5000),
            (
                414,
                "Request URI Too Long",
                "the request line is too long (5014 > 4094 bytes)",
                "",
            ),
        ),
        (
            get("/livez", "X-Long: " + "a" * 9000),
            (
                431,
                "Request Header Fields Too Large",
                "a header has more than 8190 bytes",
                "/livez",
            ),
        ),
        (
            get("/livez", *[f"X-{number}: 1" for number in range(200)]),
            (431, "Request Header Fields Too Large", "there are more than 100 headers", "/livez"),
        ),
        (
            head("POST", EVALUATE, "Transfer-Encoding: br"),
            (501, "Not Implemented", "unknown transfer coding 'br'", EVALUATE),
        ),
        (
            head("POST", EVALUATE, "Transfer-Encoding: br, chunked"),
            (501, "Not Implemented", "unknown transfer coding 'br, chunked'", EVALUATE),
        ),
        (
            head("POST", EVALUATE, "Expect: tea", "Content-Length: 2") + b"{}",
            (417, "Expectation Failed", "unknown expectation 'tea'", EVALUATE),
        ),
    ],
    ids=[
        "line",
        "version",
        "line feed",
        "line feed in headers",
        "target",
        "relative target",
        "method",
        "name",
        "fold",
        "unquoted path",
        "length",
        "two lengths",
        "length and coding",
        "coding in HTTP/1.0",
        "long line",
        "long header",
        "many",
        "coding",
        "two codings",
        "tea",
    ],
)
def test_unparsable(
    service: Service, request_bytes: bytes, expected: tuple[int, str, str, str]
) -> None:
    """A request that can't be parsed gets a problem that says what is wrong with it."""
    status, title, why, instance = expected
    reply = refused(service, request_bytes)
    assert reply.status == status
    assert reply.json == problem(status, title, f"The request can't be parsed: {why}.", instance)


@pytest.mark.parametrize(
    "hosts",
    [
        *((), ("a", "b"), ("a", "a"), ("a b",), ("a/b",), ("user@a",), ("a:b",), ("[::1",)),
        *(("a..b",), (".",), (".a",), (".:80",), ("a" * 64,), ("a." + "b" * 64 + ".c",)),
    ],
    ids=str,
)
def test_bad_host(service: Service, hosts: tuple[str, ...]) -> None:
    """An HTTP/1.1 request without exactly one valid Host gets 400 (RFC 9112, 3.2)."""
    lines = "".join(f"Host: {host}\r\n" for host in hosts)
    reply = refused(service, f"GET /livez HTTP/1.1\r\n{lines}\r\n".encode())
    assert reply.status == 400
    assert reply.json == problem(400, "Bad Request", HOST, "/livez")


@pytest.mark.parametrize(
    "host",
    ["a", "a:80", "a:", "127.0.0.1:8000", "[::1]:80", "a_b.c-d%20", "a.b.", "a" * 63, "", ":80"],
)
def test_good_host(service: Service, host: str) -> None:
    """Every syntactically valid Host is accepted."""
    with connected(service) as raw:
        raw.send(f"GET /livez HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert raw.reply("GET").json == {"status": "ok"}


def test_no_host_in_http_1_0(service: Service) -> None:
    """An HTTP/1.0 request needs no Host."""
    with connected(service) as raw:
        raw.send(b"GET /livez HTTP/1.0\r\n\r\n")
        assert raw.reply("GET").json == {"status": "ok"}
        assert raw.end() == b""


def test_request_id(service: Service) -> None:
    """A refused request keeps its X-Request-ID if that could be parsed."""
    requests = {
        400: b"GET /livez HTTP/1.1\r\nX-Request-ID: find-me\r\n\r\n",
        414: get("/" + "a" * 5000, "X-Request-ID: find-me"),
        431: get("/livez", "X-Long: " + "a" * 9000, "X-Request-ID: find-me"),
    }
    for status, request in requests.items():
        with connected(service) as raw:
            raw.send(request)
            reply = raw.reply()
            assert (reply.status, reply.headers["X-Request-ID"]) == (status, "find-me")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"HEAD /livez HTTP/1.1\r\n\r\n", 400),
        (head("HEAD", "/" + "a" * 5000), 414),
        (head("HEAD", "/livez", "X: " + "a" * 70_000), 431),
        (b"HEAD  /livez HTTP/1.1\r\n\r\n", 400),
        (b"HEAD /livez HTTP/1.1\r\nHost: a\r\n", 400),
        (b"HEAD ", 400),
    ],
    ids=["host", "long line", "long head", "line", "half a head", "method alone"],
)
def test_head(service: Service, sent: bytes, status: int) -> None:
    """The response to a refused HEAD request has no body, even if nothing else can be read."""
    with connected(service) as raw:
        raw.send(sent)
        raw.socket.shutdown(socket.SHUT_WR)
        answer = raw.end()
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert answer.index(b"\r\n\r\n") == len(answer) - 4


@pytest.mark.parametrize("sent", [b"HEAD", b"HEADS ", b"head "])
def test_other_methods_than_head(service: Service, sent: bytes) -> None:
    """A method that isn't known to be HEAD gets a response with a body."""
    with connected(service) as raw:
        raw.send(sent)
        raw.socket.shutdown(socket.SHUT_WR)
        detail = "The connection ended within the head of the request."
        assert raw.reply().json == problem(400, "Bad Request", detail, "")


@pytest.mark.parametrize("framing", [b"5\n", b"5\r\nhello\n", b"5\r\nhello\r\n0\r\n\n"])
def test_line_feeds_in_chunks(service: Service, framing: bytes) -> None:
    """A line feed without a carriage return in the framing of chunks gets 400 at once, although
    the client keeps the connection open.
    """
    reply = refused(service, head("POST", EVALUATE, "Transfer-Encoding: chunked") + framing)
    detail = "The body ended early, or its chunked encoding is invalid."
    assert reply.json == problem(400, "Bad Request", detail, EVALUATE)


def test_endless_head(service: Service) -> None:
    """A head of more than 64 KiB is refused before all of it has arrived."""
    with connected(service) as raw:
        raw.send(get()[:-2] + b"".join(b"X-%d: %s\r\n" % (n, b"a" * 8000) for n in range(9)))
        reply = raw.reply()
        assert reply.json == problem(
            431,
            "Request Header Fields Too Large",
            "The request can't be parsed: a head has at most 65536 bytes.",
            "",
        )


def test_good_after_bad(service: Service) -> None:
    """No part of a refused request is parsed as the next request: the connection closes."""
    with connected(service) as raw:
        raw.send(b"GET /livez HTTP/1.1\r\n\r\n" + post())
        assert raw.reply().status == 400
        assert raw.end() == b""


@pytest.mark.parametrize(
    ("request_bytes", "line"),
    [
        (b"GET /livez HTTP/1.1\r\nX-Request-ID: find-me\r\n\r\n", '"GET /livez HTTP/1.1" 400'),
        (b"GET\x1b /\xff HTTP/1.1\r\n\r\n", r'"GET\u001b /\u00ff HTTP/1.1" 400'),
        (b"GET\r\n\r\n", '"- - HTTP/1.1" 400'),
        (get("/" + "a" * 5000), '"GET - HTTP/1.1" 414'),
        (get("/livez", "X: " + "a" * 9000), '"GET /livez HTTP/1.1" 431'),
        (head("POST", EVALUATE, "Content-Length: 9") + b"{", f'"POST {EVALUATE} HTTP/1.1" 400'),
    ],
    ids=["host", "control characters", "line", "long line", "long header", "half a body"],
)
def test_access_log(breaking: Service, request_bytes: bytes, line: str) -> None:
    """The access log has a line for each refused request, with its status and its id."""
    with connected(breaking) as raw:
        raw.send(request_bytes)
        raw.socket.shutdown(socket.SHUT_WR)
        reply = raw.reply()
    breaking.output.wait_for(f"{line} {len(reply.body)} bytes")
    breaking.output.wait_for(reply.headers["X-Request-ID"])


def test_hostile_fields_in_the_access_log(breaking: Service) -> None:
    """Each field of a line is a JSON string of what was sent, so that none can end early."""
    target, own = '/livez?a\\" 500 "%s'.replace(" ", "+"), '\\" 500 "%(h)s'.replace(" ", "+")
    with connected(breaking) as raw:
        raw.send(get(target, f"X-Request-ID: {own}"))
        assert raw.reply("GET").status == 200
    breaking.output.wait_for(json.dumps(own)[1:-1])
    (line,) = (each for each in breaking.output.text.splitlines() if "livez?a" in each)
    peer, rest = line.split(" ", 1)
    request, end = json.JSONDecoder().raw_decode(rest)
    status, sent, _, _, _, last = rest[end:].split()
    assert (peer, request) == ("127.0.0.1", f"GET {target} HTTP/1.1")
    assert (status, sent, json.loads(f'"{last}"')) == ("200", "15", own)
