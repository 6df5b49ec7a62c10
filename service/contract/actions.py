"""The actions of all games: the texts from the games, and the values from their kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from service.api.schemas import shapes
from service.api.schemas.bounds import BOUNDS, LIST_BOUNDS
from service.api.schemas.fields import MAX_ID_LENGTH
from service.api.schemas.shapes import Shape
from service.contract.kinds import CONTRACT_KINDS
from service.engine.actions import LEAVE, ActionKind, optional_values
from service.engine.game import Game
from service.kinds.registry import GAMES
from service.rules.variant import TIME_UP, Variant
from service.sessions.requests import ACTIONS
from service.sessions.session import CREATE
from service.sessions.take_back import TAKE_BACK

PLAYER = Shape(type="string", minLength=1, maxLength=MAX_ID_LENGTH)


def actions_of(variant: Variant) -> Sequence[ActionKind]:
    """The actions of the games of `variant`."""
    return *GAMES.of(variant).actions(variant), LEAVE, TAKE_BACK


class Steps(NamedTuple):
    """The steps in histories of a variant that have a schema of their own."""

    name: str
    """How the name of the schema ends; empty if all steps of the variant share it."""

    actions: Sequence[str]
    """The names of their actions."""

    values: Mapping[str, Shape]
    """The JSON Schema of every value that one of the actions takes, by its name."""

    dice: Shape | None
    """The JSON Schema of the dice, if any of the actions rolls dice; with a name, all do."""


def steps_of(variant: Variant) -> list[Steps]:
    """The steps in histories of `variant`: of one schema, unless dice are of several types.

    Most languages have no list of words or numbers.
    """
    actions = actions_of(variant)
    types = {action.name: _type(variant, action) for action in actions}
    groups = {"": actions}
    if set(types.values()) >= {"string", "integer"}:
        endings = {"WithoutDice": None, "WithWords": "string", "WithNumbers": "integer"}
        groups = {
            name: [action for action in actions if types[action.name] == type_]
            for name, type_ in endings.items()
        }
    made = []
    service = [CREATE, TIME_UP]
    for name, group in groups.items():
        values = {
            value: shape for action in group for value, shape in _values(variant, action).items()
        }
        lists = _lists((variant, action) for action in group)
        names = [*service, *[action.name for action in group]]
        made.append(Steps(name, names, values, lists[0] if lists else None))
        service = []
    return made


def bounds_of(variant: Variant) -> Mapping[str, Shape]:
    """The schema of the bounds of each value that an action of `variant` takes, by its name.

    The bounds are those in a legal action, of its dice too.
    """
    values = {
        name: BOUNDS[value.bound].shape
        for action in actions_of(variant)
        for name, value in action.values.items()
    }
    rolls = any(action.dice is not None for action in actions_of(variant))
    return {**values, "dice": LIST_BOUNDS} if rolls else values


def schemas(variants: Iterable[Variant]) -> list[Shape]:
    """`ActionRequest` with its parts: `Action`, and the schema of each action that it can be.

    Actions of several variants share a schema, with the values of all of them.
    """
    actions: dict[str, list[tuple[Variant, ActionKind]]] = {}
    for variant in variants:
        for action in actions_of(variant):
            actions.setdefault(action.name, []).append((variant, action))
    names = {name: f"{_camel(name)}Action" for name in actions}
    made = [Shape(title=names[name], **_schema(name, found)) for name, found in actions.items()]
    single = shapes.one_of("Action", "action", names)
    listed = shapes.list_of(
        shapes.reference("Action"), "In order.", minItems=1, maxItems=Game.most_actions
    )
    several = shapes.record("ActionList", {ACTIONS: listed}, additionalProperties=False)
    either = [shapes.reference(each["title"]) for each in (single, several)]
    return [*made, single, several, Shape(title="ActionRequest", oneOf=either)]


def _camel(action: str) -> str:
    return "".join(word.capitalize() for word in action.split("_"))


def _type(variant: Variant, action: ActionKind) -> str | None:
    """The type of the dice that `action` rolls, None if it rolls none."""
    if action.dice is None:
        return None
    found: str = CONTRACT_KINDS.of(variant).die(variant, action.name)["type"]
    return found


def _values(variant: Variant, action: ActionKind) -> Mapping[str, Shape]:
    """The JSON Schema of every value that `action` takes."""
    known = {**CONTRACT_KINDS.of(variant).values(variant), "to": shapes.ORDINAL}
    return {name: known[name](_sentence(value.meaning)) for name, value in action.values.items()}


def _schema(name: str, actions: Sequence[tuple[Variant, ActionKind]]) -> dict[str, Any]:
    """The schema of the action `name`, with the `actions` of that name."""
    found: dict[str, dict[str, Shape]] = {}
    for variant, action in actions:
        for value, shape in _values(variant, action).items():
            found.setdefault(value, {})[variant.id] = shape
    values = {value: _of_all(by_variant) for value, by_variant in found.items()}
    optional = optional_values([action for _, action in actions])
    required = [value for value in values if value not in optional]
    # Numbers first: openapi-python-client writes a list as if it were the first, if that has words.
    dice = _choice(f"{_camel(name)}Dice", _lists(actions)[::-1])
    meanings = _by_variant((action.meaning, variant) for variant, action in actions)
    typed = _by_variant((action.dice, variant) for variant, action in actions if action.dice)
    if dice is not None:
        values["dice"] = dice(f"Only if players type in their dice. {typed}")
    return {
        "type": "object",
        "description": meanings,
        "properties": {
            "action": {"type": "string", "enum": [name]},
            **{
                value: shape if value in required else shape.or_null()
                for value, shape in {"player": PLAYER, **values}.items()
            },
        },
        "required": ["action", *required],
        "additionalProperties": False,
    }


def _of_all(by_variant: Mapping[str, Shape]) -> Shape:
    """One schema for those of a value by variant: theirs, or that of any text.

    The description says which words each variant has, such as the boxes of its card.
    """
    first, *others = by_variant.values()
    if all(shape == first for shape in others):
        return first
    words = [
        f"`{shape['title']}` in `{id_}`" for id_, shape in by_variant.items() if "title" in shape
    ]
    description = first["description"]
    if words:
        description = f"{description.removesuffix('.')}: {', '.join(words)}."
    return Shape(type=first["type"], description=description)


def _by_variant(texts: Iterable[tuple[str, Variant]]) -> str:
    """The `texts` as sentences, each with its variants if they differ."""
    found: dict[str, list[str]] = {}
    for text, variant in texts:
        found.setdefault(text, []).append(f"`{variant.id}`")
    if len(found) == 1:
        return _sentence(*found)
    return " ".join(f"{', '.join(ids)}: {text}." for text, ids in found.items())


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _lists(actions: Iterable[tuple[Variant, ActionKind]]) -> list[Shape]:
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
            lists.append(shapes.list_of(of_kind[0] if same else {"type": kind}, minItems=1))
    return lists


def _choice(name: str, lists: Sequence[Shape]) -> Shape | None:
    """One of `lists`, as the component `name` if there are several; None if there is none."""
    if len(lists) > 1:
        return Shape(title=name, oneOf=lists)
    return lists[0] if lists else None
