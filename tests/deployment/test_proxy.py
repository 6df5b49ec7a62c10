"""deploy/nginx.conf, in a real nginx in front of the service."""

from __future__ import annotations

import gzip
import json
import re
import select
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from service.api.http.causes import Cause
from service.api.http.problem_details import title
from tests.api.batch.batching import NDJSON, POKER_DICE
from tests.live import JSON, PROBLEM, ROOT, Service, free_port, listens
from tests.sessions.servers import until
from tests.worker.raw import EVALUATE, Raw, connected, post

ROLL = json.dumps({"dice": [1, 2, 3, 4, 6]}).encode()

pytestmark = pytest.mark.skipif(
    shutil.which("nginx") is None, reason="needs nginx: apt-get install nginx-light"
)


@pytest.fixture(scope="module")
def proxy(own_service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service behind nginx."""
    with nginx(own_service.port, tmp_path_factory.mktemp("nginx")) as port:
        yield replace(own_service, port=port)


@contextmanager
def nginx(service_port: int, folder: Path, more: str = "") -> Iterator[int]:
    """Runs nginx with our file, and yields its port; only ports and folders are others.

    `more` are further settings of HTTP.
    """
    port = free_port()
    conf = (ROOT / "deploy" / "nginx.conf").read_text()
    for ours, here in (
        ("server service:8000;", f"server 127.0.0.1:{service_port};"),
        ("listen 8080;", f"listen 127.0.0.1:{port};"),
        ("/tmp/", f"{folder}/"),
        ("http {", f"http {{ {more}"),
    ):
        assert ours in conf
        conf = conf.replace(ours, here)
    file = folder / "nginx.conf"
    file.write_text(conf)
    command = ["nginx", "-c", str(file), "-g", "daemon off; user root;"]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        until(lambda: listens(port), "nginx listens")
        yield port
    finally:
        process.terminate()
        process.wait(timeout=30)


def connections(port: int) -> int:
    """How many connections to `port` are open."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    parts = (line.split() for line in lines)
    return sum(part[2].endswith(f":{port:04X}") and part[3] == "01" for part in parts)


def test_responses_are_those_of_the_service(service: Service, proxy: Service) -> None:
    """The proxy changes neither a status nor a body, and keeps entity tags."""
    for body in (ROLL, b"[]"):
        expected, reply = (
            each.ask("POST", EVALUATE, body, {"Content-Type": JSON}) for each in (service, proxy)
        )
        assert (reply.status, reply.body) == (expected.status, expected.body)
    tag = service.get("/openapi.json").headers["ETag"]
    reply = proxy.get("/openapi.json", If_None_Match=tag)
    assert (reply.status, reply.headers["ETag"], reply.body) == (304, tag, b"")


def test_a_body_too_large_is_refused_by_the_service(proxy: Service) -> None:
    """The service says what is too large, in a problem of its own."""
    reply = proxy.ask("POST", EVALUATE, b" " * 2_000_000, {"Content-Type": JSON})
    assert (reply.status, reply.headers["Content-Type"]) == (413, PROBLEM)


HALF = post(ROLL, "Connection: close")[:-5]
"""A request without its last bytes."""


@contextmanager
def half_requests(proxy: Service, count: int) -> Iterator[list[Raw]]:
    """So many clients that have sent half a request."""
    with ExitStack() as opened:
        clients = [opened.enter_context(connected(proxy)) for _ in range(count)]
        for client in clients:
            client.send(HALF)
        yield clients


def finish(client: Raw) -> None:
    """Sends the rest of a request; fails unless it is answered."""
    client.send(ROLL[-5:])
    reply = client.reply()
    assert (reply.status, reply.json["rank"]) == (200, "small_straight")


def test_slow_clients_stay_with_the_proxy(service: Service, proxy: Service) -> None:
    """Clients that have sent half a request take no connection of the service."""
    before = connections(service.port)
    with half_requests(proxy, 50) as clients:
        until(lambda: connections(proxy.port) >= len(clients), "all clients are connected")
        assert connections(service.port) <= before
        for client in clients:
            finish(client)


def test_batches_pass_through(proxy: Service) -> None:
    """A batch is answered although it has more than other bodies may have."""
    hands = 100_000
    reply = proxy.ask_unchecked(
        "POST", POKER_DICE, (ROLL + b"\n") * hands, {"Content-Type": NDJSON}
    )
    assert reply.status == 200
    ranks = [json.loads(line)["rank"] for line in reply.body.splitlines()]
    assert ranks == ["small_straight"] * hands


def test_connections_of_one_address_are_limited(proxy: Service) -> None:
    """The 201st connection of a client that has a request in progress gets 429, with a problem."""
    with half_requests(proxy, 201) as clients:
        by_socket = {client.socket: client for client in clients}
        (refused,), _, _ = select.select([*by_socket], [], [], 60)
        reply = by_socket.pop(refused).reply()
        assert (reply.status, reply.headers["Content-Type"]) == (429, PROBLEM)
        assert reply.headers["Retry-After"].startswith("1")
        assert reply.json["detail"].startswith("Your address has too many requests")
        for client in by_socket.values():
            finish(client)


REFUSED = {
    "no HTTP": (b"garbage\r\n\r\n", 400),
    "two hosts": (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    "a header too long": (b"GET / HTTP/1.1\r\nHost: a\r\nX: %b\r\n\r\n" % (b"x" * 40_000), 400),
    "the path of the problem": (
        b"GET /problem HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        404,
    ),
    "a method": (b"TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405),
    "a body too large": (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n", 413),
    "a path too long": (b"GET /%b HTTP/1.1\r\nHost: a\r\n\r\n" % (b"x" * 40_000), 414),
    "an encoding": (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n", 501),
    "a version": (b"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
}
"""What the proxy itself refuses, with the status."""


@pytest.mark.parametrize(("request_", "status"), REFUSED.values(), ids=list(REFUSED))
def test_what_the_proxy_refuses(proxy: Service, request_: bytes, status: int) -> None:
    """The proxy refuses a request with a problem, an id, and a media type that nobody guesses."""
    with connected(proxy) as client:
        client.send(request_)
        reply = client.reply()
    assert (reply.status, reply.headers["Content-Type"]) == (status, PROBLEM)
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert re.fullmatch(r"[0-9a-f]{32}", reply.headers["X-Request-ID"])
    problem = reply.json
    assert problem.pop("detail").endswith(".")
    cause = next(each for each in Cause if problem["type"] == f"/problems/{each.code}")
    assert problem == {
        "type": f"/problems/{cause.code}",
        "title": title(cause),
        "status": int(cause.status),
    }
    assert cause.status == status


GZIP = "gzip on; gzip_proxied any; gzip_types application/json;"


def test_a_game_through_a_proxy_that_compresses(service: Service, tmp_path: Path) -> None:
    """A client that names versions by their numbers plays through a proxy that compresses, which
    makes all ETags weak. A weak ETag serves to wait; in If-Match the problem says what to send.
    """
    with nginx(service.port, tmp_path, GZIP) as port, through(port) as ask:
        game = {"variant": "texas-holdem-dice", "players": ["ann", "ben"]}
        now, _ = ask("POST", "/v1/sessions", {}, game, status=201)
        path = f"/v1/sessions/{now['id']}"
        token = {"Authorization": f"Bearer {now['tokens']['table']}"}
        for _ in range(12):
            calm = [each for each in now["actions"] if each["action"] in ("check", "call")]
            match = {**token, "If-Match": f'"{now["version"]}"'}
            now, tag = ask("POST", f"{path}/actions", match, {"action": calm[0]["action"]})
            assert tag.startswith(f'W/"{now["version"]}-')
        assert ask("GET", path, token) == (now, tag)
        assert ask("GET", f"{path}?wait=1", {**token, "If-None-Match": tag}, status=304)[0] is None
        weak = {**token, "If-Match": tag}
        for method, below in ("POST", "/actions"), ("DELETE", ""):
            refused, _ = ask(method, path + below, weak, {"action": "fold"}, status=412)
            assert f'send the number in quotes, "{now["version"]}"' in refused["detail"]
        assert ask("GET", path, token) == (now, tag)
        ask("DELETE", path, {**token, "If-Match": f'"{now["version"]}"'}, status=204)


@contextmanager
def through(port: int) -> Iterator[Callable[..., tuple[Any, str]]]:
    """What sends a request through nginx, and returns the decoded body (None if it is empty) and
    the ETag.
    """
    client = HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(
        method: str, path: str, headers: dict[str, str], body: object = None, status: int = 200
    ) -> tuple[Any, str]:
        named = {"Content-Type": JSON, "Accept-Encoding": "gzip", **headers}
        client.request(method, path, None if body is None else json.dumps(body), named)
        response = client.getresponse()
        data = response.read()
        assert response.status == status, data
        if status == 200:  # nginx compresses no other
            data = gzip.decompress(data)
        return json.loads(data) if data else None, response.headers.get("ETag", "")

    with closing(client):
        yield ask


def test_a_service_that_is_away(own_service: Service, tmp_path: Path) -> None:
    """While nothing listens behind the proxy, clients get a problem that says what to do."""
    with nginx(free_port(), tmp_path) as port:
        proxy = replace(own_service, port=port)
        reply = proxy.ask_unchecked("POST", EVALUATE, ROLL, {"Content-Type": JSON})
    assert (reply.status, reply.headers["Retry-After"]) == (503, "1")
    assert reply.headers["Content-Type"] == PROBLEM
    assert reply.json == {
        "type": "/problems/service-away",
        "title": "Service away",
        "status": 503,
        "detail": (
            "The service is unavailable. Send the request again, with the same Idempotency-Key."
        ),
    }
