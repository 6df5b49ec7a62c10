"""The named enums of requests and responses.

The `title` of an enum names it. The contract makes a component of each and refers to it
(`service/contract/named.py`), so that generated clients have one type for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from service.api.schemas.component import component
from service.kinds.layout.cards import BLANK
from service.kinds.layout.own_layout import DIRECTIONS
from service.kinds.layout.variant import Layout
from service.kinds.ranking.variant import AnyRanking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.variant import Variant

Enum = dict[str, Any]
"""The JSON Schema of one of several words, with a title."""


def named_enum(name: str, words: Iterable[str]) -> Enum:
    """One of `words`, as the component `name`."""
    return {"type": "string", "title": name, "enum": [*words]}


def enum(variant: Variant[Any], part: str, words: Iterable[str]) -> Enum:
    """One of `words`, as the component `part` of `variant`."""
    return named_enum(component(variant, part), words)


DIRECTION = named_enum("Direction", DIRECTIONS)
"""How a line of a layout runs."""


def rank(variant: AnyRanking[Any]) -> Enum:
    """The rank of a hand."""
    return enum(variant, "Rank", [rank.id for rank in variant.ranks])


def box(variant: ScoreCard[Any]) -> Enum:
    """A box of a score card."""
    return enum(variant, "Box", [box.id for box in variant.boxes])


def hand_name(variant: Layout) -> Enum:
    """The name of a hand of a layout."""
    return enum(variant, "HandName", [hand.id for hand in variant.all_hands])


def card(variant: Layout) -> Enum:
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


def or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """`schema` or null; an enum or a named schema stays a type of its own, without null."""
    if "type" in schema and not {"enum", "title"} & schema.keys():
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return {**schema, "type": [*dict.fromkeys((*types, "null"))]}
    about = {name: text for name, text in schema.items() if name == "description"}
    shape = {name: part for name, part in schema.items() if name != "description"}
    return {"anyOf": [shape, {"type": "null"}], **about}
