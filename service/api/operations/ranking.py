"""Operations of variants that rank rolls of plain dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import comb
from typing import Any

from marshmallow import Schema

from service.advice.ranking.position import has_advice
from service.api.operations.advise.ranking import advise
from service.api.operations.advise.ranking import question as question
from service.api.operations.columns import BatchColumns
from service.api.operations.operation import Answer, Operation, always
from service.api.operations.quick_rolls import quick_rolls
from service.api.schemas.bounds import Bounds, keep_schema, whole_schema
from service.api.schemas.component import component
from service.api.schemas.enums import die, face, or_null, rank
from service.api.schemas.fields import Players, plain_dice, player_id
from service.api.schemas.shared import (
    PLACE,
    WINNERS,
    AnswerField,
    Fields,
    RequestSchema,
    answer_part,
    answer_schema,
    changed_rules,
    listed,
    nested,
    place_answer,
    request_schema,
    title,
)
from service.engine.parameters import Keep, Whole
from service.kinds.ranking.hand_table import Hand, Rank
from service.kinds.ranking.variant import AnyRanking, Contender, Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.settings import Settings


def compared(variant: AnyRanking[Any]) -> AnswerField:
    """The faces that decide between hands of the same rank."""
    return AnswerField(
        {"type": "array", "items": face(variant, variant.dice)},
        "The faces that hands of the same rank compare, in order.",
    )


def rank_field(variant: AnyRanking[Any], *, nullable: bool = False) -> AnswerField:
    """The rank of a hand in a response."""
    return AnswerField(or_null(rank(variant)) if nullable else rank(variant))


BOUNDS: Bounds = {Whole: whole_schema, Keep: keep_schema}
"""The JSON Schema of the bounds of the values of actions, by class."""


MOST_BRIEF_ROLLS = 1000
"""The most rolls in the table of a brief `evaluate`; the first request makes it, in some ms."""


def operations(variant: Ranking[Any], _: Settings) -> list[Operation]:
    """`evaluate`, `rank` and `advise` of a variant where a hand is a roll."""
    return [
        Operation(
            variant=variant,
            name="evaluate",
            summary=f"{variant.name}: rank a roll",
            description="Returns the rank of a roll, its strength, and the dice that make it.",
            request=request_schema(
                variant,
                "EvaluateRequest",
                {"dice": plain_dice(variant, required=True)},
            ),
            response=_evaluate_answer(variant),
            answer=lambda given: _evaluate(variant, given),
            brief=always if _has_small_table(variant) else None,
            quick_lines=quick_rolls,
        ),
        Operation(
            variant=variant,
            name="rank",
            summary=f"{variant.name}: compare rolls",
            description="Ranks players by their rolls. Equal hands share a place.",
            request=request_schema(
                variant,
                "RankRequest",
                {"players": Players(_player(variant), *variant.players)},
            ),
            response=_rank_answer(variant),
            answer=lambda given: _rank(variant, given),
            check=lambda given: variant.check_rolls(_contenders(given), given["house_rules"]),
        ),
        *([advise(variant)] if has_advice(variant) else []),
    ]


def _player(variant: Ranking[Any]) -> Schema:
    return RequestSchema.from_dict(
        {
            "id": player_id(required=True),
            "dice": plain_dice(variant, required=True),
        },
        name=component(variant, "RankPlayer"),
    )()


@cache
def _tie_break(variant: Ranking[Any]) -> type[Schema]:
    return answer_part(component(variant, "TieBreak"), {"numbers": compared(variant)})


def _hand_fields(variant: Ranking[Any]) -> Fields:
    return {
        "rank": rank_field(variant),
        "clause": AnswerField({"type": "string"}, "The clause that defines the rank."),
        "tie_break": nested(_tie_break(variant)),
    }


def _best(variant: Ranking[Any]) -> AnswerField:
    return AnswerField(
        plain_dice(variant).json_schema,
        "The dice as they count: those that make the rank first, then from the highest down.",
    )


def _evaluate_answer(variant: Ranking[Any]) -> Schema:
    strength = AnswerField(
        {"type": "integer", "minimum": 1}, "A greater number is a stronger hand; equal numbers tie."
    )
    own = {**_hand_fields(variant), "strength": strength, "best": _best(variant)}
    return answer_schema(variant, "EvaluateAnswer", own)


def _has_small_table(variant: Ranking[Any]) -> bool:
    """Whether the table of all rolls is small."""
    dice = variant.dice
    return comb(dice.count + dice.faces - 1, dice.count) <= MOST_BRIEF_ROLLS


def _evaluate(variant: Ranking[Any], given: Mapping[str, Any]) -> Answer:
    hand = variant.evaluate(given["dice"], given["house_rules"])
    return {
        "variant": variant.id,
        "rank": hand.rank.id,
        "clause": hand.rank.clause,
        "strength": hand.strength,
        "best": variant.dice.named(hand.best),
        "tie_break": {"numbers": variant.dice.named(hand.numbers)},
        **changed_rules(variant, given["house_rules"]),
    }


def _rank_answer(variant: Ranking[Any]) -> Schema:
    own = {**PLACE, **_hand_fields(variant), "best": _best(variant)}
    place = nested(answer_part(component(variant, "Place"), own))
    return answer_schema(variant, "RankAnswer", {"places": listed(place), "winners": WINNERS})


def _contenders(given: Mapping[str, Any]) -> list[Contender]:
    return [Contender(player["id"], player["dice"]) for player in given["players"]]


def _rank(variant: Ranking[Any], given: Mapping[str, Any]) -> Answer:
    places = variant.rank(_contenders(given), given["house_rules"])
    answers = []
    for place in places:
        hand = place.entries[0].hand
        answers.append(
            {
                **place_answer(place, hand.strength),
                "rank": hand.rank.id,
                "clause": hand.rank.clause,
                "best": variant.dice.named(hand.best),
                "tie_break": {"numbers": variant.dice.named(hand.numbers)},
            }
        )
    return {
        "variant": variant.id,
        "places": answers,
        "winners": answers[0]["players"],
        **changed_rules(variant, given["house_rules"]),
    }


def entry(variant: AnyRanking[Any]) -> Answer:
    """The fields of the catalogue entry that only this kind has."""
    return {
        "hand_size": variant.hand_size,
        "ranks": [_described(variant, rank) for rank in variant.ranks],
        "tie_breaks": [
            {"id": step.id, "text": step.text, "clause": step.clause} for step in variant.tie_breaks
        ],
    }


def _described(variant: AnyRanking[Any], rank: Rank) -> Answer:
    rules = variant.house_rules(**({rank.only_with: True} if rank.only_with else {}))
    hands = [hand for hand in variant.table(rules) if hand.rank is rank]
    strengths = sorted(hand.strength for hand in hands)
    return {
        "id": rank.id,
        "name": title(rank.id),
        "needs": rank.needs,
        "winning": rank.winning,
        "counts": rank.counts,
        "above": _above(rank),
        "house_rule": rank.only_with,
        "strengths": {"weakest": strengths[0], "strongest": strengths[-1]},
        "example": _example(variant, hands),
        "clause": rank.clause,
    }


def _above(rank: Rank) -> Answer | None:
    """The house rule that moves `rank`, and the rank that it is then above."""
    if rank.above is None:
        return None
    house_rule, other = rank.above
    return {"house_rule": house_rule, "rank": other}


def _example(variant: AnyRanking[Any], hands: Sequence[Hand]) -> Sequence[int | str]:
    """The strongest of `hands`, in as many suits as possible."""
    hand = max(hands, key=lambda hand: (hand.numbers, -hand.most_of_one_suit))
    suits = variant.dice.suits
    if not suits:
        return variant.dice.named(hand.best)
    if hand.most_of_one_suit == variant.hand_size:
        suits = suits[:1]
    best = variant.dice.named(hand.best)
    return [f"{face}{suits[index % len(suits)].letter}" for index, face in enumerate(best)]


def columns(variant: Ranking[Any]) -> BatchColumns:
    """The columns of a batch of `variant`."""
    return BatchColumns(
        variant, variant.dice, variant.hand_sizes, roll_schema(variant), rank_columns(variant)
    )


def roll_schema(variant: Ranking[Any] | ScoreCard[Any]) -> dict[str, Any]:
    """A roll of all the dice, which have no suits, as JSON Schema."""
    dice = variant.dice
    count = dice.count
    listed = {"type": "array", "items": die(variant), "minItems": count, "maxItems": count}
    if not dice.names:
        return listed
    pattern = f"^[{''.join(dice.names)}]{{{count}}}$"
    return {
        "title": component(variant, "Hand"),
        "description": "A list of dice, or one string of them all.",
        "oneOf": [listed, {"type": "string", "pattern": pattern}],
    }


def rank_columns(variant: AnyRanking[Any]) -> dict[str, dict[str, Any]]:
    """The columns `rank` and `strength` as JSON Schema."""
    return {
        "rank": {"type": "array", "items": rank_field(variant).json_schema},
        "strength": {
            "type": "array",
            "items": {"type": "integer", "minimum": 1},
            "description": "A greater number is a stronger hand; equal numbers tie.",
        },
    }
