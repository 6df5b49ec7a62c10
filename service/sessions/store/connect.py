"""A client of the Redis that a URL names: one server, the master of sentinels, or a cluster.

Connections, TLS, logins and the protocol are redis-py's. Its pools and clients are not used: they
can't limit what a request waits for in all, nor say whether a command was sent, and take twice the
processor time. No command is sent again, unless a node of a cluster has only redirected it: if its
reply is lost, nobody knows whether it ran.
"""

from __future__ import annotations

import os
import time
from binascii import crc_hqx
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from operator import attrgetter
from typing import Any, Protocol, TypeAlias

import redis
from redis.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import AskError, AuthorizationError, ClusterDownError, MovedError
from redis.sentinel import MasterNotFoundError

from service.redis_address import parse_address
from service.sessions.store.deadline import OutOfTime, seconds_left

Command: TypeAlias = "tuple[str | bytes | int, ...]"
Address: TypeAlias = "tuple[str, int]"

FAILURES: tuple[type[Exception], ...] = (redis.RedisError, OSError)
"""What a client raises if the store is unreachable or refuses."""

SLOTS = 16384
REDIRECTIONS = 16
"""How often a command is sent to another node of a cluster, while slots move."""


class NotSent(redis.RedisError):
    """No command was sent; the cause says why there is no connection."""


class Client(Protocol):
    """What the store needs of a server or a cluster. Everything may raise `FAILURES`."""

    one_node: bool
    """Whether one script may use any keys."""

    def ask(self, key: str, *commands: Command) -> list[Any]:
        """The replies to commands about `key`, sent together: one round trip.

        Raises the first reply if it is an error. Others are returned, errors included.
        """

    def ask_all(self, command: Command) -> list[Any]:
        """The replies of all masters to a command without a key."""

    def new_connection(self) -> AbstractConnection:
        """A connection for the caller, to any server: each one passes on all messages."""


def connect(url: str) -> Client:
    """A client for `url`, whose replies are bytes. It connects when it is first asked.

    Protocol 2 needs no handshake, and without `driver_info` a connection doesn't introduce itself.
    """
    where = parse_address(url)
    options = {**parse_url(where.url), "protocol": 2, "driver_info": None}
    connection_class = options.pop("connection_class", Connection)

    def connection_to(address: Address, **login: Any) -> AbstractConnection:
        host, port = address
        made: AbstractConnection = connection_class(
            **{**options, "host": host, "port": port, **login}
        )
        return made

    def server(address: Address, **login: Any) -> Server:
        return Server(partial(connection_to, address, **login), address)

    if where.kind == "cluster":
        return Cluster(where.hosts, server)
    if where.kind != "sentinel":
        return Server(partial(connection_class, **options))
    login = {"username": None, "password": None, "db": 0, **where.sentinel_login}
    sentinels = [server(each, **login) for each in where.hosts]

    def connection_to_master() -> AbstractConnection:
        command = ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", where.master)
        try:
            _, (host, port) = _ask_any(sentinels, command)
        except FAILURES as error:
            raise MasterNotFoundError(f"no sentinel names {where.master!r}: {error}") from None
        return connection_to((host.decode(), int(port)))

    return Server(connection_to_master)


def never_ran(error: BaseException) -> bool:
    """Whether the command that raised `error`, one of `FAILURES`, has certainly not run: it wasn't
    sent, or the reply is a refusal. Not all of those are a `ResponseError`.
    """
    refusals = (redis.ResponseError, redis.AuthenticationError, redis.BusyLoadingError)
    return (
        isinstance(error, (NotSent, OutOfTime, AuthorizationError, *refusals))
        or str(error) == "max number of clients reached"
    )


class Server:
    """One server. Threads share its idle connections; `new` makes another one.

    `failed_at` is when `_ask_any` last asked it in vain.
    """

    one_node = True

    def __init__(self, new: Callable[[], AbstractConnection], address: Address = ("", 0)) -> None:
        self._new, self.address = new, address
        self.failed_at = 0.0
        self._idle: list[AbstractConnection] = []
        self._process = os.getpid()

    def ask(self, _: str, *commands: Command) -> list[Any]:
        """See `Client`."""
        replies = self.send(commands)
        if isinstance(replies[0], Exception):
            raise replies[0]
        return replies

    def ask_all(self, command: Command) -> list[Any]:
        """See `Client`."""
        return self.ask("", command)

    def send(self, commands: Sequence[Command]) -> list[Any]:
        """The replies to commands; those that the server refuses are exceptions."""
        connection = self._idle_connection() or self.new_connection()
        try:
            connection.update_current_socket_timeout(seconds_left())
            connection.send_packed_command([_packed(commands)], check_health=False)
            replies = [_reply(connection) for _ in commands]
        except FAILURES:
            self._idle = []  # or others would wait for the same server in vain
            raise
        if isinstance(replies[0], redis.ReadOnlyError):
            self._idle = []  # after a failover, its name or address may lead to another server
        else:
            self._idle.append(connection)
        return replies

    def new_connection(self) -> AbstractConnection:
        """See `Client`."""
        try:
            connection = self._new()
            connection.socket_connect_timeout = connection.socket_timeout = seconds_left()
            connection.connect()
            if connection.can_read(timeout=0):  # a server with too many clients says so at once
                raise redis.ConnectionError(connection.read_response())
            return connection
        except FAILURES as error:
            raise NotSent(str(error)) from error

    def _idle_connection(self) -> AbstractConnection | None:
        """An idle connection that the server hasn't closed: there is nothing to read on it."""
        if self._process != os.getpid():  # after a fork, the others are those of the parent
            self._idle, self._process = [], os.getpid()
        while self._idle:
            with suppress(IndexError, *FAILURES):  # another thread was faster, or it is closed
                connection = self._idle.pop()
                if not connection.can_read(timeout=0):
                    return connection
        return None


