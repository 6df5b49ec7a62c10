"""The catalogue: what a client needs to draw a variant's screens without reading its rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from service.api.http.languages import translated, words
from service.api.operations.entries import CLAUSE, ENTRIES
from service.api.operations.operation import Answer, Offered
from service.api.operations.registry import API_KINDS
from service.api.schemas import shapes
from service.api.schemas.serializers import Fields, OneOf, Serializer, inlined, part, parts
from service.api.schemas.shapes import Shape
from service.kinds.ranking.hand_table import TieBreak
from service.kinds.registry import GAMES
from service.rules.dice import DiceSet, Suit
from service.rules.house_rules import Option, options
from service.rules.sentences import any_of
from service.rules.variant import Variant

PATH = "/v1/variants"
ENTRY = f"{PATH}/{{variant}}"


class _Described(NamedTuple):
    """A variant, and the path of each of its operations by name."""

    variant: Variant
    links: Mapping[str, str]


def _summary_fields(kind: Shape) -> Fields[_Described]:
    """The fields of each item in the list and of an entry, with the schema of `kind`."""
    own: Fields[Variant] = {
        "id": shapes.TEXT,
        "name": shapes.TEXT.of("name", translated),
        "summary": shapes.TEXT.of("summary", translated),
        "kind": kind,
    }
    return {
        **inlined("variant", own),
        "links": Shape({"type": "object", "additionalProperties": shapes.TEXT})(
            "Paths: of this entry (`self`) and the operations."
        ),
    }


_KIND = shapes.named_enum("Kind", API_KINDS)(
    f"How a hand counts: {any_of(kind.HAND_COUNTS for kind in API_KINDS.values())}."
)

LISTING = Serializer[Iterable[_Described]](
    "Catalogue",
    {
        "variants": parts(
            Serializer("CatalogueSummary", _summary_fields(_KIND)), lambda entries: entries
        )
    },
)
"""The response of `GET /v1/variants`."""

_DICE = Serializer[DiceSet](
    "Dice",
    {
        "count": shapes.COUNT("In the set."),
        "faces": shapes.COUNT,
        "suits": parts(
            Serializer[Suit](
                "Suit",
                {
                    "id": shapes.TEXT.of("name"),
                    "letter": shapes.TEXT,
                    "name": shapes.TEXT.of("name", translated),
                },
            ),
            "suits",
        ),
        "names": shapes.TEXTS("Of faces, lowest first; empty: numbers."),
        "colours": shapes.TEXTS("Of each face."),
        "notation": shapes.TEXT.of("how_written", lambda sentence: sentence.text(words())),
    },
)

_PLAYERS = Serializer[tuple[int, int | None]](
    "PlayerCount",
    {
        "min": shapes.COUNT.of(lambda players: players[0]),
        "max": shapes.INTEGER.or_null("Null: no limit.").of(lambda players: players[1]),
    },
)

_TIE_BREAK = Serializer[TieBreak](
    "TieBreakStep",
    {"id": shapes.TEXT, "text": shapes.TEXT.of("text", translated), "clause": CLAUSE},
)

_RULE = Serializer[tuple[str, str]](
    "Rule",
    {
        "clause": shapes.TEXT.of(lambda rule: rule[0]),
        "text": shapes.TEXT.of(lambda rule: translated(rule[1])),
    },
)


def _house_rule(
    name: str, type_: str, default: Shape, bound: Shape, own: Fields[Option]
) -> Serializer[Option]:
    """A house rule of one type: the schemas of its `default` and of each `bound`, and `own` fields.

    The type is a component because Swift has a type `Type` of its own.
    """
    return Serializer[Option](
        name,
        {
            "name": shapes.TEXT,
            "type": shapes.named_enum(f"{name}Type", [type_]),
            "choices": shapes.TEXTS("Empty unless it is a choice."),
            "nullable": shapes.FLAG,
            "default": default,
            **own,
            "minimum": bound,
            "maximum": bound,
            "step": shapes.ORDINAL,
            "meaning": shapes.TEXT.of("meaning", translated),
            "clause": CLAUSE,
        },
    )


_NO_BOUND = shapes.INTEGER.or_null("Null: no amount.")

_HOUSE_RULE = OneOf[Option](
    "HouseRule",
    "type",
    {
        "boolean": _house_rule("SwitchHouseRule", "boolean", shapes.FLAG, _NO_BOUND, {}),
        "integer": _house_rule(
            "AmountHouseRule",
            "integer",
            shapes.INTEGER.or_null(),
            shapes.INTEGER,
            {"typed_default": shapes.INTEGER.or_null("In sessions with typed dice.")},
        ),
        "string": _house_rule("ChoiceHouseRule", "string", shapes.TEXT, _NO_BOUND, {}),
    },
    lambda option: option.type,
)


_PAPER = shapes.named_enum("Paper", dict.fromkeys(game.paper for game in GAMES.values()))


def entry_of(variant: Variant) -> Serializer[_Described]:
    """The response of `GET /v1/variants/{variant}`."""
    own = ENTRIES.of(variant)(variant)
    return Serializer[_Described](
        own.name,
        {
            **_summary_fields(shapes.constant(variant.kind)),
            "dice": part(_DICE, "variant.dice"),
            "rolls": shapes.COUNT("The most rolls in a turn.").of("variant.rolls"),
            "players": part(_PLAYERS, "variant.players"),
            "paper": _PAPER("The field of a new session that goes on with a game from paper.").of(
                lambda _: GAMES.of(variant).paper
            ),
            "tie_breaks": parts(_TIE_BREAK, lambda _: own.tie_breaks, "Tie-breaks, in order."),
            "house_rules": parts(_HOUSE_RULE, lambda entry: options(entry.variant.house_rules)),
            "rules": parts(_RULE, lambda entry: entry.variant.clauses.items()),
            **inlined("variant", own.fields),
        },
    )


def listing(variants: Iterable[Variant], offered: Iterable[Offered]) -> Answer:
    """The list of all variants, in the language of the response."""
    offered = list(offered)
    return LISTING.write([_described(variant, offered) for variant in variants])


def entry(variant: Variant, offered: Iterable[Offered]) -> Answer:
    """The entry of one variant, in the language of the response."""
    return entry_of(variant).write(_described(variant, offered))


def _described(variant: Variant, offered: Iterable[Offered]) -> _Described:
    own = {each.name: each.path for each in offered if each.variant is variant}
    return _Described(variant, {"self": f"{PATH}/{variant.id}", **own})
