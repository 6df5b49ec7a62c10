"""The service starts, prints what to try, and stops cleanly."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.cli.commands import ran
from tests.live import ROOT, Output, Service, free_port, plain_environment, running
from tests.sampled import first
from tests.sessions.servers import until


@pytest.fixture(scope="module")
def everywhere() -> Iterator[Service]:
    """A service on all addresses, with an access log, and defaults for what is empty."""
    with running(BIND_ADDRESS="0.0.0.0", ACCESS_LOG="-", WEB_CONCURRENCY="", THREADS="") as started:
        yield started


def test_greeting() -> None:
    """The service prints that it starts, then where to play, where the interface is described, a
    request to try and how to stop it, and nothing else.
    """
    with running(GUNICORN_CMD_ARGS="--log-level=warning") as service:
        service.output.wait_for("Ctrl-C")
        url = f"http://127.0.0.1:{service.port}"
        assert service.get("/readyz?store").status == 200
    assert service.output.whole == (
        "Starting the service ...\n"
        f"Play: {url}/play\n"
        f"API:  {url}/docs\n"
        f"Try:  curl -s {url}/v1/variants/poker-dice/evaluate -H 'Content-Type: application/json' "
        """-d '{"dice": [1, 2, 3, 4, 6]}'\n"""
        "Ctrl-C stops.\n"
    )


def lives(port: int) -> bool:
    """Whether a service answers at `port`: that somebody listens there may be its own check."""
    with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/livez", timeout=60) as reply:
        return bool(reply.status == 200)
    return False


@pytest.mark.fault
@pytest.mark.parametrize("log_format", ["plain", "json"])
def test_nobody_reads(tmp_path: Path, log_format: str) -> None:
    """A service starts and warns although nobody reads its standard output and its errors."""
    port, folder = free_port(), tmp_path / "open to others"
    folder.mkdir(mode=0o755)
    own = {"PORT": str(port), "LOG_FORMAT": log_format, "DATA_DIR": str(folder), "METRICS": "off"}
    read, written = os.pipe()
    os.close(read)
    with subprocess.Popen(
        [sys.executable, "-m", "service"],
        cwd=ROOT,
        env={**plain_environment(), **own},
        stdout=written,
        stderr=written,
    ) as process:
        os.close(written)
        try:
            until(lambda: lives(port), "the service answers")
        finally:
            process.send_signal(signal.SIGTERM)
    assert process.returncode == 0


@pytest.mark.parametrize(
    "where",
    first(["the settings", "gunicorn's settings", "METRICS"], pytest.mark.fault),
    ids=["PORT", "bind", "METRICS"],
)
def test_a_port_in_use(where: str, tmp_path: Path) -> None:
    """One line says which port is in use, and names one that is free. Nothing has started then."""
    with socket.create_server(("127.0.0.1", free_port())) as other:
        port = other.getsockname()[1]
        settings = {
            "the settings": {"PORT": str(port)},
            "gunicorn's settings": {
                "PORT": str(free_port()),
                "GUNICORN_CMD_ARGS": f"--bind=127.0.0.1:{port}",
            },
            "METRICS": {"PORT": str(free_port()), "METRICS": str(port)},
        }[where]
        ended = ran(DATA_DIR=str(tmp_path / "data"), **settings)
    said = re.fullmatch(
        rf"Port {port} is in use\.(?: Try: (PORT|METRICS)=(\d+) python -m service)?\n", ended.stderr
    )
    assert said, ended.stderr
    assert said[1] == {"the settings": "PORT", "METRICS": "METRICS"}.get(where)
    if said[2]:
        socket.create_server(("127.0.0.1", int(said[2]))).close()
    assert (ended.returncode, (tmp_path / "data").exists()) == (1, False)


@pytest.mark.fault
@pytest.mark.parametrize(
    ("words", "own", "typed"),
    [
        ([], {}, " python -m service"),
        (["serve"], {}, " python -m service serve"),
        ([], {"MAKELEVEL": "1"}, " make run"),
        ([], {"GUNICORN_CMD_ARGS": "--log-level=warning"}, ""),
    ],
    ids=["module", "serve", "make", "gunicorn's settings"],
)
def test_an_address_that_is_not_ours(words: list[str], own: dict[str, str], typed: str) -> None:
    """One line says so, and what to type instead: the same command, if the service knows it."""
    ended = ran(*words, BIND_ADDRESS="192.0.2.7", PORT=str(free_port()), **own)
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        1,
        "" if typed else "Starting the service ...\n",  # gunicorn knows where it is to listen
        f"192.0.2.7 is not an address of this machine. Try: BIND_ADDRESS=127.0.0.1{typed}\n",
    )


@pytest.mark.fault
@pytest.mark.parametrize("busy", [False, True])
def test_a_unix_socket_in_use(busy: bool, tmp_path: Path) -> None:
    """A socket on which somebody listens isn't replaced, even if that one is too `busy` to accept
    connections.
    """
    with socket.socket(socket.AF_UNIX) as other, socket.socket(socket.AF_UNIX) as waiting:
        other.bind(f"{tmp_path}/socket")
        other.listen(0 if busy else 5)
        if busy:
            waiting.connect(f"{tmp_path}/socket")
        ended = ran(GUNICORN_CMD_ARGS=f"--bind=unix:{tmp_path}/socket", DATA_DIR=str(tmp_path))
    said = f"The socket {tmp_path}/socket is in use.\n"
    assert (ended.returncode, ended.stderr) == (1, said)


ADDRESSES_TWICE = {
    "a port": ("127.0.0.1:{}", "127.0.0.1:{}"),
    "a port of all addresses": ("127.0.0.1:{}", "0.0.0.0:{}"),
    "a socket": ("unix:socket-{}", "unix:socket-{}"),
}


@pytest.mark.fault
@pytest.mark.parametrize("addresses", ADDRESSES_TWICE.values(), ids=ADDRESSES_TWICE)
def test_an_address_twice(addresses: tuple[str, str], tmp_path: Path) -> None:
    """One line says that the service is to listen twice at the same place."""
    port = free_port()
    binds = " ".join(f"--bind={each.format(port)}" for each in addresses)
    ended = ran(GUNICORN_CMD_ARGS=binds, DATA_DIR=str(tmp_path / "data"))
    said = f"Port {port} is in use: the service is to listen there at several addresses.\n"
    if addresses[0].startswith("unix"):
        said = f"socket-{port} is to be two sockets.\n"
    assert (ended.returncode, ended.stderr) == (1, said)
    assert not (tmp_path / "data").exists()


@pytest.mark.fault
def test_the_path_of_a_socket_that_is_too_long(tmp_path: Path) -> None:
    """One line says so."""
    path = f"{tmp_path}/{'long' * 30}"
    ended = ran(GUNICORN_CMD_ARGS=f"--bind=unix:{path}", DATA_DIR=str(tmp_path / "data"))
    said = f"The service can't listen at {path}: AF_UNIX path too long\n"
    assert (ended.returncode, ended.stderr) == (1, said)


@pytest.mark.fault
def test_a_refusal_in_json() -> None:
    """With the log in JSON, that line is an object, too."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        ended = ran(PORT=port, LOG_FORMAT="json")
    assert ended.returncode == 1
    assert json.loads(ended.stderr)["message"].startswith(f"Port {port} is in use. Try: PORT=")


