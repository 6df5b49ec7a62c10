"""The contract of games with pocket and community dice: catalogue entry, values of actions, state
and news.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from marshmallow import Schema, fields

from service.api.operations.community import POCKET_HOLDING, POT
from service.api.schemas import enums
from service.api.schemas.component import component
from service.api.schemas.shared import AnswerField, Fields, answer_part, listed, nested
from service.contract.kinds import bounds, ranking
from service.contract.kinds.entry import entry_schema
from service.contract.kinds.shapes import (
    CHIPS,
    COUNT,
    FLAG,
    ORDINAL,
    TEXT,
    TEXTS,
    Shape,
    by_player,
    news_entry,
    optional,
    several,
)
from service.engine.parameters import Bound, Whole
from service.kinds.community.game import stage_names
from service.kinds.community.variant import CommunityRanking

HAND_COUNTS = "as the best of own and community dice"
BOUNDS: Mapping[type[Bound], Shape] = {Whole: bounds.NUMBER}
"""The bounds of values in legal actions, by the class of bounds."""
PHASES: tuple[str, ...] = ("rolling", "betting", "over")
ARROW_ANSWER = ranking.ARROW_ANSWER

_ENTRY: Fields = {
    "pocket": AnswerField(COUNT, "The number of hidden dice of each player."),
    "community": AnswerField(
        {"type": "array", "items": COUNT}, "The possible numbers of community dice."
    ),
}


_ENTRY_SCHEMA = entry_schema(
    CommunityRanking, "CommunityRankingEntry", {**ranking.entry_fields(words=True), **_ENTRY}
)


def entry(variant: CommunityRanking[Any]) -> type[Schema]:
    """The schema of `GET /v1/variants/{variant}`."""
    del variant
    return _ENTRY_SCHEMA


def values(variant: CommunityRanking[Any]) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    del variant
    return {"amount": CHIPS}


def die(variant: CommunityRanking[Any], action: str) -> Shape:
    """A die that `action` rolls: all of them roll the same dice."""
    del action
    return enums.die(variant)


_PLAYER = answer_part(
    "PlayerAtTable",
    {
        "id": AnswerField(TEXT),
        "chips": AnswerField(COUNT, "Chips left in the stack."),
        "paid": AnswerField(COUNT, "Chips put in during this hand."),
        "paid_in_round": AnswerField(COUNT, "Chips put in during this betting round."),
        "folded": AnswerField(FLAG),
        "all_in": AnswerField(FLAG),
        "out": AnswerField(FLAG, "Whether the player is out of the game."),
    },
)


def state(variant: CommunityRanking[Any]) -> Fields:
    """The fields of a state that only this kind has."""
    dice = several(enums.die(variant))
    holding: Fields = {
        "rank": AnswerField(enums.or_null(enums.rank(variant))),
        "clause": AnswerField(TEXT),
        "best": AnswerField(dice),
        "holds": nested(
            POCKET_HOLDING,
            "What the pocket holds while there are too few dice for a hand; null from then on.",
            nullable=True,
        ),
    }
    return {
        "hand": AnswerField(ORDINAL, "The number of the hand, from 1."),
        "stage": AnswerField(
            enums.or_null(enums.enum(variant, "Stage", stage_names(variant))),
            "The stage of the hand; null once the game is over.",
        ),
        "dealer": AnswerField(TEXT),
        "to_call": AnswerField(
            COUNT,
            "The chips that the player to act needs to add to call, 0 for none. A player with "
            "fewer chips can go all in.",
        ),
        "raises": AnswerField(COUNT, "Raises so far in this betting round."),
        "pot": AnswerField(COUNT, "All chips put in during this hand."),
        "players": listed(nested(_PLAYER)),
        "community": AnswerField(dice),
        "pocket": AnswerField(
            enums.or_null(dice),
            "The pocket of the token's player; null before it is rolled, and for the table's "
            "token.",
        ),
        "holding": nested(
            answer_part(component(variant, "HoldingInPlay"), holding),
            "The best hand from your pocket and the community dice.",
            nullable=True,
        ),
        "last_hand": nested(
            last_hand(variant),
            "How the last hand ended: the dice that were shown, the places with reasons, the "
            "pots and the payouts.",
            nullable=True,
        ),
    }


def news(variant: CommunityRanking[Any]) -> Fields:
    """The fields of an entry in the news."""
    dice = several(enums.die(variant))
    return news_entry(
        variant,
        *("flop_rolled_again", "no_more_betting", "won_without_showing", "showdown"),
        *("out_of_chips", "game_over"),
        **_hand_ended(variant),
        was=optional(dice, "The flop before it was rolled again."),
        **{"is": optional(dice, "The flop after it was rolled again.")},
    )


def last_hand(variant: CommunityRanking[Any]) -> type[Schema]:
    """How the last hand of the game ended."""
    own: Fields = {
        "what": AnswerField(enums.named_enum("HandEnd", ["won_without_showing", "showdown"])),
        "player": optional(TEXT, "The player who won without showing."),
        "reason": AnswerField(TEXT),
        **_hand_ended(variant),
    }
    return answer_part(component(variant, "LastHand"), own)


@cache
def _hand_ended(variant: CommunityRanking[Any]) -> Fields:
    """How a hand of the game ended: who showed what, the pots and the payouts."""
    dice = several(enums.die(variant))
    shown: Fields = {
        "id": AnswerField(TEXT),
        "pocket": AnswerField(dice),
        "best": AnswerField(dice),
    }
    place: Fields = {
        "place": AnswerField(ORDINAL),
        "players": AnswerField(TEXTS),
        "rank": AnswerField(enums.rank(variant)),
        "clause": AnswerField(TEXT),
        "hands": fields.List(nested(answer_part(component(variant, "HandShownDown"), shown))),
        "reason": AnswerField(TEXT),
    }
    return {
        "community": optional(dice),
        "places": fields.List(nested(answer_part(component(variant, "PlaceShownDown"), place))),
        "pots": fields.List(nested(POT)),
        "payouts": optional(by_player(COUNT), "The chips that each player gets from all pots."),
    }
