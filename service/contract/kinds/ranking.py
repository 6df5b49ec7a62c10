"""The contract of games that rank rolls: catalogue entry, values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema

from service.api.schemas import enums
from service.api.schemas.component import component
from service.api.schemas.shared import AnswerField, Fields, answer_part, listed, nested
from service.contract.kinds import bounds
from service.contract.kinds.entry import CLAUSE, COMMON, entry_schema, part
from service.contract.kinds.shapes import (
    CHIPS,
    COUNT,
    FLAG,
    KEPT_DICE,
    NUMBERS,
    ORDINAL,
    TEXT,
    TEXTS,
    Shape,
    news_entry,
    optional,
    several,
)
from service.engine.parameters import Bound, Keep, Whole
from service.kinds.ranking.variant import Ranking

HAND_COUNTS = "as a ranked roll"
BOUNDS: Mapping[type[Bound], Shape] = {Whole: bounds.NUMBER, Keep: bounds.LIST}
"""The bounds of values in legal actions, by the class of bounds."""
PHASES: tuple[str, ...] = ("ante", "join", "rolling", "betting", "over")
ARROW_ANSWER: str | None = "`rank`, a dictionary of utf8, and `strength`, an int32"

_RANK: Fields = {
    "id": AnswerField(TEXT),
    "name": AnswerField(TEXT),
    "needs": AnswerField(TEXT, "What the dice must show."),
    "winning": AnswerField({"type": "boolean"}, "False if a hand of this rank can't win."),
    "counts": AnswerField({"type": "boolean"}, "False if a roll of this rank is rolled again."),
    "above": nested(
        answer_part("RankAbove", {"house_rule": AnswerField(TEXT), "rank": AnswerField(TEXT)}),
        "The house rule that moves this rank, and the rank just below it then; null for none.",
        nullable=True,
    ),
    "house_rule": AnswerField(
        {"type": ["string", "null"]},
        "The house rule that the rank needs; null for none.",
    ),
    "strengths": part(
        "StrengthRange",
        {"weakest": AnswerField(COUNT), "strongest": AnswerField(COUNT)},
        "The strengths of hands of this rank, under its house rule if it has one.",
    ),
    "clause": CLAUSE,
}

_RANK_WITH_NUMBERS = answer_part("Rank", {**_RANK, "example": AnswerField(NUMBERS)})
_RANK_WITH_WORDS = answer_part("RankWithWords", {**_RANK, "example": AnswerField(TEXTS)})


def entry_fields(*, words: bool) -> Fields:
    """The fields of an entry with ranks, whose dice are written as `words` or as numbers."""
    rank = nested(_RANK_WITH_WORDS if words else _RANK_WITH_NUMBERS)
    return {
        **COMMON,
        "hand_size": AnswerField(COUNT, "The number of dice in a hand."),
        "ranks": listed(rank, "Highest first."),
    }


_NUMBERS_ENTRY = entry_schema(Ranking, "RankingEntry", entry_fields(words=False))
_WORDS_ENTRY = entry_schema(Ranking, "RankingEntryWithWords", entry_fields(words=True))


def entry(variant: Ranking[Any]) -> type[Schema]:
    """The schema of `GET /v1/variants/{variant}`."""
    return _WORDS_ENTRY if variant.dice.textual else _NUMBERS_ENTRY


def values(variant: Ranking[Any]) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    del variant
    return {"amount": CHIPS, "keep": KEPT_DICE}


def die(variant: Ranking[Any], action: str) -> Shape:
    """A die that `action` rolls: all of them roll the same dice."""
    del action
    return enums.die(variant)


_PLAYER = answer_part(
    "PlayerInRound",
    {
        "id": AnswerField(TEXT),
        "stack": AnswerField(COUNT),
        "standing": AnswerField(
            enums.named_enum(
                "Standing",
                ["to_decide", "in", "sat_out", "folded", "bust", "beaten", "no_chips"],
            )
        ),
        "reason": AnswerField(enums.or_null(TEXT), "Why the player is out."),
    },
)


def state(variant: Ranking[Any]) -> Fields:
    """The fields of a state that only this kind has."""
    best: Fields = {
        "player": AnswerField(TEXT),
        "dice": AnswerField(several(enums.die(variant))),
        "rank": AnswerField(enums.rank(variant)),
        "strength": AnswerField(COUNT),
    }
    turn: Fields = {
        "player": AnswerField(TEXT),
        "dice": AnswerField(several(enums.die(variant)), "Empty before the first roll."),
        "rolls_left": AnswerField(COUNT),
        "rank": AnswerField(enums.or_null(enums.rank(variant))),
        "strength": AnswerField(enums.or_null(COUNT)),
        "beats": AnswerField(enums.or_null(FLAG), "Whether the dice beat the best hand so far."),
        "reason": AnswerField(enums.or_null(TEXT)),
    }
    return {
        "round": AnswerField(
            ORDINAL,
            "The number of the round, from 1; once the game is over, that of the last round.",
        ),
        "rounds": AnswerField(
            enums.or_null(COUNT),
            "The number of rounds; null: the game lasts until one player has all chips.",
        ),
        "starter": AnswerField(
            TEXT,
            "The player who sets the ante of this round, or of the last round once the game is "
            "over.",
        ),
        "ante": AnswerField(enums.or_null(COUNT)),
        "price": AnswerField(
            enums.or_null(COUNT), "The price of joining the round: the ante and all raises."
        ),
        "pot": AnswerField(COUNT),
        "players": listed(nested(_PLAYER)),
        "best": nested(
            answer_part(component(variant, "HandToBeat"), best),
            "The hand to beat.",
            nullable=True,
        ),
        "turn": nested(
            answer_part(component(variant, "TurnInPlay"), turn),
            "The turn of the player who rolls; null if nobody does.",
            nullable=True,
        ),
    }


def news(variant: Ranking[Any]) -> Fields:
    """The fields of an entry in the news."""
    return news_entry(
        variant,
        *("sits_out", "folds", "busts", "put_out", "collects", "out_of_chips"),
        *("rolls_again", "round_begins", "game_over"),
        dice=optional(several(enums.die(variant))),
        rank=optional(enums.rank(variant)),
        strength=optional(COUNT),
        amount=optional(COUNT, "The chips in the pot that was collected."),
        round=optional(ORDINAL),
    )
