"""The contract of games with pocket and community dice: values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping

from service.api.operations.community import POCKET_HOLDING, POT
from service.api.schemas import shapes
from service.api.schemas.shapes import Shape
from service.contract.kinds import ranking
from service.contract.kinds.shapes import Properties, news_entry
from service.kinds.community.game import stage_names
from service.kinds.community.variant import CommunityRanking

PHASES: tuple[str, ...] = ("rolling", "betting", "over")
ARROW_ANSWER = ranking.ARROW_ANSWER


def values(variant: CommunityRanking) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    del variant
    return {"amount": shapes.ORDINAL}


def die(variant: CommunityRanking, action: str) -> Shape:
    """A die that `action` rolls: all of them roll the same dice."""
    del action
    return shapes.die(variant)


_PLAYER = shapes.record(
    "PlayerAtTable",
    {
        "id": shapes.TEXT,
        "chips": shapes.COUNT("Chips left in the stack."),
        "paid": shapes.COUNT("Chips put in during this hand."),
        "paid_in_round": shapes.COUNT("Chips put in during this betting round."),
        "folded": shapes.FLAG,
        "all_in": shapes.FLAG,
        "out": shapes.FLAG("Whether the player is out of the game."),
    },
)


def state(variant: CommunityRanking) -> Properties:
    """The fields of a state that only this kind has."""
    dice = shapes.list_of(shapes.die(variant))
    holding = shapes.record(
        shapes.component(variant, "HoldingInPlay"),
        {
            "rank": shapes.rank(variant).or_null(),
            "clause": shapes.TEXT,
            "best": dice,
            "holds": POCKET_HOLDING.schema.or_null(
                "What the pocket holds while there are too few dice for a hand; null from then on."
            ),
        },
    )
    last_hand = shapes.record(
        shapes.component(variant, "LastHand"),
        {
            "what": shapes.named_enum("HandEnd", ["won_without_showing", "showdown"]),
            "player": shapes.TEXT.optional("The player who won without showing."),
            "reason": shapes.TEXT,
            **_hand_ended(variant),
        },
    )
    return {
        "hand": shapes.ORDINAL("The number of the hand, from 1."),
        "stage": shapes.enum(variant, "Stage", stage_names(variant)).or_null(
            "The stage of the hand; null once the game is over."
        ),
        "dealer": shapes.TEXT,
        "to_call": shapes.COUNT(
            "The chips that the player to act needs to add to call, 0 for none. A player with "
            "fewer chips can go all in."
        ),
        "raises": shapes.COUNT("Raises so far in this betting round."),
        "pot": shapes.COUNT("All chips put in during this hand."),
        "players": shapes.list_of(_PLAYER),
        "community": dice,
        "pocket": dice.or_null(
            "The pocket of the token's player; null before it is rolled, and for the table's token."
        ),
        "holding": holding.or_null("The best hand from your pocket and the community dice."),
        "last_hand": last_hand.or_null(
            "How the last hand ended: the dice that were shown, the places with reasons, the "
            "pots and the payouts."
        ),
    }


def news(variant: CommunityRanking) -> Properties:
    """The fields of an entry in the news."""
    dice = shapes.list_of(shapes.die(variant))
    return news_entry(
        variant,
        *("flop_rolled_again", "no_more_betting", "won_without_showing", "showdown"),
        *("out_of_chips", "game_over"),
        **_hand_ended(variant),
        was=dice.optional("The flop before it was rolled again."),
        **{"is": dice.optional("The flop after it was rolled again.")},
    )


def _hand_ended(variant: CommunityRanking) -> Properties:
    """How a hand of the game ended: who showed what, the pots and the payouts."""
    dice = shapes.list_of(shapes.die(variant))
    shown = shapes.record(
        shapes.component(variant, "HandShownDown"),
        {"id": shapes.TEXT, "pocket": dice, "best": dice},
    )
    place = shapes.record(
        shapes.component(variant, "PlaceShownDown"),
        {
            "place": shapes.ORDINAL,
            "players": shapes.TEXTS,
            "rank": shapes.rank(variant),
            "clause": shapes.TEXT,
            "hands": shapes.list_of(shown).optional(),
            "reason": shapes.TEXT,
        },
    )
    return {
        "community": dice.optional(),
        "places": shapes.list_of(place).optional(),
        "pots": shapes.list_of(POT.schema).optional(),
        "payouts": shapes.by_player(shapes.COUNT).optional(
            "The chips that each player gets from all pots."
        ),
    }