class Cluster:
    """A cluster, of which `hosts` are some nodes."""

    one_node = False

    def __init__(self, hosts: Sequence[Address], server: Callable[[Address], Server]) -> None:
        self._server = server
        self._hosts = hosts
        self._servers = {each: server(each) for each in hosts}
        self._masters: list[tuple[range, Server]] = []

    def ask(self, key: str, *commands: Command) -> list[Any]:
        """See `Client`. All `commands` are sent again to a node that the first is redirected to."""
        tag = key.partition("{")[2].partition("}")[0] or key
        slot = crc_hqx(tag.encode(), 0) % SLOTS
        asking: list[Command] = []
        try:
            server = self._master_of(slot)
            for _ in range(REDIRECTIONS):
                first, *others = server.send([*asking, *commands])[len(asking) :]
                if not isinstance(first, AskError):
                    break
                if isinstance(first, MovedError):  # which is an AskError
                    self._masters, asking = [], []
                else:
                    asking = [("ASKING",)]
                server = self._at((first.host or server.address[0], first.port))
            if isinstance(first, Exception):
                raise first
            return [first, *others]
        except (NotSent, redis.ConnectionError, redis.TimeoutError, ClusterDownError):
            self._masters = []  # the next request asks which node has which slots
            raise

    def ask_all(self, command: Command) -> list[Any]:
        """See `Client`."""
        self._master_of(0)
        masters = {server.address: server for _, server in self._masters}
        return [server.ask("", command)[0] for server in masters.values()]

    def new_connection(self) -> AbstractConnection:
        """See `Client`."""
        server, _ = _ask_any(self._servers.values(), ("PING",))
        return server.new_connection()

    def _master_of(self, slot: int) -> Server:
        """The node that has `slot`; asks for the slots of all nodes if they aren't known."""
        masters = self._masters
        if not masters:
            masters, named = [], [*self._hosts]
            asked, found = _ask_any(self._servers.values(), ("CLUSTER", "SLOTS"))
            for first, last, *nodes in found:
                addresses = [
                    ((host or b"").decode() or asked.address[0], port) for host, port, *_ in nodes
                ]
                masters.append((range(first, last + 1), self._at(addresses[0])))
                named += addresses
            # It forgets nodes that have left the cluster.
            self._servers = {each: self._at(each) for each in named}
            self._masters = masters
        for slots, server in masters:
            if slot in slots:
                return server
        raise ClusterDownError("CLUSTERDOWN Hash slot not served")

    def _at(self, address: Address) -> Server:
        return self._servers.setdefault(address, self._server(address))


def _ask_any(servers: Iterable[Server], command: Command) -> tuple[Server, Any]:
    """The first of several servers that answers, and its reply; raises what the last one did.

    Those that failed last come last: a few silent ones take all the time of a request, and the next
    request has to get to the others. Raises `OutOfTime` once the time is over.
    """
    failure: Exception = redis.ConnectionError("nobody knows")
    for server in sorted(servers, key=attrgetter("failed_at")):
        seconds_left()  # once the time is over, no other one is asked
        try:
            (reply,) = server.ask("", command)
            if reply:
                return server, reply
        except FAILURES as error:
            failure = error
        server.failed_at = time.monotonic()
    raise failure


def _packed(commands: Iterable[Command]) -> bytes:
    """Commands as sent; redis-py's own way takes ten times as long for the text of a script."""
    parts = []
    for command in commands:
        parts.append(b"*%d\r\n" % len(command))
        for word in command:
            encoded = word if isinstance(word, bytes) else str(word).encode()
            parts.append(b"$%d\r\n%b\r\n" % (len(encoded), encoded))
    return b"".join(parts)


def _reply(connection: AbstractConnection) -> Any:
    try:
        return connection.read_response()
    except redis.ResponseError as error:
        return error
