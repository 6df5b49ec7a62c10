"""Requests that can't be parsed get problems, like every other error."""

from __future__ import annotations

import socket

import pytest

from service.worker.refusal import Refusal, refusal_response
from tests.api.causes import LANGUAGE, LANGUAGES, Said
from tests.live import Reply, Service
from tests.problems import problem
from tests.worker.raw import EVALUATE, connected, get, head, last_reply, post, refused
from tests.worker.requests import HOOKS, parsed

HOST = "A request must have one Host header: a host, and perhaps a port."


BROKEN_HEADS = {
    b"GET  / HTTP/1.1\r\nHost: a": ("invalid request line 'GET  / HTTP/1.1'", ""),
    b"GET /livez HTTP/2.0\r\nHost: a": ("invalid request line 'GET /livez HTTP/2.0'", ""),
    b"GET / HTTP/1.1\nHost: a\n": ("invalid request line 'GET / HTTP/1.1\\nHost: a\\n'", ""),
    b"GET /livez HTTP/1.1\r\nHost: a\nX: b": ("Missing expected CR after header value", "/livez"),
    b"GET * HTTP/1.1\r\nHost: a": ("invalid target '*'", ""),
    b"OPTIONS livez HTTP/1.1\r\nHost: a": ("invalid target 'livez'", ""),
    b"DRAW /livez HTTP/1.1\r\nHost: a": ("Invalid method encountered", "/livez"),
    b"GET /livez HTTP/1.1\r\nHost : a": ("Invalid header token", "/livez"),
    b"GET /livez HTTP/1.1\r\nHost: a\r\n b": ("Unexpected whitespace after header value", "/livez"),
    b"GET /\xc3\xa9 HTTP/1.1\r\nHost: a": ("Invalid char in url path", "/%C3%A9"),
    b"POST /v1 HTTP/1.0\r\nTransfer-Encoding: chunked": (
        "HTTP/1.0 has no Transfer-Encoding",
        "/v1",
    ),
}
"""Heads without their ends; then what is wrong, and the path."""


@pytest.mark.parametrize(("sent", "expected"), BROKEN_HEADS.items())
def test_broken_head(service: Service, sent: bytes, expected: tuple[str, str]) -> None:
    """A head that can't be parsed gets a problem that says what is wrong with it."""
    why, instance = expected
    reply = refused(service, sent + b"\r\n\r\n")
    assert reply.status == 400
    assert reply.json == problem(400, f"The request can't be parsed: {why}.", instance)


LENGTH, CODING = "Content-Length: 2", "Transfer-Encoding: chunked"
WRONG_HEADERS = {
    ("Content-Length: x",): (400, "Invalid character in Content-Length"),
    (LENGTH, LENGTH): (400, "Duplicate Content-Length"),
    (LENGTH, CODING): (400, "Transfer-Encoding can't be present with Content-Length"),
    ("X-Long: " + "a" * 9000,): (431, "a header has more than 8190 bytes"),
    tuple(f"X-{number}: 1" for number in range(200)): (431, "there are more than 100 headers"),
    ("Transfer-Encoding: br",): (501, "unknown transfer coding 'br'"),
    ("Transfer-Encoding: br, chunked",): (501, "unknown transfer coding 'br, chunked'"),
    ("Expect: tea", LENGTH): (417, "unknown expectation 'tea'"),
}


@pytest.mark.parametrize(
    ("headers", "expected"), WRONG_HEADERS.items(), ids=[why for _, why in WRONG_HEADERS.values()]
)
def test_wrong_headers(
    service: Service, headers: tuple[str, ...], expected: tuple[int, str]
) -> None:
    """A request whose headers can't be followed gets a problem that says which and why."""
    status, why = expected
    reply = refused(service, head("POST", EVALUATE, *headers) + b"{}")
    assert reply.status == status
    assert reply.json == problem(status, f"The request can't be parsed: {why}.", EVALUATE)


def test_long_line(service: Service) -> None:
    """A request line that is too long gets 414; its path isn't parsed."""
    reply = refused(service, get("/" + "a" * 5000))
    assert reply.status == 414
    detail = "The request can't be parsed: the request line is too long (5014 > 4094 bytes)."
    assert reply.json == problem(414, detail, "")


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
    assert reply.json == problem(400, HOST, "/livez")


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
    reply = last_reply(service, b"GET /livez HTTP/1.0\r\n\r\n", "GET")
    assert reply.json == {"status": "ok"}


def test_language(service: Service) -> None:
    """A refused request gets its problem in its language, if that can be parsed."""
    reply = refused(service, get("/livez", "X-Long: " + "a" * 9000, "Accept-Language: de"))
    assert reply.json["title"] == "Header zu groß"
    assert (reply.headers["Content-Language"], reply.headers["Vary"]) == ("de", "Accept-Language")
    reply = refused(service, b"GET  / HTTP/1.1\r\nAccept-Language: de\r\n\r\n")
    assert (reply.json["title"], reply.headers["Content-Language"]) == ("Unparsable", "en")


