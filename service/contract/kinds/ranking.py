"""The contract of games that rank rolls: values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.api.schemas import shapes
from service.api.schemas.shapes import (
    COUNT,
    FLAG,
    ORDINAL,
    TEXT,
    Shape,
    about,
    component,
    list_of,
    named_enum,
    optional,
    or_null,
    record,
)
from service.contract.kinds.shapes import KEPT_DICE, Properties, news_entry
from service.kinds.ranking.variant import Ranking

PHASES: tuple[str, ...] = ("ante", "join", "rolling", "betting", "over")
ARROW_ANSWER: str | None = "`rank`, a dictionary of utf8, and `strength`, an int32"


def values(variant: Ranking[Any]) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    del variant
    return {"amount": ORDINAL, "keep": KEPT_DICE}


def die(variant: Ranking[Any], action: str) -> Shape:
    """A die that `action` rolls: all of them roll the same dice."""
    del action
    return shapes.die(variant)


_PLAYER = record(
    "PlayerInRound",
    {
        "id": TEXT,
        "stack": COUNT,
        "standing": named_enum(
            "Standing", ["to_decide", "in", "sat_out", "folded", "bust", "beaten", "no_chips"]
        ),
        "reason": about(or_null(TEXT), "Why the player is out."),
    },
)


def state(variant: Ranking[Any]) -> Properties:
    """The fields of a state that only this kind has."""
    dice, rank = list_of(shapes.die(variant)), shapes.rank(variant)
    best = record(
        component(variant, "HandToBeat"),
        {"player": TEXT, "dice": dice, "rank": rank, "strength": COUNT},
    )
    turn = record(
        component(variant, "TurnInPlay"),
        {
            "player": TEXT,
            "dice": about(dice, "Empty before the first roll."),
            "rolls_left": COUNT,
            "rank": or_null(rank),
            "strength": or_null(COUNT),
            "beats": about(or_null(FLAG), "Whether the dice beat the best hand so far."),
            "reason": or_null(TEXT),
        },
    )
    return {
        "round": about(
            ORDINAL,
            "The number of the round, from 1; once the game is over, that of the last round.",
        ),
        "rounds": about(
            or_null(COUNT),
            "The number of rounds; null: the game lasts until one player has all chips.",
        ),
        "starter": about(
            TEXT,
            "The player who sets the ante of this round, or of the last round once the game is "
            "over.",
        ),
        "ante": or_null(COUNT),
        "price": about(or_null(COUNT), "The price of joining the round: the ante and all raises."),
        "pot": COUNT,
        "players": list_of(_PLAYER),
        "best": about(or_null(best), "The hand to beat."),
        "turn": about(or_null(turn), "The turn of the player who rolls; null if nobody does."),
    }


def news(variant: Ranking[Any]) -> Properties:
    """The fields of an entry in the news."""
    return news_entry(
        variant,
        *("sits_out", "folds", "busts", "put_out", "collects", "out_of_chips"),
        *("rolls_again", "round_begins", "game_over"),
        dice=optional(list_of(shapes.die(variant))),
        rank=optional(shapes.rank(variant)),
        strength=optional(COUNT),
        amount=optional(COUNT, "The chips in the pot that was collected."),
        round=optional(ORDINAL),
    )
