"""deploy/nginx.conf, in a real nginx in front of the service."""

from __future__ import annotations

import gzip
import json
import re
import select
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from werkzeug.http import HTTP_STATUS_CODES

from tests.live import JSON, PROBLEM, ROOT, Service, free_port
from tests.sessions.servers import until

ROLL = json.dumps({"dice": [1, 2, 3, 4, 6]}).encode()
PATH = "/v1/variants/poker-dice/evaluate"

pytestmark = pytest.mark.skipif(
    shutil.which("nginx") is None, reason="needs nginx: apt-get install nginx-light"
)


@pytest.fixture(scope="module")
def proxy(own_service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of nginx in front of the service."""
    with nginx(own_service.port, tmp_path_factory.mktemp("nginx")) as port:
        yield port


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


def listens(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def connections(port: int) -> int:
    """How many connections to `port` are open."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    parts = (line.split() for line in lines)
    return sum(part[2].endswith(f":{port:04X}") and part[3] == "01" for part in parts)


def test_responses_are_those_of_the_service(service: Service, proxy: int) -> None:
    """The proxy changes neither a status nor a body, and keeps entity tags."""
    reply = service.ask("POST", PATH, ROLL, {"Content-Type": JSON})
    refused = service.ask("POST", PATH, b"[]", {"Content-Type": JSON})
    tag = service.get("/openapi.json").headers["ETag"]
    through = HTTPConnection("127.0.0.1", proxy, timeout=60)
    for body, expected in (ROLL, reply), (b"[]", refused):
        through.request("POST", PATH, body, {"Content-Type": JSON})
        response = through.getresponse()
        assert (response.status, response.read()) == (expected.status, expected.body)
    through.request("GET", "/openapi.json", headers={"If-None-Match": tag})
    response = through.getresponse()
    assert (response.status, response.headers["ETag"], response.read()) == (304, tag, b"")
    through.close()


def test_a_body_too_large_is_refused_by_the_service(proxy: int) -> None:
    """The service says what is too large, in a problem of its own."""
    through = HTTPConnection("127.0.0.1", proxy, timeout=60)
    through.request("POST", PATH, b" " * 2_000_000, {"Content-Type": JSON})
    response = through.getresponse()
    assert (response.status, response.headers["Content-Type"]) == (413, "application/problem+json")
    through.close()


def test_slow_clients_stay_with_the_proxy(service: Service, proxy: int) -> None:
    """Clients that have sent half a request take no connection of the service."""
    head = f"POST {PATH} HTTP/1.1\r\nHost: here\r\nContent-Type: {JSON}\r\n"
    head += f"Content-Length: {len(ROLL)}\r\nConnection: close\r\n\r\n"
    with ExitStack() as opened:
        clients = [
            opened.enter_context(socket.create_connection(("127.0.0.1", proxy), timeout=60))
            for _ in range(50)
        ]
        before = connections(service.port)
        for client in clients:
            client.sendall(head.encode() + ROLL[:5])
        until(lambda: connections(proxy) >= len(clients), "all clients are connected")
        assert connections(service.port) <= before
        for client in clients:
            client.sendall(ROLL[5:])
        for client in clients:
            response = opened.enter_context(client.makefile("rb"))
            assert response.readline() == b"HTTP/1.1 200 OK\r\n"
            assert b'"rank":"small_straight"' in response.read()


def test_batches_pass_through(proxy: int) -> None:
    """A batch is answered although it has more than other bodies may have."""
    hands = 100_000
    through = HTTPConnection("127.0.0.1", proxy, timeout=60)
    path = "/v1/variants/poker-dice/batch"
    through.request("POST", path, (ROLL + b"\n") * hands, {"Content-Type": "application/x-ndjson"})
    response = through.getresponse()
    assert response.status == 200
    assert [json.loads(line)["rank"] for line in response] == ["small_straight"] * hands
    through.close()


def test_connections_of_one_address_are_limited(proxy: int) -> None:
    """The 201st connection of a client that has a request in progress gets 429, with a problem."""
    head = f"POST {PATH} HTTP/1.1\r\nHost: here\r\nContent-Type: {JSON}\r\n"
    head += f"Content-Length: {len(ROLL)}\r\nConnection: close\r\n\r\n"
    with ExitStack() as opened:
        clients = [
            opened.enter_context(socket.create_connection(("127.0.0.1", proxy), timeout=60))
            for _ in range(201)
        ]
        for client in clients:
            client.sendall(head.encode() + ROLL[:5])
        refused, _, _ = select.select(clients, [], [], 60)
        assert len(refused) == 1
        with refused[0].makefile("rb") as response:
            assert response.readline() == b"HTTP/1.1 429 Too Many Requests\r\n"
            head_fields, body = response.read().split(b"\r\n\r\n", 1)
            assert b"\r\nContent-Type: application/problem+json\r\n" in head_fields
            assert b"\r\nRetry-After: 1" in head_fields
            assert json.loads(body)["detail"].startswith("Your address has too many requests")
        for client in clients:
            if client is not refused[0]:
                client.sendall(ROLL[5:])
                with client.makefile("rb") as response:
                    assert response.readline() == b"HTTP/1.1 200 OK\r\n"


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
def test_what_the_proxy_refuses(proxy: int, request_: bytes, status: int) -> None:
    """The proxy refuses a request with a problem, an id, and a media type that nobody guesses."""
    with socket.create_connection(("127.0.0.1", proxy), timeout=60) as client:
        client.sendall(request_)
        response = HTTPResponse(client)
        response.begin()
        assert (response.status, response.headers["Content-Type"]) == (status, PROBLEM)
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert re.fullmatch(r"[0-9a-f]{32}", response.headers["X-Request-ID"])
        problem = json.loads(response.read())
        assert problem.pop("detail").endswith(".")
        title = HTTP_STATUS_CODES[status]
        assert problem == {"type": "about:blank", "title": title, "status": status}


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


def test_a_service_that_is_away(tmp_path: Path) -> None:
    """While nothing listens behind the proxy, clients get a problem that says what to do."""
    with nginx(free_port(), tmp_path) as port:
        through = HTTPConnection("127.0.0.1", port, timeout=60)
        through.request("POST", PATH, ROLL, {"Content-Type": JSON})
        response = through.getresponse()
        assert (response.status, response.headers["Retry-After"]) == (503, "1")
        assert response.headers["Content-Type"] == "application/problem+json"
        assert json.loads(response.read()) == {
            "type": "about:blank",
            "title": "Service Unavailable",
            "status": 503,
            "detail": "The service is away. Send the request again, with the same Idempotency-Key.",
        }
        through.close()
