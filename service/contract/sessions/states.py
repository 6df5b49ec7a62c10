"""The states and the news of games in sessions, for the contract."""

from __future__ import annotations

from functools import cache
from typing import Any

from marshmallow import Schema

from service.api.schemas.component import component, component_of_kind
from service.api.schemas.enums import named_enum
from service.api.schemas.shared import AnswerField, answer_part, listed, nested
from service.contract.kinds.registry import CONTRACT_KINDS
from service.contract.kinds.shapes import FLAG, TEXTS
from service.rules.variant import Variant


@cache
def state(variant: Variant[Any]) -> type[Schema]:
    """The state of a game of `variant`: the fields of all games, and those of its kind."""
    kind = CONTRACT_KINDS.of(variant)
    common = {
        "over": AnswerField(FLAG, "Whether the game is over."),
        "winners": AnswerField(
            TEXTS, "The winners, several if they tie; empty until the game is over."
        ),
        "news": listed(
            nested(news(variant)),
            "The events that followed from the last action, in order, each with its reason.",
        ),
        "phase": AnswerField(named_enum(component_of_kind(variant, "Phase"), kind.PHASES)),
        "to_act": AnswerField(TEXTS, "The players who can act now; empty once the game is over."),
    }
    return answer_part(component(variant, "State"), {**common, **kind.state(variant)})


@cache
def news(variant: Variant[Any]) -> type[Schema]:
    """An entry in the news of a game of `variant`."""
    return answer_part(component(variant, "News"), CONTRACT_KINDS.of(variant).news(variant))
