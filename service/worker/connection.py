"""One client's connection: bytes in and out, and how long the client may take."""

from __future__ import annotations

import math
import select
import socket
import time
from collections import deque
from enum import Enum, auto
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Any

from service.worker.refusal import Refusal, unparsable
from service.worker.request import HEAD_BYTES, Limits, Request

if TYPE_CHECKING:
    from service.worker.exchange import Exchange

STALL_SECONDS = 5
"""How long a client may stall within its request or its response."""

SLOWEST = 1024
"""Bytes a second that a client must send or take on average, after the first `STALL_SECONDS`."""

_RECEIVED = 1 << 16
"""Bytes that are received at a time, of heads and of chunks: each takes some time to parse."""

_RECEIVED_OF_BODY = 1 << 20
"""Bytes that are received at a time of a body whose length is known."""

_BUFFERS = 64
"""How many pieces of a response are sent by one call; systems allow for at least 1,024."""

_EMPTY_LINES = b"\r\n"
"""The characters that are dropped before a request."""

Address = Any
"""A socket's address, as the family of the socket has it."""


class Phase(Enum):
    """What a connection waits for."""

    IDLE = auto()  # for the first byte of a request
    READING = auto()  # for the rest of a request
    QUEUED = auto()  # for another long request to end
    WORKING = auto()  # for a thread; the loop leaves it alone
    WRITING = auto()  # for the client to take what is unsent
    CLOSING = auto()  # for the client to close its end


class Connection:
    """A connection, used by one thread at a time: the worker's loop, or one that answers.

    Nothing here waits for the client. `event` is what the loop waits for on the socket, 0 for
    nothing; `moved_at` is when the client last sent or took something; `ended` says whether it has
    closed its end.
    """

    def __init__(
        self, sock: socket.socket, address: Address, server: Address, limits: Limits
    ) -> None:
        sock.setblocking(False)
        self.sock, self.address, self.server = sock, address, server
        self._limits = limits
        self.phase = Phase.IDLE
        self.event = 0
        self.since = time.monotonic()
        self.deadline = math.inf
        self.moved_at = 0.0
        self.request: Request | None = None
        self.exchange: Exchange | None = None
        self.unsent: deque[memoryview] = deque()
        self.unsent_bytes = 0
        self.ended = False
        self._received = b""
        self._moved = 0

    def enter(self, phase: Phase, seconds: float) -> None:
        """Begins `phase`, which must make progress within `seconds`."""
        self.phase = phase
        self.since = time.monotonic()
        self.deadline = self.since + seconds
        self._moved = 0

    @property
    def begun(self) -> bool:
        """Whether something of a request has come; empty lines before it don't count."""
        return self.request is not None or bool(self._received)

    def receive(self) -> None:
        """Takes in what has come. Raises `OSError` if the connection is lost.

        Empty lines before a request are dropped (RFC 9112, 2.2).
        """
        request = self.request
        of_body = request is not None and not request.chunked
        try:
            data = self.sock.recv(_RECEIVED_OF_BODY if of_body else _RECEIVED)
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
        """Parses what has come, and returns whether the request is whole.

        Raises `Refusal` for a request that can't be answered, `OSError` if its body can't be kept.
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
            self.request = Request(self._limits)
            self._received = data[end:]
            self.request.parse_head(data[:end])
        if not self.request.whole:
            self._received = self.request.take(self._received)
            if self.ended and not self.request.whole:
                raise self.request.ended_early()
        return self.request.whole

    def stalled(self) -> Refusal:
        """The refusal for a request that doesn't arrive in time."""
        detail = f"The head of the request did not come whole within {STALL_SECONDS} seconds."
        if self.request is not None:
            detail = (
                f"The body stalled for {STALL_SECONDS} seconds, or came slower than a KiB a second."
            )
        return Refusal(HTTPStatus.REQUEST_TIMEOUT, detail)

    def send(self, data: bytes) -> None:
        """Keeps `data` to be sent."""
        if data:
            self.unsent.append(memoryview(data))
            self.unsent_bytes += len(data)

    def send_more(self) -> bool:
        """Sends what the client takes, and returns whether that was all there is.

        Raises `OSError` if the connection is lost.
        """
        while self.unsent:
            try:
                sent = self.sock.sendmsg(list(islice(self.unsent, _BUFFERS)))
            except BlockingIOError:
                return False
            self.unsent_bytes -= sent
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
        self._progress(len(data))
        return bool(data) and self._moved < most

    def close(self) -> None:
        """Closes it, and what the request holds. Raises what the app raises."""
        self.sock.close()
        if self.exchange is not None:
            self.exchange.close()
        elif self.request is not None:
            self.request.body.close()

    def next_request(self) -> None:
        """Makes ready for the next request, of which something may have come already."""
        self.request = self.exchange = None
        self._received = self._received.lstrip(_EMPTY_LINES)

    def gone(self) -> bool:
        """Whether the client sends nothing any more: it has closed its end, or is lost."""
        try:
            poll = select.poll()
            poll.register(self.sock, select.POLLIN)
            return bool(poll.poll(0)) and not self.sock.recv(1, socket.MSG_PEEK)
        except OSError:  # reset
            return True

    def shut(self, how: int) -> bool:
        """Shuts one direction or both, and returns whether that could be done."""
        try:
            self.sock.shutdown(how)
        except OSError:
            return False
        return True

    def _progress(self, moved: int) -> None:
        """Extends the deadline for a client that goes on, down to the slowest that is allowed.

        The head of a request has a fixed deadline: it is short, and nobody writes it by hand.
        """
        self._moved += moved
        self.moved_at = time.monotonic()
        request = self.request
        if request is None:
            return
        if self.phase in (Phase.READING, Phase.WRITING) or (
            self.phase is Phase.CLOSING and request.too_long
        ):
            earned = self.since + STALL_SECONDS + self._moved / SLOWEST
            self.deadline = min(time.monotonic() + STALL_SECONDS, earned)
