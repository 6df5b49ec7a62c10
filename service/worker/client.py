"""One client's end of a connection: what it sends and takes, and the time that it has for that."""

from __future__ import annotations

import asyncio
import math
import time
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from service.worker.hooks import Hooks
from service.worker.refusal import Refusal, unparsable
from service.worker.request import HEAD_BYTES, Request

if TYPE_CHECKING:
    from service.worker.server import Server

_EMPTY_LINES = b"\r\n"
"""The characters that are dropped before a request (RFC 9112, 2.2)."""


class Incoming:
    """What has arrived of the current `request`, which is None until its head is complete.

    `ended` says whether the client has closed its end; `rest` is what isn't parsed yet.
    """

    def __init__(self, hooks: Hooks) -> None:
        self._hooks = hooks
        self.request: Request | None = None
        self.rest = b""
        self.ended = False

    @property
    def begun(self) -> bool:
        """Whether part of a request has arrived; empty lines before it don't count."""
        return self.request is not None or bool(self.rest)

    def add(self, data: bytes) -> None:
        """Adds what has arrived."""
        self.rest = self.rest + data if self.begun else data.lstrip(_EMPTY_LINES)

    def parse(self) -> bool:
        """Parses what has been received, and returns whether the request is complete.

        Raises `Refusal` for a request that can't be handled, `OSError` if its body can't be kept.
        """
        if self.request is None:
            data = self.rest
            end = data.find(b"\r\n\r\n") + 4
            if (end if end > 3 else len(data)) > HEAD_BYTES:
                raise unparsable(f"a head has at most {HEAD_BYTES} bytes", "headers-too-large")
            if end < 4:
                if self.ended and data:
                    raise Refusal("head-ended")
                return False
            self.request = Request(self._hooks)
            self.rest = data[end:]
            self.request.parse_head(data[:end])
        if not self.request.complete:
            self.rest = self.request.take(self.rest)
            if self.ended and not self.request.complete:
                raise self.request.ended_early()
        return self.request.complete

    def refused(self) -> Request:
        """The request that is refused; of an incomplete head, at most the method is known."""
        if self.request is not None:
            return self.request
        request = Request(self._hooks)
        request.read_method(self.rest)
        return request

    def stalled(self, seconds: float) -> Refusal:
        """The refusal of a request that doesn't arrive, though its client had so many `seconds`."""
        cause = "head-stalled" if self.request is None else "body-stalled"
        return Refusal(cause, seconds=seconds)

    def next_request(self) -> None:
        """Prepares for the next request, part of which may have been received already."""
        self.request = None
        self.rest = self.rest.lstrip(_EMPTY_LINES)


SLOWEST = 1024
"""Bytes a second that a client must send or take on average, after it may have stalled once."""

RECEIVE_BYTES = 1 << 12
"""How many bytes are received at a time, unless more of a body or a chunk are known to be missing.
They may hold hundreds of tiny chunks, which take a millisecond or two to parse."""

BODY_BYTES = 1 << 20
"""How many bytes of such a body or chunk are received at a time."""

LINGER_BYTES = 1 << 18
"""How much a client may go on sending after the last response on a connection."""

MAX_DISCARDED_BYTES = 1 << 26
"""How much it may go on sending of a body that is too long, no slower than any other body."""


class Phase(Enum):
    """What a connection waits for."""

    IDLE = auto()  # for the first byte of a request
    READING = auto()  # for the rest of a request
    QUEUED = auto()  # for another large request to end
    WORKING = auto()  # for the app
    WAITING = auto()  # for what its request waits for, such as another player
    WRITING = auto()  # for the client to take what is unsent
    CLOSING = auto()  # for the client to close its end


class Client(asyncio.BufferedProtocol):
    """What a connection exchanges with its client; `connection` says what follows from that.

    `address` and `own_address` are those of the client and of the socket that it connected to; with
    a port, they are tuples. `peer` is the client's without its port, "" at a Unix socket.
    `since` is when the `phase` began, and `deadline` when it ends at the latest. `moved_at` is when
    the client last sent or took something, or connected. `has_turn` says whether the connection is
    in the queue for a turn.
    """

    _transport: asyncio.Transport

    def __init__(self, server: Server, address: Any, own_address: Any) -> None:
        self._server = server
        self.address = address if isinstance(address, tuple) else ()
        self.own_address = own_address
        self.peer = str(self.address[0]) if self.address else ""
        self.incoming = Incoming(server.hooks)
        self.phase = Phase.IDLE
        self.since = self.moved_at = time.monotonic()
        self.deadline = math.inf
        self.has_turn = False
        self._moved = self._unsent = 0

    @property
    def body_bytes(self) -> int:
        """How many bytes of the request's body have arrived."""
        return self.incoming.request.received if self.incoming.request is not None else 0

    def begin(self, phase: Phase, seconds: float) -> None:
        """Begins `phase`, which has to make progress within `seconds`."""
        self.phase = phase
        self.since = time.monotonic()
        self.deadline = self.since + seconds
        self._moved = 0

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002  # asyncio doesn't know it
        """Where to receive what has arrived, and at most how much of it."""
        request = self.incoming.request
        missing = request.missing_bytes if request is not None else 0
        return self._server.buffer[: max(RECEIVE_BYTES, min(missing, BODY_BYTES))]

    def keep(self, count: int) -> None:
        """Keeps so many bytes that have arrived; after the last response, discards them."""
        self._progress(count)
        if self.phase is Phase.CLOSING:
            request = self.incoming.request
            too_long = request is not None and request.too_long
            if self._moved >= (MAX_DISCARDED_BYTES if too_long else LINGER_BYTES):
                self._transport.abort()
            return
        self.incoming.add(bytes(self._server.buffer[:count]))
        if len(self.incoming.rest) >= RECEIVE_BYTES:
            self._transport.pause_reading()

    def write(self, data: bytes) -> None:
        """Sends `data`, or as much as the client takes now; asyncio keeps the rest."""
        if not self._transport.is_closing():
            self._transport.write(memoryview(data))  # of which asyncio need not copy the rest

    def has_taken_all(self) -> bool:
        """Whether the client has taken all that was written."""
        self._unsent = self._transport.get_write_buffer_size()
        return not self._unsent

    def _progress(self, moved: int) -> None:
        """Extends the deadline of a client that makes progress and isn't slower than `SLOWEST`.

        The head of a request has a fixed deadline: it is short, and nobody types it by hand.
        """
        self._moved += moved
        self.moved_at = time.monotonic()
        request = self.incoming.request
        if request is not None and (
            self.phase in (Phase.READING, Phase.WRITING)
            or (self.phase is Phase.CLOSING and request.too_long)
        ):
            seconds = self._server.stall_seconds
            earned = self.since + seconds + self._moved / SLOWEST
            self.deadline = min(self.moved_at + seconds, earned)

    def is_overdue(self, now: float) -> bool:
        """Whether the client has had its time. One doesn't stall whose turn hasn't come yet."""
        if self.phase is Phase.WRITING:
            unsent = self._transport.get_write_buffer_size()
            if unsent < self._unsent:
                self._progress(self._unsent - unsent)
                self._unsent = unsent
        return self.deadline <= now and not self.has_turn
