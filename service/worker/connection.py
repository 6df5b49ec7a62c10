"""One client's connection: bytes in and out, and the time that the client has."""

from __future__ import annotations

import math
import select
import socket
import time
from collections import deque
from enum import Enum, auto
from http import HTTPStatus
from itertools import islice
from typing import Any

from service.worker.refusal import Refusal, unparsable
from service.worker.request import HEAD_BYTES, Request, RequestLimits

STALL_SECONDS = 5
"""How long a client may stall within its request or its response, unless a worker has it else."""

SLOWEST = 1024
"""Bytes a second that a client must send or take on average, after it may have stalled once."""

RECEIVE_BYTES = 1 << 12
"""How many bytes are received at a time, unless more of a body or a chunk are known to be missing.
They may hold hundreds of tiny chunks, which take a millisecond or two to parse."""

_RECEIVE_BODY_BYTES = 1 << 20
"""How many bytes of such a body or chunk are received at a time."""

_DISCARD_BYTES = 1 << 16
"""How many bytes are discarded at a time."""

_BUFFERS = 64
"""How many pieces of a response are sent by one call; systems allow at least 1,024."""

_EMPTY_LINES = b"\r\n"
"""The characters that are dropped before a request."""

Address = Any
"""A socket's address; its type depends on the family of the socket: with a port, it is a tuple."""


class Phase(Enum):
    """What a connection waits for."""

    IDLE = auto()  # for the first byte of a request
    READING = auto()  # for the rest of a request
    QUEUED = auto()  # for another large request to end
    WORKING = auto()  # for the app
    WAITING = auto()  # for what its request waits for, such as another player
    WRITING = auto()  # for the client to take what is unsent
    CLOSING = auto()  # for the client to close its end


