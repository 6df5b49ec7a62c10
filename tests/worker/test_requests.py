"""Requests that arrive in pieces, together, or with more bytes than are read."""

from __future__ import annotations

import os
import signal
import socket
import struct
from itertools import islice

import pytest

from tests.live import Service, running
from tests.sessions.servers import until
from tests.worker.breaking import LEAVING
from tests.worker.raw import BODY, EVALUATE, Raw, connected, get, head, last_reply, post

STRAIGHT = "small_straight"


def check_evaluation(raw: Raw) -> None:
    """Checks that the next response is the evaluation of `BODY`."""
    reply = raw.reply()
    assert (reply.status, reply.json["rank"]) == (200, STRAIGHT)


@pytest.mark.parametrize("body_header", ["Content-Length: 20", "Transfer-Encoding: chunked"])
def test_cut_anywhere(service: Service, body_header: str) -> None:
    """A request that the network cuts in two anywhere gets its response."""
    chunked = b"5\r\n" + BODY[:5] + b"\r\nf\r\n" + BODY[5:] + b"\r\n0\r\n\r\n"
    body = BODY if "Length" in body_header else chunked
    request = head("POST", EVALUATE, body_header) + body
    with connected(service) as raw:
        raw.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for place in range(1, len(request)):
            raw.send(request[:place])
            raw.send(request[place:])
            check_evaluation(raw)


def test_pipelined(service: Service) -> None:
    """Pipelined requests get their responses in order."""
    with connected(service) as raw:
        raw.send(post() + get() + post() + get("/readyz"))
        check_evaluation(raw)
        assert raw.reply("GET").json == {"status": "ok"}
        check_evaluation(raw)
        assert raw.reply("GET").status == 200


def test_pipelined_behind_long_bodies(service: Service) -> None:
    """Requests behind a large or chunked body are parsed, even if nobody reads that body."""
    chunks = head("POST", EVALUATE, "Transfer-Encoding: chunked")
    chunks += b"14\r\n" + BODY + b"\r\n0\r\n\r\n"
    long = BODY[:-1] + b" " * 100_000 + b"}"
    nowhere = head("POST", "/nowhere", "Content-Length: 70000") + b" " * 70_000
    with connected(service) as raw:
        raw.send(chunks + post(long) + nowhere + get())
        check_evaluation(raw)
        check_evaluation(raw)
        assert raw.reply().status == 404
        assert raw.reply("GET").json == {"status": "ok"}


def test_leaving_the_loop(breaking: Service) -> None:
    """A request that turns out to take long is answered from its beginning, outside of the loop."""
    with connected(breaking) as client:
        client.send(head("POST", LEAVING, f"Content-Length: {len(BODY)}") + BODY)
        reply = client.reply()
    assert (reply.status, reply.json) == (200, [[True, BODY.decode()], [False, BODY.decode()]])


def test_pipelined_one_for_each_response(service: Service) -> None:
    """A client that sends a request for each response, with four under way, gets all in order."""
    numbers = iter(range(500))
    with connected(service) as client:
        for number in islice(numbers, 4):
            client.send(post(BODY, f"X-Request-ID: {number}"))
        for number in range(500):
            reply = client.reply()
            assert (reply.status, reply.headers["X-Request-ID"]) == (200, str(number))
            for following in islice(numbers, 1):
                client.send(post(BODY, f"X-Request-ID: {following}"))


def test_pipelined_by_clients_that_vanish(service: Service) -> None:
    """Clients that reset their connections with hundreds of requests under way harm nobody."""
    workers = service.workers()
    for _ in range(20):
        with connected(service) as client:
            client.send(post() * 1000)
            client.reply()
            client.send(post() * 10)  # while others wait for their turn
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with connected(service) as client:
        client.send(post())
        assert client.reply().status == 200
    assert service.workers() == workers


def test_blank_lines_first(service: Service) -> None:
    """Blank lines before a request are skipped (RFC 9112, 2.2), wherever they are cut."""
    with connected(service) as raw:
        for blank in (b"\r\n", b"\r\n\r\n", b"\r\n\r"):
            raw.send(blank)
            raw.send(get() if blank[-1:] == b"\n" else b"\n" + get())
            assert raw.reply("GET").json == {"status": "ok"}


def test_upgrade(service: Service) -> None:
    """A request to upgrade to another protocol is ignored (RFC 9110, 7.8), and its body is read."""
    upgrade = ("Connection: Upgrade, HTTP2-Settings", "uPgrade: h2c", "HTTP2-Settings: AAM")
    with connected(service) as raw:
        raw.send(get("/livez", *upgrade) + post(BODY, *upgrade) + get())
        assert raw.reply("GET").json == {"status": "ok"}
        check_evaluation(raw)
        assert raw.reply("GET").json == {"status": "ok"}


