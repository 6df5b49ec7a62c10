"""The schemas of what sessions answer, for the contract."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from marshmallow import Schema

from service.api.schemas.shared import (
    Answered,
    Fields,
    answer_part,
    component,
    house_rules_in_force,
    listed,
    nested,
)
from service.api.sessions.requests import CLIENT, SERVER
from service.contract.parts import PROBLEM_SCHEMA
from service.contract.sessions.actions import actions_of, values_of
from service.contract.sessions.states import news, state
from service.engine.game import TIME_UP
from service.rules.variant import Variant
from service.sessions.fair import LONGEST_CLIENT_SEED
from service.sessions.session import CREATE

TIME = Answered({"type": "string", "format": "date-time"}, "In UTC.")
VERSION = Answered({"type": "integer", "minimum": 1}, "Rises by one with each event.")
TOKEN = {"type": "string", "minLength": 43, "maxLength": 43}
ID = {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"}
HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
PLAYERS = {"type": "array", "items": {"type": "string"}, "minItems": 1}

FAIRNESS = answer_part(
    "Fairness",
    {
        "commitment": Answered(HASH, "SHA-256 of the seed, as hex."),
        "client_seed": Answered({"type": "string", "maxLength": LONGEST_CLIENT_SEED}),
        "seed": Answered(
            {**HASH, "type": ["string", "null"]},
            "The seed that all dice come from, as hex; null until the game is over.",
        ),
    },
)

TOKENS = answer_part(
    "Tokens",
    {
        "table": Answered(TOKEN, "Acts for everyone, and deletes the session."),
        "players": Answered(
            {"type": "object", "additionalProperties": TOKEN}, "By name; each acts for that player."
        ),
    },
)


def _legal_action(name: str, variants: Iterable[Variant[Any]]) -> type[Schema]:
    """A legal action in a game of one of `variants`, with the bounds of each value it takes."""
    variants = list(variants)
    bounds = {
        name: Answered({"type": "object"}, f"What `{name}` may be, as JSON Schema.", required=False)
        for name in (*[name for variant in variants for name in values_of(variant)], "dice")
    }
    own: Fields = {
        "action": Answered({"type": "string", "enum": _names(variants)}),
        "player": Answered({"type": "string"}, "Whose it is."),
        **bounds,
    }
    return answer_part(name, own)


def _names(variants: Iterable[Variant[Any]]) -> list[str]:
    """The names of all actions of `variants`."""
    return [*dict.fromkeys(action.name for each in variants for action in actions_of(each))]


def illegal_action(variants: Iterable[Variant[Any]]) -> type[Schema]:
    """The problem of an action that isn't legal now in a session of any of `variants`."""
    legal = nested(_legal_action("LegalAction", variants))
    own = {"actions": listed(legal, "What is legal now, in any game.")}
    return type("IllegalAction", (PROBLEM_SCHEMA,), own)


def history(variant: Variant[Any]) -> type[Schema]:
    """All that happened in a session of `variant`, as a token may see it."""
    values = {
        name: Answered(
            {key: part for key, part in shape.items() if key != "default"}, required=False
        )
        for name, shape in values_of(variant).items()
    }
    step: Fields = {
        "player": Answered({"type": ["string", "null"]}, "Null for the service and the clock."),
        "action": Answered({"type": "string", "enum": [CREATE, TIME_UP, *_names([variant])]}),
        **values,
        "dice": Answered(
            {"type": ["array", "null"], "items": {"type": ["integer", "string"]}},
            "What was rolled; null where it is hidden from this token.",
            required=False,
        ),
        "news": listed(
            nested(news(variant)), "What followed from it by the rules, in order, with reasons."
        ),
    }
    then = nested(answer_part(component(variant, "Step"), step))
    event: Fields = {
        "version": VERSION,
        "at": TIME,
        **step,
        "then": listed(
            then,
            "Where the service rolls, what the game forced after it, in order: rolls, and the "
            "check of a leader without chips. Empty where dice are typed in.",
        ),
    }
    own: Fields = {
        **_agreed(variant),
        "events": listed(
            nested(answer_part(component(variant, "Event"), event)),
            "One for each version, from the first on.",
        ),
    }
    return answer_part(component(variant, "SessionHistory"), own)


@cache
def session(variant: Variant[Any]) -> type[Schema]:
    """A session of `variant`, as a token may see it."""
    return answer_part(component(variant, "Session"), _session(variant))


def new_session(variant: Variant[Any]) -> type[Schema]:
    """A session of `variant` that was just made."""
    tokens = nested(TOKENS, "Told this once: only their hashes are kept.")
    return answer_part(component(variant, "NewSession"), {**_session(variant), "tokens": tokens})


@cache
def _session(variant: Variant[Any]) -> Fields:
    return {
        **_agreed(variant),
        "state": nested(state(variant)),
        "actions": listed(
            nested(_legal_action(component(variant, "LegalAction"), [variant])),
            "Everything that is legal now, for whom; for each value that an action takes its "
            "bounds as JSON Schema, and one with a `default` may be left out.",
        ),
        "expires_at": Answered(
            {"type": "string", "format": "date-time"},
            "When the session is forgotten unless someone acts, in UTC.",
        ),
    }


def _agreed(variant: Variant[Any]) -> Fields:
    """What was agreed at the start, and how far the session has come."""
    return {
        "id": Answered(ID),
        "version": VERSION,
        "variant": Answered({"type": "string", "const": variant.id}),
        "players": Answered(PLAYERS, "In the order they sit."),
        "house_rules": nested(house_rules_in_force(variant), "All house rules in force."),
        "dice": Answered({"type": "string", "enum": [SERVER, CLIENT]}, "Who rolls them."),
        "fairness": nested(FAIRNESS, "Where the service rolls.", required=False),
        "created_at": TIME,
    }
