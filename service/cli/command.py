"""How commands run: the errors that end them, what they print, and how signals stop them."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TextIO


class CommandError(Exception):
    """An error that the user can fix, such as an invalid file.

    Each argument is one line of the message; line breaks within an argument, which may come from a
    file, are escaped when it is printed. `status` is the exit status of the command.
    """

    status = 2

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the message."""
        return self.args


class TryAgain(CommandError):
    """An error that may pass, such as a store that is away: the same command may work later.

    The status is that of BSD's `sysexits.h` for such failures.
    """

    status = 75


def printable(text: str) -> str:
    r"""`text` with an escape such as `\x1b` for each character that isn't printable.

    These are control characters, line separators, marks that change the direction of text (U+202E),
    other invisible characters, and bytes of a path that are not UTF-8.
    """
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
        for each in text
    )


def say(line: str, stream: TextIO) -> None:
    """Prints `line` as exactly one line; characters that `stream` can't encode are escaped, too."""
    encoding = stream.encoding or "utf-8"
    shown = printable(line).encode(encoding, "backslashreplace").decode(encoding)
    print(shown, file=stream)


def exit_status(command: Callable[[], object]) -> int:
    """Runs `command` and returns 0; or prints its `CommandError` to stderr, and returns the status
    of that.
    """
    try:
        command()
    except CommandError as error:
        for line in error.lines:
            say(line, sys.stderr)
        return error.status
    return 0


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


def _stop(number: int, _: FrameType | None) -> None:
    """Handles a signal like Ctrl-C, so that no half-written file is left behind."""
    raise KeyboardInterrupt(number)


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
