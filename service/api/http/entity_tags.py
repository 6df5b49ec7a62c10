"""Parses the entity tags in conditional requests (RFC 9110, 8.8.3 and 13.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

NO_TRANSFORM = "no-transform"
"""What the `Cache-Control` of every response with an ETag says: a proxy that compresses it would
make the ETag weak, or another one.
"""

_TAG = r'(?:W/)?"[!\x23-\x7e\x80-\xff]*"'
_ITEM = rf"[ \t]*(?:{_TAG}[ \t]*)?"
_LIST = re.compile(f"{_ITEM}(?:,{_ITEM})*").fullmatch
_TAGS = re.compile(r'(W/)?"([^"]*)"').findall


@dataclass(frozen=True, slots=True)
class EntityTags:
    """The tags in a header, without quotes. They are compared as texts, never as numbers.

    If-Match compares only the `strong` ones, If-None-Match compares `all`, weak ones too. `star` is
    true for `*`, which matches anything. A header that can't be parsed has no tags.
    """

    star: bool
    strong: frozenset[str]
    all: frozenset[str]


def read_tags(header: str) -> EntityTags:
    """Parses `header`, the value of If-Match or If-None-Match."""
    if header.strip(" \t") == "*":
        return EntityTags(True, frozenset(), frozenset())
    pairs = _TAGS(header) if _LIST(header) else []
    strong = frozenset([tag for weak, tag in pairs if not weak])
    return EntityTags(False, strong, frozenset([tag for _, tag in pairs]))
