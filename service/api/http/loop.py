"""Requests that the server answers in its loop, where no other request can go on meanwhile.

The service's own server does that with short requests to the `brief_paths` of the app, because
handing a request to a thread takes longer than to answer it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

from service.worker.hooks import IN_LOOP, TakesLong

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


def leave_loop() -> None:
    """Raises `TakesLong` if the current request is answered in a loop.

    Flask hands what isn't an `Exception` on to the server.
    """
    if request.environ.get(IN_LOOP):
        raise TakesLong


def has_left_loop(environ: WSGIEnvironment) -> bool:
    """Whether the app was called with this request before, and raised `TakesLong`."""
    return environ.get(IN_LOOP) is False
