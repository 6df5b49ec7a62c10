"""The states and the news of games, by kind. The rules that make them know no JSON Schema."""

from __future__ import annotations

from service.api.operations.community import POCKET_HOLDING, POT
from service.api.operations.scorecard import best_box
from service.api.schemas import shapes
from service.api.schemas.layout import PROOF, grid_shape, laid_hand
from service.api.schemas.reasons import BECAUSE, REASON, REASON_OR_NULL
from service.api.schemas.shapes import Shape
from service.kinds.community.game import stage_names
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.variant import Layout
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import LEFT, TAKE_BACK, TIME_UP, Variant
from service.sessions.computers import CHOSE

Properties = dict[str, Shape]


def _news(variant: Variant, *what: str, **own: Shape) -> Properties:
    """The fields of entries in the news: `what` happened, to whom, why, and perhaps its details."""
    return {
        "what": shapes.named_enum(
            shapes.component_of_kind(variant, "NewsWhat"), [*what, TIME_UP, LEFT, TAKE_BACK, CHOSE]
        ),
        "player": shapes.TEXT.optional(),
        **REASON,
        "winners": shapes.TEXTS.optional("Once the game is over."),
        "to": shapes.ORDINAL.optional("The version before what was taken back."),
        "undone": shapes.ORDINAL.optional("How many versions were taken back."),
        "whose": shapes.TEXTS.optional("Whose actions were taken back."),
        **{name: shape.optional() for name, shape in own.items()},
    }


THROWS: Properties = {
    "throws": shapes.by_player(shapes.list_of(shapes.NUMBERS)).optional(
        "Until it is known who begins."
    ),
    "order": shapes.TEXTS.optional("Once it is known who begins."),
}
"""The throws that decide who begins."""

_FINAL_PLACE = shapes.record(
    "FinalPlace",
    {"place": shapes.ORDINAL, "players": shapes.TEXTS, "total": shapes.COUNT, **REASON},
)

FINAL_PLACES = shapes.list_of(_FINAL_PLACE).optional("Once the game is over.")
"""The places at the end of a game that totals decide."""

_PLAYER_IN_ROUND = shapes.record(
    "PlayerInRound",
    {
        "id": shapes.TEXT,
        "stack": shapes.COUNT,
        "standing": shapes.named_enum(
            "Standing",
            ["to_decide", "in", "sat_out", "folded", "bust", "beaten", "no_chips", "left"],
        ),
        **REASON_OR_NULL,
    },
)


def ranking_state(variant: Ranking) -> Properties:
    """The fields of a state that only games of this kind have."""
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
            "beats": shapes.FLAG.or_null(),
            **REASON_OR_NULL,
        },
    )
    return {
        "round": shapes.ORDINAL,
        "rounds": shapes.COUNT.or_null("Null: until one player has all chips."),
        "starter": shapes.TEXT("Who sets the ante of the round."),
        "ante": shapes.COUNT.or_null(),
        "price": shapes.COUNT.or_null("What it costs to meet the ante or the raise."),
        "pot": shapes.COUNT,
        "players": shapes.list_of(_PLAYER_IN_ROUND),
        "best": best.or_null(),
        "turn": turn.or_null(),
    }


def ranking_news(variant: Ranking) -> Properties:
    """The fields of an entry in the news."""
    return _news(
        variant,
        *("sits_out", "folds", "busts", "put_out", "collects", "out_of_chips"),
        *("rolls_again", "round_begins", "game_over"),
        dice=shapes.list_of(shapes.die(variant)),
        rank=shapes.rank(variant),
        strength=shapes.COUNT,
        amount=shapes.COUNT,
        round=shapes.ORDINAL,
    )


_PLAYER_AT_TABLE = shapes.record(
    "PlayerAtTable",
    {
        "id": shapes.TEXT,
        "chips": shapes.COUNT,
        "paid": shapes.COUNT("During this hand."),
        "paid_in_round": shapes.COUNT,
        "folded": shapes.FLAG,
        "all_in": shapes.FLAG,
        "left": shapes.FLAG("Has left; the chips are out of play."),
        "out": shapes.FLAG("Out of the game."),
    },
)

_BETTING_ROUND = shapes.record(
    "BettingRound",
    {
        "bets": shapes.COUNT("Bets and raises."),
        "player": shapes.TEXT.or_null("Who made the last; null for a blind."),
    },
)

_BLIND = shapes.record("Blind", {"player": shapes.TEXT, "amount": shapes.COUNT("In this hand.")})


def community_state(variant: CommunityRanking) -> Properties:
    """The fields of a state that only games of this kind have."""
    dice = shapes.list_of(shapes.die(variant))
    holding = shapes.record(
        shapes.component(variant, "HoldingInPlay"),
        {
            "rank": shapes.rank(variant).or_null(),
            "clause": shapes.TEXT,
            "best": dice,
            "holds": POCKET_HOLDING.schema.or_null("Before the flop."),
        },
    )
    last_hand = shapes.record(
        shapes.component(variant, "LastHand"),
        {
            "what": shapes.named_enum("HandEnd", ["won_without_showing", "showdown"]),
            "player": shapes.TEXT.optional("Who won without showing."),
            **REASON,
            **_hand_ended(variant),
        },
    )
    return {
        "hand": shapes.ORDINAL,
        "stage": shapes.enum(variant, "Stage", stage_names(variant)).or_null(
            "Null once the game is over."
        ),
        "dealer": shapes.TEXT,
        "to_call": shapes.COUNT("What the player to act needs to add to call."),
        "raises": shapes.COUNT("In this betting round."),
        "rounds": shapes.list_of(_BETTING_ROUND)("Those of this hand that are over."),
        "pot": shapes.COUNT("All bets included."),
        "ante": shapes.COUNT("In this hand."),
        "small_blind": _BLIND.or_null(),
        "big_blind": _BLIND.or_null(),
        "players": shapes.list_of(_PLAYER_AT_TABLE),
        "community": dice,
        "pocket": dice.or_null("That of the token's player; null for the table's token."),
        "holding": holding.or_null(),
        "last_hand": last_hand.or_null(),
    }


