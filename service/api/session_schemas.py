"""The schemas of what sessions answer, for the contract."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema

from service.api.schemas import (
    Answered,
    Fields,
    answer_part,
    component,
    house_rules_in_force,
    listed,
    nested,
)
from service.api.session_requests import CLIENT, MAX_SEED_LENGTH, SERVER
from service.api.session_states import state
from service.dice.variant import Variant

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
        "client_seed": Answered({"type": "string", "maxLength": MAX_SEED_LENGTH}),
        "seed": Answered(
            {**HASH, "type": ["string", "null"]},
            "The seed that all dice come from, as hex; null until the game is over.",
        ),
    },
)

ACTION = answer_part(
    "LegalAction",
    {
        "action": Answered({"type": "string"}, "The name to send."),
        "player": Answered({"type": "string"}, "Whose it is."),
    },
)
"""A legal action; beside these it has the bounds of each value that it takes."""

TOKENS = answer_part(
    "Tokens",
    {
        "table": Answered(TOKEN, "Acts for everyone, and deletes the session."),
        "players": Answered(
            {"type": "object", "additionalProperties": TOKEN}, "By name; each acts for that player."
        ),
    },
)

NEWS = Answered(
    {"type": "array", "items": {"type": "object", "required": ["what"]}},
    "What followed from it by the rules, in order; `reason` says why.",
)

_STEP: Fields = {
    "player": Answered({"type": ["string", "null"]}, "Null for the service and the clock."),
    "action": Answered({"type": "string"}),
    "dice": Answered(
        {"type": ["array", "null"], "items": {"type": ["integer", "string"]}},
        "What was rolled; null where it is hidden from this token.",
        required=False,
    ),
    "news": NEWS,
}

STEP = answer_part("Step", _STEP)

EVENT = answer_part(
    "Event",
    {
        "version": VERSION,
        "at": TIME,
        **_STEP,
        "then": listed(nested(STEP), "What the game forced after it, in order."),
    },
)
"""What made a version; beside these it has the values of its action."""

HISTORY = answer_part(
    "SessionHistory",
    {
        "id": Answered(ID),
        "version": VERSION,
        "variant": Answered({"type": "string"}),
        "players": Answered(PLAYERS),
        "house_rules": Answered({"type": "object"}, "All house rules in force."),
        "dice": Answered({"type": "string", "enum": [SERVER, CLIENT]}),
        "fairness": nested(FAIRNESS, "Where the service rolls.", required=False),
        "created_at": TIME,
        "events": listed(nested(EVENT), "One for each version, from the first on."),
    },
)


def session(variant: Variant[Any]) -> type[Schema]:
    """A session of `variant`, as a token may see it."""
    return answer_part(component(variant, "Session"), _session(variant))


def new_session(variant: Variant[Any]) -> type[Schema]:
    """A session of `variant` that was just made."""
    tokens = nested(TOKENS, "Told this once: only their hashes are kept.")
    return answer_part(component(variant, "NewSession"), {**_session(variant), "tokens": tokens})


def _session(variant: Variant[Any]) -> Fields:
    return {
        "id": Answered(ID),
        "version": VERSION,
        "variant": Answered({"type": "string", "const": variant.id}),
        "players": Answered(PLAYERS, "In the order they sit."),
        "house_rules": nested(house_rules_in_force(variant), "All house rules in force."),
        "dice": Answered({"type": "string", "enum": [SERVER, CLIENT]}, "Who rolls them."),
        "fairness": nested(FAIRNESS, "Where the service rolls.", required=False),
        "state": nested(state(variant)),
        "actions": listed(
            nested(ACTION),
            "Everything that is legal now, for whom; for each value that an action takes its "
            "bounds as JSON Schema, and one with a `default` may be left out.",
        ),
        "created_at": TIME,
        "expires_at": Answered(
            {"type": "string", "format": "date-time"},
            "When the session is forgotten unless someone acts, in UTC.",
        ),
    }
