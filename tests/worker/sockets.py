"""Connections of a worker without the worker: a test is their client."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.settings import Settings
from service.worker.connection import Connection
from service.worker.request import RequestLimits
from service.worker_hooks import hooks_of

LIMITS = RequestLimits(
    line_bytes=4094,
    headers=100,
    header_bytes=8190,
    hooks=hooks_of(Settings(), None, Logger(Config()), threads=4),
    stall_seconds=5,
    linger_seconds=2,
)


@contextmanager
def connection_and_client(peer: str = "127.0.0.1") -> Iterator[tuple[Connection, socket.socket]]:
    """A connection from `peer`, and the socket of its client."""
    ours, client = socket.socketpair()
    with client:
        client.settimeout(30)
        connection = Connection(ours, (peer, 4321), ("127.0.0.1", 8000), LIMITS)
        yield connection, client
        connection.close()
