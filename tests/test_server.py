"""The service starts, prints what to try, and stops cleanly."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.live import ROOT, Service, free_port, plain_environment, running


@pytest.fixture(scope="module")
def everywhere() -> Iterator[Service]:
    """A service on all addresses, with an access log, and defaults for what is empty."""
    with running(BIND_ADDRESS="0.0.0.0", ACCESS_LOG="-", WEB_CONCURRENCY="", THREADS="") as started:
        yield started


def test_greeting(service: Service) -> None:
    """The service prints where it listens and a request to try."""
    assert (
        f"curl -s http://127.0.0.1:{service.port}/v1/variants/poker-dice/evaluate"
        in service.output.text
    )


def test_greeting_on_all_addresses(everywhere: Service) -> None:
    """If the service listens on all addresses, the line to open has one that leads to it."""
    found = re.search(r"Open http://([\d.]+):(\d+)/play", everywhere.output.text)
    assert found
    assert found[1] != "0.0.0.0"
    socket.create_connection((found[1], int(found[2])), timeout=300).close()


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("stop", "send"),
    [(signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill)],
    ids=["Ctrl-C, which a terminal sends to every process", "SIGTERM to the master"],
)
def test_stops_cleanly(stop: signal.Signals, send: Callable[[int, int], None]) -> None:
    """A service that is stopped ends without an error, a killed worker or a process left, and
    doesn't start its store again.
    """
    with running(WEB_CONCURRENCY="2") as service:
        assert service.get("/livez").status == 200
        send(service.process.pid, stop)
        assert service.process.wait(timeout=300) == 0
        assert "Traceback" not in service.output.whole
        assert "SIGKILL" not in service.output.whole
        assert "The store of sessions has ended" not in service.output.whole
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", service.port), timeout=300)


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
        timeout=300,
    )
    assert (started.returncode, started.stdout, started.stderr) == (0, "", "")


def test_access_log(everywhere: Service) -> None:
    """ACCESS_LOG=- writes a line per request to standard output, with the request id."""
    everywhere.get("/livez", X_Request_ID="find-me")
    everywhere.output.wait_for('"GET /livez HTTP/1.1" 200 15 bytes')
    everywhere.output.wait_for("find-me")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("PORT", marks=pytest.mark.proof),
        "WEB_CONCURRENCY",
        pytest.param("THREADS", marks=pytest.mark.proof),
    ],
)
def test_bad_setting(name: str) -> None:
    """An invalid setting prevents the start, with its name and valid values."""
    started = subprocess.run(
        [sys.executable, "-m", "service"],
        cwd=ROOT,
        env={**plain_environment(), name: "http"},
        capture_output=True,
        text=True,
        timeout=300,
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
        pytest.param(
            "--proxy-protocol",
            "This worker doesn't know the PROXY protocol: leave proxy_protocol out.",
            marks=pytest.mark.proof,
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
        timeout=300,
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


def test_empty_setting(everywhere: Service) -> None:
    """An empty setting has its default."""
    assert everywhere.get("/livez").status == 200


HEALTHCHECK = [sys.executable, "-m", "service.cli.healthcheck"]


def is_healthy(port: int, address: str, **more: str) -> bool:
    """Whether the health check finds a service at a port of `address`."""
    environment = {**plain_environment(), "PORT": str(port), "BIND_ADDRESS": address, **more}
    asked = subprocess.run(HEALTHCHECK, cwd=ROOT, env=environment, timeout=300, check=False)
    assert asked.returncode in (0, 1)
    return asked.returncode == 0


def test_healthcheck(service: Service, everywhere: Service) -> None:
    """The health check succeeds if the service responds where it listens, or on all addresses, and
    fails where there is none.
    """
    assert is_healthy(service.port, "127.0.0.1", http_proxy="http://127.0.0.1:9")
    assert is_healthy(everywhere.port, "0.0.0.0")
    assert not is_healthy(free_port(), "127.0.0.1")
    assert not is_healthy(service.port, "127.0.0.2"), "it asks nowhere else"


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
    "127.0.0.2",
    *(["::1", "::"] if has_ipv6() else []),
]


@pytest.mark.proof
@pytest.mark.parametrize("address", ADDRESSES)
def test_healthcheck_asks_where_the_service_listens(address: str) -> None:
    """The health check asks at BIND_ADDRESS: an IP address, a host name, or all addresses."""
    with running(BIND_ADDRESS=address) as service:
        assert is_healthy(service.port, address)
    assert not is_healthy(service.port, address)
