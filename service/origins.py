"""Parses the origins in the setting ALLOW_ORIGINS."""

from __future__ import annotations

import re

ANY = "*"

_ORIGIN = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:(?P<port>[0-9]{1,5}))?"
).fullmatch

_DEFAULT_PORTS = {"http": 80, "https": 443}


def parse_origins(text: str) -> frozenset[str]:
    """The origins in `text`, separated by commas, as browsers send them; `ANY` is any of them.

    Browsers write scheme and host in lower case, and leave out the scheme's default port. Raises
    `ValueError` that says what `text` must be, and names the first value that is wrong.
    """
    values = [value.strip() for value in text.split(",")]
    if ANY in values and len(values) > 1:
        raise ValueError(f"must be {ANY} alone, or origins without it: {text!r}")
    return frozenset([value if value == ANY else _origin(value) for value in values])


def _origin(text: str) -> str:
    parts = _ORIGIN(text.lower())
    port = int(parts["port"] or 0) if parts else 0
    if not parts or port > 65535 or (parts["port"] and not port):
        raise ValueError(
            f"must be {ANY} or origins separated by commas, each scheme://host or "
            f"scheme://host:port without a path or a slash at the end: {text!r}"
        )
    origin = f"{parts['scheme']}://{parts['host']}"
    return origin if port in (0, _DEFAULT_PORTS.get(parts["scheme"])) else f"{origin}:{port}"
