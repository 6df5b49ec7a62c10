"""The chance to reach a target, in the advice for score cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from service.api.operations.advise.fields import CHANCE, DECIMALS
from service.api.operations.operation import Answer
from service.api.schemas.fields import StrictField, whole
from service.api.schemas.shared import AnswerField, answer_part, nested
from service.kinds.scorecard.card import Card

if TYPE_CHECKING:
    from service.advice.scorecard.table import Table

MOST_TOTAL = 1_000_000
"""The highest target."""


def target() -> StrictField:
    """The field of a request with the final total to reach."""
    description = "The final total that you want to reach."
    return whole(1, MOST_TOTAL, metadata={"description": description})


REACH = nested(
    answer_part(
        "Reach",
        {
            "target": AnswerField({"type": "integer"}),
            "chance": AnswerField(
                CHANCE,
                "The chance that the final total is at least `target`, if you play for that.",
            ),
            "exact": AnswerField(
                {"type": "boolean"},
                "Whether that is the best chance. If not, it is estimated from simulated games of "
                "a good player, and the best chance may be somewhat higher.",
            ),
            "standard_error": AnswerField(
                {"type": "number", "minimum": 0},
                "The standard error of an estimate; present if `exact` is false.",
                required=False,
            ),
        },
    ),
    "Present if `target` was given.",
    required=False,
)
"""The field of a response with the chance to reach the target."""


def reached(table: Table, card: Card, given: Mapping[str, Any]) -> tuple[Answer, int]:
    """The chance to reach the target of a request, and the number of steps that it took."""
    from service.advice.scorecard.reach import reach  # NumPy takes long to import

    found = reach(table, card, given["target"], given.get("dice"), given.get("rolls_left"))
    error = {} if found.exact else {"standard_error": round(found.standard_error, DECIMALS)}
    return {
        "target": found.target,
        "chance": round(found.chance, DECIMALS),
        "exact": found.exact,
        **error,
    }, found.steps
