"""The one error of the command: why it wrote nothing."""

from __future__ import annotations


class NotDone(Exception):
    """Raised for what the person at the command line can set right; says what is wrong."""
