"""Operations of variants with pocket and community dice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from marshmallow import Schema

from service.advice.community.position import has_advice
from service.api.operations import ranking
from service.api.operations.advise.community import advise
from service.api.operations.advise.community import question as question
from service.api.operations.columns import BatchColumns
from service.api.operations.operation import Answer, Operation, QuickLines, always
from service.api.operations.ranking import compared, rank_columns, rank_field
from service.api.schemas.bounds import Bounds, whole_schema
from service.api.schemas.component import component
from service.api.schemas.enums import die
from service.api.schemas.fields import Players, flag, player_id, suited_dice, whole
from service.api.schemas.shared import (
    PLACE,
    WINNERS,
    AnswerField,
    RequestSchema,
    answer_part,
    answer_schema,
    changed_rules,
    listed,
    nested,
    place_answer,
    request_schema,
)
from service.engine.parameters import Whole
from service.kinds.community.betting import Pot
from service.kinds.community.variant import CommunityRanking, Holding, Seat, TableHand
from service.rules.sentences import any_of
from service.settings import Settings

MAX_PAID = 1_000_000_000
"""The most chips that a player may have put in."""

WINS_GAME = AnswerField(
    {"type": "boolean"}, "Whether the hand wins the whole game at the showdown."
)

POCKET_HOLDING = answer_part(
    "PocketHolding",
    {"pair": AnswerField({"type": "boolean"}), "suited": AnswerField({"type": "boolean"})},
)
"""What a pocket holds while there are too few dice for a hand."""

_PAYOUTS = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}

POT = answer_part(
    "Pot",
    {
        "amount": AnswerField({"type": "integer", "minimum": 1}),
        "eligible": AnswerField({"type": "array", "items": {"type": "string"}}),
        "payouts": AnswerField(_PAYOUTS, "The chips that each winner of this pot gets."),
    },
)
"""A pot and who gets it."""

BOUNDS: Bounds = {Whole: whole_schema}
"""The JSON Schema of the bounds of the values of actions, by class."""


def operations(variant: CommunityRanking[Any], _: Settings) -> list[Operation]:
    """`evaluate`, `rank` and `advise` of a variant with pocket and community dice."""
    return [
        Operation(
            variant=variant,
            name="evaluate",
            summary=f"{variant.name}: find the best hand of a player",
            description="Returns the best hand from the pocket and the community dice, or what "
            "the pocket holds before the flop.",
            request=request_schema(
                variant,
                "EvaluateRequest",
                {
                    "pocket": suited_dice(variant, (variant.pocket,), required=True),
                    "community": suited_dice(variant, variant.stages, required=True),
                },
            ),
            response=_evaluate_answer(variant),
            answer=lambda given: _evaluate(variant, given),
            brief=always,
            check=lambda given: variant.check_hand(given["pocket"], given["community"]),
            quick_lines=lambda operation: _quick_tables(variant, operation),
        ),
        Operation(
            variant=variant,
            name="rank",
            summary=f"{variant.name}: decide the showdown",
            description="Returns the winners, the reasons, and with `paid` each player's share "
            "of every pot. List players in seat order from the dealer's left.",
            request=request_schema(
                variant,
                "RankRequest",
                {
                    "community": suited_dice(variant, variant.stages[-1:], required=True),
                    "players": Players(_player(variant), *variant.players),
                },
            ),
            response=_rank_answer(variant),
            answer=lambda given: _rank(variant, given),
            check=lambda given: variant.check_table(given["community"], _seats(given)),
        ),
        *([advise(variant)] if has_advice(variant) else []),
    ]


def _player(variant: CommunityRanking[Any]) -> Schema:
    paid = whole(
        0,
        MAX_PAID,
        step=variant.chip,
        metadata={
            "description": "Chips that the player put in during the hand. Give it for every "
            "player or for none."
        },
    )
    folded = flag(metadata={"description": "Whether the player has folded. Default: `false`."})
    return RequestSchema.from_dict(
        {
            "id": player_id(required=True),
            "pocket": suited_dice(
                variant,
                (variant.pocket,),
                f"Optional only for a player with `folded` ({variant.unknown_pocket}).",
            ),
            "paid": paid,
            "folded": folded,
        },
        name=component(variant, "RankPlayer"),
    )()


def _best(variant: CommunityRanking[Any]) -> AnswerField:
    return AnswerField(
        {
            "type": "array",
            "items": die(variant),
            "maxItems": variant.hand_size,
        },
        "The dice of the best hand, most important first; empty before the flop.",
    )


@cache
def _tie_break(variant: CommunityRanking[Any]) -> type[Schema]:
    most = AnswerField({"type": "integer", "minimum": 1, "maximum": variant.hand_size})
    return answer_part(
        component(variant, "TieBreak"), {"numbers": compared(variant), "most_of_one_suit": most}
    )


def _evaluate_answer(variant: CommunityRanking[Any]) -> Schema:
    holds = nested(
        POCKET_HOLDING,
        "What the pocket holds before the flop; null from the flop on.",
        nullable=True,
    )
    return answer_schema(
        variant,
        "EvaluateAnswer",
        {
            "rank": rank_field(variant, nullable=True),
            "clause": AnswerField(
                {"type": "string"},
                "The clause that defines the rank; before the flop, the one that says why there is "
                "none.",
            ),
            "winning": AnswerField(
                {"type": "boolean"}, "False for one pair, for a high die, and before the flop."
            ),
            "strength": AnswerField(
                {"type": ["integer", "null"], "minimum": 1},
                "A greater number is a stronger hand; equal numbers tie.",
            ),
            "best": _best(variant),
            "tie_break": nested(_tie_break(variant), nullable=True),
            "holds": holds,
            "wins_game": WINS_GAME,
        },
    )


def _evaluate(variant: CommunityRanking[Any], given: Mapping[str, Any]) -> Answer:
    rules = given["house_rules"]
    found = variant.evaluate(given["pocket"], given["community"], rules)
    result = (
        _holding(variant, found) if isinstance(found, Holding) else _hand(variant, found, rules)
    )
    return {"variant": variant.id, **result, **changed_rules(variant, rules)}


def _holding(variant: CommunityRanking[Any], held: Holding) -> Answer:
    return {
        "rank": None,
        "clause": variant.too_few,
        "winning": False,
        "strength": None,
        "best": [],
        "tie_break": None,
        "holds": {"pair": held.pair, "suited": held.suited},
        "wins_game": False,
    }


def _hand(variant: CommunityRanking[Any], held: TableHand, rules: Any) -> Answer:
    return {
        "rank": held.hand.rank.id,
        "clause": held.hand.rank.clause,
        "winning": held.hand.rank.winning,
        "strength": held.hand.strength,
        "best": variant.dice.written(held.best),
        "tie_break": _compared(held),
        "holds": None,
        "wins_game": variant.wins_game(held.hand, rules),
    }


def _compared(held: TableHand) -> Answer:
    return {
        "numbers": held.hand.numbers,
        "most_of_one_suit": held.hand.most_of_one_suit,
    }


def _rank_answer(variant: CommunityRanking[Any]) -> Schema:
    own_dice = {"id": AnswerField({"type": "string"}), "best": _best(variant)}
    shown = answer_part(component(variant, "ShownHand"), own_dice)
    place = answer_part(
        component(variant, "Place"),
        {
            **PLACE,
            "rank": rank_field(variant),
            "clause": AnswerField({"type": "string"}, "The clause that defines the rank."),
            "tie_break": nested(_tie_break(variant)),
            "hands": listed(nested(shown), "The dice of each player in this place."),
        },
    )
    pots = listed(nested(POT), "The pots, main pot first; present if the request has `paid`.")
    pots.required = False
    return answer_schema(
        variant,
        "RankAnswer",
        {
            "places": listed(nested(place)),
            "winners": WINNERS,
            "wins_game": WINS_GAME,
            "pots": pots,
            "payouts": AnswerField(
                _PAYOUTS,
                "The chips that each player gets from all pots; present if the request has `paid`.",
                required=False,
            ),
        },
    )


def _seats(given: Mapping[str, Any]) -> list[Seat]:
    return [Seat(**player) for player in given["players"]]


def _rank(variant: CommunityRanking[Any], given: Mapping[str, Any]) -> Answer:
    rules = given["house_rules"]
    showdown = variant.rank(given["community"], _seats(given), rules)
    places = [
        {
            **place_answer(place, place.entries[0].held.hand.strength),
            "rank": place.entries[0].held.hand.rank.id,
            "clause": place.entries[0].held.hand.rank.clause,
            "tie_break": _compared(place.entries[0].held),
            "hands": [
                {"id": player.id, "best": variant.dice.written(player.held.best)}
                for player in place.entries
            ],
        }
        for place in showdown.places
    ]
    return {
        "variant": variant.id,
        "places": places,
        "winners": showdown.winners,
        "wins_game": showdown.wins_game,
        **({} if showdown.pots is None else _pots(showdown.pots, given["players"])),
        **changed_rules(variant, rules),
    }


def _pots(pots: list[Pot], players: list[Mapping[str, Any]]) -> Answer:
    return {
        "pots": [
            {"amount": pot.amount, "eligible": pot.eligible, "payouts": pot.payouts} for pot in pots
        ],
        "payouts": {
            player["id"]: sum(pot.payouts.get(player["id"], 0) for pot in pots)
            for player in players
        },
    }


def entry(variant: CommunityRanking[Any]) -> Answer:
    """The fields of the catalogue entry that only this kind has."""
    return {
        "hand_size": variant.hand_size,
        "pocket": variant.pocket,
        "community": variant.stages,
        **ranking.entry(variant),
    }


def columns(variant: CommunityRanking[Any]) -> BatchColumns:
    """The columns of a batch of `variant`."""
    dice = variant.dice
    letters = "".join(suit.letter for suit in dice.suits)
    faces = "".join(dice.names) or f"1-{dice.faces}"
    least, most = min(variant.hand_sizes), max(variant.hand_sizes)
    listed = {"type": "array", "items": die(variant), "minItems": least, "maxItems": most}
    hand = {
        "title": component(variant, "Hand"),
        "description": f"Pocket and community dice together, {any_of(variant.hand_sizes)} of "
        "them, as a list or as one string. All hands of a request have the same number of dice.",
        "oneOf": [
            listed,
            {"type": "string", "pattern": f"^([{faces}][{letters}]){{{least},{most}}}$"},
        ],
    }
    return BatchColumns(variant, dice, variant.hand_sizes, hand, rank_columns(variant))


def _quick_tables(variant: CommunityRanking[Any], operation: Operation) -> QuickLines:
    """The quick way for lines of pocket and community dice."""
    from service.api.operations.quick_tables import TableLines  # NumPy, which only batches need

    return TableLines(operation, variant)
