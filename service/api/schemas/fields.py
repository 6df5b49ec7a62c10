"""The marshmallow fields of requests: strict, all violations at once, each with its JSON Schema.

marshmallow's own number and boolean fields are lenient ("3", "yes"); these take only what JSON
Schema would. A field for dice or a card leaves the parsing to the rules and passes on their
violations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import orjson
from marshmallow import ValidationError, fields

from service.api.schemas import shapes
from service.api.schemas.shapes import Shape
from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.dice import whole_number
from service.rules.house_rules import Option, read_flag, read_whole, read_word
from service.rules.sentences import any_of
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation, gathering, refuse

MAX_PLAYERS = 1000
"""The most players in one request, for variants that set no limit themselves."""

MAX_AMOUNT = 1_000_000_000
"""The most chips or points of a player, and chips in the pot or to call."""

MAX_ID_LENGTH = 64
"""The longest id of a player, in characters."""

_CONTROL = (
    r"\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F"
    r"\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB"
)
"""What no name may hold, for a character class of an ECMA-262 regular expression: control
characters, line separators, marks that change the direction of text, and characters that can't be
seen. They would change how a name is shown on a terminal or a page, or make two names look alike.

These are the characters of Unicode's categories Cc, Zl and Zp, and those of Cf up to U+FFFF, except
two groups of Cf: the joiners U+200C and U+200D, which Persian and emoji need, and Arabic and Syriac
signs that can be seen.
"""

_FIND_CONTROL = re.compile(f"[{_CONTROL}]").search


_MESSAGES: dict[str, str | list[Any] | dict[Any, Any]] = {
    "required": [Violation((), Breach.MISSING())],
    "null": [Violation((), Breach.NULL())],
}


class Unparsed(InvalidInput):
    """Raised for what violates its schema, with all violations.

    `read` has what could be parsed, some of it only in part: fields by name, or items of a list,
    with None in the places of others.
    """

    def __init__(self, violations: Iterable[Violation], read: Any) -> None:
        super().__init__(*violations)
        self.read = read


class StrictField(fields.Field[Any]):
    """A field that parses values with `read` and declares them as `json_schema`.

    `read` raises `InvalidInput` for an invalid value. A `description` takes the place of that in
    the schema.
    """

    default_error_messages = _MESSAGES

    def __init__(
        self,
        read: Callable[[object], Any],
        json_schema: Shape,
        description: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(metadata={"description": description}, **kwargs)
        self.read = read
        self.json_schema = json_schema

    def _deserialize(self, value: object, *_: Any, **__: Any) -> Any:
        try:
            return self.read(value)
        except InvalidInput as refused:
            read = refused.read if isinstance(refused, Unparsed) else None
            raise ValidationError(list(refused.violations), valid_data=read) from None


def plain_dice(variant: Ranking | ScoreCard, note: str = "", **kwargs: Any) -> StrictField:
    """A roll of all the dice, which have no suits: a list of faces, parsed into numbers.

    `note` follows the description.
    """
    dice = variant.dice
    count = dice.count
    return StrictField(
        lambda value: dice.read_faces(value, count),
        shapes.dice(variant, [count], f"In any order. {note}".rstrip()),
        **kwargs,
    )


def suited_dice(
    variant: CommunityRanking, counts: Sequence[int], note: str = "", **kwargs: Any
) -> StrictField:
    """Suited dice in notation, as many as one of `counts`, parsed into a tuple of codes.

    `note` follows the description.
    """
    dice = variant.dice
    suits = ", ".join(f"{suit.letter} {suit.name}" for suit in dice.suits)
    description = f"{any_of(counts)} dice as number and suit: {suits}. {note}".rstrip()
    shape = shapes.dice(variant, counts, description)
    return StrictField(lambda value: dice.read_codes(value, counts), shape, **kwargs)


def whole(
    minimum: int, maximum: int, *, step: int = 1, nullable: bool = False, **kwargs: Any
) -> StrictField:
    """A whole number in a range, a multiple of `step`, or null where `nullable`."""
    steps = {"multipleOf": step} if step > 1 else {}
    shape = Shape(type="integer", minimum=minimum, maximum=maximum, **steps)
    return StrictField(
        lambda value: read_whole(value, minimum, maximum, step=step, nullable=nullable),
        shape.or_null() if nullable else shape,
        allow_none=nullable,
        **kwargs,
    )


def number(numbers: Iterable[int], **kwargs: Any) -> StrictField:
    """One of `numbers`."""
    known = sorted(set(numbers))
    if known == [*range(known[0], known[-1] + 1)]:
        return whole(known[0], known[-1], **kwargs)

    def read(value: object) -> int:
        found = whole_number(value)
        if found is None or found not in known:
            raise InvalidInput(Violation((), Breach.NOT_ONE_OF_NUMBERS(numbers=known)))
        return found

    return StrictField(read, shapes.among(known), **kwargs)


def by_player(own: StrictField, most: int, description: str) -> StrictField:
    """An object with what `own` parses for each player; of more than `most` none is parsed."""

    def read(value: object) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > most:
            raise InvalidInput(Violation((), Breach.NOT_BY_PLAYER(maximum=most)))
        found: dict[str, Any] = {}
        violations: list[Violation] = []
        for player, each in value.items():
            with gathering(violations, player):
                found[player] = own.read(each)
        refuse(violations)
        return found

    return StrictField(read, shapes.by_player(own.json_schema), description)


def flag(**kwargs: Any) -> StrictField:
    """A boolean; other values that look like one are refused."""
    return StrictField(read_flag, shapes.FLAG, **kwargs)


def player_id(**kwargs: Any) -> StrictField:
    """A player's name or key, chosen by the client."""

    def read(value: object) -> str:
        if not isinstance(value, str) or not 1 <= len(value) <= MAX_ID_LENGTH:
            detail = Breach.NOT_A_STRING(minimum=1, maximum=MAX_ID_LENGTH)
            raise InvalidInput(Violation((), detail))
        if control := _FIND_CONTROL(value):
            detail = Breach.FORBIDDEN_CHARACTER(
                place=control.start() + 1, character=f"U+{ord(control[0]):04X}"
            )
            raise InvalidInput(Violation((), detail))
        return value

    return StrictField(
        read,
        Shape(
            type="string",
            minLength=1,
            maxLength=MAX_ID_LENGTH,
            pattern=f"^[^{_CONTROL}]*$",
            description="Unique in the request.",
        ),
        **kwargs,
    )


def word(enum: Shape, *, nullable: bool = False, **kwargs: Any) -> StrictField:
    """One of the words of `enum`, or null where `nullable`."""
    words = enum["enum"]
    return StrictField(
        lambda value: read_word(value, words),
        enum.or_null() if nullable else enum,
        allow_none=nullable,
        **kwargs,
    )


def house_rule(variant: Variant, option: Option) -> StrictField:
    """One house rule of `variant`; if it is omitted, its default applies."""
    default = orjson.dumps(option.default).decode()
    typed = orjson.dumps(option.typed_default).decode()
    also = "" if typed == default else f"; `{typed}` in sessions with typed dice"
    description = f"{option.meaning} ({option.clause}) Default: `{default}`{also}."
    return StrictField(
        option.read, _shape(variant, option), description, allow_none=option.nullable
    )


def _shape(variant: Variant, option: Option) -> Shape:
    """The JSON Schema of the values of a house rule."""
    if option.choices:
        return shapes.enum(variant, option.name.title().replace("_", "") + "Rule", option.choices)
    if option.minimum is None or option.maximum is None:
        return flag().json_schema
    bounds = whole(option.minimum, option.maximum, step=option.step, nullable=option.nullable)
    return bounds.json_schema
