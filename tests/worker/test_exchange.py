"""The server's side of WSGI, with an app that breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.api.http.cors import Cors
from service.api.http.problems import UNEXPECTED
from service.api.http.request_id import ENVIRON
from service.worker.exchange import Exchange, Shared
from tests.worker.raw import Raw, get
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
            Cors("https://game.example"),
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
    assert f"Error handling request {request_id}: GET /livez" in capsys.readouterr().err
