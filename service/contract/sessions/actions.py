"""The actions of games in words, with the values that go with them, as the games declare them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from service.api.schemas.fields import MAX_ID_LENGTH
from service.engine.actions import ActionKind, Value
from service.engine.parameters import Bound, Keep, OneOf, Whole
from service.kinds.layout.card_roll import OwnLines
from service.kinds.registry import GAMES
from service.rules.variant import Variant

Shape = Mapping[str, Any]

BOUNDS: Mapping[type[Bound], Shape] = {
    Whole: {"type": "integer", "minimum": 1},
    OneOf: {"type": "string"},
    Keep: {
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
        "uniqueItems": True,
        "default": [],
    },
    OwnLines: {
        "type": ["array", "null"],
        "items": {
            "type": "object",
            "required": ["dice"],
            "properties": {
                "dice": {"type": "array", "items": {"type": "integer", "minimum": 0}},
                "direction": {"enum": ["across", "down", None]},
                "row": {"type": ["integer", "null"]},
                "column": {"type": ["integer", "null"]},
            },
            "additionalProperties": False,
        },
        "default": None,
    },
}
"""The JSON Schema of all that a value can be, whatever its bounds, by their class."""


def actions_of(variant: Variant[Any]) -> Sequence[ActionKind]:
    """The actions of the games of `variant`."""
    return GAMES.of(variant).actions(variant)


def values_of(actions: Iterable[ActionKind]) -> Mapping[str, Shape]:
    """The JSON Schema of every value that any of `actions` takes."""
    return {name: _value(value) for action in actions for name, value in action.values.items()}


def _value(value: Value) -> Shape:
    sentence = f"{value.meaning[0].upper()}{value.meaning[1:]}."
    return {**BOUNDS[value.bound], "description": sentence}


PLAYER = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_ID_LENGTH,
    "description": "Whose action it is; may be left out where only one can act.",
}

DICE = {
    "type": "array",
    "items": {"type": ["integer", "string"]},
    "description": "What was rolled, in sessions whose dice are typed in: all dice after the roll, "
    "kept ones in their places; of cards, those that were rolled.",
}


def request(variants: Iterable[Variant[Any]]) -> dict[str, Any]:
    """What can be sent as an action: one of the schemas that actions share by what they take."""
    shared: dict[tuple[object, bool], dict[ActionKind, list[str]]] = {}
    for variant in variants:
        for action in actions_of(variant):
            alike = tuple(action.values.items()), action.dice is not None
            shared.setdefault(alike, {}).setdefault(action, []).append(variant.id)
    return {"anyOf": [_taking(actions) for actions in shared.values()]}


def _taking(actions: Mapping[ActionKind, Sequence[str]]) -> Shape:
    """The schema of actions that all take the same, each with the variants that have it."""
    first = next(iter(actions))
    values = values_of([first])
    meanings = "\n".join(
        f"- `{action.name}` ({', '.join(variants)}): {action.meaning}"
        for action, variants in actions.items()
    )
    names = [*dict.fromkeys(action.name for action in actions)]
    return {
        "type": "object",
        "required": ["action", *[name for name in values if "default" not in values[name]]],
        "properties": {
            "action": {"type": "string", "enum": names, "description": meanings},
            "player": PLAYER,
            **values,
            **({"dice": DICE} if first.dice is not None else {}),
        },
        "additionalProperties": False,
    }
