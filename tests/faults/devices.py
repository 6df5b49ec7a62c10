"""Devices that wait for their sessions to change, hundreds of them in one thread."""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from http.client import parse_headers
from io import BytesIO

from tests.api.sessions.playing import Session
from tests.live import Reply, Service

_WAITING = re.compile(r"^dice_waiting_clients (\d+)", re.MULTILINE)


def waiting_clients(service: Service) -> int:
    """How many clients wait, as the service counts them once a second."""
    found = _WAITING.search(service.get("/metrics").body.decode())
    return int(found[1]) if found else 0


def wait_request(session: Session, version: int, seconds: int) -> bytes:
    """A request that waits until the session isn't at `version`."""
    lines = (
        f"GET {session.path}?wait={seconds} HTTP/1.1",
        "Host: localhost",
        f'If-None-Match: "{version}"',
        *(f"{name}: {value}" for name, value in session.bearer().items()),
    )
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def parsed(received: bytes) -> Reply | None:
    """The response in `received`, None if it isn't complete."""
    head, end, body = received.partition(b"\r\n\r\n")
    if not end:
        return None
    line, _, fields = head.partition(b"\r\n")
    headers = dict(parse_headers(BytesIO(fields + b"\r\n\r\n")))
    if len(body) < int(headers.get("Content-Length", 0)):
        return None
    return Reply(int(line.split()[1]), headers, body)


class Devices:
    """A connection for each of some devices, whose requests are `asks`."""

    def __init__(self, port: int, asks: Sequence[bytes]) -> None:
        self._port, self._asks = port, asks
        self._selector = selectors.DefaultSelector()
        self._received = [b""] * len(asks)
        self._sockets = [socket.create_connection(("127.0.0.1", port), 30) for _ in asks]
        for device, each in enumerate(self._sockets):
            each.setblocking(False)
            self._selector.register(each, selectors.EVENT_READ, device)
            each.send(asks[device])

    def close(self) -> None:
        """Closes all connections."""
        self._selector.close()
        for each in self._sockets:
            each.close()

    def replies(self, seconds: float) -> list[Reply | None]:
        """The response to each request, None if none has come within `seconds`."""
        replies: list[Reply | None] = [None] * len(self._asks)
        end = time.monotonic() + seconds

        def take(device: int, reply: Reply) -> None:
            replies[device] = reply

        while None in replies and time.monotonic() < end:
            self.receive(0.1, take)
        return replies

    def receive(self, seconds: float, take: Callable[[int, Reply], None]) -> None:
        """Calls `take` with each device and its response that come, at most so many seconds."""
        for key, _ in self._selector.select(seconds):
            device = key.data
            data = self._sockets[device].recv(1 << 16)
            if not data:
                self._selector.unregister(self._sockets[device])
                continue
            self._received[device] += data
            reply = parsed(self._received[device])
            if reply is not None:
                self._received[device] = b""
                take(device, reply)

    def ask(self, device: int, request: bytes) -> None:
        """Sends another request of a device."""
        self._sockets[device].send(request)
