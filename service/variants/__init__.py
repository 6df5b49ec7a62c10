"""The games: one module a variant, each with its description as `VARIANT`.

A module added to this package is a variant of the service; nothing else lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from service.rules.variant import Variant


@cache
def variants() -> Mapping[str, Variant[Any]]:
    """Every variant by its id, in alphabetical order of the modules."""
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    return {module.VARIANT.id: module.VARIANT for module in modules}
