"""Unexpected errors."""

from __future__ import annotations

import pytest

from service.app import create_app
from service.settings import Settings


@pytest.mark.parametrize("origins", ["", "https://game.example"])
def test_the_unforeseen(caplog: pytest.LogCaptureFixture, origins: str) -> None:
    """An unexpected error gets a 500 that refers to the log, which has the request id and the
    trace. A page that may call the service can read it.
    """
    app = create_app(Settings(allow_origins=origins))

    @app.get("/broken")
    def broken() -> str:
        raise RuntimeError("secret")

    headers = {"X-Request-ID": "find-me", **({"Origin": origins} if origins else {})}
    reply = app.test_client().get("/broken", headers=headers)
    assert (reply.status_code, reply.content_type) == (500, "application/problem+json")
    assert reply.headers.get("Access-Control-Allow-Origin", "") == origins
    assert reply.json == {
        "type": "about:blank",
        "title": "Internal Server Error",
        "status": 500,
        "detail": "An unexpected error occurred; the log has it under this X-Request-ID.",
        "instance": "/broken",
    }
    assert "request find-me failed" in caplog.text
    assert "RuntimeError: secret" in caplog.text
