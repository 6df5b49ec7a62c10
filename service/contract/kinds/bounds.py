"""The bounds of values in legal actions, which are JSON Schemas themselves, for the contract."""

from __future__ import annotations

from typing import Any

from service.api.schemas.enums import Enum, named_enum
from service.contract.kinds.shapes import COUNT, FLAG, TEXTS, Shape
from service.contract.parts import one_of, reference

INTEGER = {"type": "integer"}


def bounds(name: str, type_: Shape, own: Shape, required: list[str]) -> dict[str, Any]:
    """The schema of bounds, as the component `name`, with the schema of their `type`."""
    return {
        "title": name,
        "type": "object",
        "properties": {"type": type_, **own},
        "required": ["type", *required],
    }


def _only(word: str) -> Enum:
    """The type `word` alone. It has a name because Swift has a type `Type` of its own."""
    return named_enum(f"{word.capitalize()}Type", [word])


NUMBER = bounds(
    "NumberBounds",
    _only("integer"),
    {
        "minimum": INTEGER,
        "maximum": INTEGER,
        "multipleOf": INTEGER,
        "enum": {"type": "array", "items": INTEGER},
    },
    [],
)
"""The bounds of a whole number."""

WORD = bounds("WordBounds", _only("string"), {"enum": TEXTS}, ["enum"])
"""The bounds of one of several words."""

LIST = bounds(
    "ListBounds",
    _only("array"),
    {
        "items": reference("Bounds"),
        "minItems": COUNT,
        "maxItems": COUNT,
        "uniqueItems": FLAG,
        "default": {"type": "array", "items": INTEGER},
    },
    ["items", "maxItems"],
)
"""The bounds of a list."""

BOUNDS = one_of("type", {"integer": "NumberBounds", "string": "WordBounds", "array": "ListBounds"})
"""Any of these bounds, as the component `Bounds`."""
