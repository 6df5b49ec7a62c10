"""The result of a session as JSON, maybe signed."""

from __future__ import annotations

from hmac import digest
from typing import Any, NamedTuple

import orjson

from service.api.operations.advising import STRENGTH
from service.api.schemas import shapes
from service.api.schemas.serializers import Serializer, parts
from service.api.schemas.shapes import Shape
from service.api.sessions.answers import ID, TIME, timestamp
from service.api.sessions.requests import CLIENT, SERVER, WHO_ROLLS
from service.rules.house_rules import in_force
from service.sessions.result import Result


class _PlayerResult(NamedTuple):
    """What a player has: one of `total` and `chips` is None."""

    id: str
    place: int
    total: int | None
    chips: int | None
    turns: int
    computer: str | None


_PLAYER = Serializer[_PlayerResult](
    "PlayerResult",
    {
        "id": shapes.TEXT,
        "place": shapes.ORDINAL("Shared by equals: 1, 1, 3."),
        "total": shapes.INTEGER("In games for points.").optional(),
        "chips": shapes.COUNT("In games for chips.").optional(),
        "turns": shapes.COUNT("How many turns, hands or rounds the player had a part in."),
        "computer": STRENGTH.optional("If the service played."),
    },
)


def _players(result: Result) -> list[_PlayerResult]:
    in_chips = result.terms.game.counts == "chips"
    return [
        _PlayerResult(
            id=player,
            place=result.places[seat],
            total=None if in_chips else result.scores[seat],
            chips=result.scores[seat] if in_chips else None,
            turns=result.turns[seat],
            computer=result.terms.computers.get(player),
        )
        for seat, player in enumerate(result.terms.players)
    ]


RESULT = Serializer[Result](
    "SessionResult",
    {
        "id": ID.of("terms.id"),
        "variant": shapes.TEXT.of("terms.variant.id"),
        "players": parts(_PLAYER, _players, "In seat order."),
        "winners": shapes.list_of(shapes.TEXT)("Empty until the game is over.").of(
            "snapshot.state.winners"
        ),
        "house_rules": Shape(type="object")("All that are in force.").of("terms.rules", in_force),
        "dice": WHO_ROLLS.of(lambda result: CLIENT if result.terms.seed is None else SERVER),
        "over": shapes.FLAG.of("snapshot.state.over"),
        "created_at": TIME.of("terms.created_at", timestamp),
        "ended_at": TIME.or_null("Null until the game is over.").of("ended_at", timestamp),
        "signature": Shape(type="string", pattern="^[0-9a-f]{64}$")(
            "HMAC-SHA256 of all other fields, if the service has a `RESULT_KEY`."
        )
        .optional()
        .of(lambda _: None),
    },
)


def result_json(result: Result, key: str) -> dict[str, Any]:
    """The result, with its HMAC-SHA256 as a signature if there is a `key`.

    What is signed is the result as JSON in UTF-8, with sorted keys and without spaces.
    """
    made = RESULT.write(result)
    if key:
        signed = orjson.dumps(made, option=orjson.OPT_SORT_KEYS)
        made["signature"] = digest(key.encode(), signed, "sha256").hex()
    return made
