"""Entries of the catalogue: what a client needs to draw the screens of a variant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from service.api.schemas.serializers import (
    Field,
    Fields,
    OneOf,
    Serializer,
    field,
    part,
    parts,
)
from service.api.schemas.shapes import (
    COUNT,
    FLAG,
    INTEGER,
    ORDINAL,
    TEXT,
    TEXTS,
    Shape,
    about,
    named_enum,
    or_null,
)
from service.rules.dice import Suit
from service.rules.house_rules import Option, options
from service.rules.variant import Variant


class Described(NamedTuple):
    """A variant, and the path of each of its operations by name."""

    variant: Variant[Any]
    links: Mapping[str, str]


class TieBreak(NamedTuple):
    """A step that breaks ties."""

    id: str
    text: str
    clause: str


def clause_field(get: Callable[[Any], str]) -> Field[Any]:
    """The clause that defines something."""
    return field(TEXT, get, "The number of a clause in `rules`.")


def summary_fields(kind: Shape) -> Fields[Described]:
    """The fields of each item in the list, with the schema of `kind`."""
    return {
        "id": field(TEXT, lambda entry: entry.variant.id),
        "name": field(TEXT, lambda entry: entry.variant.name),
        "summary": field(TEXT, lambda entry: entry.variant.summary),
        "kind": field(kind, lambda entry: entry.variant.kind),
        "links": field(
            {"type": "object", "additionalProperties": TEXT},
            lambda entry: entry.links,
            "The paths of this entry (`self`) and of each operation.",
        ),
    }


_DICE = Serializer[Variant[Any]](
    "Dice",
    {
        "count": field(COUNT, lambda of: of.dice.count, "The number of dice in the set."),
        "faces": field(COUNT, lambda of: of.dice.faces),
        "suits": parts(
            Serializer[Suit](
                "Suit",
                {
                    "letter": field(TEXT, lambda suit: suit.letter),
                    "name": field(TEXT, lambda suit: suit.name),
                },
            ),
            lambda of: of.dice.suits,
        ),
        "names": field(
            TEXTS,
            lambda of: of.dice.names,
            "The names of the faces, lowest first; empty if faces are numbers.",
        ),
        "colours": field(
            TEXTS, lambda of: of.dice.colours, "The colour of each face; empty without colours."
        ),
        "notation": field(TEXT, lambda of: of.dice.how_written, "How to write a die."),
    },
)

_PLAYERS = Serializer[tuple[int, int | None]](
    "PlayerCount",
    {
        "min": field(COUNT, lambda players: players[0]),
        "max": field(or_null(INTEGER), lambda players: players[1], "Null: no limit."),
    },
)

_TIE_BREAK = Serializer[TieBreak](
    "TieBreakStep",
    {
        "id": field(TEXT, lambda step: step.id),
        "text": field(TEXT, lambda step: step.text),
        "clause": clause_field(lambda step: step.clause),
    },
)

_RULE = Serializer[tuple[str, str]](
    "Rule",
    {"clause": field(TEXT, lambda rule: rule[0]), "text": field(TEXT, lambda rule: rule[1])},
)


def _house_rule(name: str, type_: str, default: Shape, bound: Shape) -> Serializer[Option]:
    """A house rule of one type: the schemas of its `default` and of each `bound`.

    The type is a component because Swift has a type `Type` of its own.
    """
    return Serializer[Option](
        name,
        {
            "name": field(TEXT, lambda option: option.name),
            "type": field(named_enum(f"{name}Type", [type_]), lambda option: option.type),
            "choices": field(
                TEXTS,
                lambda option: option.choices,
                "The possible values; empty unless it is a choice.",
            ),
            "nullable": field(
                FLAG, lambda option: option.nullable, "Whether null is a possible value."
            ),
            "default": field(default, lambda option: option.default),
            "minimum": field(bound, lambda option: option.minimum),
            "maximum": field(bound, lambda option: option.maximum),
            "step": field(
                ORDINAL, lambda option: option.step, "An amount must be a multiple of this."
            ),
            "meaning": field(TEXT, lambda option: option.meaning),
            "clause": clause_field(lambda option: option.clause),
        },
    )


_NO_BOUND = about(or_null(INTEGER), "Null: only amounts have bounds.")

_HOUSE_RULE = OneOf[Option](
    "HouseRule",
    "type",
    {
        "boolean": _house_rule("SwitchHouseRule", "boolean", FLAG, _NO_BOUND),
        "integer": _house_rule("AmountHouseRule", "integer", or_null(INTEGER), INTEGER),
        "string": _house_rule("ChoiceHouseRule", "string", TEXT, _NO_BOUND),
    },
    lambda option: option.type,
)


def entry_of(
    variant: Variant[Any],
    name: str,
    own: Fields[Described],
    tie_breaks: Iterable[TieBreak],
) -> Serializer[Described]:
    """The response of `GET /v1/variants/{variant}`, as the component `name`: the fields of all
    kinds, and the `own` fields of its kind.
    """
    steps = [*tie_breaks]
    return Serializer[Described](
        name,
        {
            **summary_fields({"type": "string", "const": variant.kind}),
            "dice": part(_DICE, lambda entry: entry.variant),
            "rolls": field(COUNT, lambda entry: entry.variant.rolls, "The most rolls in a turn."),
            "players": part(_PLAYERS, lambda entry: entry.variant.players),
            "tie_breaks": parts(_TIE_BREAK, lambda _: steps, "Tie-breaks, in order."),
            "house_rules": parts(_HOUSE_RULE, lambda entry: options(entry.variant.house_rules)),
            "rules": parts(_RULE, lambda entry: entry.variant.clauses.items()),
            **own,
        },
    )
