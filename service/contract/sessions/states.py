"""The states of games in sessions, by kind, for the contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from marshmallow import Schema, fields

from service.api.operations.layout import grid, laid_hand, proof_fields
from service.api.schemas.shared import Answered, Fields, answer_part, component, listed, nested
from service.contract.sessions.news import last_hand, news
from service.contract.sessions.shapes import (
    COUNT,
    FLAG,
    NUMBERS,
    ORDINAL,
    TEXT,
    TEXTS,
    by_player,
    final_place,
    maybe,
)
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.variant import Layout
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Variant


def common(variant: Variant[Any], *phases: str) -> Fields:
    """What the states of all games have; a game of `variant` is in one of `phases`."""
    return {
        "over": Answered(FLAG, "Whether the game has ended."),
        "winners": Answered(TEXTS, "Who has won; several if they share it; none until the end."),
        "news": listed(
            nested(news(variant)),
            "What followed from the last action by the rules, in order, with reasons.",
        ),
        "phase": Answered({"type": "string", "enum": [*phases]}),
        "to_act": Answered(TEXTS, "Who can act now; nobody once the game is over."),
    }


def keyed(part: type[Schema], description: str) -> fields.Dict:
    """An object in an answer that holds a `part` for each player."""
    metadata = {"description": description}
    return fields.Dict(keys=fields.String(), values=nested(part), required=True, metadata=metadata)


def _throws() -> Fields:
    """The throws for who begins."""
    return {
        "throws": Answered(
            by_player({"type": "array", "items": NUMBERS}),
            "While it is thrown for who begins: the throws of each player.",
            required=False,
        ),
        "order": Answered(TEXTS, "The order of turns, once it is known.", required=False),
    }


def scorecard(variant: ScoreCard[Any]) -> type[Schema]:
    """The state of a game on score cards."""
    boxes = [box.id for box in variant.boxes]
    score = Answered({"type": ["integer", "null"], "minimum": 0})
    card: dict[str, Any] = {
        "scores": nested(
            answer_part(component(variant, "CardScores"), dict.fromkeys(boxes, score)),
            "In card order; null while a box is open.",
        ),
        "upper": Answered(COUNT),
        "bonus": Answered(COUNT),
        "lower": Answered(COUNT),
        "total": Answered(COUNT),
    }
    if variant.repeats:
        counter = variant.repeats.counter
        card[counter] = Answered(COUNT, required=False)
        card[variant.repeats.points_field] = Answered(COUNT, required=False)
    cards = answer_part(component(variant, "CardInPlay"), card)
    best = {"box": Answered({"type": "string", "enum": boxes}), "score": Answered(COUNT)}
    turn: Fields = {
        "player": Answered(TEXT),
        "round": Answered(ORDINAL),
        "rolls_left": Answered(COUNT),
        "dice": Answered(maybe(NUMBERS), "Null before the first roll."),
        "scores": Answered(
            {"type": ["object", "null"], "additionalProperties": COUNT},
            "What the dice are worth in each open box.",
        ),
        "best": nested(
            answer_part(component(variant, "BestInTurn"), best),
            "The open box worth most, the first of several.",
            nullable=True,
        ),
        "ends_at": Answered(
            maybe({"type": "integer"}), "When the clock runs out, in milliseconds since 1970."
        ),
    }
    own: Fields = {
        **common(variant, "throwing", "playing", "over"),
        **_throws(),
        "turn": nested(
            answer_part(component(variant, "TurnInPlay"), turn),
            "The turn that goes on.",
            required=False,
        ),
        "cards": keyed(cards, "Each player's card."),
        "places": fields.List(
            nested(final_place(variant)),
            metadata={"description": "Once the game is over."},
        ),
    }
    return answer_part(component(variant, "State"), own)


def ranking(variant: Ranking[Any]) -> type[Schema]:
    """The state of a game of beat it or bust."""
    ranks = {"type": "string", "enum": [rank.id for rank in variant.ranks]}
    player: Fields = {
        "id": Answered(TEXT),
        "stack": Answered(COUNT),
        "standing": Answered(
            {
                "type": "string",
                "enum": ["to_decide", "in", "sat_out", "folded", "bust", "beaten", "no_chips"],
            }
        ),
        "reason": Answered(maybe(TEXT), "Why the player is out."),
    }
    best: Fields = {
        "player": Answered(TEXT),
        "dice": Answered(NUMBERS),
        "rank": Answered(ranks),
        "strength": Answered(COUNT),
    }
    turn: Fields = {
        "player": Answered(TEXT),
        "dice": Answered(NUMBERS, "None before the first roll."),
        "rolls_left": Answered(COUNT),
        "rank": Answered({"type": ["string", "null"], "enum": [*ranks["enum"], None]}),
        "strength": Answered(maybe(COUNT)),
        "beats": Answered(maybe(FLAG), "Whether the dice beat the best hand so far."),
        "reason": Answered(maybe(TEXT)),
    }
    own: Fields = {
        **common(variant, "ante", "join", "rolling", "betting", "over"),
        "round": Answered(ORDINAL, "Counts the rounds; once the game is over, the last one."),
        "rounds": Answered(maybe(COUNT), "How many there are; null: until one has all chips."),
        "starter": Answered(
            TEXT,
            "Who names the ante of this round; once the game is over, who named that of the last.",
        ),
        "ante": Answered(maybe(COUNT)),
        "price": Answered(maybe(COUNT), "What coming in takes: the ante and all raises."),
        "pot": Answered(COUNT),
        "players": listed(nested(answer_part(component(variant, "PlayerInRound"), player))),
        "best": nested(
            answer_part(component(variant, "HandToBeat"), best),
            "The hand to beat.",
            nullable=True,
        ),
        "turn": nested(
            answer_part(component(variant, "TurnInPlay"), turn),
            "While somebody rolls.",
            nullable=True,
        ),
    }
    return answer_part(component(variant, "State"), own)


def community(variant: CommunityRanking[Any]) -> type[Schema]:
    """The state of a game with pocket and community dice."""
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
    own: Fields = {
        **common(variant, "rolling", "betting", "over"),
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
    return answer_part(component(variant, "State"), own)


def layout(variant: Layout) -> type[Schema]:
    """The state of a game of layouts."""
    faces = {"type": "array", "items": {"type": "string", "enum": [*variant.dice.faces_written]}}
    laid: Fields = {
        "points": Answered(COUNT, "With the bonus, before the risk die."),
        "hands": listed(nested(laid_hand(variant)), "From the most points down."),
        "grid": grid(variant),
        "all_dice_bonus": Answered(COUNT),
        "best_points": Answered(COUNT, "Those of the best layout known."),
        **proof_fields(),
    }
    turn: Fields = {
        "player": Answered(TEXT),
        "rolls": Answered({"type": "array", "items": faces}, "All dice, then those rolled again."),
        "dice": Answered(faces, "What they show now, in the order of the first roll."),
        "blanks": Answered(NUMBERS, "The dice that show a blank."),
        "rolls_left": Answered(COUNT),
        "opened": Answered(maybe(FLAG), "Null before the first roll."),
        "laid": nested(
            answer_part(component(variant, "LaidInPlay"), laid),
            "The layout, once the dice are laid out.",
            nullable=True,
        ),
    }
    own: Fields = {
        **common(variant, "throwing", "rolling", "laid", "over"),
        **_throws(),
        "totals": Answered(by_player(COUNT)),
        "turns_played": Answered(by_player(COUNT)),
        "turn": nested(answer_part(component(variant, "TurnInPlay"), turn), nullable=True),
        "places": fields.List(
            nested(final_place(variant)),
            metadata={"description": "Once the game is over."},
        ),
    }
    return answer_part(component(variant, "State"), own)


STATES: Mapping[type[Variant[Any]], Callable[[Any], type[Schema]]] = {
    CommunityRanking: community,
    Layout: layout,
    Ranking: ranking,
    ScoreCard: scorecard,
}
"""The schema of the state of each kind of game."""


@cache
def state(variant: Variant[Any]) -> type[Schema]:
    """The schema of the state of a game of `variant`."""
    return STATES[type(variant)](variant)
