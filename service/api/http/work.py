"""What it takes to answer a request, which the service's own server asks before the app runs."""

from __future__ import annotations

from enum import Enum, auto


class Work(Enum):
    """What it takes to answer a request. Each kind has threads of its own, so none delays another.

    A batch may have a longer body than all others, and is computed in turns.
    """

    ORDINARY = auto()  # computes for milliseconds
    ADVICE = auto()  # may compute for hundreds of milliseconds
    STORE = auto()  # waits for the store of sessions
    STORE_ADVICE = auto()  # both
    BATCH = auto()  # computes for long
