"""What the contract says of games with pocket and community dice.

That is the catalogue entry, the values of actions, the state of a game and its news.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from marshmallow import Schema, fields

from service.api.schemas.shared import Answered, Fields, answer_part, component, listed, nested
from service.contract.kinds import ranking
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
    maybe,
    news_entry,
    optional,
)
from service.kinds.community.variant import CommunityRanking

HAND_COUNTS = "as the best of own and community dice"
VALUES: Mapping[str, Shape] = {"amount": CHIPS}
"""The values that actions take, by their names."""
PHASES: tuple[str, ...] = ("rolling", "betting", "over")
ARROW_ANSWER = ranking.ARROW_ANSWER

_ENTRY: Fields = {
    "pocket": Answered(COUNT, "Hidden dice of each player."),
    "community": Answered(
        {"type": "array", "items": COUNT}, "How many community dice there can be."
    ),
}


ENTRY_SCHEMA = entry_schema(CommunityRanking, "CommunityRankingEntry", {**ranking.ENTRY, **_ENTRY})


def state(variant: CommunityRanking[Any]) -> Fields:
    """What the state of a game with pocket and community dice holds beside what all states do."""
    dice = {"type": "array", "items": {"type": "string", "enum": [*variant.dice.notation]}}
    ranks = [rank.id for rank in variant.ranks]
    holds = {"pair": Answered(FLAG), "suited": Answered(FLAG)}
    holding: Fields = {
        "rank": Answered({"type": ["string", "null"], "enum": [*ranks, None]}),
        "clause": Answered(TEXT),
        "best": Answered(dice),
        "holds": nested(
            answer_part(component(variant, "PocketHolds"), holds),
            "Where there are too few dice for a hand.",
            nullable=True,
        ),
    }
    player: Fields = {
        "id": Answered(TEXT),
        "chips": Answered(COUNT, "Those not put in."),
        "paid": Answered(COUNT, "Put in over this hand."),
        "paid_in_round": Answered(COUNT, "Put in over this round of betting."),
        "folded": Answered(FLAG),
        "all_in": Answered(FLAG),
        "out": Answered(FLAG, "Whether out of the game."),
    }
    return {
        "hand": Answered(ORDINAL, "Counts the hands of the game."),
        "stage": Answered(maybe(TEXT), "Open, flop, turn or river; null once the game is over."),
        "dealer": Answered(TEXT),
        "to_call": Answered(
            COUNT,
            "What the player to act must still add to stay, 0 if nothing; it may be more than the "
            "player has, who can then go all in.",
        ),
        "raises": Answered(COUNT, "Raises in this round so far."),
        "pot": Answered(COUNT, "All that was put in over this hand."),
        "players": listed(nested(answer_part(component(variant, "PlayerAtTable"), player))),
        "community": Answered(dice),
        "pocket": Answered(maybe(dice), "Your own; null for the table, or before it is rolled."),
        "holding": nested(
            answer_part(component(variant, "HoldingInPlay"), holding),
            "What your pocket makes of the community.",
            nullable=True,
        ),
        "last_hand": nested(
            last_hand(variant),
            "How the last hand ended: who showed what, places with reasons, pots and payouts.",
            nullable=True,
        ),
    }


def news(variant: CommunityRanking[Any]) -> Fields:
    """What an entry in the news holds."""
    dice = {"type": "array", "items": {"type": "string", "enum": [*variant.dice.notation]}}
    return news_entry(
        *("flop_rolled_again", "no_more_betting", "won_without_showing", "showdown"),
        *("out_of_chips", "game_over"),
        **_hand_ended(variant),
        was=optional(dice, "The flop before it was rolled again."),
        **{"is": optional(dice, "The flop as rolled again.")},
    )


def last_hand(variant: CommunityRanking[Any]) -> type[Schema]:
    """How the last hand of the game ended."""
    own: Fields = {
        "what": Answered({"type": "string", "enum": ["won_without_showing", "showdown"]}),
        "player": optional(TEXT, "Who has won without showing."),
        "reason": optional(TEXT),
        **_hand_ended(variant),
    }
    return answer_part(component(variant, "LastHand"), own)


@cache
def _hand_ended(variant: CommunityRanking[Any]) -> Fields:
    """How a hand of the game ended: who showed what, the pots and the payouts."""
    dice = {"type": "array", "items": {"type": "string", "enum": [*variant.dice.notation]}}
    shown: Fields = {"id": Answered(TEXT), "pocket": Answered(dice), "best": Answered(dice)}
    place: Fields = {
        "place": Answered(ORDINAL),
        "players": Answered(TEXTS),
        "rank": Answered({"type": "string", "enum": [rank.id for rank in variant.ranks]}),
        "clause": Answered(TEXT),
        "hands": fields.List(nested(answer_part(component(variant, "HandShownDown"), shown))),
        "reason": Answered(TEXT),
    }
    pot: Fields = {
        "amount": Answered(COUNT),
        "eligible": Answered(TEXTS),
        "payouts": Answered(by_player(COUNT)),
    }
    return {
        "community": optional(dice),
        "places": fields.List(nested(answer_part(component(variant, "PlaceShownDown"), place))),
        "pots": fields.List(nested(answer_part(component(variant, "PotPaidOut"), pot))),
        "payouts": optional(by_player(COUNT), "What each player takes out of all pots."),
    }