@pytest.mark.fault
def test_sockets_that_are_handed_over(tmp_path: Path) -> None:
    """A service that is handed an open socket, as systemd does it, listens there."""
    with socket.create_server(("127.0.0.1", 0)) as ours:
        port = ours.getsockname()[1]
        hand_over = f'exec 3<&{ours.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"'
        process = subprocess.Popen(
            ["/bin/bash", "-c", hand_over, "bash", sys.executable, "-m", "service"],
            cwd=ROOT,
            env={**plain_environment(), "DATA_DIR": str(tmp_path), "PREPARE_TABLES": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            pass_fds=[ours.fileno()],
        )
    output = Output(process)
    try:
        output.wait_for(f"API:  http://127.0.0.1:{port}/docs")
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.mark.fault
def test_one_format_of_times() -> None:
    """Lines of gunicorn, of the app and of what the service finds at its start begin alike."""
    with running(DATA_DIR="/dev/null") as service:
        service.get("/readyz?store")
        os.kill(service.workers()[0], signal.SIGKILL)
        service.output.wait_for("was sent SIGKILL")
        service.output.wait_for("not ready")
        lines = service.output.text.splitlines()
    stamp = r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}\] \[\d+\] \[(INFO|WARNING|ERROR)\] "
    for word in ("Sessions are off", "not ready", "was sent SIGKILL", "Booting worker"):
        (line, *_) = (line for line in lines if word in line)
        assert re.match(stamp, line), line


