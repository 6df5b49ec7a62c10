"""What a view that waits can learn of its client, beyond what WSGI has."""

from __future__ import annotations

from collections.abc import Callable

from flask import request

SHOULD_RETURN = "dice_scoring.should_return"
"""Where the WSGI environment may hold a function that returns whether a view that waits should
return at once."""


def should_return() -> bool:
    """Whether nobody waits for the response any more, or the worker is to stop.

    It is False under a server that doesn't say.
    """
    asked: Callable[[], bool] | None = request.environ.get(SHOULD_RETURN)
    return asked is not None and asked()
