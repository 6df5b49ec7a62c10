"""Where `/metrics` is served: the setting METRICS."""

from __future__ import annotations

import re
from dataclasses import dataclass

OFF = "off"
PATH = "/metrics"

_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+").fullmatch

_TAKEN = re.compile(r"/(v1|docs|play)(/.*)?|/(livez|readyz|openapi\.json|openapi\.yaml)").fullmatch
"""The other paths of the service, and what is below them."""


@dataclass(frozen=True)
class Endpoint:
    """A `path`, "" for none, and a `port` for that alone, 0 for the port of the service."""

    path: str
    port: int = 0


def parse_endpoint(text: str) -> Endpoint:
    """Reads the setting. Raises `ValueError` with what it must be."""
    if text == OFF:
        return Endpoint("")
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 65535:
        return Endpoint(PATH, int(text))
    if _TAKEN(text):
        raise ValueError(f"must be a path that the service doesn't use itself: {text!r}")
    if _PATH(text):
        return Endpoint(text)
    raise ValueError(f"must be a path such as {PATH}, a port from 1 to 65535, or {OFF}: {text!r}")
