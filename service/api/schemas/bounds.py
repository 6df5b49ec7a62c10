"""The bounds of the values of actions as JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.engine.parameters import Bound, Keep, OneOf, Whole

JsonSchema = Mapping[str, Any]

Bounds = Mapping[type[Bound], Callable[[Any], JsonSchema]]
"""Functions that return the JSON Schema of bounds, by class."""


def whole_schema(bound: Whole) -> JsonSchema:
    """A whole number."""
    schema = {"type": "integer", "minimum": bound.minimum, "maximum": bound.maximum}
    return {**schema, "multipleOf": bound.step} if bound.step > 1 else schema


def one_of_schema(bound: OneOf) -> JsonSchema:
    """One of several words."""
    return {"type": "string", "enum": bound.words}


def keep_schema(bound: Keep) -> JsonSchema:
    """The dice to keep, none by default."""
    return {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": bound.count - 1},
        "maxItems": bound.count - 1,
        "uniqueItems": True,
        "default": [],
    }
