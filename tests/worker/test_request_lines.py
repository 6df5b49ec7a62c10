"""The lines of requests in JSON are written several at a time, and none is lost meanwhile."""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
from gunicorn.config import Config

from service.metrics.declared import LINES_LOST
from service.metrics.instruments import totals
from service.worker.counting import outcome_of
from service.worker.json_log import JsonLogger
from service.worker.request_lines import WRITE_SECONDS, RequestLines
from tests.live import Service, running
from tests.sessions.servers import until

OK = outcome_of("GET", {}, "200 OK")
CLIENTS = 4

PATIENCE = 600
"""How many seconds a busy machine may take for what takes less than one on a quiet one."""


@contextmanager
def datagrams() -> Iterator[tuple[logging.Handler, socket.socket]]:
    """A handler, and a socket that receives each of its writes on its own."""
    own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with own, other, own.makefile("w") as stream:
        other.setblocking(False)
        yield logging.StreamHandler(stream), other


def ids(data: bytes) -> list[str]:
    """The ids in some whole lines."""
    assert data.endswith(b"\n")
    return [json.loads(line)["id"] for line in data.splitlines()]


def test_a_pipe_that_nobody_reads() -> None:
    """Lines that a full pipe doesn't take are lost and counted; later ones are written again."""
    reader, writer = os.pipe()
    with open(writer, "w") as stream, open(reader, "rb", buffering=0) as log:
        fill(writer)
        lines = RequestLines([logging.StreamHandler(stream)])
        before = lost()
        for number in range(3):
            lines.add(f"{number}", OK, 0, 0.0, "")
        lines.write()
        assert lost() == before + 3
        assert set(log.read(1 << 20)) == {ord("\n")}
        lines.add("3", OK, 0, 0.0, "")
        lines.write()
        assert ids(log.read(1 << 20)) == ["3"]


def test_an_error_log_that_nobody_reads(tmp_path: Path) -> None:
    """Other lines are lost, too, rather than have the worker or the master wait for a reader."""
    pipe = tmp_path / "log"
    os.mkfifo(pipe)
    config = Config()
    config.set("errorlog", str(pipe))
    with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as log, own_loggers():
        logger = JsonLogger(config)
        (handler,) = logger.error_log.handlers
        assert isinstance(handler, logging.StreamHandler)
        fill(handler.stream.fileno())
        before = lost()
        logger.warning("Refusing a request")
        assert lost() == before + 1
        assert set(log.read(1 << 20)) == {ord("\n")}
        logger.warning("Refusing another one")
        assert json.loads(log.read(1 << 20))["message"] == "Refusing another one"


def fill(pipe: int) -> None:
    """Writes to `pipe` until it takes no more."""
    os.set_blocking(pipe, False)
    with suppress(BlockingIOError):
        while True:
            os.write(pipe, b"\n" * select.PIPE_BUF)
    os.set_blocking(pipe, True)


def lost() -> float:
    """How many lines this process has lost."""
    return sum(map(sum, totals().get(LINES_LOST.name, {}).values()))


def test_several_lines_in_one_write() -> None:
    """Lines are written together and in order, but no more than a pipe takes as a whole."""
    with datagrams() as (handler, other):
        lines = RequestLines([handler])
        for number in range(100):
            lines.add(f"{number}", OK, 0, 0.0, "")
        lines.write()
        first = other.recv(1 << 16)
        sent = [first]
        while len(ids(b"".join(sent))) < 100:
            sent.append(other.recv(1 << 16))
    assert ids(b"".join(sent)) == [f"{number}" for number in range(100)]
    assert len(first) > select.PIPE_BUF / 2
    assert max(map(len, sent)) <= select.PIPE_BUF


def test_a_line_waits_for_others() -> None:
    """A line is written at once if none was written shortly before; else it waits that long."""
    with datagrams() as (handler, other):
        lines = RequestLines([handler])
        lines.add("first", OK, 0, 0.0, "")
        lines.write_due(1000.0)
        lines.add("second", OK, 0, 0.0, "")
        lines.write_due(1000.0 + WRITE_SECONDS / 2)
        assert ids(other.recv(1 << 16)) == ["first"]
        with pytest.raises(BlockingIOError):
            other.recv(1)
        lines.add("third", OK, 0, 0.0, "")
        lines.write_due(1000.0 + WRITE_SECONDS)
        assert ids(other.recv(1 << 16)) == ["second", "third"]


def test_lines_after_the_end() -> None:
    """The end of the loop writes what waits, and lines after that are written at once."""
    with datagrams() as (handler, other):
        lines = RequestLines([handler])
        lines.add("first", OK, 0, 0.0, "")
        lines.close()
        assert ids(other.recv(1 << 16)) == ["first"]
        lines.add("second", OK, 0, 0.0, "")
        assert ids(other.recv(1 << 16)) == ["second"]


@contextmanager
def own_loggers() -> Iterator[None]:
    """The loggers that gunicorn sets up have no handlers, such as pytest's, and keep none."""
    names = (None, "gunicorn.access", "gunicorn.error")  # the first is the root
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.handlers for logger in loggers]
    for logger in loggers:
        logger.handlers = []
    yield
    for logger, handlers in zip(loggers, before, strict=True):
        for handler in logger.handlers:
            handler.close()
        logger.handlers = handlers


def test_order_of_lines(tmp_path: Path) -> None:
    """An error is logged after the requests that had ended before it, and a file that is reopened
    has all of them.
    """
    log, old = tmp_path / "log", tmp_path / "old"
    config = Config()
    config.set("accesslog", str(log))
    config.set("errorlog", str(log))
    with own_loggers():
        logger = JsonLogger(config)
        logger.request("first", OK, 0, 0.0, "")
        logger.error("An error")
        logger.request("second", OK, 0, 0.0, "")
        log.rename(old)
        logger.reopen_files()
        logger.request("third", OK, 0, 0.0, "")
        logger.lines.close()
    lines = [json.loads(line) for line in old.read_text().splitlines()]
    assert [line.get("id", line["message"]) for line in lines] == ["first", "An error", "second"]
    assert ids(log.read_bytes()) == ["third"]


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
    logged = Counter(ids(log.read_bytes()))
    assert set(logged.values()) == {1}
    assert set(answered) <= logged.keys()


def replace_workers(service: Service) -> None:
    """Has the master replace its workers."""
    before = set(service.workers())
    service.process.send_signal(signal.SIGHUP)
    until(lambda: not before & set(service.workers()), "the workers are replaced", PATIENCE)
