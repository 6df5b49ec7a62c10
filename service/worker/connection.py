"""One client's connection: bytes in and out, and how long the client may take."""

from __future__ import annotations

import math
import select
import socket
import time
from collections import deque
from enum import Enum, auto
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import unquote

from gunicorn.config import Config
from gunicorn.http.errors import LimitRequestHeaders
from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser

from service.api.http.incoming import STALL_SECONDS
from service.api.http.problems import READ_ERRORS

SLOWEST = 1024
"""Bytes a second that a client must send or take on average, after the first `STALL_SECONDS`."""

HEAD_BYTES = 1 << 16
"""The longest head of a request: its first line and its headers."""

UNSENT_BYTES = 1 << 22
"""How much of an ordinary response is kept for a client that doesn't take it yet. Beyond that, the
thread that makes the response waits."""

_RECEIVED = 1 << 16
"""Bytes that are received at a time."""

_BUFFERS = 64
"""How many pieces of a response are sent by one call; systems allow for at least 1,024."""

Address = Any
"""A socket's address, as the family of the socket has it."""


class Phase(Enum):
    """What a connection waits for."""

    IDLE = auto()  # for the first byte of a request
    READING = auto()  # for the rest of a request
    WORKING = auto()  # for a thread; the loop leaves it alone
    WRITING = auto()  # for the client to take the rest of a response
    CLOSING = auto()  # for the client to close its end


class Waits(NamedTuple):
    """How many seconds a thread has waited for a client before, since when it does now, for what.

    In one piece, as the loop reads it while the thread changes it.
    """

    seconds: float
    since: float | None
    events: int


