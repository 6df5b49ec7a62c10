"""JSON Schemas of requests and responses, as plain data.

A schema with a `title` is a component of the contract: the contract refers to it by that name
(`service/contract/named.py`), so that generated clients have one type for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd
from typing import Any

from service.kinds.layout.cards import BLANK
from service.kinds.layout.read_lines import DIRECTIONS
from service.kinds.layout.variant import Layout
from service.kinds.ranking.variant import AnyRanking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.variant import Variant

Shape = Mapping[str, Any]
"""A JSON Schema."""

TEXT: Shape = {"type": "string"}
INTEGER: Shape = {"type": "integer"}
FLAG: Shape = {"type": "boolean"}
NUMBER: Shape = {"type": "number"}
COUNT: Shape = {"type": "integer", "minimum": 0}
ORDINAL: Shape = {"type": "integer", "minimum": 1}


def about(shape: Shape, description: str) -> dict[str, Any]:
    """`shape` with a description, if that isn't empty."""
    return {**shape, "description": description} if description else {**shape}


def list_of(items: Shape, description: str = "", **bounds: Any) -> dict[str, Any]:
    """A list of `items`; `bounds` are further keywords, such as `minItems`."""
    return about({"type": "array", "items": items, **bounds}, description)


TEXTS = list_of(TEXT)
NUMBERS = list_of(INTEGER)


def by_player(shape: Shape) -> dict[str, Any]:
    """An object with a `shape` for each player."""
    return {"type": "object", "additionalProperties": shape}


class Optional(dict[str, Any]):
    """The schema of a field that only some objects have."""


def optional(shape: Shape, description: str = "") -> Optional:
    """A field that only some objects have; `description` may say which."""
    return Optional(about(shape, description))


def record(name: str, properties: Mapping[str, Shape], **keywords: Any) -> dict[str, Any]:
    """An object, the component `name`. It has all `properties`, except that it may lack those that
    are `Optional`.
    """
    required = [field for field, shape in properties.items() if not isinstance(shape, Optional)]
    return {
        "title": name,
        "type": "object",
        "properties": {**properties},
        **({"required": required} if required else {}),
        **keywords,
    }


def reference(name: str) -> dict[str, Any]:
    """A reference to the schema `name`."""
    return {"$ref": f"#/components/schemas/{name}"}


def one_of(field: str, names: Mapping[str, str]) -> dict[str, Any]:
    """A choice of schemas: `names` has the name of each by the value of `field` that selects it."""
    mapping = {value: reference(name)["$ref"] for value, name in names.items()}
    return {
        "oneOf": [reference(name) for name in dict.fromkeys(names.values())],
        "discriminator": {"propertyName": field, "mapping": mapping},
    }


def or_null(schema: Shape) -> dict[str, Any]:
    """`schema` or null; an enum or a named schema stays a type of its own, without null."""
    if "type" in schema and not {"enum", "title"} & schema.keys():
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return {**schema, "type": [*dict.fromkeys((*types, "null"))]}
    shape = {name: part for name, part in schema.items() if name != "description"}
    return about({"anyOf": [shape, {"type": "null"}]}, schema.get("description", ""))


def among(numbers: Iterable[int]) -> dict[str, Any]:
    """A whole number from the least to the greatest of `numbers`, with the step that all have.

    Generators would make a type with a name for each number of an enum.
    """
    known = sorted(numbers)
    step = gcd(*known)
    schema = {"type": "integer", "minimum": known[0], "maximum": known[-1]}
    return {**schema, "multipleOf": step} if step > 1 else schema


def component(variant: Variant[Any], part: str) -> str:
    """The name of a schema of `variant` in the contract: `PokerDiceEvaluateRequest`."""
    return "".join(word.capitalize() for word in variant.id.split("-")) + part


def component_of_kind(variant: Variant[Any], part: str) -> str:
    """The name of a schema that all variants of the kind share: `RankingPhase`."""
    return variant.kind.capitalize() + part


def named_enum(name: str, words: Iterable[str]) -> dict[str, Any]:
    """One of `words`, as the component `name`."""
    return {"type": "string", "title": name, "enum": [*words]}


def enum(variant: Variant[Any], part: str, words: Iterable[str]) -> dict[str, Any]:
    """One of `words`, as the component `part` of `variant`."""
    return named_enum(component(variant, part), words)


DIRECTION = named_enum("Direction", DIRECTIONS)
"""How a line of a layout runs."""


def rank(variant: AnyRanking[Any]) -> dict[str, Any]:
    """The rank of a hand."""
    return enum(variant, "Rank", [rank.id for rank in variant.ranks])


def box(variant: ScoreCard[Any]) -> dict[str, Any]:
    """A box of a score card."""
    return enum(variant, "Box", [box.id for box in variant.boxes])


def hand_name(variant: Layout) -> dict[str, Any]:
    """The name of a hand of a layout."""
    return enum(variant, "HandName", [hand.id for hand in variant.all_hands])


def card(variant: Layout) -> dict[str, Any]:
    """A face of a die with cards: a card or a blank, with names for generators.

    They make no name of a blank, and take these names unchanged: each is one in every language.
    """
    faces = variant.dice.faces_written
    names = ["blank" if face == BLANK else f"card_{face}" for face in faces]
    return {**enum(variant, "Card", faces), "x-enum-varnames": names}


def die(variant: AnyRanking[Any] | ScoreCard[Any]) -> dict[str, Any]:
    """A die in notation: an enum if it has a suit or a name, otherwise a number."""
    dice = variant.dice
    return enum(variant, "Die", dice.notation) if dice.suits else face(variant, dice)


def face(variant: Variant[Any], dice: Dice) -> dict[str, Any]:
    """A face of `dice` without a suit: an enum if faces have names, otherwise a number."""
    if dice.names:
        return enum(variant, "Face", dice.names)
    return {"type": "integer", "minimum": 1, "maximum": dice.faces}
