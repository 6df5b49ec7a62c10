"""Sessions as JSON, as a token may see them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from typing import Any, NamedTuple

from service.api.operations.advising import STRENGTH
from service.api.operations.registry import API_KINDS
from service.api.schemas import shapes
from service.api.schemas.bounds import BOUNDS
from service.api.schemas.reasons import with_reasons
from service.api.schemas.serializers import Fields, Serializer, house_rules_in_force, inlined, part
from service.api.schemas.shapes import JsonSchema, Shape
from service.api.sessions.requests import CLIENT, COMPUTERS, SERVER, WHO_ROLLS
from service.engine.actions import LEAVE, Move, Step
from service.engine.chance import RollOf
from service.engine.parameters import Bound
from service.kinds.registry import GAMES
from service.rules.house_rules import in_force
from service.rules.variant import Variant
from service.sessions.computers import CHOSE, decision
from service.sessions.fair import LONGEST_CLIENT_SEED, commitment
from service.sessions.session import Event, Terms
from service.sessions.take_back import TAKE_BACK, ways_back
from service.sessions.view import CreatedSession, SessionView

Answer = dict[str, Any]

PATH = "/v1/sessions"

ID = Shape(type="string", pattern="^[A-Za-z0-9_-]{22}$")
TIME = Shape(type="string", format="date-time")
_TOKEN = Shape(type="string", minLength=43, maxLength=43)
_HASH = Shape(type="string", pattern="^[0-9a-f]{64}$")


JOINED = Serializer[list[str]](
    "Joined", {"joined": shapes.TEXTS("Whose own tokens have joined.").of(lambda joined: joined)}
)


class _Dice(NamedTuple):
    """The seeds of the dice that the service rolls, and whether the game is over."""

    seed: bytes
    client_seed: str
    over: bool

    @classmethod
    def of(cls, session: SessionView) -> _Dice | None:
        """Those of `session`; None if the players type in their dice."""
        terms = session.terms
        if terms.seed is None:
            return None
        return cls(terms.seed, terms.client_seed, session.snapshot.state.over)


def _revealed_seed(dice: _Dice) -> str | None:
    return dice.seed.hex() if dice.over else None


_FAIRNESS = Serializer[_Dice](
    "Fairness",
    {
        "commitment": _HASH("SHA-256 of the seed, as hex.").of("seed", commitment),
        "client_seed": Shape(type="string", maxLength=LONGEST_CLIENT_SEED),
        "seed": _HASH.or_null("As hex; null until the game is over.").of(_revealed_seed),
    },
)

TOKENS = Serializer[CreatedSession](
    "Tokens",
    {
        "table": _TOKEN("It can act for every player, and delete the session.").of("table_token"),
        "players": shapes.by_player(_TOKEN)("Each acts for one player.").of("player_tokens"),
    },
)


def _agreed(variant: Variant) -> Fields[SessionView]:
    """The terms of a session, and how far it has come; the seed only when the game is over."""
    return {
        "id": ID.of("terms.id"),
        "version": shapes.ORDINAL("The number of events.").of("snapshot.version"),
        "variant": shapes.constant(variant.id),
        "players": shapes.list_of(shapes.TEXT, minItems=1)("In seat order.").of("terms.players"),
        "house_rules": house_rules_in_force(variant).of("terms.rules", in_force),
        "dice": WHO_ROLLS.of(lambda session: CLIENT if session.terms.seed is None else SERVER),
        "advice": shapes.FLAG.of("terms.advice"),
        GAMES.of(variant).paper: shapes.by_player(
            API_KINDS.of(variant).on_paper(variant).json_schema
        )
        .optional("If it went on from paper.")
        .of("terms", paper_json),
        COMPUTERS: shapes.by_player(STRENGTH)
        .optional("Players for whom the service plays.")
        .of("terms", lambda terms: terms.computers or None),
        "fairness": part(_FAIRNESS, _Dice.of, "If the service rolls.", required=False),
    }


@cache
def session_of(variant: Variant) -> Serializer[SessionView]:
    """A session of `variant` as its viewer may see it."""
    return Serializer(
        shapes.component(variant, "Session"),
        {
            **_agreed(variant),
            "state": shapes.reference(shapes.component(variant, "State")).of(_state_json),
            "actions": shapes.list_of(shapes.reference(shapes.component(variant, "LegalAction")))(
                "All that are legal now, with the JSON Schema of each value. A value "
                "with a `default` is optional."
            ).of(actions_json),
            "created_at": TIME.of("terms.created_at", timestamp),
            "expires_at": TIME("If nobody acts.").of("expires_at", timestamp),
        },
    )


class _Past(NamedTuple):
    """A session and its events."""

    session: SessionView
    events: Iterable[Event]


@cache
def history_of(variant: Variant) -> Serializer[_Past]:
    """The whole history of a session of `variant`, as its viewer may see it."""
    agreed: Fields[_Past] = inlined("session", _agreed(variant))
    return Serializer(
        shapes.component(variant, "SessionHistory"),
        {
            **agreed,
            "created_at": TIME.of("session.terms.created_at", timestamp),
            "events": shapes.list_of(shapes.reference(shapes.component(variant, "Event"))).of(
                _events_json
            ),
        },
    )


def paper_json(terms: Terms) -> dict[str, Any] | None:
    """What each player of a game from paper had; None for another game."""
    return dict(zip(terms.players, terms.paper, strict=True)) if terms.paper else None


def created_json(session: CreatedSession) -> Answer:
    """A new session with its tokens, which no other response has."""
    return {**session_json(session.view), "tokens": TOKENS.write(session)}


def session_json(session: SessionView) -> Answer:
    """A session as its viewer may see it."""
    return session_of(session.terms.variant).write(session)


def history_json(session: SessionView, events: Iterable[Event]) -> Answer:
    """The whole history of a session, as its viewer may see it."""
    return history_of(session.terms.variant).write(_Past(session, events))


def _state_json(session: SessionView) -> Answer:
    """The state of the game, with what all games have: who left, and the clock (G1, G2)."""
    terms, snapshot = session.terms, session.snapshot
    return {
        **with_reasons(terms.game.view(snapshot.state, session.viewer)),
        "left": [terms.players[seat] for seat in snapshot.state.left],
        "ends_at": snapshot.state.deadline,
    }


def actions_json(session: SessionView) -> list[Answer]:
    """Every legal action: its name, its player and the bounds of its values."""
    typed_dice = session.terms.seed is None
    moves = session.terms.game.legal_moves(session.snapshot.state)
    computers = session.terms.computers
    listed = computer_json(session) if computers else []
    listed += [
        move_json(move, typed_dice=typed_dice)
        for move in moves
        if move.kind is LEAVE or move.player not in computers
    ]
    if not session.digest:  # within a list of actions, which can't take back
        return listed
    for player, bound in ways_back(session.terms, session.snapshot).items():
        listed.append({"action": TAKE_BACK.name, "player": player, "to": bound_schema(bound)})
    return listed


def move_json(move: Move, *, typed_dice: bool) -> dict[str, Any]:
    """`move` with the bounds of each of its values, and of its dice if they are typed in."""
    legal: dict[str, Any] = {"action": move.action, "player": move.player}
    for name, bound in move.values.items():
        legal[name] = bound_schema(bound)
    if typed_dice and move.dice is not None:
        legal["dice"] = roll_schema(move.dice)
    return legal


def computer_json(session: SessionView) -> list[Answer]:
    """The action of the computer whose turn it is, if players type in its dice: with its values."""
    if session.terms.seed is not None:
        return []
    made = decision(session.terms, session.snapshot)
    if made is None or not made.awaits_dice:
        return []
    legal = move_json(made.move, typed_dice=True)
    for name in made.move.values:
        legal[name] |= {"const": made.values[name], "default": made.values[name]}
    return [legal]


def bound_schema(bound: Bound) -> JsonSchema:
    """The JSON Schema of a value within `bound`; a value with a `default` is optional."""
    return BOUNDS[type(bound)].write(bound)


@cache
def roll_schema(roll: RollOf) -> JsonSchema:
    """The JSON Schema of the dice that may be typed in for `roll`."""
    faces = roll.faces
    if isinstance(faces, range):
        face: JsonSchema = {"type": "integer", "minimum": faces[0], "maximum": faces[-1]}
    else:
        face = {"type": "string" if isinstance(faces[0], str) else "integer", "enum": [*faces]}
    return {"type": "array", "items": face, "minItems": roll.count, "maxItems": roll.count}


def _events_json(past: _Past) -> list[Answer]:
    return [
        {
            "version": version,
            "at": timestamp(event.at),
            **_step_json(past.session, event.steps[0]),
            "then": [_step_json(past.session, step) for step in event.steps[1:]],
        }
        for version, event in enumerate(past.events, start=1)
    ]


def timestamp(at: int) -> str:
    """A time in milliseconds since 1970, formatted by RFC 3339, in UTC."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _step_json(session: SessionView, step: Step) -> Answer:
    """One action of an event; dice that are hidden from the viewer are null."""
    step_json: Answer = {"player": step.player, "action": step.action, **step.values}
    if step.news and step.news[0]["what"] == CHOSE:
        step_json["computer"] = session.terms.computers[step.news[0]["player"]]
    if step.dice:
        hidden = step.action in session.terms.game.hidden and step.player != session.viewer
        step_json["dice"] = None if hidden else step.dice
    return {**step_json, "news": with_reasons(step.news)}