def test_request_id(service: Service) -> None:
    """A refused request keeps its X-Request-ID if that could be parsed."""
    requests = {
        400: b"GET /livez HTTP/1.1\r\nX-Request-ID: find-me\r\n\r\n",
        414: get("/" + "a" * 5000, "X-Request-ID: find-me"),
        431: get("/livez", "X-Long: " + "a" * 9000, "X-Request-ID: find-me"),
    }
    for status, request in requests.items():
        reply = last_reply(service, request)
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
    detail = "The connection ended within the head of the request."
    assert last_reply(service, sent, ends=True).json == problem(400, detail, "")


@pytest.mark.parametrize("framing", [b"5\n", b"5\r\nhello\n", b"5\r\nhello\r\n0\r\n\n"])
def test_line_feeds_in_chunks(service: Service, framing: bytes) -> None:
    """A line feed without a carriage return in the framing of chunks gets 400 at once, although
    the client keeps the connection open.
    """
    reply = refused(service, head("POST", EVALUATE, "Transfer-Encoding: chunked") + framing)
    detail = "The body ended early, or its chunked encoding is invalid."
    assert reply.json == problem(400, detail, EVALUATE)


def test_endless_head(service: Service) -> None:
    """A head of more than 64 KiB is refused before all of it has arrived."""
    sent = get()[:-2] + b"".join(b"X-%d: %s\r\n" % (n, b"a" * 8000) for n in range(9))
    detail = "The request can't be parsed: a head has at most 65536 bytes."
    assert refused(service, sent).json == problem(431, detail, "")


def test_good_after_bad(service: Service) -> None:
    """No part of a refused request is parsed as the next request: the connection closes."""
    assert last_reply(service, b"GET /livez HTTP/1.1\r\n\r\n" + post()).status == 400


@pytest.mark.parametrize(
    ("request_bytes", "line"),
    [
        (b"GET /livez HTTP/1.1\r\nX-Request-ID: find-me\r\n\r\n", '"GET /livez HTTP/1.1" 400'),
        (b"GET\x1b /\xff HTTP/1.1\r\n\r\n", r'"GET\u001b /\u00ff HTTP/1.1" 400'),
        (b'GET /a\\"+500 HTTP/1.1\r\n\r\n', r'"GET /a\\\"+500 HTTP/1.1" 400'),
        (b"GET\r\n\r\n", '"- - HTTP/1.1" 400'),
        (get("/" + "a" * 5000), '"GET - HTTP/1.1" 414'),
        (get("/livez", "X: " + "a" * 9000), '"GET /livez HTTP/1.1" 431'),
        (head("POST", EVALUATE, "Content-Length: 9") + b"{", f'"POST {EVALUATE} HTTP/1.1" 400'),
    ],
    ids=["host", "control characters", "quotes", "line", "long line", "long header", "half a body"],
)
def test_access_log(breaking: Service, request_bytes: bytes, line: str) -> None:
    """The access log has a line for each refused request, with its status and its id."""
    reply = last_reply(breaking, request_bytes, ends=True)
    breaking.output.wait_for(f"{line} {len(reply.body)} bytes")
    breaking.output.wait_for(reply.headers["X-Request-ID"])


SAID = [
    (
        Said(
            "overtaken", 408, "Other requests were waiting, and this one took more than 10 seconds."
        ),
        {"seconds": 10},
    ),
    (
        Said(
            "in-excess",
            408,
            "Another client was waiting, and yours sends many large requests at once. Send it "
            "again.",
        ),
        {},
    ),
    (
        Said(
            "bodies-too-large",
            408,
            "Large bodies took up more than 192 MiB in all, and this one the most: 66060287 bytes "
            "had arrived. Send it again later, or in smaller parts.",
        ),
        {"limit": 192, "count": 66_060_287},
    ),
]


@pytest.mark.parametrize(("said", "values"), SAID, ids=lambda said: getattr(said, "code", ""))
@pytest.mark.parametrize("language", LANGUAGES)
def test_refused_for_the_sake_of_others(said: Said, values: dict[str, int], language: str) -> None:
    """The problem says why others come first, in both languages. That the worker refuses such
    requests is tested where many clients ask at once, in tests/faults.
    """
    refusal = Refusal(said.code, **values)
    request = parsed(post(b"{}", f"{LANGUAGE}: {language}"))
    made = refusal_response(refusal, request, HOOKS)
    said.check_reply(Reply(int(made.status[:3]), dict(made.headers), made.body), EVALUATE, language)
