"""Declarations of responses: each field is named once, with its JSON Schema and its value.

A `Serializer` is an object in responses. Its `schema` is a component of the contract; called with
what it is made of, it returns its value, which orjson encodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from service.api.schemas.fields import house_rule
from service.api.schemas.shapes import (
    INTEGER,
    ORDINAL,
    TEXT,
    Shape,
    about,
    component,
    list_of,
    one_of,
    optional,
    or_null,
    record,
)
from service.rules.house_rules import HouseRules, in_force, options
from service.rules.places import Place
from service.rules.variant import Variant

SourceT = TypeVar("SourceT")
SourceT_contra = TypeVar("SourceT_contra", contravariant=True)
PartT = TypeVar("PartT")

Json = dict[str, Any]

ABSENT: Final = object()
"""The value of a field that an object doesn't have."""


class Declared(Protocol[SourceT_contra]):
    """What declares an object in responses."""

    schema: Shape

    def __call__(self, source: SourceT_contra, /) -> Json:
        """The object made of `source`."""


@dataclass(frozen=True, slots=True)
class Field(Generic[SourceT]):
    """A field of a response: its schema, and the function that returns its value."""

    shape: Shape
    get: Callable[[SourceT], object]


Fields = Mapping[str, Field[SourceT]]


class Serializer(Generic[SourceT]):
    """An object in responses, the component `name` of the contract."""

    def __init__(self, name: str, fields: Fields[SourceT]) -> None:
        self.schema: Shape = record(name, {key: field.shape for key, field in fields.items()})
        self._getters = [(key, field.get) for key, field in fields.items()]

    def __call__(self, source: SourceT, /) -> Json:
        """The object made of `source`."""
        return {name: value for name, get in self._getters if (value := get(source)) is not ABSENT}


class OneOf(Generic[SourceT]):
    """One of several objects, which the value of the field `by` selects; the component `name`."""

    def __init__(
        self,
        name: str,
        by: str,
        choices: Mapping[str, Declared[SourceT]],
        choose: Callable[[SourceT], str],
    ) -> None:
        names = {value: choice.schema["title"] for value, choice in choices.items()}
        several = [choice.schema for choice in choices.values()]
        self.schema: Shape = {**one_of(by, names), "title": name, "oneOf": several}
        self._choices, self._choose = choices, choose

    def __call__(self, source: SourceT, /) -> Json:
        """The object made of `source`."""
        return self._choices[self._choose(source)](source)


def field(shape: Shape, get: Callable[[SourceT], object], description: str = "") -> Field[SourceT]:
    """A value."""
    return Field(about(shape, description), get)


def field_if_any(
    shape: Shape, get: Callable[[SourceT], object], description: str = ""
) -> Field[SourceT]:
    """A value that some objects don't have: for those, `get` returns `ABSENT`."""
    return Field(optional(shape, description), get)


def inlined(get: Callable[[SourceT], PartT], fields: Fields[PartT]) -> dict[str, Field[SourceT]]:
    """The `fields` of a part as those of an object that it belongs to."""

    def outer(own: Field[PartT]) -> Field[SourceT]:
        return Field(own.shape, lambda source: own.get(get(source)))

    return {name: outer(own) for name, own in fields.items()}


def part(
    declared: Declared[PartT], get: Callable[[SourceT], PartT], description: str = ""
) -> Field[SourceT]:
    """An object."""
    return field(declared.schema, lambda source: declared(get(source)), description)


def part_or_null(
    declared: Declared[PartT], get: Callable[[SourceT], PartT | None], description: str = ""
) -> Field[SourceT]:
    """An object, null if `get` returns None."""

    def value(source: SourceT) -> Json | None:
        found = get(source)
        return None if found is None else declared(found)

    return field(or_null(declared.schema), value, description)


