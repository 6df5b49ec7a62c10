"""The actions of all games: the texts from the games, and the values from their kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from service.api.schemas.fields import MAX_ID_LENGTH
from service.contract.kinds.registry import CONTRACT_KINDS
from service.contract.kinds.shapes import Shape
from service.engine.actions import ActionKind
from service.kinds.registry import GAMES
from service.rules.variant import Variant


def actions_of(variant: Variant[Any]) -> Sequence[ActionKind]:
    """The actions of the games of `variant`."""
    return GAMES.of(variant).actions(variant)


def values_of(variant: Variant[Any]) -> Mapping[str, Shape]:
    """The JSON Schema of every value that an action of `variant` takes, by its name."""
    return {
        name: shape
        for action in actions_of(variant)
        for name, shape in _values(variant, action).items()
    }


def _values(variant: Variant[Any], action: ActionKind) -> Mapping[str, Shape]:
    """The JSON Schema of every value that `action` takes."""
    shapes = CONTRACT_KINDS.of(variant).VALUES
    return {
        name: {**shapes[name], "description": f"{value.meaning[0].upper()}{value.meaning[1:]}."}
        for name, value in action.values.items()
    }


PLAYER = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_ID_LENGTH,
    "description": "The acting player; optional. The default is a player who can perform the "
    "action, preferably the token's own.",
}

DICE = {
    "type": "array",
    "items": {"type": ["integer", "string"]},
    "description": "The result of a roll, only if players type in their dice. For a roll with "
    "`keep`, all dice after the roll, with kept dice at their indexes; otherwise the dice that "
    "were rolled.",
}


def request(variants: Iterable[Variant[Any]]) -> dict[str, Any]:
    """The schema of an action: actions that take the same values share one schema."""
    schemas: list[tuple[Mapping[str, Shape], dict[ActionKind, list[str]]]] = []
    for variant in variants:
        for action in actions_of(variant):
            values = _values(variant, action)
            if action.dice is not None:
                values = {**values, "dice": DICE}
            actions = next((found for same, found in schemas if same == values), None)
            if actions is None:
                actions = {}
                schemas.append((values, actions))
            actions.setdefault(action, []).append(variant.id)
    return {"anyOf": [_taking(values, actions) for values, actions in schemas]}


def _taking(values: Mapping[str, Shape], actions: Mapping[ActionKind, Sequence[str]]) -> Shape:
    """The schema of `actions`, which all take `values`, each with the variants that have it."""
    meanings = "\n".join(
        f"- `{action.name}` ({', '.join(variants)}): {action.meaning}"
        for action, variants in actions.items()
    )
    required = [name for name in values if name != "dice" and "default" not in values[name]]
    return {
        "type": "object",
        "required": ["action", *required],
        "properties": {
            "action": {
                "type": "string",
                "enum": [*dict.fromkeys(action.name for action in actions)],
                "description": meanings,
            },
            "player": PLAYER,
            **values,
        },
        "additionalProperties": False,
    }
