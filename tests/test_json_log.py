"""LOG_FORMAT=json: every line is an object, with nothing in it that has to stay secret."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.live import JSON, Service, running
from tests.sessions.servers import until

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
CLIENTS = 4

PATIENCE = 600
"""How many seconds a busy machine may take for what takes less than one on a quiet one."""

EVALUATE = "/v1/variants/dice-poker/evaluate"


@pytest.fixture(scope="module")
def logging_service() -> Iterator[Service]:
    """A service that logs in JSON, requests included."""
    with running(LOG_FORMAT="json", ACCESS_LOG="-") as service:
        yield service


def lines(service: Service) -> list[dict[str, Any]]:
    """All lines so far, each of which is JSON."""
    return [json.loads(line) for line in service.output.text.splitlines()]


def line_of(service: Service, request_id: str) -> dict[str, Any]:
    """The line of a request; there is just one."""
    service.output.wait_for(json.dumps(request_id))
    (found,) = (each for each in lines(service) if each.get("id") == request_id)
    return found


def test_request(logging_service: Service) -> None:
    """The line of a request has its id, route, variant, status, duration and traceparent."""
    headers = {"Content-Type": JSON, "X-Request-ID": 'a"}\\{', "traceparent": TRACE}
    reply = logging_service.ask("POST", EVALUATE, b'{"dice": [1, 2, 3, 4, 5]}', headers)
    line = line_of(logging_service, 'a"}\\{')
    assert line.pop("time").endswith("Z")
    assert line.pop("seconds") > 0
    assert line == {
        "level": "info",
        "message": "request",
        "id": 'a"}\\{',
        "method": "POST",
        "route": EVALUATE,
        "variant": "dice-poker",
        "status": 200,
        "bytes": len(reply.body),
        "traceparent": TRACE,
    }


@pytest.mark.parametrize(
    "given",
    [
        TRACE.replace("4bf9", "4BF9"),
        f"{TRACE}-more",
        TRACE[:-1],
        f"ff{TRACE[2:]}",
        f"00-{'0' * 32}-00f067aa0ba902b7-01",
        f"00-4bf92f3577b34da6a3ce929d0e0e4736-{'0' * 16}-01",
        "secret",
        "",
    ],
)
def test_invalid_traceparent(logging_service: Service, given: str) -> None:
    """A traceparent that isn't valid is left out."""
    own = f"invalid-{given}"
    logging_service.get("/livez", X_Request_ID=own.replace(" ", "-"), traceparent=given)
    assert "traceparent" not in line_of(logging_service, own)


def test_traceparent_of_a_later_version(logging_service: Service) -> None:
    """A later version of the header may have more fields, whatever is in them."""
    later = f'01{TRACE[2:]}-","status":500,"a":"'
    logging_service.get("/livez", X_Request_ID="later", traceparent=later)
    assert line_of(logging_service, "later")["traceparent"] == later