@pytest.mark.fault
def test_greeting_on_all_addresses(everywhere: Service) -> None:
    """If the service listens on all addresses, the line to open has one that leads to it."""
    found = re.search(r"Play: http://([\d.]+):(\d+)/play", everywhere.output.text)
    assert found
    assert found[1] != "0.0.0.0"
    socket.create_connection((found[1], int(found[2])), timeout=300).close()


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("stop", "send"),
    [(signal.SIGINT, os.killpg), pytest.param(signal.SIGTERM, os.kill, marks=pytest.mark.fault)],
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


@pytest.mark.fault
@pytest.mark.parametrize("stop", ["SIGTERM", "SIGINT"])
def test_stopped_while_it_starts(stop: str, tmp_path: Path) -> None:
    """SIGTERM and Ctrl-C end a service cleanly that hasn't started yet."""
    text = f"import os, signal\nos.kill(os.getpid(), signal.{stop})\nVARIANTS = ()\n"
    (tmp_path / "stops_the_service.py").write_text(text)
    ended = ran(VARIANTS="stops_the_service", PYTHONPATH=str(tmp_path), PORT=str(free_port()))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "Starting the service ...\n", "")


@pytest.mark.fault
def test_replaced_by_another_master(tmp_path: Path) -> None:
    """After SIGUSR2 another master listens, too, and goes on when the first one is stopped."""
    pid_file = tmp_path / "pid"
    with running(REDIS_URL="unix:///nowhere", GUNICORN_CMD_ARGS=f"--pid={pid_file}") as service:
        os.kill(service.process.pid, signal.SIGUSR2)
        until(Path(f"{pid_file}.2").exists, "another master starts")
        other = int(Path(f"{pid_file}.2").read_text())
        service.output.wait_for(f"[{other}] [INFO] Using worker")
        service.process.terminate()
        assert service.process.wait(timeout=300) == 0
        try:
            assert service.get("/livez").json == {"status": "ok"}
        finally:
            os.kill(other, signal.SIGTERM)
    assert "Traceback" not in service.output.whole


@pytest.mark.fault
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
    ended = ran(**{name: "http"})
    assert (ended.returncode, ended.stdout) == (1, "")
    assert re.fullmatch(
        rf"The service can't start: {name} must be a whole number from 1 to \d+: 'http'\.\n",
        ended.stderr,
    )


@pytest.mark.fault
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
    ended = ran(GUNICORN_CMD_ARGS=arguments, PORT=str(free_port()))
    assert ended.returncode == 1
    assert reason in ended.stderr


@pytest.mark.fault
def test_max_requests() -> None:
    """max_requests replaces a worker after that many requests, and no request is lost."""
    with running(GUNICORN_CMD_ARGS="--max-requests=5") as service:
        first = service.workers()
        assert [service.get("/livez").status for _ in range(20)] == [200] * 20
        assert not set(first) & set(service.workers())


@pytest.mark.fault
def test_empty_setting(everywhere: Service) -> None:
    """An empty setting has its default."""
    assert everywhere.get("/livez").status == 200


def is_healthy(port: int, address: str, **more: str) -> bool:
    """Whether the health check finds a service at a port of `address`."""
    asked = ran(module="service.cli.healthcheck", PORT=str(port), BIND_ADDRESS=address, **more)
    assert asked.returncode in (0, 1)
    return asked.returncode == 0


@pytest.mark.fault
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


ADDRESSES = ["0.0.0.0", "localhost", "127.0.0.2", *(["::1", "::"] if has_ipv6() else [])]


@pytest.mark.proof
@pytest.mark.parametrize("address", ADDRESSES)
def test_healthcheck_asks_where_the_service_listens(address: str) -> None:
    """The health check asks at BIND_ADDRESS: an IP address, a host name, or all addresses."""
    with running(BIND_ADDRESS=address) as service:
        assert is_healthy(service.port, address)
    assert not is_healthy(service.port, address)
