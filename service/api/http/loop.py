"""Requests that the server answers in its loop, where no other request can go on meanwhile.

The service's own server does that with short requests to the `brief_paths` of the app, because
handing a request to a thread takes longer than to answer it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

IN_LOOP = "dice_scoring.in_loop"
"""The key of the WSGI environment for whether the request is answered in the loop now.

It is False once the app has raised `TakesLong`, and missing if the request can't be brief.
"""


class TakesLong(BaseException):
    """A request must not be answered in the loop; it has had no effect yet.

    Flask hands what isn't an `Exception` on to the server.
    """


def leave_loop() -> None:
    """Raises `TakesLong` if the current request is answered in a loop."""
    if request.environ.get(IN_LOOP):
        raise TakesLong


def has_left_loop(environ: WSGIEnvironment) -> bool:
    """Whether the app was called with this request before, and raised `TakesLong`."""
    return environ.get(IN_LOOP) is False
