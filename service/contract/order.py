"""The order of schemas in the contract.

What is alike is written alike and close together: for readers, and since a gzip finds repetitions
only within 32 KiB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.api.schemas import shapes
from service.contract.named import NAMES
from service.rules.variant import Variant

_LAST = ("description", "properties", "required", "additionalProperties")


def in_order(schemas: Mapping[str, Any], variants: Sequence[Variant[Any]]) -> dict[str, Any]:
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