@pytest.mark.parametrize(
    ("target", "status", "instance"),
    [("x:80", 400, ""), ("/livez:80", 404, "/livez%3A80")],
    ids=["host", "path"],
)
def test_connect(service: Service, target: str, status: int, instance: str) -> None:
    """CONNECT is for no path, and nothing after it is parsed as a request.

    A host and a port are not a path.
    """
    reply = last_reply(service, f"CONNECT {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode() + get())
    assert (reply.status, reply.json["instance"]) == (status, instance)


def test_trailers(service: Service) -> None:
    """Trailers of a chunked body change nothing."""
    chunked = head("POST", EVALUATE, "Transfer-Encoding: chunked")
    trailers = b"14\r\n" + BODY + b"\r\n0\r\nContent-Type: text/plain\r\nX: 1\r\n\r\n"
    with connected(service) as raw:
        raw.send(chunked + trailers + post())
        check_evaluation(raw)
        check_evaluation(raw)


def test_headers_with_underscores(service: Service) -> None:
    """A header with underscores is ignored: the app could take it for one with hyphens."""
    with connected(service) as raw:
        raw.send(get("/livez", "X_Request_ID: find-me"))
        assert raw.reply("GET").headers["X-Request-ID"] != "find-me"


def test_white_space_after_values(service: Service) -> None:
    """White space around the value of a header isn't part of it (RFC 9110, 5.5)."""
    chunks = b"14\r\n" + BODY + b"\r\n0\r\n\r\n"
    sent = ("Transfer-Encoding: chunked  ", "X-Request-ID:\t find-me \t")
    with connected(service) as raw:
        raw.send(head("POST", EVALUATE, *sent).replace(b"localhost", b" localhost\t ") + chunks)
        reply = raw.reply()
        assert (reply.status, reply.headers["X-Request-ID"]) == (200, "find-me")


@pytest.mark.parametrize("end", ["", "Expect: tea"], ids=["app", "refused"])
def test_two_request_ids(service: Service, end: str) -> None:
    """Of two ids, none is the request's: it gets a random one."""
    headers = ("X-Request-ID: one", "X-Request-ID: two", *([end] if end else []))
    with connected(service) as raw:
        raw.send(get("/livez", *headers))
        assert len(raw.reply("GET").headers["X-Request-ID"]) == 32


def test_a_broken_body_that_nobody_reads(service: Service) -> None:
    """An invalid chunked body gets 400 even if the path reads no body: the next request can't be
    found.
    """
    broken = get("/livez", "Transfer-Encoding: chunked") + b"zz\r\n"
    assert last_reply(service, broken, "GET").status == 400


def test_expect(service: Service) -> None:
    """A client that sends `Expect: 100-continue` gets 100 and then sends its body."""
    with connected(service) as raw:
        raw.send(head("POST", EVALUATE, "Content-Length: 20", "Expect: 100-continue"))
        assert raw.socket.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        raw.send(BODY)
        check_evaluation(raw)


def test_half_closed(service: Service) -> None:
    """A client that closes its end after the request still gets its response."""
    assert STRAIGHT.encode() in service.send(post())


def test_connection_close(service: Service) -> None:
    """The last response on a connection has `Connection: close`, and then the service closes."""
    reply = last_reply(service, post(BODY, "Connection: close"))
    assert reply.headers["Connection"] == "close"


def test_response_to_a_client_that_goes_on_sending(service: Service) -> None:
    """A client that is still sending when it gets 413 can read the response: there is no reset."""
    reply = last_reply(
        service, head("POST", EVALUATE, "Content-Length: 3000000") + b" " * 3_000_000
    )
    assert (reply.status, reply.headers["Connection"]) == (413, "close")


def test_too_long_in_chunks(service: Service) -> None:
    """A chunked body that is too long gets 413, although it has no length."""
    chunks = (b"10000\r\n" + b" " * 0x10000 + b"\r\n") * 40
    reply = last_reply(service, head("POST", EVALUATE, "Transfer-Encoding: chunked") + chunks)
    assert (reply.status, reply.headers["Connection"]) == (413, "close")


def test_too_long_before_it_is_sent(service: Service) -> None:
    """A client that sends `Expect: 100-continue` and a length over the limit gets 413 at once."""
    sent = head("POST", EVALUATE, "Content-Length: 3000000", "Expect: 100-continue")
    assert last_reply(service, sent).status == 413


def test_long_response_to_a_slow_client(service: Service) -> None:
    """A client with small buffers that reads slowly gets a long response completely."""
    path = "/docs/assets/swagger-ui-bundle.js"
    whole = service.get(path).body
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(30)
        slow.connect(("127.0.0.1", service.port))
        slow.sendall(get(path) + get())
        raw = Raw(slow)
        assert raw.reply("GET").body == whole
        assert raw.reply("GET").json == {"status": "ok"}


@pytest.mark.fault
def test_stops_for_requests_under_way() -> None:
    """A worker that stops handles the requests that have begun and those on kept connections."""
    patient = "--worker-class=tests.worker.waits.Patient --graceful-timeout=600"
    with running(GUNICORN_CMD_ARGS=patient) as service:
        with connected(service) as whole, connected(service) as half, connected(service) as kept:
            kept.send(get())
            assert kept.reply("GET").status == 200
            whole.send(post())
            half.send(head("POST", EVALUATE, "Content-Length: 20"))
            os.kill(service.process.pid, signal.SIGTERM)
            until(lambda: not listens(service), "the service refuses connections")
            half.send(BODY)
            check_evaluation(whole)
            check_evaluation(half)
            kept.send(get())
            last = kept.reply("GET")
            assert (last.status, last.headers["Connection"]) == (200, "close")
        assert service.process.wait(30) == 0


@pytest.mark.fault
def test_a_worker_that_is_to_stop_while_it_starts() -> None:
    """A worker that is stopped while it starts handles the waiting request and exits by itself."""
    slow = "--logger-class=tests.worker.slow_boot.SlowBoot"
    with running(GUNICORN_CMD_ARGS=slow) as service, connected(service) as raw:
        raw.send(post())
        (worker,) = service.workers()
        os.kill(service.process.pid, signal.SIGTERM)
        check_evaluation(raw)
        assert service.process.wait(30) == 0
        assert f"Worker exiting (pid: {worker})" in service.output.whole


def listens(service: Service) -> bool:
    """Whether the service accepts connections."""
    try:
        socket.create_connection(("127.0.0.1", service.port), 5).close()
    except ConnectionRefusedError:
        return False
    return True
