"""The languages of responses."""

from __future__ import annotations

from service.rules.sentences import ENGLISH, Words


def words() -> Words:
    """The language that the current request prefers."""
    return ENGLISH
