"""The error that ends a command, and the exit status of a command."""

from __future__ import annotations

import sys
from collections.abc import Callable

from service.cli.terminal import say


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


class NoScheduler(TryAgain):
    """The scheduler of a cluster is gone or can't be reached."""


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
