"""The server starts at a word, says what to try, and stops cleanly."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys

import pytest

from tests.live import ROOT, running


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_starts_and_stops(stop: signal.Signals) -> None:
    """It greets with a line to try; Ctrl-C or SIGTERM ends it without an error."""
    with running(WEB_CONCURRENCY="2") as service:
        assert (
            f"curl -s http://127.0.0.1:{service.port}/v1/variants/poker-dice/evaluate"
            in service.output.text
        )
        assert service.get("/livez").status == 200
        service.process.send_signal(stop)
        assert service.process.wait(timeout=10) == 0
        assert "Traceback" not in service.output.whole
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", service.port), timeout=5)


def test_access_log() -> None:
    """ACCESS_LOG=- writes a line a request to standard output, with the request's id."""
    with running(ACCESS_LOG="-") as service:
        service.get("/livez", X_Request_ID="find-me")
        service.output.wait_for('"GET /livez HTTP/1.1" 200 15 bytes')
        service.output.wait_for("find-me")


def test_bad_setting() -> None:
    """A setting that can't be used stops the start with its name and what it may be."""
    command = [sys.executable, "-m", "gunicorn", "--config", "python:service.server"]
    started = subprocess.run(
        [*command, "service.app:create_app()"],
        cwd=ROOT,
        env={**os.environ, "PORT": "http"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert started.returncode != 0
    assert "PORT must be a whole number from 1 to 65535: 'http'" in started.stderr
