"""What a connection takes from its client, and what ends the wait for it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import wraps
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.worker.client import RECEIVE_BYTES, Phase
from service.worker.connection import Connection
from service.worker.hooks import WAITER
from service.worker.request import SMALL_CHUNKS
from service.worker.server import Server
from tests.worker.raw import EVALUATE, get, head
from tests.worker.requests import HOOKS, parsed

WAITS = "/waits"


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that runs in a loop of its own."""

    @wraps(test)
    def run(*given: Any, **named: Any) -> None:
        asyncio.run(test(*given, **named))

    return run


def wait_for_ever(environ: dict[str, Any], _: object) -> list[bytes]:
    """An app whose requests wait."""
    environ[WAITER].waiting = SimpleNamespace(seconds=600)
    return []


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[Server, Connection, socket.socket]]:
    """A server whose loop runs while this waits, its only connection, and the client's socket."""
    log = Logger(Config())
    hooks = replace(HOOKS, brief_paths={WAITS})
    server = Server(wait_for_ever, hooks, Config(), log, lambda: None, lambda: None)
    server.stall_seconds, server.linger_seconds = 5, 2
    ours, client = socket.socketpair()
    ours.setblocking(False)
    connection = Connection(server, ("127.0.0.1", 4321), ("127.0.0.1", 8000))
    server.open(ours, connection)
    with client:
        client.settimeout(30)
        await rounds()
        yield server, connection, client
        connection.close()
        await rounds()


async def rounds() -> None:
    """Some rounds of the loop, in which it comes to all that has happened."""
    for _ in range(5):
        await asyncio.sleep(0)


@in_a_loop
async def test_how_much_is_received() -> None:
    """At most 4 KiB are received beyond the body, or the chunk, that a connection waits for."""
    async with connected() as (_, connection, client):
        assert len(connection.get_buffer(-1)) == RECEIVE_BYTES
        client.sendall(head("POST", EVALUATE, "Content-Length: 100000") + b"12345")
        await rounds()
        assert len(connection.get_buffer(-1)) == 99_995
    async with connected() as (_, connection, client):
        client.sendall(head("POST", EVALUATE, "Transfer-Encoding: chunked") + b"10000\r\n12")
        await rounds()
        assert len(connection.get_buffer(-1)) == 0xFFFE


@in_a_loop
async def test_how_much_is_kept() -> None:
    """At most 4 KiB of the requests behind one that is under way are taken from the client, and
    another 4 KiB that had arrived with it.
    """
    async with connected() as (_, connection, client):
        client.sendall(get(WAITS) + b"x" * 100_000)
        await rounds()
        assert connection.phase is Phase.WAITING
        assert len(connection.incoming.rest) <= 2 * RECEIVE_BYTES


def test_tiny_chunks() -> None:
    """A request with many tiny chunks is a large one."""
    start = head("POST", EVALUATE, "Transfer-Encoding: chunked")
    assert not parsed(start + b"1\r\n \r\n" * SMALL_CHUNKS).large
    assert parsed(start + b"1\r\n \r\n" * (SMALL_CHUNKS + 1)).large


@pytest.mark.parametrize("sent", [b"", b"GET"], ids=["idle", "reading"])
@in_a_loop
async def test_bytes_that_the_loop_has_not_come_to(sent: bytes) -> None:
    """A client whose bytes have arrived doesn't stall: a busy loop receives them late."""
    async with connected() as (server, connection, client):
        client.sendall(sent)
        await rounds()
        connection.deadline = 0
        client.sendall(b"POST")
        server.loop.call_later(0, server.end_overdue, 1)
        await rounds()
        assert (connection.phase, connection.incoming.rest) == (Phase.READING, sent + b"POST")


@pytest.mark.parametrize(("taken", "goes_on"), [(0, False), (1 << 19, True)])
@in_a_loop
async def test_a_client_that_takes_its_response(taken: int, goes_on: bool) -> None:
    """A client that takes a part of its response in time doesn't stall; one that takes nothing
    loses its connection.
    """
    async with connected() as (server, connection, client):
        client.sendall(head("POST", EVALUATE, "Content-Length: 2") + b"{")
        await rounds()
        connection.write(bytes(1 << 24))
        connection.send_on()
        assert connection.phase is Phase.WRITING
        connection.deadline = 0
        while taken > 0 and client.recv(1 << 16) and connection.deadline == 0:
            await rounds()
            connection.is_overdue(1)
        server.end_overdue(1)
        assert (connection in server.connections) is goes_on


@in_a_loop
async def test_a_client_that_sends_nothing() -> None:
    """An idle client finds its connection closed."""
    async with connected() as (server, connection, client):
        connection.deadline = 0
        server.end_overdue(1)
        assert (connection.phase, client.recv(9)) == (Phase.CLOSING, b"")
