"""The chance to reach a target, in the advice for score cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from service.api.operations.advise.fields import CHANCE, DECIMALS, NO_LESS_THAN_0, rounded
from service.api.schemas import shapes
from service.api.schemas.fields import StrictField, whole
from service.api.schemas.serializers import Serializer
from service.kinds.scorecard.card import Card

if TYPE_CHECKING:
    from service.advice.scorecard.reach import Reach
    from service.advice.scorecard.table import Table

MOST_TOTAL = 1_000_000
"""The highest target."""


def target() -> StrictField:
    """The field of a request with the final total to reach."""
    description = "The final total that you want to reach."
    return whole(1, MOST_TOTAL, metadata={"description": description})


def _error(found: Reach) -> object:
    return None if found.exact else round(found.standard_error, DECIMALS)


REACH = Serializer["Reach"](
    "Reach",
    {
        "target": shapes.INTEGER,
        "chance": rounded(
            CHANCE("The chance that the final total is at least `target`, if you play for that."),
            "chance",
        ),
        "exact": shapes.FLAG(
            "Whether that is the best chance. If not, it is estimated from simulated games, and "
            "the best chance may be somewhat higher."
        ),
        "standard_error": NO_LESS_THAN_0.optional(
            "The standard error of an estimate; present if `exact` is false."
        ).of(_error),
    },
)
"""The chance to reach the target of a request."""


def reached(table: Table, card: Card, given: Mapping[str, Any]) -> Reach:
    """The chance to reach the target of a request."""
    from service.advice.scorecard.reach import reach  # NumPy takes long to import

    return reach(table, card, given["target"], given.get("dice"), given.get("rolls_left"))
