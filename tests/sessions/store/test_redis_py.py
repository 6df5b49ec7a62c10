"""What the store uses of redis-py beyond its documentation: an upgrade that changes it fails here.

Its texts decide whether a command has certainly not run (`connect.never_ran`), and its private
parts how long a request waits for the store.
"""

from __future__ import annotations

import inspect
import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

import pytest
import redis
from redis.connection import (
    AbstractConnection,
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
)
from redis.sentinel import Sentinel, SentinelManagedConnection, SentinelManagedSSLConnection

from service.sessions.store import connect, deadline
from service.sessions.store.deadline import TcpConnection
from tests.live import free_port
from tests.sessions.store.test_connect import refused_in_time

FULL = b"-ERR max number of clients reached\r\n"


@contextmanager
def full(*, at_once: bool) -> Iterator[int]:
    """A server that has no room for another client, which it says at once or to a command; its
    port.
    """

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            if not at_once:
                self.request.recv(4096)
            self.request.sendall(FULL)
            self.request.recv(4096)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


class Refused(TcpConnection):
    """A connection whose server says something before it is asked."""

    def connect(self) -> None:
        """Connects, and waits for what the server says."""
        own: Any = super()
        own.connect()
        assert select.select([self], [], [], 30)[0]


@contextmanager
def busy() -> Iterator[int]:
    """A server that accepts nobody; its port."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener, ExitStack() as waiting:
        while not refused_in_time(listener, waiting):
            pass
        yield listener.getsockname()[1]


TEXTS: dict[str, tuple[Any, type[TcpConnection]]] = {
    "Timeout connecting to server": (busy, TcpConnection),
    "max number of clients reached": (lambda: full(at_once=False), TcpConnection),
    "Connection has data": (lambda: full(at_once=True), Refused),
    "Connection not ready": (lambda: full(at_once=True), Refused),
}
"""The texts, each with a server that leads to it, and the connection to it."""


@pytest.mark.parametrize("text", sorted(connect._NOT_SENT))
def test_texts(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """redis-py says with this text that a command was not sent; it has no class for the error."""
    server, connection_class = TEXTS[text]
    if server is busy:
        monkeypatch.setattr(deadline, "STEP_SECONDS", 0.1)
    with server() as port:
        pool = redis.ConnectionPool(
            host="127.0.0.1",
            port=port,
            protocol=2,
            driver_info=None,
            retry=connect._no_retry(),
            connection_class=connection_class,
        )
        with closing(redis.Redis(connection_pool=pool)) as client:
            with pytest.raises(redis.RedisError) as raised:
                client.get("key")
            pool.disconnect()
    said = []
    error: BaseException | None = raised.value
    while isinstance(error, redis.RedisError):
        said.append(str(error))
        error = error.__context__
    assert text in said, f"redis-py no longer says {text!r}, on which connect.never_ran depends"
    assert connect.never_ran(raised.value)


@pytest.mark.parametrize("cause", [ConnectionRefusedError, FileNotFoundError])
def test_causes(cause: type[OSError]) -> None:
    """redis-py keeps the system's error as the context of its own, which `never_ran` reads."""
    refused = cause is ConnectionRefusedError
    url = f"redis://127.0.0.1:{free_port()}" if refused else "unix:///no/such/socket"
    with closing(connect.connect(url)) as client, pytest.raises(redis.ConnectionError) as raised:
        client.get("key")
    assert isinstance(raised.value.__context__, cause), (
        f"redis-py's errors no longer have the context {cause.__name__}, on which "
        "connect.never_ran depends"
    )


CONNECTIONS = (
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)


@pytest.mark.parametrize("connection", CONNECTIONS)
def test_commands_of_connections(connection: type[Connection]) -> None:
    """A connection sends each command by a method that `deadline` overrides."""
    parameters = [*inspect.signature(connection.send_packed_command).parameters]
    assert parameters == ["self", "command", "check_health"], (
        f"{connection.__name__}.send_packed_command, which deadline._InTime overrides, has changed"
    )


def test_parts_of_connections() -> None:
    """A connection asks for its limit when it connects, and sends on the socket that `deadline`
    sets a limit for.
    """
    asked = []

    class Asking(TcpConnection):
        """Notes who asks for the limit of a connection."""

        @property
        def socket_connect_timeout(self) -> float | None:
            """The limit."""
            asked.append(True)
            return 30

        @socket_connect_timeout.setter
        def socket_connect_timeout(self, _: float | None) -> None:
            """Does nothing."""

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        made: Any = Asking  # redis-py has no types here
        connection = made(host="127.0.0.1", port=port, protocol=2, driver_info=None)
        assert connection._sock is None, (
            "Connection._sock, which deadline._InTime reads, has changed"
        )
        asked.clear()
        connection.connect()
        assert asked, "redis-py no longer reads Connection.socket_connect_timeout when it connects"
        ours, _ = listener.accept()
        with ours:
            connection.send_packed_command([b"PING"], check_health=False)
            assert ours.recv(9) == b"PING"
            assert isinstance(connection._sock, socket.socket)
            assert 0 < (connection._sock.gettimeout() or 0) <= deadline.STEP_SECONDS
            assert not connection.can_read(timeout=0)
            ours.sendall(b"+PONG\r\n")
            assert select.select([connection], [], [], 30)[0]
            assert connection.can_read(timeout=0)
        connection.disconnect()


PARTS: list[tuple[Any, str, str]] = [
    (Sentinel([]), "sentinels", "connect._master sets the clients of the sentinels there"),
    (redis.RedisCluster, "get_node_from_key", "replication.run_on_replicas finds a node with it"),
    (redis.RedisCluster, "get_redis_connection", "replication.run_on_replicas has its client"),
    (redis.RedisCluster, "PRIMARIES", "census.count_sessions asks these"),
]


@pytest.mark.parametrize(("owner", "name", "why"), PARTS, ids=[name for _, name, _ in PARTS])
def test_parts(owner: Any, name: str, why: str) -> None:
    """redis-py has each part that the store uses."""
    assert hasattr(owner, name), (
        f"redis-py no longer has {name!r}, on which the store depends: {why}"
    )


@pytest.mark.parametrize(
    ("function", "parameter", "why"),
    [
        (redis.ConnectionPool.disconnect, "inuse_connections", "connect.forget_server"),
        (
            AbstractConnection.__init__,
            "driver_info",
            "connect.connect: no introduction to the server",
        ),
        (AbstractConnection.__init__, "protocol", "connect.connect: no handshake"),
        (Connection.can_read, "timeout", "subscription.Subscription"),
        (redis.client.PubSub.get_message, "timeout", "subscription.Subscription"),
        (redis.client.Pipeline.execute, "raise_on_error", "replication.run_on_replicas"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_parameters(function: Any, parameter: str, why: str) -> None:
    """redis-py's functions take what the store passes to them."""
    assert parameter in inspect.signature(function).parameters, f"{why} passes {parameter!r}"


def test_subscribers() -> None:
    """A subscriber has its connection as `connection`, for which `Subscription` waits."""
    with closing(redis.Redis().pubsub()) as subscriber:
        assert subscriber.connection is None
