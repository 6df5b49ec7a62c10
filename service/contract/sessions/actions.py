"""The actions of all games: the texts from the games, and the values from their kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apispec import APISpec

from service.api.schemas.component import component
from service.api.schemas.enums import or_null
from service.api.schemas.fields import MAX_ID_LENGTH
from service.contract.kinds.bounds import LIST
from service.contract.kinds.registry import CONTRACT_KINDS
from service.contract.kinds.shapes import Shape
from service.contract.parts import one_of, reference
from service.engine.actions import ActionKind, optional_values
from service.kinds.registry import GAMES
from service.rules.variant import Variant

ACTION = reference("Action")

PLAYER = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_ID_LENGTH,
    "description": "The acting player.",
}


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


def bounds_of(variant: Variant[Any]) -> Mapping[str, Shape]:
    """The schema of the bounds of each value that an action of `variant` takes, by its name.

    The bounds are those in a legal action, of its dice too.
    """
    shapes = CONTRACT_KINDS.of(variant).BOUNDS
    values = {
        name: shapes[value.bound]
        for action in actions_of(variant)
        for name, value in action.values.items()
    }
    rolls = any(action.dice is not None for action in actions_of(variant))
    return {**values, "dice": LIST} if rolls else values


def dice_of(variant: Variant[Any]) -> Shape | None:
    """The JSON Schema of the dice that an action of `variant` rolled, None if no action rolls any.

    It is a choice of lists if actions roll dice of several types. Words come first: the client of
    openapi-python-client takes the first list that it can parse, and takes any for numbers.
    """
    lists = _lists((variant, action) for action in actions_of(variant))
    return _choice(component(variant, "RolledDice"), lists)


def declare(spec: APISpec, variants: Iterable[Variant[Any]]) -> None:
    """Adds `Action` to `spec`, and the schema of each action that it can be, by name.

    Actions of several variants share a schema, with the values of all of them.
    """
    actions: dict[str, list[tuple[Variant[Any], ActionKind]]] = {}
    for variant in variants:
        for action in actions_of(variant):
            actions.setdefault(action.name, []).append((variant, action))
    names = {name: f"{_camel(name)}Action" for name in actions}
    for name, found in actions.items():
        spec.components.schema(names[name], _schema(name, found))
    spec.components.schema("Action", one_of("action", names))


def _camel(action: str) -> str:
    return "".join(word.capitalize() for word in action.split("_"))


def _values(variant: Variant[Any], action: ActionKind) -> Mapping[str, Shape]:
    """The JSON Schema of every value that `action` takes."""
    shapes = CONTRACT_KINDS.of(variant).values(variant)
    return {
        name: {**shapes[name], "description": _sentence(value.meaning)}
        for name, value in action.values.items()
    }


def _schema(name: str, actions: Sequence[tuple[Variant[Any], ActionKind]]) -> dict[str, Any]:
    """The schema of the action `name`, with the `actions` of that name."""
    values: dict[str, Shape] = {}
    for found in actions:
        for value, shape in _values(*found).items():
            if values.setdefault(value, shape) != shape:  # such as the boxes of different cards
                values[value] = {key: shape[key] for key in ("type", "description")}
    optional = optional_values([action for _, action in actions])
    required = [value for value in values if value not in optional]
    # Numbers first: openapi-python-client writes a list as if it were the first, if that has words.
    dice = _choice(f"{_camel(name)}Dice", _lists(actions)[::-1])
    meanings = _by_variant((action.meaning, variant) for variant, action in actions)
    typed = _by_variant((action.dice, variant) for variant, action in actions if action.dice)
    if dice is not None:
        values["dice"] = {
            **dice,
            "description": f"Only if players type in their dice. {typed}",
        }
    return {
        "type": "object",
        "description": meanings,
        "properties": {
            "action": {"type": "string", "enum": [name]},
            **{
                value: shape if value in required else or_null(shape)
                for value, shape in {"player": PLAYER, **values}.items()
            },
        },
        "required": ["action", *required],
        "additionalProperties": False,
    }


def _by_variant(texts: Iterable[tuple[str, Variant[Any]]]) -> str:
    """The `texts` as sentences, each with its variants if they differ."""
    found: dict[str, list[str]] = {}
    for text, variant in texts:
        found.setdefault(text, []).append(f"`{variant.id}`")
    if len(found) == 1:
        return _sentence(*found)
    return " ".join(f"{', '.join(ids)}: {text}." for text, ids in found.items())


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _lists(actions: Iterable[tuple[Variant[Any], ActionKind]]) -> list[Shape]:
    """The dice that any of `actions` rolls: a list of words, one of numbers, both or neither.

    Most languages have no list of words and numbers.
    """
    dice = [
        CONTRACT_KINDS.of(variant).die(variant, action.name)
        for variant, action in actions
        if action.dice is not None
    ]
    lists: list[Shape] = []
    for kind in ("string", "integer"):
        of_kind = [die for die in dice if die["type"] == kind]
        if of_kind:
            same = all(die == of_kind[0] for die in of_kind)
            items = of_kind[0] if same else {"type": kind}
            lists.append({"type": "array", "items": items, "minItems": 1})
    return lists


def _choice(name: str, lists: Sequence[Shape]) -> Shape | None:
    """One of `lists`, as the component `name` if there are several; None if there is none."""
    if len(lists) > 1:
        return {"title": name, "oneOf": lists}
    return lists[0] if lists else None
