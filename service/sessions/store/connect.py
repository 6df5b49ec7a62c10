"""A client of the Redis that a URL names: one server, Sentinel or Cluster."""

from __future__ import annotations

import socket
import ssl
from typing import Any, TypeAlias

import redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode
from redis.connection import parse_url
from redis.exceptions import AuthorizationError, RedisClusterException
from redis.retry import Retry
from redis.sentinel import MasterNotFoundError, Sentinel

from service.redis_address import RedisAddress, parse_address
from service.sessions.store.deadline import (
    STEP_SECONDS,
    MasterConnection,
    MasterTlsConnection,
    OutOfTime,
    TcpConnection,
    TlsConnection,
    UnixConnection,
)

Client: TypeAlias = "redis.Redis | redis.RedisCluster"

FAILURES: tuple[type[Exception], ...] = (redis.RedisError, RedisClusterException, OSError)
"""What a client raises if the store is unreachable or refuses; the command may have run."""

_REFUSALS = (
    redis.ResponseError,
    redis.AuthenticationError,
    AuthorizationError,
    redis.BusyLoadingError,
    MasterNotFoundError,
    OutOfTime,
)
"""Errors that Redis or a sentinel replied with, and that no time was left; after other errors, a
command may have run."""

_NOT_SENT = {
    "Timeout connecting to server",
    "max number of clients reached",
    "Connection has data",  # the same refusal, if it arrives before the command is sent
    "Connection not ready",
}
"""Messages of redis-py if a new connection can't be used; it has no classes for these errors."""

_NO_CONNECTION = (
    ConnectionRefusedError,
    FileNotFoundError,
    PermissionError,
    socket.gaierror,
    ssl.SSLCertVerificationError,
    redis.ReadOnlyError,
)
"""Causes of a connection error before a command was sent, or after a server that is no longer the
master refused to write."""


def connect(url: str) -> Client:
    """Returns a client for `url` whose replies are bytes.

    One server or Sentinel is connected at the first command. A cluster is asked for its slots at
    once, which may raise one of `FAILURES`, so call this in the process that uses the client.

    No command is retried: if its reply is lost, nobody knows whether it ran. Redirections of a
    cluster are followed, since a node that redirects hasn't run the command. A connection that the
    server closed while it was idle is replaced before it is used: the pool checks whether there is
    anything to read; on a closed connection, that is the end of the stream. Protocol 2 needs no
    handshake.
    """
    where = parse_address(url)
    options: dict[str, Any] = {
        "socket_timeout": STEP_SECONDS,  # in a request, less if its time is almost over
        "protocol": 2,
        "driver_info": None,  # otherwise a new connection introduces itself to the server first
    }
    tls = where.url.startswith("rediss:")
    if where.kind == "sentinel":
        return _master(where, options, tls)
    options["connection_class"] = TlsConnection if tls else TcpConnection
    if where.kind == "cluster":
        others = [ClusterNode(host, port) for host, port in where.hosts[1:]]
        return redis.RedisCluster.from_url(
            where.url, startup_nodes=others, retry=_no_retry(), **options
        )
    if where.url.startswith("unix:"):
        options["connection_class"] = UnixConnection
    return redis.Redis.from_url(where.url, retry=_no_retry(), **options)


def _master(where: RedisAddress, options: dict[str, Any], tls: bool) -> redis.Redis:
    """A client of the master that the sentinels name; redis-py has no URL for it."""
    login = parse_url(where.url)
    options |= {name: value for name, value in login.items() if name.startswith("ssl_")}
    asked = {
        **options,
        **where.sentinel_login,
        "connection_class": TlsConnection if tls else TcpConnection,
    }
    sentinels = Sentinel([])
    sentinels.sentinels = [
        redis.Redis(
            connection_pool=redis.ConnectionPool(host=host, port=port, retry=_no_retry(), **asked)
        )
        for host, port in where.hosts
    ]
    master: redis.Redis = sentinels.master_for(
        where.master,
        connection_class=MasterTlsConnection if tls else MasterConnection,
        db=login.get("db", 0),
        username=login.get("username"),
        password=login.get("password"),
        retry=_no_retry(),
        **options,
    )
    return master


def forget_server(client: object) -> None:
    """Closes the connections to a server that is read-only: after a failover, its name or address
    may lead to another one. Clients of Sentinel and Cluster do so by themselves.
    """
    if isinstance(client, redis.Redis):
        client.connection_pool.disconnect(inuse_connections=False)


def never_ran(error: BaseException) -> bool:
    """Whether it is certain that the command that raised `error`, one of `FAILURES`, has not run.

    That is the case if Redis refused it, or if there was no connection to send it on. If an error
    was raised while another was handled, both must say so: a cluster that no longer finds a node
    may have sent the command to the last one.
    """
    if not isinstance(error, redis.RedisError | RedisClusterException):
        return False
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, redis.RedisError) and not _refused(cause):
            return False
        cause = cause.__context__
    return True


def _refused(error: redis.RedisError) -> bool:
    """Whether `error` is a refusal by Redis, or means that no connection could be made."""
    if isinstance(error, _REFUSALS) or isinstance(error.__context__, _NO_CONNECTION):
        return True
    return str(error) in _NOT_SENT


def _no_retry() -> Retry:
    """Never retries; each client needs its own, since it adds errors to it."""
    return Retry(NoBackoff(), 0)
