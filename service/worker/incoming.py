"""The bytes that arrive over a connection, as one request after another."""

from __future__ import annotations

from service.worker.hooks import Hooks
from service.worker.refusal import Refusal, unparsable
from service.worker.request import HEAD_BYTES, Request

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
