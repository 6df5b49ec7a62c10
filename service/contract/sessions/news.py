"""The news of games in sessions, by kind, for the contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from marshmallow import Schema, fields

from service.api.schemas.shared import Answered, Fields, answer_part, component, nested
from service.contract.sessions.shapes import (
    COUNT,
    FLAG,
    NUMBERS,
    ORDINAL,
    TEXT,
    TEXTS,
    by_player,
    final_place,
)
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.variant import Layout
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Variant


def _told(shape: Mapping[str, Any], description: str = "") -> Answered:
    """A field that only some entries have."""
    return Answered(shape, description, required=False)


def _entry(*what: str, **own: fields.Field[Any]) -> Fields:
    """What entries of the news hold: `what` happened, to whom, why, and what goes with it."""
    return {
        "what": Answered({"type": "string", "enum": [*what]}),
        "player": _told(TEXT),
        "reason": _told(TEXT),
        "winners": _told(TEXTS, "Once the game is over."),
        **own,
    }


def _scorecard(variant: ScoreCard[Any]) -> Fields:
    places = nested(final_place(variant))
    return _entry(
        *("begins", "throw_again", "written", "crossed_out", "time_up"),
        *("upper_bonus", "repeat_bonus", "game_over"),
        players=_told(TEXTS, "Who throws again."),
        dice=_told(NUMBERS),
        box=_told({"type": "string", "enum": [box.id for box in variant.boxes]}),
        score=_told(COUNT),
        points=_told(COUNT, "Those of a bonus."),
        places=fields.List(places, metadata={"description": "Once the game is over."}),
    )


def _ranking(variant: Ranking[Any]) -> Fields:
    return _entry(
        *("sits_out", "folds", "busts", "put_out", "collects", "out_of_chips"),
        *("rolls_again", "round_begins", "game_over"),
        dice=_told(NUMBERS),
        rank=_told({"type": "string", "enum": [rank.id for rank in variant.ranks]}),
        strength=_told(COUNT),
        amount=_told(COUNT, "The pot that is collected."),
        round=_told(ORDINAL),
    )


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
        "community": _told(dice),
        "places": fields.List(nested(answer_part(component(variant, "PlaceShownDown"), place))),
        "pots": fields.List(nested(answer_part(component(variant, "PotPaidOut"), pot))),
        "payouts": _told(by_player(COUNT), "What each player takes out of all pots."),
    }


def _community(variant: CommunityRanking[Any]) -> Fields:
    dice = {"type": "array", "items": {"type": "string", "enum": [*variant.dice.notation]}}
    return _entry(
        *("flop_rolled_again", "no_more_betting", "won_without_showing", "showdown"),
        *("out_of_chips", "game_over"),
        **_hand_ended(variant),
        was=_told(dice, "The flop before it was rolled again."),
        **{"is": _told(dice, "The flop as rolled again.")},
    )


def last_hand(variant: CommunityRanking[Any]) -> type[Schema]:
    """How the last hand of the game ended."""
    own: Fields = {
        "what": Answered({"type": "string", "enum": ["won_without_showing", "showdown"]}),
        "player": _told(TEXT, "Who has won without showing."),
        "reason": _told(TEXT),
        **_hand_ended(variant),
    }
    return answer_part(component(variant, "LastHand"), own)


def _layout(variant: Layout) -> Fields:
    faces = {"type": "array", "items": {"type": "string", "enum": [*variant.dice.faces_written]}}
    return _entry(
        *("begins", "throw_again", "passed", "laid", "banked", "risked"),
        *("super_royal", "game_over"),
        players=_told(TEXTS, "Who throws again."),
        dice=_told(faces),
        missing=_told(TEXT, "What the first roll lacks to open."),
        points=_told(COUNT, "Those of the turn."),
        best_points=_told(COUNT, "Those of the best layout known."),
        proven=_told(FLAG, "Whether it is certain that no layout is worth more."),
        risk=_told(COUNT, "What the risk die shows."),
        total=_told(COUNT),
    )


NEWS: Mapping[type[Variant[Any]], Callable[[Any], Fields]] = {
    CommunityRanking: _community,
    Layout: _layout,
    Ranking: _ranking,
    ScoreCard: _scorecard,
}
"""What the news of each kind of game hold."""


@cache
def news(variant: Variant[Any]) -> type[Schema]:
    """The schema of an entry in the news of a game of `variant`."""
    return answer_part(component(variant, "News"), NEWS[type(variant)](variant))
