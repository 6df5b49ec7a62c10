"""The contract of games that rank rolls: values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping

from service.api.schemas import shapes
from service.api.schemas.shapes import Shape
from service.contract.kinds.shapes import KEPT_DICE, Properties, news_entry
from service.kinds.ranking.variant import Ranking

PHASES: tuple[str, ...] = ("ante", "join", "rolling", "betting", "over")
ARROW_ANSWER: str | None = "`rank`, a dictionary of utf8, and `strength`, an int32"


def values(variant: Ranking) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    del variant
    return {"amount": shapes.ORDINAL, "keep": KEPT_DICE}


def die(variant: Ranking, action: str) -> Shape:
    """A die that `action` rolls: all of them roll the same dice."""
    del action
    return shapes.die(variant)


_PLAYER = shapes.record(
    "PlayerInRound",
    {
        "id": shapes.TEXT,
        "stack": shapes.COUNT,
        "standing": shapes.named_enum(
            "Standing", ["to_decide", "in", "sat_out", "folded", "bust", "beaten", "no_chips"]
        ),
        "reason": shapes.TEXT.or_null("Why the player is out."),
    },
)


def state(variant: Ranking) -> Properties:
    """The fields of a state that only this kind has."""
    dice, rank = shapes.list_of(shapes.die(variant)), shapes.rank(variant)
    best = shapes.record(
        shapes.component(variant, "HandToBeat"),
        {"player": shapes.TEXT, "dice": dice, "rank": rank, "strength": shapes.COUNT},
    )
    turn = shapes.record(
        shapes.component(variant, "TurnInPlay"),
        {
            "player": shapes.TEXT,
            "dice": dice("Empty before the first roll."),
            "rolls_left": shapes.COUNT,
            "rank": rank.or_null(),
            "strength": shapes.COUNT.or_null(),
            "beats": shapes.FLAG.or_null("Whether the dice beat the best hand so far."),
            "reason": shapes.TEXT.or_null(),
        },
    )
    return {
        "round": shapes.ORDINAL(
            "The number of the round, from 1; once the game is over, that of the last round."
        ),
        "rounds": shapes.COUNT.or_null(
            "The number of rounds; null: the game lasts until one player has all chips."
        ),
        "starter": shapes.TEXT(
            "The player who sets the ante of this round, or of the last round once the game is "
            "over."
        ),
        "ante": shapes.COUNT.or_null(),
        "price": shapes.COUNT.or_null("The price of joining the round: the ante and all raises."),
        "pot": shapes.COUNT,
        "players": shapes.list_of(_PLAYER),
        "best": best.or_null("The hand to beat."),
        "turn": turn.or_null("The turn of the player who rolls; null if nobody does."),
    }


def news(variant: Ranking) -> Properties:
    """The fields of an entry in the news."""
    return news_entry(
        variant,
        *("sits_out", "folds", "busts", "put_out", "collects", "out_of_chips"),
        *("rolls_again", "round_begins", "game_over"),
        dice=shapes.list_of(shapes.die(variant)).optional(),
        rank=shapes.rank(variant).optional(),
        strength=shapes.COUNT.optional(),
        amount=shapes.COUNT.optional("The chips in the pot that was collected."),
        round=shapes.ORDINAL.optional(),
    )
