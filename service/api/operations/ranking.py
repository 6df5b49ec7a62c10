"""Operations of variants that rank rolls of plain dice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from marshmallow import Schema

from service.api.operations.operation import Answer, Operation
from service.api.schemas.fields import Players, plain_dice, player_id
from service.api.schemas.shared import (
    PLACE,
    WINNERS,
    Answered,
    Fields,
    RequestSchema,
    answer_part,
    answer_schema,
    changed_rules,
    component,
    listed,
    nested,
    place_answer,
    request_schema,
)
from service.kinds.ranking.variant import AnyRanking, Contender, Ranking

NUMBERS = Answered(
    {"type": "array", "items": {"type": "integer"}},
    "What hands of the same rank compare, left to right.",
)


def rank_field(variant: AnyRanking[Any], *, nullable: bool = False) -> Answered:
    """The rank of a hand in an answer."""
    ranks = [rank.id for rank in variant.ranks]
    if nullable:
        return Answered({"type": ["string", "null"], "enum": [*ranks, None]})
    return Answered({"type": "string", "enum": ranks})


def operations(variant: Ranking[Any]) -> list[Operation]:
    """`evaluate` and `rank` of a variant where a hand is a roll."""
    return [
        Operation(
            variant=variant,
            name="evaluate",
            summary=f"{variant.name}: what a roll is",
            description="The rank of a roll, its strength, and which dice make it.",
            request=request_schema(
                variant,
                "EvaluateRequest",
                {"dice": plain_dice(variant.dice, required=True)},
            ),
            response=_evaluate_answer(variant),
            answer=lambda given: _evaluate(variant, given),
        ),
        Operation(
            variant=variant,
            name="rank",
            summary=f"{variant.name}: who has the best roll",
            description="Players in order of their rolls; equal hands share a place.",
            request=request_schema(
                variant,
                "RankRequest",
                {"players": Players(_player(variant), *variant.players)},
            ),
            response=_rank_answer(variant),
            answer=lambda given: _rank(variant, given),
        ),
    ]


def _player(variant: Ranking[Any]) -> Schema:
    return RequestSchema.from_dict(
        {
            "id": player_id(required=True),
            "dice": plain_dice(variant.dice, required=True),
        },
        name=component(variant, "RankPlayer"),
    )()


@cache
def _tie_break(variant: Ranking[Any]) -> type[Schema]:
    return answer_part(component(variant, "TieBreak"), {"numbers": NUMBERS})


def _hand_fields(variant: Ranking[Any]) -> Fields:
    return {
        "rank": rank_field(variant),
        "clause": Answered({"type": "string"}, "The rule that makes it this rank."),
        "tie_break": nested(_tie_break(variant)),
    }


def _best(variant: Ranking[Any]) -> Answered:
    return Answered(
        plain_dice(variant.dice).json_schema,
        "The dice as they count: those that make the rank first, then from the highest down.",
    )


def _evaluate_answer(variant: Ranking[Any]) -> Schema:
    strength = Answered({"type": "integer", "minimum": 1}, "Greater is stronger; equal ties.")
    own = {**_hand_fields(variant), "strength": strength, "best": _best(variant)}
    return answer_schema(variant, "EvaluateAnswer", own)


def _evaluate(variant: Ranking[Any], given: Mapping[str, Any]) -> Answer:
    hand = variant.evaluate(given["dice"], given["house_rules"])
    return {
        "variant": variant.id,
        "rank": hand.rank.id,
        "clause": hand.rank.clause,
        "strength": hand.strength,
        "best": hand.best,
        "tie_break": {"numbers": hand.numbers},
        **changed_rules(variant, given["house_rules"]),
    }


def _rank_answer(variant: Ranking[Any]) -> Schema:
    own = {**PLACE, **_hand_fields(variant), "best": _best(variant)}
    place = nested(answer_part(component(variant, "Place"), own))
    return answer_schema(variant, "RankAnswer", {"places": listed(place), "winners": WINNERS})


def _rank(variant: Ranking[Any], given: Mapping[str, Any]) -> Answer:
    players = [Contender(player["id"], player["dice"]) for player in given["players"]]
    places = variant.rank(players, given["house_rules"])
    answers = []
    for place in places:
        hand = place.entries[0].hand
        answers.append(
            {
                **place_answer(place, hand.strength),
                "rank": hand.rank.id,
                "clause": hand.rank.clause,
                "best": hand.best,
                "tie_break": {"numbers": hand.numbers},
            }
        )
    return {
        "variant": variant.id,
        "places": answers,
        "winners": answers[0]["players"],
        **changed_rules(variant, given["house_rules"]),
    }