class Connection:
    """A connection. One thread at a time uses it: the worker's loop, or one that runs the app.

    Nothing here waits for the client. `event` is what the loop waits for on the socket, 0 for
    nothing; `moved_at` is when the client last sent or took something, or connected; `ended` says
    whether it has closed its end; `address` is (), if the client is at a Unix socket.
    """

    def __init__(
        self, sock: socket.socket, address: Address, server: Address, limits: RequestLimits
    ) -> None:
        sock.setblocking(False)
        self.sock, self.server = sock, server
        self.address = address if isinstance(address, tuple) else ()
        self.limits = limits
        self.phase = Phase.IDLE
        self.event = 0
        self.since = time.monotonic()
        self.deadline = math.inf
        self.moved_at = self.since
        self.request: Request | None = None
        self.unsent: deque[memoryview] = deque()
        self.unsent_bytes = 0
        self.ended = False
        self._received = b""
        self._moved = 0

    def enter(self, phase: Phase, seconds: float) -> None:
        """Begins `phase`, which has to make progress within `seconds`."""
        self.phase = phase
        self.since = time.monotonic()
        self.deadline = self.since + seconds
        self._moved = 0

    @property
    def begun(self) -> bool:
        """Whether part of a request has arrived; empty lines before it don't count."""
        return self.request is not None or bool(self._received)

    @property
    def body_bytes(self) -> int:
        """How many bytes of the request's body have arrived."""
        return self.request.received if self.request is not None else 0

    def receive(self) -> None:
        """Receives what has arrived. Raises `OSError` if the connection is lost.

        Empty lines before a request are dropped (RFC 9112, 2.2).
        """
        request = self.request
        missing = request.missing_bytes if request is not None else 0
        try:
            data = self.sock.recv(max(RECEIVE_BYTES, min(missing, _RECEIVE_BODY_BYTES)))
        except BlockingIOError:
            return
        self.ended = not data
        self._progress(len(data))
        if self._received:
            data = self._received + data
        elif request is None:
            data = data.lstrip(_EMPTY_LINES)
        self._received = data

    def parse(self) -> bool:
        """Parses what has been received, and returns whether the request is complete.

        Raises `Refusal` for a request that can't be handled, `OSError` if its body can't be kept.
        """
        if self.request is None:
            data = self._received
            end = data.find(b"\r\n\r\n") + 4
            if (end if end > 3 else len(data)) > HEAD_BYTES:
                raise unparsable(
                    f"a head has at most {HEAD_BYTES} bytes",
                    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                )
            if end < 4:
                if self.ended and data:
                    detail = "The connection ended within the head of the request."
                    raise Refusal(HTTPStatus.BAD_REQUEST, detail)
                return False
            self.request = Request(self.limits)
            self._received = data[end:]
            self.request.parse_head(data[:end])
        if not self.request.complete:
            self._received = self.request.take(self._received)
            if self.ended and not self.request.complete:
                raise self.request.ended_early()
        return self.request.complete

    def refused_request(self) -> Request:
        """The request that is refused; of an incomplete head, at most the method is known."""
        if self.request is not None:
            return self.request
        request = Request(self.limits)
        request.read_method(self._received)
        return request

    def stalled(self) -> Refusal:
        """The refusal of a request that doesn't arrive in time."""
        seconds = self.limits.stall_seconds
        detail = f"The head of the request did not arrive within {seconds} seconds."
        if self.request is not None:
            detail = f"The body stalled for {seconds} seconds, or came slower than 1 KiB a second."
        return Refusal(HTTPStatus.REQUEST_TIMEOUT, detail)

    def send(self, data: bytes) -> None:
        """Appends `data` to what is unsent."""
        if data:
            self.unsent.append(memoryview(data))
            self.unsent_bytes += len(data)

    def send_more(self) -> bool:
        """Sends what the client takes now, and returns whether everything has been sent.

        Raises `ConnectionError` if the connection is lost.
        """
        while self.unsent:
            try:
                sent = self.sock.sendmsg(list(islice(self.unsent, _BUFFERS)))
            except BlockingIOError:
                return False
            except OSError as error:  # such as ETIMEDOUT, when the client gets no packets any more
                raise ConnectionError(*error.args) from error
            self.unsent_bytes -= sent
            self._progress(sent)
            while sent:
                first = self.unsent.popleft()
                if len(first) > sent:
                    self.unsent.appendleft(first[sent:])
                sent -= min(sent, len(first))
        return True

    def discard(self, most: int) -> bool:
        """Discards what has arrived; returns whether to go on.

        It returns False at the end of the connection, and once `most` bytes were discarded.
        """
        try:
            data = self.sock.recv(_DISCARD_BYTES)
        except BlockingIOError:
            return True
        self._progress(len(data))
        return bool(data) and self._moved < most

    def close(self) -> None:
        """Closes the socket, and the file with the request's body."""
        self.sock.close()
        if self.request is not None:
            self.request.close()

    def next_request(self) -> None:
        """Prepares for the next request, part of which may have been received already."""
        self.request = None
        self._received = self._received.lstrip(_EMPTY_LINES)

    def gone(self) -> bool:
        """Whether the client will send nothing more: it has closed its end, or is lost."""
        try:
            return self._polls(select.POLLIN) and not self.sock.recv(1, socket.MSG_PEEK)
        except OSError:  # reset
            return True

    def ready(self) -> bool:
        """Whether what the loop waits for has happened: bytes have arrived, or there is room."""
        return self._polls(select.POLLOUT if self.unsent else select.POLLIN)

    def can_finish(self) -> bool:
        """Whether the request is complete, or the client may still send the rest."""
        return (self.request is not None and self.request.complete) or not self.gone()

    def shut(self, how: int) -> bool:
        """Shuts down one direction or both, and returns whether that worked."""
        try:
            self.sock.shutdown(how)
        except OSError:
            return False
        return True

    def _polls(self, event: int) -> bool:
        """Whether `event` has happened on the socket, or an error."""
        poll = select.poll()
        poll.register(self.sock, event)
        return bool(poll.poll(0))

    def _progress(self, moved: int) -> None:
        """Extends the deadline of a client that makes progress and isn't slower than `SLOWEST`.

        The head of a request has a fixed deadline: it is short, and nobody types it by hand.
        """
        self._moved += moved
        self.moved_at = time.monotonic()
        request = self.request
        if request is None:
            return
        if self.phase in (Phase.READING, Phase.WRITING) or (
            self.phase is Phase.CLOSING and request.too_long
        ):
            seconds = self.limits.stall_seconds
            earned = self.since + seconds + self._moved / SLOWEST
            self.deadline = min(self.moved_at + seconds, earned)