class Connection:
    """A connection, used by one thread at a time: the worker's loop, or one that answers.

    To gunicorn it is the socket: its parser calls `recv`, its response `send` and `sendall`. For an
    ordinary request, neither waits. For one that `streams`, both do. One that `converses` answers
    while it is still received, so that its client may take time to think.
    """

    def __init__(self, cfg: Config, sock: socket.socket, address: Address, server: Address) -> None:
        sock.setblocking(False)
        self.sock, self.address, self.server = sock, address, server
        as_socket: Any = self
        self.parser = RequestParser(cfg, as_socket, address)
        self.phase = Phase.IDLE
        self.since = time.monotonic()
        self.deadline = math.inf
        self.keeps = False
        self.unsent: deque[memoryview] = deque()
        self._unsent_bytes = 0
        self.ended = False
        self._failure: Exception | None = None
        self._received = bytearray()
        self._begin()

    def _begin(self) -> None:
        """Makes ready for the next request."""
        self.request: Request | None = None
        self.streams = self.converses = False
        self._needed = 0
        self._searched = 0
        self._moved = 0
        self._waits = Waits(0.0, None, 0)

    # For the worker's loop, which never waits for a single client.

    def enter(self, phase: Phase, seconds: float) -> None:
        """Begins `phase`, which must make progress within `seconds`."""
        self.phase = phase
        self.since = time.monotonic()
        self.deadline = self.since + seconds
        self._moved = 0

    @property
    def begun(self) -> bool:
        """Whether something of a request has come; empty lines before it don't count."""
        return self.request is not None or bool(self._received.strip(b"\r\n"))

    def asks_for(self, path: str) -> bool:
        """Whether the request is for `path` or something below it, also before it is parsed."""
        if self.request is not None:
            target = str(self.request.path)
        else:
            words = bytes(self._received[:256]).split(b" ", 2)
            target = words[1].decode("latin-1") if len(words) > 1 else ""
        return unquote(target).startswith(path)

    def receive(self) -> bool:
        """Takes in what has come, and returns whether `whole` is true now.

        Raises `OSError` if the connection is lost.
        """
        try:
            data = self.sock.recv(_RECEIVED)
        except BlockingIOError:
            return False
        if not data:
            self.ended = True
            return True
        self._received += data
        self._progress(len(data))
        return self.whole

    @property
    def whole(self) -> bool:
        """Whether there is a whole head, or after it a whole body, or never will be."""
        if self.ended or self._failure is not None:
            return True
        if self.request is not None:
            return len(self._received) >= self._needed
        while self._received.startswith(b"\r\n"):  # passed over before a request (RFC 9112, 2.2)
            del self._received[:2]
        if self._received.find(b"\r\n\r\n", self._searched) >= 0:
            return True
        self._searched = max(0, len(self._received) - 3)
        if len(self._received) > HEAD_BYTES:
            self._failure = LimitRequestHeaders(f"a head has at most {HEAD_BYTES} bytes")
        return self._failure is not None

    def stall(self) -> None:
        """Ends the wait for the rest of a request: reading on raises `TimeoutError`."""
        self._failure = TimeoutError("the client stalled")

    def send_more(self) -> bool:
        """Sends what the client takes, and returns whether that was all there is.

        Raises `OSError` if the connection is lost.
        """
        while self.unsent:
            try:
                sent = self.sock.sendmsg(list(islice(self.unsent, _BUFFERS)))
            except BlockingIOError:
                return False
            self._unsent_bytes -= sent
            self._progress(sent)
            while sent:
                first = self.unsent.popleft()
                if len(first) > sent:
                    self.unsent.appendleft(first[sent:])
                sent -= min(sent, len(first))
        return True

    def discard(self, most: int) -> bool:
        """Throws away what has come, and returns whether more may come: not after `most` bytes."""
        try:
            data = self.sock.recv(_RECEIVED)
        except BlockingIOError:
            return True
        self._moved += len(data)
        return bool(data) and self._moved < most

    def _progress(self, moved: int) -> None:
        """Extends the deadline for a client that goes on, down to the slowest that is allowed.

        The head of a request has a fixed deadline: it is short, and nobody writes it by hand.
        """
        self._moved += moved
        reads_body = self.phase is Phase.READING and self.request is not None
        if reads_body or self.phase is Phase.WRITING:
            earned = self.since + STALL_SECONDS + self._moved / SLOWEST
            self.deadline = min(time.monotonic() + STALL_SECONDS, earned)

    # For the thread that answers.

    def needs(self, body_bytes: int) -> bool:
        """Whether the loop should receive more of a body of `body_bytes` before it is read."""
        self._needed = body_bytes - self.parser.unreader.buf.getbuffer().nbytes
        return not self.whole

    def next_request(self) -> None:
        """Makes ready for the next request, of which something may have come already."""
        self._received[:0] = self.parser.unreader.take_buffered()
        self._begin()

    def recv(self, size: int) -> bytes:
        """At most `size` bytes of a request; none if there are no more.

        Raises `TimeoutError` if the client stalls, other `OSError` if the connection is lost.
        """
        if self._received:
            data = bytes(self._received[:size])
            del self._received[:size]
            return data
        if self._failure is not None:
            raise self._failure
        if self.ended or not self.streams:
            return b""
        while True:
            try:
                data = self.sock.recv(size)
            except BlockingIOError:
                self.wait(select.POLLIN)
            else:
                self.ended = not data
                self._moved += len(data)
                return data

    def sendall(self, data: bytes) -> None:
        """Sends `data`, or keeps it to be sent. Raises as `recv` does."""
        if not data:
            return
        self.unsent.append(memoryview(data))
        self._unsent_bytes += len(data)
        if self.streams or self._unsent_bytes > UNSENT_BYTES:
            while not self.send_more():
                self.wait(select.POLLOUT)

    send = sendall
    """For `100 Continue`, which gunicorn sends so."""

    def wait(self, events: int) -> int:
        """Waits until the socket is ready for one of `events`, and returns for which.

        Raises `TimeoutError` if the client stalls or is given up, or lags too far behind `SLOWEST`
        where the request doesn't converse.
        """
        poll = select.poll()
        poll.register(self.sock, events)
        began, before = time.monotonic(), self._waits.seconds
        self._waits = Waits(before, began, events)
        ready = poll.poll(STALL_SECONDS * 1000)
        self._waits = Waits(before + time.monotonic() - began, None, 0)
        if not ready or (not self.converses and self.debt > STALL_SECONDS):
            self.stall()
        if self._failure is not None:
            raise self._failure
        return ready[0][1]

    def drained(self) -> bool:
        """Whether all of the request has been read, or could be thrown away."""
        parser: Any = self.parser
        try:
            return bool(parser.finish_body(deadline=time.monotonic() + STALL_SECONDS))
        except READ_ERRORS:
            return False

    # For the loop again, while a thread waits for the client.

    @property
    def waited(self) -> float:
        """How many seconds in all a thread has waited for this client."""
        waits = self._waits
        return waits.seconds + (0.0 if waits.since is None else time.monotonic() - waits.since)

    @property
    def debt(self) -> float:
        """How many of these seconds are more than `SLOWEST` allows."""
        return self.waited - self._moved / SLOWEST

    def give_up(self) -> None:
        """Ends whatever a thread waits for here: it raises `TimeoutError`."""
        self.stall()
        reads = bool(self._waits.events & select.POLLIN)
        self.shut(socket.SHUT_RD if reads else socket.SHUT_RDWR)

    def shut(self, how: int) -> bool:
        """Shuts one direction or both, and returns whether that could be done."""
        try:
            self.sock.shutdown(how)
        except OSError:
            return False
        return True
