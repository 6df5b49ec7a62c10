"""How the service's own server runs requests: kinds of work, its loop, and waiting.

Handing a request to a thread takes longer than to answer a short one, so the server answers short
requests to the `brief_paths` of the app in its loop, where no other request can go on meanwhile.

A view may wait without a thread, which WSGI has no way to ask for. It returns a `Waiting` instead
of a response. The server then gives the thread to other requests, and calls the app again with the
same request once it may have an answer. Under any other server the request waits in its thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, auto
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from flask import Response, request

from service.worker import hooks
from service.worker.hooks import IN_LOOP, TakesLong

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

WAITER = hooks.WAITER
"""The key of the WSGI environment for the request's `Waiter`. Only the service's own server sets
it.
"""


class Work(Enum):
    """What it takes to answer a request. Each kind has threads of its own, so none delays another.

    A batch may have a longer body than all others, and is computed in turns.
    """

    ORDINARY = auto()  # computes for milliseconds
    ADVICE = auto()  # may compute for hundreds of milliseconds
    STORE = auto()  # waits for the store of sessions
    STORE_ADVICE = auto()  # both
    BATCH = auto()  # computes for long


def leave_loop() -> None:
    """Raises `TakesLong` if the current request is answered in a loop.

    Flask hands what isn't an `Exception` on to the server.
    """
    if request.environ.get(IN_LOOP):
        raise TakesLong


def has_left_loop(environ: WSGIEnvironment) -> bool:
    """Whether the app was called with this request before, and raised `TakesLong`."""
    return environ.get(IN_LOOP) is False


class Watch(Protocol):
    """What a request waits for."""

    def check(self) -> None:
        """Raises an error if it can't be waited for."""

    def close(self) -> None:
        """Ends the watch."""


class Waiting(Response):
    """What a view returns to be called again: when its `Waiter` is woken, or after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    # the parameters are those of every WSGI application
    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:  # noqa: ARG002
        """Says to the server that the request waits, so it starts no response."""
        environ[WAITER].waiting = self
        return ()


class Waiter(Protocol):
    """A request that may wait, for its view and for what wraps the app."""

    waiting: Waiting | None
    """What the view has returned, if the request waits."""

    until: float
    """When the client wants a response, as `time.monotonic` has it; 0 until the view sets it."""

    watch: Watch | None
    """What the request waits for, once the view has set it; closed when the request ends."""

    @property
    def over(self) -> bool:
        """Whether the view has to respond now, as its client has gone or the server stops."""

    def wake(self) -> None:
        """Has the view called again; any thread may call this."""


def has_waited(environ: WSGIEnvironment) -> bool:
    """Whether the app was called with this request before."""
    waiter: Waiter | None = environ.get(WAITER)
    return waiter is not None and waiter.until > 0


def is_waiting(environ: WSGIEnvironment) -> bool:
    """Whether the app has returned a `Waiting` for this request just now."""
    waiter: Waiter | None = environ.get(WAITER)
    return waiter is not None and waiter.waiting is not None


def wait(view: Callable[[Waiter], Response]) -> Response:
    """The response of `view`, which may return a `Waiting` as long as it has none.

    Under the service's own server that is passed on; elsewhere this waits for the response.
    """
    waiter: Waiter | None = request.environ.get(WAITER)
    return view(waiter) if waiter is not None else _InThread().wait(view)


class _InThread:
    """A request that waits in its thread, under another server."""

    over = False

    def __init__(self) -> None:
        self.waiting: Waiting | None = None
        self.until = 0.0
        self.watch: Watch | None = None
        self._woken = Event()

    def wake(self) -> None:
        self._woken.set()

    def wait(self, view: Callable[[Waiter], Any]) -> Response:
        try:
            while True:
                response: Response = view(self)
                if not isinstance(response, Waiting):
                    return response
                self._woken.wait(response.seconds)
                self._woken.clear()
        finally:
            if self.watch is not None:
                self.watch.close()