def test_secrets(logging_service: Service) -> None:
    """No token, seed, die or id of a session is logged, nor what a client puts into a URL or a
    broken request. A line of a session has its variant.
    """
    service = logging_service
    new = {"variant": "texas-holdem-dice", "players": ["ann", "ben"], "seed": "seed-of-the-client"}
    made = service.post("/v1/sessions", new).json
    tokens = [made["tokens"]["table"], *made["tokens"]["players"].values()]
    path = f"/v1/sessions/{made['id']}"
    for number, token in enumerate(tokens):
        service.get(path, Authorization=f"Bearer {token}", X_Request_ID=f"read-{number}")
        service.get(f"{path}?token={token}", Authorization=f"Basic {token}")
        service.get(f"/nowhere/{token}")
        service.send(f"GET /livez?token={token} HTTP/9\r\n\r\n".encode())
        service.send(f"POST {EVALUATE}?\x1b[2J{token} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        service.send(f"POST {EVALUATE} HTTP/1.1\r\nHost: {token} x\r\n\r\n".encode())
    assert line_of(service, "read-2")["route"] == "/v1/sessions/{session_id}"
    assert line_of(service, "read-2")["variant"] == "texas-holdem-dice"
    service.get("/livez", X_Request_ID="last")
    line_of(service, "last")
    text = service.output.text
    for secret in (*tokens, made["id"], "seed-of-the-client", "nowhere", "\x1b"):
        assert secret not in text
    refused = [each for each in lines(service) if each.get("route") == "refused"]
    assert len(refused) == 3 * len(tokens)
    assert {each["status"] for each in refused} == {400}


def test_other_lines(logging_service: Service) -> None:
    """Gunicorn's own lines and warnings are objects, too, with their level and process."""
    service = logging_service
    (greeting,) = (each for each in lines(service) if "contract: /docs" in each["message"])
    address = f"http://127.0.0.1:{service.port}"
    assert greeting.pop("time").endswith("Z")
    assert greeting == {
        "level": "info",
        "logger": "gunicorn.error",
        "process": service.process.pid,
        "message": f"Listening on {address} (contract: /docs).",
    }
    service.send(b"GET / HTTP/9\r\n\r\n")
    service.output.wait_for("Refusing the request")
    assert "warning" in {each["level"] for each in lines(service)}


@pytest.mark.fault
def test_lines_of_the_app() -> None:
    """What the app logs, and what is printed at the start, are objects as well."""
    with running(LOG_FORMAT="json", DATA_DIR="/dev/null") as service:
        (line,) = (each for each in lines(service) if "Sessions are off" in each["message"])
        assert (line["logger"], line["level"]) == ("service", "warning")
        service.post("/v1/sessions", {"variant": "dice-poker", "players": ["ann"]})
        service.output.wait_for("the store of sessions failed")
        (line,) = (each for each in lines(service) if "failed" in each["message"])
        assert (line["logger"], line["level"]) == ("service.app", "error")


@pytest.mark.fault
def test_rotation(tmp_path: Path) -> None:
    """After SIGUSR1 the access log goes to the new file of its name."""
    log = tmp_path / "access.log"
    with running(LOG_FORMAT="json", ACCESS_LOG=str(log)) as service:
        service.get("/livez", X_Request_ID="before")
        log.rename(tmp_path / "old.log")
        service.process.send_signal(signal.SIGUSR1)
        until(log.exists, "there is a new file")
        until(lambda: _asked(service, log), "the worker writes to it")
        assert b"before" in (tmp_path / "old.log").read_bytes()


def _asked(service: Service, log: Any) -> bool:
    service.get("/livez", X_Request_ID="after")
    return b"after" in log.read_bytes()


@pytest.mark.fault
def test_stops_and_reloads(tmp_path: Path) -> None:
    """Each request that got a response has one line, whatever a worker did meanwhile: here it is
    replaced (SIGHUP), and another one is stopped (SIGTERM), both under load.
    """
    log = tmp_path / "log"
    with running(LOG_FORMAT="json", ACCESS_LOG=str(log), WEB_CONCURRENCY="2") as service:
        answered: list[str] = []

        def ask(client: int) -> None:
            for number in count():
                own = f"{client}.{number}"
                try:
                    assert service.get("/livez", X_Request_ID=own).status == 200
                except OSError:  # the service has stopped
                    return
                answered.append(own)

        with ThreadPoolExecutor(CLIENTS) as pool:
            asking = [pool.submit(ask, client) for client in range(CLIENTS)]
            try:
                until(lambda: len(answered) > 50, "there is load", PATIENCE)
                replace_workers(service)
                before = len(answered)
                until(lambda: len(answered) > before + 50, "the new workers have load", PATIENCE)
            finally:  # which ends the clients, also if the test fails
                service.process.send_signal(signal.SIGTERM)
            for each in asking:
                each.result()
        assert service.process.wait(timeout=30) == 0
    logged = Counter(json.loads(line)["id"] for line in log.read_bytes().splitlines())
    assert set(logged.values()) == {1}
    assert set(answered) <= logged.keys()


def replace_workers(service: Service) -> None:
    """Has the master replace its workers."""
    before = set(service.workers())
    service.process.send_signal(signal.SIGHUP)
    until(lambda: not before & set(service.workers()), "the workers are replaced", PATIENCE)
