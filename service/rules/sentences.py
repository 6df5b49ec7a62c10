"""Parts of sentences."""

from __future__ import annotations

from collections.abc import Iterable


def all_of(words: Iterable[object]) -> str:
    """`words`, at least one, as in "a, b and c"."""
    return _listed(words, "and")


def any_of(words: Iterable[object]) -> str:
    """`words`, at least one, as in "a, b or c"."""
    return _listed(words, "or")


def capitalized(words: str) -> str:
    """`words` with a capital at the beginning; the others stay as they are."""
    return words[0].upper() + words[1:]


def _listed(words: Iterable[object], word: str) -> str:
    *others, last = map(str, words)
    return f"{', '.join(others)} {word} {last}" if others else last
