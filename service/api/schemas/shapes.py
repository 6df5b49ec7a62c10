"""JSON Schemas of requests and responses, as plain data.

A schema with a `title` is a component of the contract: the contract refers to it by that name
(`service/contract/components.py`), so that generated clients have one type for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from math import gcd
from typing import Any, ClassVar, Generic, TypeVar

from service.kinds.layout.cards import BLANK
from service.kinds.layout.own_layout import DIRECTIONS
from service.kinds.layout.variant import Layout
from service.kinds.ranking.variant import AnyRanking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.variant import Variant

SourceT = TypeVar("SourceT")

JsonSchema = Mapping[str, Any]

Get = str | Callable[[SourceT], object]
"""How to get the value of a field: by the path of an attribute (`hand.rank.id`), or a function."""


class Shape(dict[str, Any]):
    """A JSON Schema; called with a description, it returns itself with that."""

    required: ClassVar[bool] = True
    """Whether an object always has a field of this shape."""

    def __call__(self, description: str) -> Shape:
        """Itself with a description, unless that is empty."""
        return type(self)({**self, "description": description} if description else self)

    def optional(self, description: str = "") -> Shape:
        """Itself for a field that only some objects have; `description` may say which."""
        return _Optional(self)(description)

    def or_null(self, description: str = "") -> Shape:
        """Itself or null; an enum or a named schema stays a type of its own, without null."""
        if "type" in self and not {"enum", "title"} & self.keys():
            types = self["type"] if isinstance(self["type"], list) else [self["type"]]
            return Shape({**self, "type": [*dict.fromkeys((*types, "null"))]})(description)
        own = {name: part for name, part in self.items() if name != "description"}
        described = description or self.get("description", "")
        return Shape({"anyOf": [own, {"type": "null"}]})(described)

    def of(
        self, get: Get[SourceT], convert: Callable[[Any], object] | None = None
    ) -> Field[SourceT]:
        """A field of responses whose value isn't the attribute of its name: what `convert` makes of
        what it gets, unless that is None.
        """
        return Field(self, get, convert)


class _Optional(Shape):
    required = False


@dataclass(frozen=True, slots=True)
class Field(Generic[SourceT]):
    """A field of a response: its schema, and how to get its value."""

    shape: Shape
    get: Get[SourceT]
    convert: Callable[[Any], object] | None = None
    """Makes the value of what was got, unless that is None."""


TEXT = Shape(type="string")
INTEGER = Shape(type="integer")
FLAG = Shape(type="boolean")
NUMBER = Shape(type="number")
COUNT = Shape(type="integer", minimum=0)
ORDINAL = Shape(type="integer", minimum=1)


def list_of(items: JsonSchema, description: str = "", **bounds: Any) -> Shape:
    """A list of `items`; `bounds` are further keywords, such as `minItems`."""
    return Shape(type="array", items=items, **bounds)(description)


TEXTS = list_of(TEXT)
NUMBERS = list_of(INTEGER)


def by_player(shape: JsonSchema) -> Shape:
    """An object with a `shape` for each player."""
    return Shape(type="object", additionalProperties=shape)


def constant(word: str) -> Shape:
    """Always the same text."""
    return Shape(type="string", const=word)


def record(name: str, properties: Mapping[str, Shape], **keywords: Any) -> Shape:
    """An object, the component `name`. It has all `properties` but those that are optional."""
    required = [key for key, shape in properties.items() if shape.required]
    made = Shape(title=name, type="object", properties={**properties}, **keywords)
    return Shape({**made, "required": required}) if required else made


def reference(name: str) -> Shape:
    """A reference to the schema `name`."""
    return Shape({"$ref": f"#/components/schemas/{name}"})


def one_of(name: str, field: str, names: Mapping[str, str]) -> Shape:
    """A choice of schemas, the component `name`: `names` has the name of each by the value of
    `field` that selects it.
    """
    mapping = {value: reference(name)["$ref"] for value, name in names.items()}
    return Shape(
        title=name,
        oneOf=[reference(choice) for choice in dict.fromkeys(names.values())],
        discriminator={"propertyName": field, "mapping": mapping},
    )


def among(numbers: Iterable[int]) -> Shape:
    """A whole number from the least to the greatest of `numbers`, with the step that all have.

    Generators would make a type with a name for each number of an enum.
    """
    known = sorted(numbers)
    step = gcd(*known)
    schema = Shape(type="integer", minimum=known[0], maximum=known[-1])
    return Shape(**schema, multipleOf=step) if step > 1 else schema


def component(variant: Variant, part: str) -> str:
    """The name of a schema of `variant` in the contract: `PokerDiceEvaluateRequest`."""
    return "".join(word.capitalize() for word in variant.id.split("-")) + part


def component_of_kind(variant: Variant, part: str) -> str:
    """The name of a schema that all variants of the kind share: `RankingPhase`."""
    return variant.kind.capitalize() + part


def named_enum(name: str, words: Iterable[str]) -> Shape:
    """One of `words`, as the component `name`."""
    return Shape(type="string", title=name, enum=[*words])


def enum(variant: Variant, part: str, words: Iterable[str]) -> Shape:
    """One of `words`, as the component `part` of `variant`."""
    return named_enum(component(variant, part), words)


DIRECTION = named_enum("Direction", DIRECTIONS)
"""How a line of a layout runs."""


def rank(variant: AnyRanking) -> Shape:
    """The rank of a hand."""
    return enum(variant, "Rank", [rank.id for rank in variant.ranks])


def box(variant: ScoreCard) -> Shape:
    """A box of a score card."""
    return enum(variant, "Box", [box.id for box in variant.boxes])


def hand_name(variant: Layout) -> Shape:
    """The name of a hand of a layout."""
    return enum(variant, "HandName", [hand.id for hand in variant.all_hands])


def card(variant: Layout) -> Shape:
    """A face of a die with cards: a card or a blank, with names for generators.

    They make no name of a blank, and take these names unchanged: each is one in every language.
    """
    faces = tuple(variant.dice.codes)
    names = ["blank" if face == BLANK else f"card_{face}" for face in faces]
    return Shape({**enum(variant, "Card", faces), "x-enum-varnames": names})


def die(variant: AnyRanking | ScoreCard) -> Shape:
    """A die in notation: an enum if it has a suit or a name, otherwise a number."""
    dice = variant.dice
    return enum(variant, "Die", dice.notation) if dice.suits else face(variant, dice)


def dice(variant: AnyRanking | ScoreCard, counts: Collection[int], description: str = "") -> Shape:
    """A list of dice, as many as one of `counts`."""
    return list_of(die(variant), description, minItems=min(counts), maxItems=max(counts))


def index(count: int) -> Shape:
    """The index of one of `count` things."""
    return Shape(COUNT, maximum=count - 1)


def face(variant: Variant, dice: Dice) -> Shape:
    """A face of `dice` without a suit: an enum if faces have names, otherwise a number."""
    if dice.names:
        return enum(variant, "Face", dice.names)
    return Shape(type="integer", minimum=1, maximum=dice.faces)
