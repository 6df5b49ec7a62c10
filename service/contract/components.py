"""The schemas of the contract: a component for each that has a `title`, in the order for readers.

What is alike is written alike and close together: for readers, and since a gzip finds repetitions
only within 32 KiB.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from service.api.schemas import shapes
from service.api.schemas.shapes import JsonSchema, Shape
from service.rules.variant import Variant

VALUES = ("example", "examples")
"""The keys of values, which are no schemas even if they look like one."""

NAMES = ("properties", "mapping")
"""The keys of objects whose own keys are names: of properties, or values of a discriminator."""


def with_named_schemas(contract: dict[str, Any], further: Iterable[Shape]) -> dict[str, Any]:
    """`contract` with a component for each schema that has a `title`, and references to them.

    It gets the `further` schemas, too. Raises `ValueError` if two different schemas have the same
    name.
    """
    named: dict[str, Any] = {}
    made = {
        key: _lifted(part, named) if key in ("paths", "components") else part
        for key, part in contract.items()
    }
    for schema in further:
        _add(schema["title"], _without(schema, "title"), named)
    made["components"]["schemas"] = named
    return made


def _lifted(part: Any, named: dict[str, Any], *, names: bool = False) -> Any:
    """`part` with references to the schemas with a title, which are added to `named`.

    With `names`, the keys of `part` are names.
    """
    if isinstance(part, list | tuple):
        return [_lifted(item, named) for item in part]
    if not isinstance(part, dict):
        return part
    if not names and "title" in part:
        return _reference(part, named)
    return {
        key: value
        if key in VALUES and not names
        else _lifted(value, named, names=key in NAMES and not names)
        for key, value in part.items()
    }


def _reference(part: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    """A reference to the schema `part`; its description is that of this use of it."""
    name = part["title"]
    _add(name, _without(part, "title", "description"), named)
    return dict(shapes.reference(name)(part.get("description", "")))


def _add(name: str, own: JsonSchema, named: dict[str, Any]) -> None:
    schema = _lifted(own, named)
    if named.setdefault(name, schema) != schema:
        raise ValueError(f"two different schemas have the name {name}")


def _without(part: JsonSchema, *keywords: str) -> JsonSchema:
    return {key: value for key, value in part.items() if key not in keywords}


_LAST = ("description", "properties", "required", "additionalProperties")


def in_order(schemas: Mapping[str, Any], variants: Sequence[Variant]) -> dict[str, Any]:
    """`schemas` by name: first those of each variant, then those of several."""
    prefixes = [shapes.component(variant, "") for variant in variants]

    def place(name: str) -> tuple[int, str]:
        own = [index for index, prefix in enumerate(prefixes) if name.startswith(prefix)]
        return (max(own, key=lambda index: len(prefixes[index]), default=len(prefixes)), name)

    return {name: _ordered(schemas[name]) for name in sorted(schemas, key=place)}


def _ordered(part: Any, *, names: bool = False) -> Any:
    """`part` of a schema with its keywords in order, and required fields as in `properties`.

    With `names`, the keys of `part` are names.
    """
    if isinstance(part, list):
        return [_ordered(item) for item in part]
    if not isinstance(part, dict):
        return part
    if names:
        return {name: _ordered(schema) for name, schema in part.items()}
    keywords = sorted(part, key=lambda key: _LAST.index(key) if key in _LAST else -1)
    made = {key: _ordered(part[key], names=key in NAMES) for key in keywords}
    if "required" in made:
        made["required"] = sorted(part["required"], key=[*part["properties"]].index)
    return made
