"""The contract of games with pocket and community dice: values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.api.operations.community import POCKET_HOLDING, POT
from service.api.schemas import shapes
from service.api.schemas.shapes import (
    COUNT,
    FLAG,
    ORDINAL,
    TEXT,
    TEXTS,
    Shape,
    about,
    by_player,
    component,
    enum,
    list_of,
    named_enum,
    optional,
    or_null,
    record,
)
from service.contract.kinds import ranking
from service.contract.kinds.shapes import Properties, news_entry
from service.kinds.community.game import stage_names
from service.kinds.community.variant import CommunityRanking

PHASES: tuple[str, ...] = ("rolling", "betting", "over")
ARROW_ANSWER = ranking.ARROW_ANSWER


def values(variant: CommunityRanking[Any]) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    del variant
    return {"amount": ORDINAL}


def die(variant: CommunityRanking[Any], action: str) -> Shape:
    """A die that `action` rolls: all of them roll the same dice."""
    del action
    return shapes.die(variant)


_PLAYER = record(
    "PlayerAtTable",
    {
        "id": TEXT,
        "chips": about(COUNT, "Chips left in the stack."),
        "paid": about(COUNT, "Chips put in during this hand."),
        "paid_in_round": about(COUNT, "Chips put in during this betting round."),
        "folded": FLAG,
        "all_in": FLAG,
        "out": about(FLAG, "Whether the player is out of the game."),
    },
)


def state(variant: CommunityRanking[Any]) -> Properties:
    """The fields of a state that only this kind has."""
    dice = list_of(shapes.die(variant))
    holding = record(
        component(variant, "HoldingInPlay"),
        {
            "rank": or_null(shapes.rank(variant)),
            "clause": TEXT,
            "best": dice,
            "holds": about(
                or_null(POCKET_HOLDING.schema),
                "What the pocket holds while there are too few dice for a hand; null from then on.",
            ),
        },
    )
    last_hand = record(
        component(variant, "LastHand"),
        {
            "what": named_enum("HandEnd", ["won_without_showing", "showdown"]),
            "player": optional(TEXT, "The player who won without showing."),
            "reason": TEXT,
            **_hand_ended(variant),
        },
    )
    return {
        "hand": about(ORDINAL, "The number of the hand, from 1."),
        "stage": about(
            or_null(enum(variant, "Stage", stage_names(variant))),
            "The stage of the hand; null once the game is over.",
        ),
        "dealer": TEXT,
        "to_call": about(
            COUNT,
            "The chips that the player to act needs to add to call, 0 for none. A player with "
            "fewer chips can go all in.",
        ),
        "raises": about(COUNT, "Raises so far in this betting round."),
        "pot": about(COUNT, "All chips put in during this hand."),
        "players": list_of(_PLAYER),
        "community": dice,
        "pocket": about(
            or_null(dice),
            "The pocket of the token's player; null before it is rolled, and for the table's "
            "token.",
        ),
        "holding": about(
            or_null(holding), "The best hand from your pocket and the community dice."
        ),
        "last_hand": about(
            or_null(last_hand),
            "How the last hand ended: the dice that were shown, the places with reasons, the "
            "pots and the payouts.",
        ),
    }


def news(variant: CommunityRanking[Any]) -> Properties:
    """The fields of an entry in the news."""
    dice = list_of(shapes.die(variant))
    return news_entry(
        variant,
        *("flop_rolled_again", "no_more_betting", "won_without_showing", "showdown"),
        *("out_of_chips", "game_over"),
        **_hand_ended(variant),
        was=optional(dice, "The flop before it was rolled again."),
        **{"is": optional(dice, "The flop after it was rolled again.")},
    )


def _hand_ended(variant: CommunityRanking[Any]) -> Properties:
    """How a hand of the game ended: who showed what, the pots and the payouts."""
    dice = list_of(shapes.die(variant))
    shown = record(component(variant, "HandShownDown"), {"id": TEXT, "pocket": dice, "best": dice})
    place = record(
        component(variant, "PlaceShownDown"),
        {
            "place": ORDINAL,
            "players": TEXTS,
            "rank": shapes.rank(variant),
            "clause": TEXT,
            "hands": optional(list_of(shown)),
            "reason": TEXT,
        },
    )
    return {
        "community": optional(dice),
        "places": optional(list_of(place)),
        "pots": optional(list_of(POT.schema)),
        "payouts": optional(by_player(COUNT), "The chips that each player gets from all pots."),
    }
