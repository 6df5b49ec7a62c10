"""The one error of the command: why it wrote nothing."""

from __future__ import annotations


class NotDone(Exception):
    """Raised for what the person at the command line can set right.

    Its arguments say what is wrong, a line each: a text with line breaks of its own, from a file,
    stays one line.
    """

    @property
    def lines(self) -> tuple[str, ...]:
        """What is wrong, line by line."""
        return self.args
