"""Requests that wait, for views.

A view may wait without a thread, which WSGI has no way to ask for. It returns a `Waiting` instead
of a response. The service's own server then gives the thread to other requests, and calls the app
again with the same request once it may have an answer. Under any other server the request waits in
its thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from flask import Response, request

from service.worker import hooks

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

WAITER = hooks.WAITER
"""The key of the WSGI environment for the request's `Waiter`. Only the service's own server sets
it.
"""


class Watch(hooks.Watch, Protocol):
    """What a request waits for."""

    def check(self) -> None:
        """Raises an error if it can't be waited for."""


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
