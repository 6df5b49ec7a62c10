"""The service in this process, from the bytes of a request's head to the response of the app."""

from __future__ import annotations

import gzip
import logging
import os
import tempfile
from functools import cache
from pathlib import Path

from werkzeug.test import run_wsgi_app

from service.api.http.request_id import TracedFlask
from service.api.http.waiting import WAITER, Waiting, Watch
from service.app import create_app
from service.sessions.store import embedded
from service.settings import Settings
from service.worker.exchange import environ_of
from service.worker.refusal import Refusal
from service.worker.request import Request
from tests.contract.checker import contract_checker
from tests.live import Reply
from tests.worker.requests import CONNECTION, HOOKS

UNITS = 2**31
"""So many units a minute that no client is ever refused."""

_ENTITY_HEADERS = ("CONTENT-LENGTH", "TRANSFER-ENCODING")


class Failed(Exception):
    """A request was answered with 500; the cause is what the app logged."""


@cache
def app() -> TracedFlask:
    """The app with its own store, CORS and rate limits."""
    folder = Path(tempfile.mkdtemp(dir=os.environ.get("DATA_DIR")))
    settings = Settings(
        data_dir=str(folder),
        allow_origins="https://a.example",
        trusted_proxies="127.0.0.1, 10.0.0.0/8",
        rate_limit=UNITS,
        session_limit=UNITS,
        max_body_bytes=1 << 14,
        max_batch_bytes=1 << 16,
        prepare_tables=0,
    )
    embedded.start(settings)
    made = create_app(settings)
    made.logger.handlers, made.logger.propagate = [_Raises()], False
    return made


class _Raises(logging.Handler):
    """Raises what the app logs as unexpected."""

    def emit(self, record: logging.LogRecord) -> None:
        """Raises `Failed` for an exception. Other records are dropped."""
        if record.exc_info and record.exc_info[1]:
            raise Failed(record.getMessage()) from record.exc_info[1]


def stop() -> None:
    """Stops the store, and closes what is open."""
    embedded.stop()
    app.cache_clear()


class _Impatient:
    """A waiter that wants its response now."""

    over = True

    def __init__(self) -> None:
        self.waiting: Waiting | None = None
        self.until = 0.0
        self.watch: Watch | None = None

    def wake(self) -> None:
        """Does nothing."""


def ask(head: bytes, body: bytes) -> Reply | None:
    """The response to a request, checked against the contract; None if the worker refuses its head.

    `head` ends with an empty line. No request waits for a session to change. Flask takes any number
    of slashes at the start of a path for one.
    """
    request = Request(HOOKS)
    try:
        request.parse_head(head)
    except Refusal:
        request.body.close()
        return None
    headers = [pair for pair in request.headers if pair[0] not in _ENTITY_HEADERS]
    request.headers = [*headers, ("CONTENT-LENGTH", str(len(body)))]
    request.body.write(body)
    request.body.seek(0)
    environ = environ_of(request, CONNECTION)
    waiter = environ[WAITER] = _Impatient()
    with request.body:
        try:
            parts, line, sent = run_wsgi_app(app().wsgi_app, environ, buffered=True)
        finally:
            if waiter.watch is not None:
                waiter.watch.close()
    status, answer = int(line[:3]), b"".join(parts)
    named: dict[str, str] = {}
    for name, value in sent:
        assert not {"\r", "\n", "\0"} & {*name, *value}, f"a broken header: {name}: {value!r}"
        value.encode("latin-1")
        named[name] = value
    assert status < 500 or status == 503, f"{status} {answer!r}"
    if request.method == "HEAD" and status in (404, 405):
        assert not answer
        return Reply(status, named, answer)
    path = f"/{request.path.lstrip('/')}" if request.path.startswith("/") else request.path
    target = path + (f"?{request.query}" if request.query else "")
    contract_checker().check(request.method, target, status, named, answer)
    return Reply(status, named, gzip.decompress(answer) if _zipped(named) else answer)


def _zipped(headers: dict[str, str]) -> bool:
    return headers.get("Content-Encoding") == "gzip"
