"""The error that ends the command."""

from __future__ import annotations


class CommandError(Exception):
    """An error that the user can fix, such as an invalid file.

    Each argument is one line of the message; line breaks within an argument, which may come from a
    file, are escaped when it is printed.
    """

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the message."""
        return self.args
