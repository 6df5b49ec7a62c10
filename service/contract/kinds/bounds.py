"""The bounds of values in legal actions, which are JSON Schemas themselves, for the contract."""

from __future__ import annotations

from typing import Any

from service.contract.kinds.shapes import COUNT, FLAG, INTEGER, NUMBERS, TEXTS, Shape, only
from service.contract.parts import one_of, reference


def bounds(name: str, type_: Shape, own: Shape, required: list[str]) -> dict[str, Any]:
    """The schema of bounds, as the component `name`, with the schema of their `type`."""
    return {
        "title": name,
        "type": "object",
        "properties": {"type": type_, **own},
        "required": ["type", *required],
    }


NUMBER = bounds(
    "NumberBounds",
    only("NumberBounds", "integer"),
    {
        "minimum": INTEGER,
        "maximum": INTEGER,
        "multipleOf": INTEGER,
        "enum": NUMBERS,
    },
    [],
)
"""The bounds of a whole number."""

WORD = bounds("WordBounds", only("WordBounds", "string"), {"enum": TEXTS}, ["enum"])
"""The bounds of one of several words."""

LIST = bounds(
    "ListBounds",
    only("ListBounds", "array"),
    {
        "items": reference("Bounds"),
        "minItems": COUNT,
        "maxItems": COUNT,
        "uniqueItems": FLAG,
        "default": NUMBERS,
    },
    ["items", "maxItems"],
)
"""The bounds of a list."""

BOUNDS = one_of("type", {"integer": "NumberBounds", "string": "WordBounds", "array": "ListBounds"})
"""Any of these bounds, as the component `Bounds`."""
