"""The schemas that actions, states and news of several kinds share, for the contract."""

from __future__ import annotations

from service.api.schemas import shapes
from service.api.schemas.shapes import Shape
from service.rules.variant import Variant

Properties = dict[str, Shape]

KEPT_DICE = shapes.list_of(shapes.COUNT, uniqueItems=True)
"""The dice that a roll keeps, by their indexes."""


def news_entry(variant: Variant, *what: str, **own: Shape) -> Properties:
    """The fields of entries in the news: `what` happened, to whom, why, and its details."""
    return {
        "what": shapes.named_enum(shapes.component_of_kind(variant, "NewsWhat"), what),
        "player": shapes.TEXT.optional(),
        "reason": shapes.TEXT,
        "winners": shapes.TEXTS.optional("Present once the game is over."),
        **own,
    }


THROWS: Properties = {
    "throws": shapes.by_player(shapes.list_of(shapes.NUMBERS)).optional(
        "Each player's throws while the starting player is being decided."
    ),
    "order": shapes.TEXTS.optional(
        "The players in the order of their turns; present once the starting player is known."
    ),
}
"""The throws that decide who begins."""

_FINAL_PLACE = shapes.record(
    "FinalPlace",
    {
        "place": shapes.ORDINAL,
        "players": shapes.TEXTS,
        "total": shapes.COUNT,
        "reason": shapes.TEXT,
    },
)

FINAL_PLACES = shapes.list_of(_FINAL_PLACE).optional("Present once the game is over.")
"""The places at the end of a game that totals decide."""
