"""The schemas of the responses of sessions, for the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from apispec import APISpec
from marshmallow import Schema

from service.api.schemas.component import component
from service.api.schemas.enums import Enum, enum, named_enum, or_null
from service.api.schemas.shared import (
    AnswerField,
    Fields,
    answer_part,
    house_rules_in_force,
    listed,
    nested,
)
from service.api.sessions.requests import WHO_ROLLS, NewSession
from service.contract.kinds.bounds import BOUNDS
from service.contract.kinds.shapes import FLAG, Shape, optional
from service.contract.parts import one_of, reference
from service.contract.sessions.actions import Steps, actions_of, bounds_of, steps_of
from service.contract.sessions.states import news, state
from service.kinds.registry import GAMES
from service.rules.variant import Variant
from service.sessions.fair import LONGEST_CLIENT_SEED

TIME = AnswerField({"type": "string", "format": "date-time"}, "A time in UTC.")
VERSION = AnswerField(
    {"type": "integer", "minimum": 1}, "The number of events so far: each event adds one."
)
TOKEN = {"type": "string", "minLength": 43, "maxLength": 43}
ID = {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"}
HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
PLAYERS = {"type": "array", "items": {"type": "string"}, "minItems": 1}

FAIRNESS = answer_part(
    "Fairness",
    {
        "commitment": AnswerField(HASH, "SHA-256 of the seed, as hex."),
        "client_seed": AnswerField({"type": "string", "maxLength": LONGEST_CLIENT_SEED}),
        "seed": AnswerField(
            {**HASH, "type": ["string", "null"]},
            "The seed of all dice, as hex; null until the game is over.",
        ),
    },
)

TOKENS = answer_part(
    "Tokens",
    {
        "table": AnswerField(
            TOKEN, "The token that can act for every player and delete the session."
        ),
        "players": AnswerField(
            {"type": "object", "additionalProperties": TOKEN},
            "The token of each player, which can act only for that player.",
        ),
    },
)

SESSION_REVIEW = answer_part(
    "SessionReview",
    {
        "players": AnswerField(
            {"type": "object", "additionalProperties": reference("Review")},
            "The review of each player.",
        )
    },
)

SESSION = reference("Session")
NEW_SESSION = reference("NewSession")
SESSION_REQUEST = reference("SessionRequest")
SESSION_HISTORY = reference("SessionHistory")
ILLEGAL_ACTION = reference("IllegalAction")


def declare(spec: APISpec, new: NewSession) -> None:
    """Adds the schemas of sessions to `spec`, each a choice of those of all variants."""
    spec.components.schema(TOKENS.__name__, schema=TOKENS)
    spec.components.schema("Bounds", BOUNDS)
    for variant, request in new.schemas.items():
        for part in (type(request), _session(variant), _history(variant)):
            spec.components.schema(part.__name__, schema=part)
        spec.components.schema(component(variant, "NewSession"), _new_session(variant))
        _declare_steps(spec, variant)
    for name in ("SessionRequest", "NewSession", "Session", "SessionHistory"):
        names = {variant.id: component(variant, name) for variant in new.schemas}
        spec.components.schema(name, one_of("variant", names))
    variants = [*new.schemas]
    bounds = {name: shape for variant in variants for name, shape in bounds_of(variant).items()}
    legal = _legal_action("LegalAction", named_enum("ActionName", _names(variants)), bounds)
    spec.components.schema(legal.__name__, schema=legal)
    spec.components.schema("IllegalAction", _illegal_action())


def _legal_action(name: str, actions: Enum, bounds: Mapping[str, Shape]) -> type[Schema]:
    """A legal action as the component `name`: one of `actions`, and the bounds of each value."""
    own: Fields = {
        "action": AnswerField(actions),
        "player": AnswerField({"type": "string"}, "The player who can perform it."),
        **{value: optional(shape) for value, shape in bounds.items()},
    }
    return answer_part(name, own)


def _names(variants: Iterable[Variant[Any]]) -> list[str]:
    """The names of all actions of `variants`."""
    return [*dict.fromkeys(action.name for each in variants for action in actions_of(each))]


def _illegal_action() -> dict[str, Any]:
    """The problem of an action that isn't legal now."""
    legal = {
        "type": "array",
        "items": reference("LegalAction"),
        "description": "Every action that is legal now.",
    }
    return _extended(reference("Problem"), {"actions": legal})


