"""The fields of requests for score cards."""

from __future__ import annotations

from typing import Any

from service.api.schemas.component import component
from service.api.schemas.enums import box, or_null
from service.api.schemas.fields import StrictField, read_word
from service.api.schemas.numbers import among
from service.kinds.scorecard.variant import ScoreCard
from service.rules.violations import InvalidInput, Violation


def box_names(variant: ScoreCard[Any], **kwargs: Any) -> StrictField:
    """The names of at least one box, all different, parsed into a frozen set."""
    boxes = [*variant.possible]

    def read(value: object) -> frozenset[str]:
        if not isinstance(value, list) or not 1 <= len(value) <= len(boxes):
            raise InvalidInput(Violation((), f"must be a list of 1 to {len(boxes)} boxes"))
        violations: list[Violation] = []
        names: set[str] = set()
        for index, item in enumerate(value):
            try:
                name = read_word(item, boxes, (index,))
            except InvalidInput as refused:
                violations += refused.violations
                continue
            if name in names:
                violations.append(Violation((index,), f"repeats {name}"))
            names.add(name)
        if violations:
            raise InvalidInput(*violations)
        return frozenset(names)

    json_schema = {
        "type": "array",
        "items": box(variant),
        "minItems": 1,
        "uniqueItems": True,
    }
    return StrictField(read, json_schema, **kwargs)


def card(variant: ScoreCard[Any], **kwargs: Any) -> StrictField:
    """A score card: boxes with a score that some roll gives there, or null while open."""
    properties: dict[str, Any] = {
        box: or_null(among(possible)) for box, possible in variant.possible.items()
    }
    if variant.repeats:
        properties[variant.repeats.counter] = {
            "type": ["integer", "null"],
            "minimum": 0,
            "maximum": len(variant.boxes) - 1,
            "description": f"The number of rolls that earned {variant.repeats.bonus}. Default: "
            "`0`.",
        }
    json_schema = {
        "title": component(variant, "CardSoFar"),
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    return StrictField(variant.read_card, json_schema, **kwargs)
