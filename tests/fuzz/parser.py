"""Finds the parsers that are fuzzed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from tests.fuzz import parsers

NAMES = [module.name for module in iter_modules(parsers.__path__)]
"""The names of all parsers."""


class Parser(Protocol):
    """What each module in `parsers` has."""

    DICTIONARY: Iterable[bytes]

    def seeds(self) -> Iterable[bytes]:
        """Valid inputs to begin with."""

    def check(self, data: bytes) -> None:
        """Raises any exception if the parser does something wrong with `data`."""


def parser(name: str) -> Parser:
    """The parser `name`, which must be one of `NAMES`."""
    return cast(Parser, import_module(f"{parsers.__name__}.{name}"))
