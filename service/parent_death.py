"""A pipe that closes when the service ends, so that its workers and the makers of tables end, too.

gunicorn's master holds the end for writing, and nobody writes. The kernel closes it when the master
ends, however that happens, and those who read the other end notice.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

_read: int | None = None
_write: int | None = None


def hold() -> None:
    """Makes the pipe, if there is none: other processes end when this one does."""
    global _read, _write
    if _read is None:
        _read, _write = os.pipe()


def leave() -> None:
    """Closes a worker's copy of the end for writing: only the master is to hold it."""
    global _write
    if _write is not None:
        os.close(_write)
        _write = None


def cut() -> None:
    """Closes the pipe, so that the processes that have the other end of it end."""
    global _read
    leave()
    if _read is not None:
        os.close(_read)
        _read = None


def read_end() -> int:
    """The end for a new process to inherit; outside of gunicorn, this process holds the pipe."""
    hold()
    assert _read is not None
    return _read


def adopt(read: int) -> None:
    """Passes an inherited end on to the processes that this one starts."""
    global _read
    _read = read


def end_with(read: int, ending: Callable[[], object] = lambda: None) -> None:
    """Ends this process, whatever it does, as soon as the pipe is closed; calls `ending` first."""
    threading.Thread(target=_watch, args=(read, ending), daemon=True).start()


def _watch(read: int, ending: Callable[[], object]) -> None:
    os.read(read, 1)
    try:
        ending()
    finally:
        os._exit(1)