def _declare_steps(spec: APISpec, variant: Variant[Any]) -> None:
    """Adds the steps and the events in a history of `variant` to `spec`.

    If there are several schemas of steps, a step is a choice of them, and so is an event.
    """
    several = steps_of(variant)
    for steps in several:
        step = _step(variant, steps)
        spec.components.schema(step.__name__, schema=step)
        spec.components.schema(component(variant, f"Event{steps.name}"), _event(variant, steps))
    if len(several) > 1:
        for part in ("Step", "Event"):
            names = {
                action: component(variant, f"{part}{steps.name}")
                for steps in several
                for action in steps.actions
            }
            spec.components.schema(component(variant, part), one_of("action", names))


def _step(variant: Variant[Any], steps: Steps) -> type[Schema]:
    """One of `steps` in a history of `variant`."""
    values = {name: optional(shape) for name, shape in steps.values.items()}
    dice = steps.dice
    if dice is not None:
        text = "The dice that were rolled."
        if GAMES.of(variant).hidden:
            dice, text = or_null(dice), f"{text[:-1]}; null if they are hidden from this token."
        values["dice"] = AnswerField(dice, text, required=bool(steps.name))
    step: Fields = {
        "player": AnswerField(
            {"type": ["string", "null"]},
            "The player who acted; null for the service and the clock.",
        ),
        "action": AnswerField(enum(variant, f"Step{steps.name}Action", steps.actions)),
        **values,
        "news": listed(
            nested(news(variant)),
            "The events that followed from the action, in order, each with its reason.",
        ),
    }
    return answer_part(component(variant, f"Step{steps.name}"), step)


def _event(variant: Variant[Any], steps: Steps) -> dict[str, Any]:
    """An event in a history of `variant`: one of `steps` with the number and time of the event."""
    then = (
        "If the service rolls, the forced moves that it made after the action, in order: rolls, "
        "and the check of a leader without chips. Empty if players type in their dice."
    )
    own = {
        "version": VERSION.json_schema,
        "at": TIME.json_schema,
        "then": {
            "type": "array",
            "items": reference(component(variant, "Step")),
            "description": then,
        },
    }
    return _extended(reference(component(variant, f"Step{steps.name}")), own)


def _history(variant: Variant[Any]) -> type[Schema]:
    """The history of a session of `variant`, as a token may see it."""
    event = reference(component(variant, "Event"))
    events = {"type": "array", "items": event}
    own: Fields = {
        **_agreed(variant),
        "events": AnswerField(events, "One event for each version, from the first."),
    }
    return answer_part(component(variant, "SessionHistory"), own)


def _session(variant: Variant[Any]) -> type[Schema]:
    """A session of `variant`, as a token may see it."""
    actions = enum(variant, "ActionName", _names([variant]))
    own: Fields = {
        **_agreed(variant),
        "state": nested(state(variant)),
        "actions": listed(
            nested(_legal_action(component(variant, "LegalAction"), actions, bounds_of(variant))),
            "Every action that is legal now, with its player and the JSON Schema of each of its "
            "values. A value with a `default` is optional.",
        ),
        "expires_at": AnswerField(
            {"type": "string", "format": "date-time"},
            "When the session expires if nobody acts (UTC).",
        ),
    }
    return answer_part(component(variant, "Session"), own)


def _new_session(variant: Variant[Any]) -> dict[str, Any]:
    """A new session of `variant`: the session with its tokens."""
    tokens = {
        **reference(TOKENS.__name__),
        "description": "Returned only by this request and repeats with its Idempotency-Key; the "
        "service stores hashes.",
    }
    return _extended(reference(component(variant, "Session")), {"tokens": tokens})


def _extended(extended: Shape, own: Mapping[str, Shape]) -> dict[str, Any]:
    """An object with the fields of another, and its `own`, which are required."""
    return {"allOf": [extended, {"type": "object", "properties": own, "required": [*own]}]}


def _agreed(variant: Variant[Any]) -> Fields:
    """The terms of a session, and how far it has come."""
    return {
        "id": AnswerField(ID),
        "version": VERSION,
        "variant": AnswerField({"type": "string", "const": variant.id}),
        "players": AnswerField(PLAYERS, "The players in seat order."),
        "house_rules": nested(house_rules_in_force(variant), "All house rules in force."),
        "dice": AnswerField(WHO_ROLLS, "Who rolls the dice."),
        "fairness": nested(
            FAIRNESS, "The proof of fair dice; present if the service rolls.", required=False
        ),
        "advice": AnswerField(FLAG, "Whether the service advises the players during the game."),
        "created_at": TIME,
    }
