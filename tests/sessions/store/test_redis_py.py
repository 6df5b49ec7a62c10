"""What the store uses of redis-py's connections: an upgrade that changes it fails here.

Its clients and pools would hide most of these methods; none is documented for others.
"""

from __future__ import annotations

import select
import socket
from typing import Any

import pytest
import redis
from redis.connection import Connection, SSLConnection, UnixDomainSocketConnection, parse_url


@pytest.mark.parametrize(
    ("url", "connection_class", "options"),
    [
        (
            "redis://me:p%40@host:7/3",
            None,
            {"host": "host", "port": 7, "username": "me", "password": "p@", "db": 3},
        ),
        (
            "rediss://host?ssl_ca_certs=%2Fca.pem",
            SSLConnection,
            {"host": "host", "ssl_ca_certs": "/ca.pem"},
        ),
        ("unix:///run/s?db=2", UnixDomainSocketConnection, {"path": "/run/s", "db": 2}),
    ],
)
def test_options_of_a_url(url: str, connection_class: Any, options: dict[str, Any]) -> None:
    """redis-py parses a URL to the class of a connection, none for TCP, and its options."""
    found = parse_url(url)
    assert (found.pop("connection_class", None), found) == (connection_class, options)


def test_parts_of_a_connection() -> None:
    """A connection takes its limits before and after it has connected, sends nothing by itself,
    says whether there is something to read, and reads replies one by one, also on others' word.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        made: Any = Connection  # redis-py has no types here
        connection = made(host="127.0.0.1", port=port, protocol=2, driver_info=None)
        connection.socket_connect_timeout = connection.socket_timeout = 30.0
        connection.connect()
        ours, _ = listener.accept()
        with ours:
            assert connection._get_socket().gettimeout() == 30.0
            connection.update_current_socket_timeout(20.0)
            assert connection._get_socket().gettimeout() == 20.0
            assert connection.can_read(timeout=0) is False
            connection.send_packed_command([b"GET key\r\n"], check_health=False)
            connection.send_command("PING")
            assert ours.recv(1000) == b"GET key\r\n*1\r\n$4\r\nPING\r\n"
            ours.sendall(b"$-1\r\n-NOPERM no\r\n+PONG\r\n")
            assert select.select([connection._get_socket()], [], [], 30)[0]
            assert connection.can_read(timeout=0) is True
            assert connection.read_response() is None
            with pytest.raises(redis.ResponseError, match="no"):
                connection.read_response()
            assert connection.read_response() == b"PONG"
        assert select.select([connection._get_socket()], [], [], 30)[0]
        with pytest.raises(redis.ConnectionError, match="Connection closed"):
            connection.can_read(timeout=0)
        connection.disconnect()
