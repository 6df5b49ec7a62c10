"""The service starts, prints what to try, and stops cleanly."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.live import ROOT, free_port, plain_environment, running


def test_greeting() -> None:
    """The service prints where it listens and a request to try."""
    with running() as service:
        assert (
            f"curl -s http://127.0.0.1:{service.port}/v1/variants/poker-dice/evaluate"
            in service.output.text
        )


def test_greeting_on_all_addresses() -> None:
    """If the service listens on all addresses, the line to open has one that leads to it."""
    with running(BIND_ADDRESS="0.0.0.0") as service:
        found = re.search(r"Open http://([\d.]+):(\d+)/play", service.output.text)
        assert found
        assert found[1] != "0.0.0.0"
        socket.create_connection((found[1], int(found[2])), timeout=60).close()


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("stop", "send"),
    [(signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill)],
    ids=["Ctrl-C, which a terminal sends to every process", "SIGTERM to the master"],
)
def test_stops_cleanly(stop: signal.Signals, send: Callable[[int, int], None]) -> None:
    """A service that is stopped ends without an error, a killed worker or a process left."""
    with running(WEB_CONCURRENCY="2") as service:
        assert service.get("/livez").status == 200
        send(service.process.pid, stop)
        assert service.process.wait(timeout=60) == 0
        assert "Traceback" not in service.output.whole
        assert "SIGKILL" not in service.output.whole
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", service.port), timeout=60)


def test_stopped_while_it_starts(tmp_path: Path) -> None:
    """SIGTERM ends a service cleanly that hasn't started yet."""
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\nVARIANTS = ()\n"
    (tmp_path / "stops_the_service.py").write_text(text)
    started = subprocess.run(
        [sys.executable, "-m", "service"],
        cwd=ROOT,
        env={
            **plain_environment(),
            "VARIANTS": "stops_the_service",
            "PYTHONPATH": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (started.returncode, started.stdout, started.stderr) == (0, "", "")


def test_access_log() -> None:
    """ACCESS_LOG=- writes a line per request to standard output, with the request id."""
    with running(ACCESS_LOG="-") as service:
        service.get("/livez", X_Request_ID="find-me")
        service.output.wait_for('"GET /livez HTTP/1.1" 200 15 bytes')
        service.output.wait_for("find-me")


@pytest.mark.parametrize("name", ["PORT", "WEB_CONCURRENCY", "THREADS"])
def test_bad_setting(name: str) -> None:
    """An invalid setting prevents the start, with its name and valid values."""
    started = subprocess.run(
        [sys.executable, "-m", "service"],
        cwd=ROOT,
        env={**plain_environment(), name: "http"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (started.returncode, started.stdout) == (1, "")
    assert re.fullmatch(
        rf"The service can't start: {name} must be a whole number from 1 to \d+: 'http'\.\n",
        started.stderr,
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            "--certfile=pyproject.toml --keyfile=pyproject.toml",
            "This worker doesn't serve TLS: leave certfile out, and use a proxy.",
        ),
        (
            "--proxy-protocol",
            "This worker doesn't know the PROXY protocol: leave proxy_protocol out.",
        ),
    ],
    ids=["TLS", "PROXY"],
)
def test_what_the_worker_does_not_know(arguments: str, reason: str) -> None:
    """A gunicorn setting that the worker can't follow prevents the start."""
    environment = {"GUNICORN_CMD_ARGS": arguments, "PORT": str(free_port())}
    started = subprocess.run(
        [sys.executable, "-m", "service"],
        cwd=ROOT,
        env={**plain_environment(), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert started.returncode == 1
    assert reason in started.stderr


def test_max_requests() -> None:
    """max_requests replaces a worker after that many requests, and no request is lost."""
    with running(GUNICORN_CMD_ARGS="--max-requests=5") as service:
        first = service.workers()
        assert [service.get("/livez").status for _ in range(20)] == [200] * 20
        assert not set(first) & set(service.workers())


def test_empty_setting() -> None:
    """An empty setting has its default."""
    with running(WEB_CONCURRENCY="", THREADS="") as service:
        assert service.get("/livez").status == 200


HEALTHCHECK = [sys.executable, "-m", "service.cli.healthcheck"]


def test_healthcheck() -> None:
    """The health check succeeds if the service responds, and fails once it is gone."""
    with running() as service:
        proxy = {"http_proxy": "http://127.0.0.1:9"}
        environment = {**plain_environment(), "PORT": str(service.port), **proxy}
        healthy = subprocess.run(HEALTHCHECK, cwd=ROOT, env=environment, timeout=60, check=False)
    gone = subprocess.run(HEALTHCHECK, cwd=ROOT, env=environment, timeout=60, check=False)
    assert (healthy.returncode, gone.returncode) == (0, 1)


def has_ipv6() -> bool:
    """Whether the loopback interface has its IPv6 address."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


ADDRESSES = [
    "0.0.0.0",
    "localhost",
    pytest.param("127.0.0.2", marks=pytest.mark.proof),
    *(["::1", pytest.param("::", marks=pytest.mark.proof)] if has_ipv6() else []),
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_healthcheck_asks_where_the_service_listens(address: str) -> None:
    """The health check asks at BIND_ADDRESS: an IP address, a host name, or all addresses."""
    with running(BIND_ADDRESS=address) as service:
        where = {"BIND_ADDRESS": address, "PORT": str(service.port)}
        environment = {**plain_environment(), **where}
        healthy = subprocess.run(HEALTHCHECK, cwd=ROOT, env=environment, timeout=60, check=False)
    gone = subprocess.run(HEALTHCHECK, cwd=ROOT, env=environment, timeout=60, check=False)
    assert (healthy.returncode, gone.returncode) == (0, 1)


def test_healthcheck_asks_nowhere_else() -> None:
    """The health check fails if only a service at another address runs."""
    with running(BIND_ADDRESS="127.0.0.2") as service:
        where = {"BIND_ADDRESS": "127.0.0.1", "PORT": str(service.port)}
        environment = {**plain_environment(), **where}
        asked = subprocess.run(HEALTHCHECK, cwd=ROOT, env=environment, timeout=60, check=False)
    assert asked.returncode == 1