def part_if_any(
    declared: Declared[PartT], get: Callable[[SourceT], PartT | None], description: str = ""
) -> Field[SourceT]:
    """An object, absent if `get` returns None."""

    def value(source: SourceT) -> object:
        found = get(source)
        return ABSENT if found is None else declared(found)

    return field_if_any(declared.schema, value, description)


def parts(
    declared: Declared[PartT], get: Callable[[SourceT], Iterable[PartT]], description: str = ""
) -> Field[SourceT]:
    """A list of objects."""

    def value(source: SourceT) -> list[Json]:
        return [declared(each) for each in get(source)]

    return field(list_of(declared.schema), value, description)


def parts_if_any(
    declared: Declared[PartT],
    get: Callable[[SourceT], Iterable[PartT] | None],
    description: str = "",
) -> Field[SourceT]:
    """A list of objects, absent if `get` returns None."""

    def value(source: SourceT) -> object:
        found = get(source)
        return ABSENT if found is None else [declared(each) for each in found]

    return field_if_any(list_of(declared.schema), value, description)


class AnswerOf(Generic[SourceT]):
    """A response of `variant`: its id, its own fields, and the house rules if any was changed."""

    def __init__(self, variant: Variant[Any], name: str, own: Fields[SourceT]) -> None:
        self._variant, self._id = variant, variant.id
        self._own = Serializer(name, own)
        shapes = {key: declared.shape for key, declared in own.items()}
        self.schema = answer_shape(variant, name, shapes)

    def __call__(self, source: SourceT, rules: HouseRules) -> Json:
        """The response made of `source` under `rules`."""
        return {"variant": self._id, **self._own(source), **changed_rules(self._variant, rules)}


def answer_shape(variant: Variant[Any], name: str, own: Mapping[str, Shape]) -> Shape:
    """The schema of a response of `variant` with its `own` fields."""
    properties: dict[str, Shape] = {"variant": {"type": "string", "const": variant.id}, **own}
    if options(variant.house_rules):
        properties["house_rules"] = optional(
            house_rules_in_force(variant),
            "All house rules in force; present only if one differs from its default.",
        )
    return record(component(variant, name), properties)


def house_rules_in_force(variant: Variant[Any]) -> Shape:
    """The schema of all house rules of `variant`, in responses."""
    own = {
        option.name: about(house_rule(variant, option).json_schema, option.meaning)
        for option in options(variant.house_rules)
    }
    return record(component(variant, "HouseRulesInForce"), own)


def changed_rules(variant: Variant[Any], rules: HouseRules) -> Mapping[str, Any]:
    """The field of a response with the house rules in force, empty if all have their defaults."""
    if rules is variant.default_rules or rules == variant.default_rules:
        return {}
    return {"house_rules": in_force(rules)}


def place_fields(strength: Callable[[Place[PartT]], int]) -> Fields[Place[PartT]]:
    """The fields of every place in a `rank` response, for entries that have an `id`."""
    return {
        "place": field(
            ORDINAL,
            lambda place: place.place,
            "Equal hands share a place, and the next places are skipped: 1, 1, 3.",
        ),
        "players": field(SOME_PLAYERS, _players),
        "strength": field(
            INTEGER, strength, "A greater number is a stronger hand; equal numbers tie."
        ),
        "reason": field(TEXT, lambda place: place.reason, "Why this place beats the next one."),
    }


SOME_PLAYERS: Shape = list_of(TEXT, minItems=1)


def _players(place: Place[Any]) -> list[str]:
    return [entry.id for entry in place.entries]


def places_fields(place: Serializer[Place[PartT]]) -> Fields[Sequence[Place[PartT]]]:
    """The fields of a `rank` response: the places, and who is in the first."""
    return {
        "places": parts(place, lambda places: places),
        "winners": field(
            SOME_PLAYERS, lambda places: _players(places[0]), "The players in first place."
        ),
    }


def title(name: str) -> str:
    """`four_of_a_kind` as "Four of a kind"."""
    return name.replace("_", " ").capitalize()
