"""Commands that write files: Ctrl-C and SIGTERM end them in order."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from service.cli.command_error import exit_status


def stoppable(command: Callable[[], object], kept: str) -> int:
    """Runs `command` as `exit_status` does, and returns its status.

    After Ctrl-C or SIGTERM it says that it has stopped and what is `kept`. The status is the one
    that shells give them.
    """
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        return exit_status(command)
    except KeyboardInterrupt as stopped:
        print(f"Stopped; {kept}.", file=sys.stderr)
        number: int = stopped.args[0] if stopped.args else signal.SIGINT
        return 128 + number
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def postponed() -> Iterator[None]:
    """Ctrl-C and SIGTERM take effect at the end: for what can't be ended in the middle."""
    came: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: came.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    except Exception:
        if not came:  # else that may be why
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        raise KeyboardInterrupt(came[0])


def _stop(number: int, _: FrameType | None) -> None:
    """Handles a signal like Ctrl-C, so that no half-written file is left behind."""
    raise KeyboardInterrupt(number)
