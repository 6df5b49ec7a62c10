"""What a connection takes from its client, and whether more can come."""

from __future__ import annotations

import socket

import pytest

from service.worker.connection import RECEIVE_BYTES
from service.worker.request import SMALL_CHUNKS
from tests.worker.raw import EVALUATE, get, head
from tests.worker.sockets import connection_and_client


def test_receives_little_beyond_the_request() -> None:
    """A connection buffers at most 4 KiB beyond the body that it waits for.

    Before, it received up to 1 MiB of the requests behind a small body.
    """
    with connection_and_client() as (connection, client):
        client.sendall(head("POST", EVALUATE, "Content-Length: 10") + b"12345")
        connection.receive()
        assert connection.parse() is False
        client.sendall(b"67890" + b"x" * 100_000)
        connection.receive()
        assert connection.parse() is True
        assert len(connection.sock.recv(1 << 20)) == 100_005 - RECEIVE_BYTES


def test_receives_much_of_a_large_body() -> None:
    """Where more of a body is missing, more than 4 KiB are received at a time."""
    with connection_and_client() as (connection, client):
        client.sendall(head("POST", EVALUATE, "Content-Length: 100000"))
        connection.receive()
        assert connection.parse() is False
        client.sendall(b" " * 100_000)
        connection.receive()
        assert connection.parse() is True


def test_receives_much_of_a_large_chunk() -> None:
    """Where more of a chunk is missing, more than 4 KiB are received at a time."""
    with connection_and_client() as (connection, client):
        client.sendall(head("POST", EVALUATE, "Transfer-Encoding: chunked") + b"10000\r\n")
        connection.receive()
        assert connection.parse() is False
        client.sendall(b" " * (1 << 16))
        connection.receive()
        assert connection.parse() is False
        assert connection.body_bytes == 1 << 16


def test_tiny_chunks() -> None:
    """Of tiny chunks at most 4 KiB are received at a time, and many of them are a large request."""
    chunk = b"1\r\n \r\n"
    with connection_and_client() as (connection, client):
        client.sendall(head("POST", EVALUATE, "Transfer-Encoding: chunked"))
        connection.receive()
        client.sendall(chunk * SMALL_CHUNKS)
        connection.receive()
        assert connection.parse() is False
        assert connection.request is not None
        assert not connection.request.large
        client.sendall(chunk * 10_000)
        connection.receive()
        assert connection.parse() is False
        assert connection.request.large
        assert connection.body_bytes <= SMALL_CHUNKS + RECEIVE_BYTES // len(chunk) + 1


@pytest.mark.parametrize("closes", [True, False])
def test_can_finish(closes: bool) -> None:
    """A request that waits can become complete unless its client closed its end halfway."""
    with connection_and_client() as (connection, client):
        client.sendall(head("POST", EVALUATE, "Content-Length: 100000") + b" " * 10)
        connection.receive()
        connection.parse()
        if closes:
            client.shutdown(socket.SHUT_WR)
        assert connection.can_finish() is not closes


def test_can_finish_when_complete() -> None:
    """A client may close its end after a complete request, and still gets the response."""
    with connection_and_client() as (connection, client):
        client.sendall(get())
        client.shutdown(socket.SHUT_WR)
        connection.receive()
        assert connection.parse() is True
        assert connection.can_finish()


def test_can_finish_while_bytes_are_left() -> None:
    """A client that sent the rest and closed its end has not gone: the rest is still to be read."""
    with connection_and_client() as (connection, client):
        client.sendall(head("POST", EVALUATE, "Content-Length: 10"))
        connection.receive()
        connection.parse()
        client.sendall(b"0123456789")
        client.shutdown(socket.SHUT_WR)
        assert connection.can_finish()
