"""What it takes to answer a request, for the service's own server.

Handing a request to a thread takes longer than to answer a short one, so the server answers short
requests to the `brief_paths` of the app in its loop, where no other request can go on meanwhile.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from flask import request

from service.worker.hooks import IN_LOOP, TakesLong

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


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
