"""The games: one module for each, with its description as `VARIANT`.

Every module in this package is a game of the service; no list names them. Other games come from
outside: installed packages name their modules in the entry-point group `dice_scoring.variants`, and
the setting `VARIANTS` names further modules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules

from service.kinds.registry import KIND_NAMES
from service.rules.variant import Variant, WrongDescription, reason

GROUP = "dice_scoring.variants"
"""The entry points of installed packages; the value of each is the dotted name of a module."""

SETTING = "VARIANTS"
"""The environment variable with further modules: dotted names, separated by commas."""


_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


@cache
def variants(further: str | None = None) -> Mapping[str, Variant]:
    """Every variant by its id: those of this package, in alphabetical order of the modules, then
    those of installed packages, then those of the modules `further`.

    Without `further` these are the modules of the setting `VARIANTS`. Raises `WrongDescription`
    for a module that can't be imported or has no variant, for a setting or an entry point that
    names anything but a module, and for an id that is taken.
    """
    setting = os.environ.get(SETTING, "") if further is None else further
    points = sorted(entry_points(group=GROUP), key=lambda point: point.value)
    named = [
        *((f"the entry point {point.name!r} in {GROUP}", point.value) for point in points),
        *((SETTING, name) for name in filter(None, map(str.strip, setting.split(",")))),
    ]
    for where, name in named:
        if not _MODULE.fullmatch(name):
            raise WrongDescription(
                f"{where} must have the dotted name of a module, such as my_games.pairs, not "
                f"{name!r}"
            )
    return _variants([*_own_modules(), *(name for _, name in named)])


def own_variants() -> Mapping[str, Variant]:
    """The variants of this package alone, by id."""
    return _variants(_own_modules())


def _own_modules() -> list[str]:
    """The names of the modules of this package."""
    return [f"{__name__}.{module.name}" for module in iter_modules(__path__)]


def _variants(names: Iterable[str]) -> Mapping[str, Variant]:
    """The variants of modules by their `names`, some of which may be the same."""
    by_id: dict[str, Variant] = {}
    modules: dict[str, str] = {}
    for module in dict.fromkeys(names):
        variant = _variant(module)
        if variant.id in by_id:
            raise WrongDescription(
                f"the module {module} has a variant {variant.id!r}, but {modules[variant.id]} "
                "already has one with this id"
            )
        by_id[variant.id] = variant
        modules[variant.id] = module
    return by_id


def _variant(module: str) -> Variant:
    """The variant of a module. Raises `WrongDescription` if it has none, or exits."""
    try:
        variant = import_module(module).VARIANT
    except WrongDescription as error:
        raise WrongDescription(f"the module {module} can't be used: {error}") from error
    except (Exception, SystemExit) as error:
        raise WrongDescription(f"the module {module} can't be used: {reason(error)}") from error
    if not isinstance(variant, Variant) or getattr(variant, "kind", None) not in KIND_NAMES:
        raise WrongDescription(
            f"VARIANT in the module {module} must be of one of the kinds {', '.join(KIND_NAMES)}"
        )
    return variant
