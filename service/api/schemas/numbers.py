"""Numbers out of a few, as JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import Any


def among(numbers: Iterable[int]) -> dict[str, Any]:
    """A whole number from the least to the greatest of `numbers`, with the step that all have.

    Generators would make a type with a name for each number of an enum.
    """
    known = sorted(numbers)
    step = gcd(*known)
    schema = {"type": "integer", "minimum": known[0], "maximum": known[-1]}
    return {**schema, "multipleOf": step} if step > 1 else schema
