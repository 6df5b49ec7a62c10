"""Whether the client of a view that waits is still there, which WSGI has no way to ask."""

from __future__ import annotations

from collections.abc import Callable

from flask import request

SHOULD_RETURN = "dice_scoring.should_return"
"""The key of the WSGI environment for a function that returns whether a waiting view should return
at once. Other servers than the service's own don't set it."""


def should_return() -> bool:
    """Whether the client has gone or the worker is stopping; False if the server doesn't know."""
    function: Callable[[], bool] | None = request.environ.get(SHOULD_RETURN)
    return function is not None and function()
