"""The server's side of WSGI, with an app that breaks."""

from __future__ import annotations

from errno import ENOSPC
from io import BytesIO

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.access_log import log_refusal
from service.worker.refusal import RefusalResponse
from tests.api.causes import Said
from tests.live import Service
from tests.worker.breaking import OUTSIDE
from tests.worker.raw import get, head, last_reply
from tests.worker.requests import CONNECTION, parsed


@pytest.mark.parametrize("headers", [(), ("X-Request-ID: find-me",)], ids=["random", "own"])
def test_request_id_of_an_unexpected_error(breaking: Service, headers: tuple[str, ...]) -> None:
    """If an app fails outside of Flask, the response and the log have the id that the app saw, and
    pages from other origins can read the response.
    """
    reply = last_reply(breaking, get(OUTSIDE, "Origin: https://game.example", *headers), "GET")
    detail = "An unexpected error occurred; the log has it under this X-Request-ID."
    request_id = reply.headers["X-Request-ID"]
    assert request_id == "find-me" or not headers
    assert (reply.status, reply.json["detail"]) == (500, detail)
    assert reply.headers["Access-Control-Allow-Origin"] == "https://game.example"
    breaking.output.wait_for(f"ValueError: {request_id} is broken\n")
    assert f"Error handling request {request_id}\n" in breaking.output.text


UNEXPECTED = Said(
    "unexpected", 500, "An unexpected error occurred; the log has it under this X-Request-ID."
)


@pytest.mark.parametrize("path", ["/break/ORDINARY/view/RuntimeError", OUTSIDE])
def test_an_unexpected_error(breaking: Service, path: str) -> None:
    """Whether an app fails in Flask or outside of it, the problem is the same."""
    UNEXPECTED.check(lambda headers: breaking.ask_unchecked("GET", path, headers=headers), path)


class FullDisk(BytesIO):
    """A file on a full disk, in whose buffer is more than has been written."""

    def seek(self, *_: int) -> int:
        """Fails."""
        raise OSError(ENOSPC, "No space left on device")

    def close(self) -> None:
        """Fails."""
        raise OSError(ENOSPC, "No space left on device")


def test_refused_with_a_full_disk(capsys: pytest.CaptureFixture[str]) -> None:
    """A request that is refused needs no body: its response is logged, and its body closed, if the
    disk with the body is full.
    """
    config = Config()
    config.set("accesslog", "-")
    response = RefusalResponse("408 Request Timeout", [("X-Request-ID", "find-me")], b"12345")
    request = parsed(head("POST", "/v1/sessions", "Content-Length: 5"))
    request.body = FullDisk()
    log_refusal(Logger(config), response, request, CONNECTION, 1.5)
    request.close()
    assert '"POST /v1/sessions HTTP/1.1" 408 5 ' in capsys.readouterr().out
