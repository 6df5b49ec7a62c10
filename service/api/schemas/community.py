"""The fields of requests for games with pocket and community dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.api.schemas.enums import die
from service.api.schemas.fields import StrictField
from service.kinds.community.variant import CommunityRanking
from service.rules.violations import InvalidInput, Violation, read_each


def pockets(variant: CommunityRanking[Any], most: int, note: str, **kwargs: Any) -> StrictField:
    """A list of up to `most` pockets, parsed into codes; `note` is the description."""

    def read(value: object) -> Sequence[Sequence[int]]:
        if not isinstance(value, list) or len(value) > most:
            raise InvalidInput(Violation((), f"must be a list of up to {most} pockets"))
        return read_each(value, lambda pocket: variant.dice.read_codes(pocket, (variant.pocket,)))

    pocket = {
        "type": "array",
        "items": die(variant),
        "minItems": variant.pocket,
        "maxItems": variant.pocket,
    }
    json_schema = {
        "type": "array",
        "items": pocket,
        "maxItems": most,
        "description": note,
    }
    return StrictField(read, json_schema, **kwargs)