def community_news(variant: CommunityRanking) -> Properties:
    """The fields of an entry in the news."""
    dice = shapes.list_of(shapes.die(variant))
    return _news(
        variant,
        *("flop_rolled_again", "no_more_betting", "won_without_showing", "showdown"),
        *("out_of_chips", "game_over"),
        **_hand_ended(variant),
        was=dice("The flop before."),
        **{"is": dice("The flop after.")},
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
            **REASON,
        },
    )
    return {
        "community": dice.optional(),
        "places": shapes.list_of(place).optional(),
        "pots": shapes.list_of(POT.schema).optional(),
        "payouts": shapes.by_player(shapes.COUNT).optional(),
        "returned": shapes.by_player(shapes.COUNT).optional(
            "The part of the payouts that nobody called."
        ),
    }


def scorecard_state(variant: ScoreCard) -> Properties:
    """The fields of a state that only games of this kind have."""
    scores = dict.fromkeys([box.id for box in variant.boxes], shapes.COUNT.or_null())
    repeats = variant.repeats
    counted = [repeats.counter, repeats.points_field] if repeats else []
    card = shapes.record(
        shapes.component(variant, "CardInPlay"),
        {
            "scores": shapes.record(shapes.component(variant, "CardScores"), scores)("Null: open."),
            **dict.fromkeys(["upper", "bonus", "lower", "total"], shapes.COUNT),
            **dict.fromkeys(counted, shapes.COUNT.optional()),
        },
    )
    turn = shapes.record(
        shapes.component(variant, "TurnInPlay"),
        {
            "player": shapes.TEXT,
            "round": shapes.ORDINAL,
            "rolls_left": shapes.COUNT,
            "dice": shapes.list_of(shapes.die(variant)).or_null(),
            "scores": shapes.by_player(shapes.COUNT).or_null("In each open box."),
            "best": best_box(variant).schema.or_null(
                "The first of the open boxes with the highest score."
            ),
        },
    )
    return {
        **THROWS,
        "turn": turn.optional(),
        "cards": shapes.by_player(card),
        "places": FINAL_PLACES,
    }


def scorecard_news(variant: ScoreCard) -> Properties:
    """The fields of an entry in the news."""
    return _news(
        variant,
        *("begins", "throw_again", "written", "crossed_out"),
        *("upper_bonus", "repeat_bonus", "game_over"),
        players=shapes.TEXTS("Who throws again."),
        dice=shapes.list_of(shapes.die(variant)),
        box=shapes.box(variant),
        score=shapes.COUNT,
        points=shapes.COUNT,
        places=FINAL_PLACES,
    )


def layout_state(variant: Layout) -> Properties:
    """The fields of a state that only games of this kind have."""
    faces = shapes.list_of(shapes.card(variant))
    laid = shapes.record(
        shapes.component(variant, "LaidInPlay"),
        {
            "points": shapes.COUNT("With the bonus, before the risk die."),
            "hands": shapes.list_of(laid_hand(variant)),
            "grid": grid_shape(variant),
            "all_dice_bonus": shapes.COUNT,
            "best_points": shapes.COUNT("Of the best known layout."),
            **PROOF,
        },
    )
    turn = shapes.record(
        shapes.component(variant, "TurnInPlay"),
        {
            "player": shapes.TEXT,
            "rolls": shapes.list_of(faces, "All dice, then those that were rolled again."),
            "dice": faces("As they show now, in the order of the first roll."),
            "blanks": shapes.NUMBERS("Indexes of `dice`."),
            "rolls_left": shapes.COUNT,
            "opened": shapes.FLAG.or_null(),
            "laid": laid.or_null(),
        },
    )
    return {
        **THROWS,
        "totals": shapes.by_player(shapes.COUNT),
        "turns_played": shapes.by_player(shapes.COUNT),
        "turns": shapes.ORDINAL.or_null("Null: until `target_score`."),
        "turn": turn.or_null(),
        "places": FINAL_PLACES,
    }


def layout_news(variant: Layout) -> Properties:
    """The fields of an entry in the news."""
    return _news(
        variant,
        *("begins", "throw_again", "passed", "laid", "banked", "risked"),
        *("super_royal", "game_over"),
        players=shapes.TEXTS("Who throws again."),
        dice=shapes.list_of(shapes.card(variant)),
        missing=shapes.TEXT("What it lacks to open."),
        lacks=BECAUSE("What `missing` is made of."),
        points=shapes.COUNT,
        best_points=shapes.COUNT("Of the best known layout."),
        proven=shapes.FLAG("Whether no layout has more points."),
        risk=shapes.COUNT("The risk die."),
        total=shapes.COUNT,
    )
