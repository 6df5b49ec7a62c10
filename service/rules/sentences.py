"""Parts of sentences."""

from __future__ import annotations

from collections.abc import Sequence


def all_of(words: Sequence[str]) -> str:
    """`words`, at least one, as in "a, b and c"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
