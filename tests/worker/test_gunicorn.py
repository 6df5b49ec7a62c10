"""What the worker uses of gunicorn beyond its documentation: an upgrade that changes it fails here.

`service/worker/README.md` has the same list.
"""

from __future__ import annotations

import os
import socket
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.instrument.statsd import Statsd
from gunicorn.workers.base import Worker

from service.access_log import EscapedAtoms, log_refusal
from service.worker.refusal import RefusalResponse
from tests.worker.raw import get
from tests.worker.requests import CONNECTION, parsed

DEPENDS = {
    "alive": "signals clear it, and then the loop ends",
    "cfg": "the loop reads gunicorn's settings from it",
    "handle_exit": "service/server.py makes SIGQUIT end a worker as SIGTERM does",
    "log": "errors and the access log are written to it",
    "max_requests": "a worker ends after so many requests",
    "notify": "the loop calls it once a second, or the master kills the worker",
    "nr": "the worker counts its requests there",
    "PIPE": "threads and signals wake the loop through it",
    "run": "it is the worker's loop, which the base class calls once the app is loaded",
    "sockets": "the loop accepts connections from them",
    "wsgi": "it is the app that threads run",
}


@pytest.mark.parametrize("name", DEPENDS)
def test_worker_attributes(name: str) -> None:
    """Gunicorn's base class of workers has each attribute that the service's worker uses."""
    config = Config()
    app: Any = SimpleNamespace(wsgi=lambda: "an app")
    worker = Worker(1, os.getpid(), [], app, 30, config, Logger(config))
    worker.load_wsgi()  # what init_process does for the app
    worker.tmp.close()
    assert hasattr(worker, name), (
        f"gunicorn.workers.base.Worker no longer has {name!r}, on which the service depends: "
        f"{DEPENDS[name]}"
    )


class Escaping(Logger):
    """gunicorn's logger, as the worker sets it up."""

    atoms_wrapper_class = EscapedAtoms


def test_access_log(capsys: pytest.CaptureFixture[str]) -> None:
    """Gunicorn's access log reads only what the service's requests and responses have."""
    config = Config()
    config.set("accesslog", "-")
    config.set(
        "access_log_format", '%(h)s "%(r)s" %(s)s %(B)s %(D)s %({x-request-id}o)s %({host}i)s'
    )
    log = Escaping(config)
    response = RefusalResponse("400 Bad Request", [("X-Request-ID", 'find-"me')], b"12345")
    log_refusal(log, response, parsed(get()), CONNECTION, 1.5)
    line = capsys.readouterr().out
    assert line == '127.0.0.1 "GET /livez HTTP/1.1" 400 5 1500000 find-\\"me localhost\n', (
        "gunicorn's Logger.access works in another way, on which service/access_log.py depends"
    )


def test_statsd() -> None:
    """Gunicorn's logger for statsd counts each request, also without an access log."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as statsd:
        statsd.bind(("127.0.0.1", 0))
        statsd.settimeout(30)
        config = Config()
        config.set("statsd_host", "{}:{}".format(*statsd.getsockname()))
        log = Statsd(config)
        response = RefusalResponse("400 Bad Request", [], b"12345")
        log_refusal(log, response, parsed(get()), CONNECTION, 1.5)
        assert log.sock is not None
        log.sock.close()
        sent = sorted(statsd.recv(1024).split(b"|")[0] for _ in range(3))
    assert sent == [
        b"gunicorn.request.duration:1500.0",
        b"gunicorn.request.status.400:1",
        b"gunicorn.requests:1",
    ]
