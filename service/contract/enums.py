"""Named enums as components of the contract."""

from __future__ import annotations

from typing import Any

VALUES = ("example", "examples", "default", "const", "x-request")
"""The keys of values, which are no schemas even if they look like one."""


def with_named_enums(contract: dict[str, Any]) -> dict[str, Any]:
    """`contract` with a component for each enum that has a `title`, and references to them.

    Raises `ValueError` if two different enums have the same name.
    """
    enums: dict[str, Any] = {}
    made: dict[str, Any] = _lifted(contract, enums)
    schemas = made["components"]["schemas"]
    if both := enums.keys() & schemas.keys():
        raise ValueError(f"an enum and an object have the same name: {', '.join(sorted(both))}")
    schemas.update(enums)
    return made


def _lifted(part: Any, enums: dict[str, Any], *, named: bool = False) -> Any:
    """`part` with references to `enums`, which gets those found in it.

    With `named`, the keys of `part` are names, such as those of properties.
    """
    if isinstance(part, list | tuple):
        return [_lifted(item, enums) for item in part]
    if not isinstance(part, dict):
        return part
    if not named and "title" in part and "enum" in part:
        return _reference(part, enums)
    return {
        key: value
        if key in VALUES and not named
        else _lifted(value, enums, named=key == "properties" and not named)
        for key, value in part.items()
    }


def _reference(part: dict[str, Any], enums: dict[str, Any]) -> dict[str, Any]:
    """A reference to the enum `part`, with its description if there is one."""
    name = part["title"]
    enum = {key: part[key] for key in ("type", "enum")}
    if enums.setdefault(name, enum) != enum:
        raise ValueError(f"two different enums have the name {name}")
    others = {key: value for key, value in part.items() if key not in ("title", *enum)}
    return {"$ref": f"#/components/schemas/{name}", **others}
