"""The server's side of WSGI, with an app that breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from errno import ENOSPC, ETIMEDOUT
from io import BytesIO
from socket import socket
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.api.http.problems import UNEXPECTED
from service.api.http.request_id import ENVIRON
from service.settings import Settings
from service.worker.access_log import log_refusal
from service.worker.exchange import SEND_BYTES, Exchange, Shared
from service.worker.refusal import RefusalResponse
from service.worker_hooks import hooks_of
from tests.worker.raw import Raw, get, head
from tests.worker.sockets import connection_and_client


@pytest.mark.parametrize("headers", [(), ("X-Request-ID: find-me",)], ids=["random", "own"])
def test_request_id_of_an_unexpected_error(
    headers: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """If an app fails outside of Flask, the response and the log have the id that the app saw, and
    pages from other origins can read the response.
    """
    seen: list[str] = []

    def broken_app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        seen.append(environ[ENVIRON])
        start_response("200 OK", [])
        yield b""
        raise ValueError("broken")

    with connection_and_client() as (connection, client):
        client.sendall(get("/livez", "Origin: https://game.example", *headers))
        connection.receive()
        connection.parse()
        assert connection.request is not None
        shared = Shared(
            broken_app,
            Logger(Config()),
            hooks_of(Settings(allow_origins="https://game.example"), None, Logger(Config()), 1),
            stopping=lambda: False,
            woken=lambda _: None,
        )
        exchange = Exchange(shared, connection, connection.request, brief=False)
        exchange.proceed()
        connection.send_more()
        reply = Raw(client).reply("GET")
    (request_id,) = seen
    assert request_id == "find-me" or not headers
    assert (exchange.ended, exchange.keep_alive) == (True, False)
    assert (reply.status, reply.headers["X-Request-ID"]) == (500, request_id)
    assert reply.json["detail"] == UNEXPECTED
    assert reply.headers["Access-Control-Allow-Origin"] == "https://game.example"
    assert f"Error handling request {request_id}\n" in capsys.readouterr().err


class Unreachable(socket):
    """The socket of a client that gets no packets any more."""

    def sendmsg(self, *_: Any) -> int:
        """Fails as after the retransmissions of TCP."""
        raise TimeoutError(ETIMEDOUT, "Connection timed out")


def test_unreachable_client(capsys: pytest.CaptureFixture[str]) -> None:
    """A client that can't be reached any more ends its exchange. That is no error of the app."""

    def long_app(_: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [])
        return [bytes(SEND_BYTES + 1), b"the rest"]

    with connection_and_client() as (connection, client):
        client.sendall(get("/livez"))
        connection.receive()
        connection.parse()
        assert connection.request is not None
        connection.sock = Unreachable(fileno=connection.sock.detach())
        log = Logger(Config())
        shared = Shared(
            long_app,
            log,
            hooks_of(Settings(), None, log, 1),
            stopping=lambda: False,
            woken=lambda _: None,
        )
        exchange = Exchange(shared, connection, connection.request, brief=False)
        exchange.proceed()
    assert (exchange.ended, exchange.keep_alive, exchange.status) == (True, False, "200 OK")
    assert capsys.readouterr().err == ""


class FullDisk(BytesIO):
    """A file on a full disk, in whose buffer is more than has been written."""

    def seek(self, *_: int) -> int:
        """Fails."""
        raise OSError(ENOSPC, "No space left on device")

    def close(self) -> None:
        """Fails."""
        raise OSError(ENOSPC, "No space left on device")


def test_refused_with_a_full_disk(capsys: pytest.CaptureFixture[str]) -> None:
    """A request that is refused needs no body: its response is logged, and its connection closed,
    if the disk with the body is full.
    """
    config = Config()
    config.set("accesslog", "-")
    response = RefusalResponse("408 Request Timeout", [("X-Request-ID", "find-me")], b"12345")
    with connection_and_client() as (connection, client):
        client.sendall(head("POST", "/v1/sessions", "Content-Length: 5"))
        connection.receive()
        connection.parse()
        request = connection.request
        assert request is not None
        request.body.close()
        request.body = FullDisk()  # type: ignore[assignment]  # any binary file will do
        log_refusal(Logger(config), response, request, connection, 1.5)
        connection.close()
        assert client.recv(1) == b""
    assert '"POST /v1/sessions HTTP/1.1" 408 5 ' in capsys.readouterr().out
