"""Declarations of responses: each field is named once, with its JSON Schema and its value.

A `Serializer` is an object in responses. Its `schema` is a component of the contract, and `write`
returns its value, which orjson encodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar

from service.api.http.languages import translated
from service.api.schemas import reasons, shapes
from service.api.schemas.fields import house_rule
from service.api.schemas.shapes import Field, Get, Shape
from service.rules.house_rules import HouseRules, in_force, options
from service.rules.places import Place
from service.rules.sentences import capitalized
from service.rules.variant import Variant

SourceT = TypeVar("SourceT")
PartT = TypeVar("PartT")

Json = dict[str, Any]


Fields = Mapping[str, Field[SourceT] | Shape]
"""Fields by name; one that is only a schema is constant, or the attribute of its name.

An optional field is left out if its value is None.
"""


class Serializer(Generic[SourceT]):
    """An object in responses, the component `name` of the contract."""

    def __init__(self, name: str, fields: Fields[SourceT]) -> None:
        self.schema = shapes.record(name, shapes_of(fields))
        self.write = _without_absent(fields, _compiled(fields))


def _without_absent(
    fields: Fields[SourceT], write: Callable[[SourceT], Json]
) -> Callable[[SourceT], Json]:
    """`write` without the optional fields whose value is None."""
    optional = [key for key, shape in shapes_of(fields).items() if not shape.required]

    def write_present(source: SourceT) -> Json:
        made = write(source)
        for name in optional:
            if made[name] is None:
                del made[name]
        return made

    return write_present if optional else write


def _compiled(fields: Fields[SourceT]) -> Callable[[SourceT], Json]:
    """A function that returns the values of `fields`, made as those of dataclasses are.

    A loop over the fields would take twice as long.
    """
    functions: dict[str, Any] = {}
    values = []
    for place, (name, own) in enumerate(fields.items()):
        get = own.get if isinstance(own, Field) else name
        if isinstance(own, Shape) and "const" in own:
            value = repr(own["const"])
        elif isinstance(get, str):
            value = f"source.{get}"
        else:
            functions[f"get_{place}"] = get
            value = f"get_{place}(source)"
        if isinstance(own, Field) and own.convert:
            functions[f"convert_{place}"] = own.convert
            value = f"None if (value := {value}) is None else convert_{place}(value)"
        values.append(f"{name!r}: {value}")
    made: Callable[[SourceT], Json] = eval(  # only of names in our code
        f"lambda source: {{{', '.join(values)}}}", functions
    )
    return made


def shapes_of(fields: Fields[SourceT]) -> dict[str, Shape]:
    """The schemas of `fields`, by name."""
    return {key: own.shape if isinstance(own, Field) else own for key, own in fields.items()}


class OneOf(Serializer[SourceT]):
    """One of several objects, which the value of the field `by` selects; the component `name`."""

    def __init__(
        self,
        name: str,
        by: str,
        choices: Mapping[str, Serializer[SourceT]],
        choose: Callable[[SourceT], str],
    ) -> None:
        names = {value: choice.schema["title"] for value, choice in choices.items()}
        several = [choice.schema for choice in choices.values()]
        self.schema = Shape({**shapes.one_of(name, by, names), "oneOf": several})
        writers = {value: choice.write for value, choice in choices.items()}
        self.write = lambda source: writers[choose(source)](source)


def inlined(get: Get[SourceT], fields: Fields[PartT]) -> dict[str, Field[SourceT] | Shape]:
    """The `fields` of a part as those of an object that it belongs to."""

    def outer(name: str, own: Field[PartT] | Shape) -> Field[SourceT] | Shape:
        if isinstance(own, Shape):
            if "const" in own:
                return own
            own = Field(own, name)
        if isinstance(get, str) and isinstance(own.get, str):
            return Field(own.shape, f"{get}.{own.get}", own.convert)
        first, second = _function(get), _function(own.get)
        return Field(own.shape, lambda source: second(first(source)), own.convert)

    return {name: outer(name, own) for name, own in fields.items()}


def _function(get: Get[SourceT]) -> Callable[[SourceT], Any]:
    return attrgetter(get) if isinstance(get, str) else get


def part(
    declared: Serializer[PartT],
    get: Get[SourceT],
    description: str = "",
    *,
    null: bool = False,
    required: bool = True,
) -> Field[SourceT]:
    """An object; with `null` it may be null, and unless it is `required`, it may be left out."""
    shape = declared.schema.or_null(description) if null else declared.schema(description)
    return Field(shape if required else shape.optional(), get, declared.write)


def parts(
    declared: Serializer[PartT], get: Get[SourceT], description: str = "", *, required: bool = True
) -> Field[SourceT]:
    """A list of objects, which may be left out unless it is `required`."""
    write = declared.write

    def several(found: Iterable[PartT]) -> list[Json]:
        return [write(each) for each in found]

    shape = shapes.list_of(declared.schema, description)
    return Field(shape if required else shape.optional(), get, several)


class AnswerOf(Generic[SourceT]):
    """A response of `variant`: its id, its own fields, and the house rules if any was changed."""

    def __init__(self, variant: Variant, name: str, own: Fields[SourceT]) -> None:
        self._variant = variant
        self._own = Serializer[SourceT](name, {"variant": shapes.constant(variant.id), **own}).write
        self.schema = answer_shape(variant, name, shapes_of(own))

    def __call__(self, source: SourceT, rules: HouseRules) -> Json:
        """The response made of `source` under `rules`."""
        made = self._own(source)
        made.update(changed_rules(self._variant, rules))
        return made


def answer_shape(variant: Variant, name: str, own: Mapping[str, Shape]) -> Shape:
    """The schema of a response of `variant` with its `own` fields."""
    properties = {"variant": shapes.constant(variant.id), **own}
    if options(variant.house_rules):
        properties["house_rules"] = house_rules_in_force(variant).optional(
            "Present if one differs from its default."
        )
    return shapes.record(shapes.component(variant, name), properties)


def house_rules_in_force(variant: Variant) -> Shape:
    """The schema of all house rules of `variant`, in responses."""
    own = {
        option.name: house_rule(variant, option).json_schema(option.meaning)
        for option in options(variant.house_rules)
    }
    return shapes.record(shapes.component(variant, "HouseRulesInForce"), own)


def changed_rules(variant: Variant, rules: HouseRules) -> Mapping[str, Any]:
    """The field of a response with the house rules in force, empty if all have their defaults."""
    if rules is variant.default_rules or rules == variant.default_rules:
        return {}
    return {"house_rules": in_force(rules)}


_STRENGTH = shapes.INTEGER("Greater is stronger.")
SOME_PLAYERS = shapes.list_of(shapes.TEXT, minItems=1)


def place_fields(
    strength: Callable[[Place[PartT]], int | None], shape: Shape = _STRENGTH
) -> Fields[Place[PartT]]:
    """The fields of every place in a `rank` response, for entries that have an `id`."""
    return {
        "place": shapes.ORDINAL("Shared by equals: 1, 1, 3."),
        "players": SOME_PLAYERS.of(_players),
        "strength": shape.of(strength),
        "reason": shapes.TEXT("Why it beats the next one.").of("because", reasons.text),
        "because": reasons.BECAUSE,
    }


def _players(place: Place[Any]) -> list[str]:
    return [entry.id for entry in place.entries]


def places_fields(place: Serializer[Place[PartT]]) -> Fields[Sequence[Place[PartT]]]:
    """The fields of a `rank` response: the places, and who is in the first."""
    return {
        "places": parts(place, lambda places: places),
        "winners": SOME_PLAYERS.of(lambda places: _players(places[0])),
    }


def title(name: str) -> str:
    """`four_of_a_kind` as "Four of a kind", in the language of the response."""
    return capitalized(translated(name.replace("_", " ")))
