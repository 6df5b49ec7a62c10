"""The schemas that actions, states and news of several kinds share, for the contract."""

from __future__ import annotations

from typing import Any

from service.api.schemas.shapes import (
    COUNT,
    NUMBERS,
    ORDINAL,
    TEXT,
    TEXTS,
    Shape,
    by_player,
    component_of_kind,
    list_of,
    named_enum,
    optional,
    record,
)
from service.rules.variant import Variant

Properties = dict[str, Shape]

KEPT_DICE: Shape = list_of(COUNT, uniqueItems=True)
"""The dice that a roll keeps, by their indexes."""


def news_entry(variant: Variant[Any], *what: str, **own: Shape) -> Properties:
    """The fields of entries in the news: `what` happened, to whom, why, and its details."""
    return {
        "what": named_enum(component_of_kind(variant, "NewsWhat"), what),
        "player": optional(TEXT),
        "reason": TEXT,
        "winners": optional(TEXTS, "Present once the game is over."),
        **own,
    }


THROWS: Properties = {
    "throws": optional(
        by_player(list_of(NUMBERS)),
        "Each player's throws while the starting player is being decided.",
    ),
    "order": optional(
        TEXTS,
        "The players in the order of their turns; present once the starting player is known.",
    ),
}
"""The throws that decide who begins."""

FINAL_PLACES = optional(
    list_of(
        record("FinalPlace", {"place": ORDINAL, "players": TEXTS, "total": COUNT, "reason": TEXT})
    ),
    "Present once the game is over.",
)
"""The places at the end of a game that totals decide."""
