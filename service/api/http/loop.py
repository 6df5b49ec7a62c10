"""Requests that the server answers in its loop, where no other request can go on meanwhile.

The service's own server does that with short requests to the `brief_paths` of the app, because
handing a request to a thread takes longer than to answer it.
"""

from __future__ import annotations

from flask import request

IN_LOOP = "dice_scoring.in_loop"
"""The key that the WSGI environment of such a request has."""


class TakesLong(BaseException):
    """A request must not be answered in the loop; it has had no effect yet.

    Flask hands what isn't an `Exception` on to the server.
    """


def leave_loop() -> None:
    """Raises `TakesLong` if the current request is answered in a loop."""
    if IN_LOOP in request.environ:
        raise TakesLong
