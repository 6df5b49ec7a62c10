"""The types of the fields of a description, and what is wrong with values of other types.

An annotation says what a single value must be: its type and, in `Annotated`, its bounds, or that it
names a clause or a house rule. mypy checks the types of the service's own games only, so all are
checked when a description is made: a score of 12.5 would fail much later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, partial
from itertools import repeat
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from service.rules.variant import Variant

MAX_ID, MAX_TEXT = 64, 2_000
"""The most characters of an id, and of any other text."""

_NO_TEXT = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff]")
"""Control characters, other ends of lines, and lone surrogates, which UTF-8 can't encode."""

_NAMES = {int: "a whole number", str: "a text", bool: "True or False", type(None): "None"}


class Mistake(ValueError):
    """What is wrong in a description: the field, the path within it, and what would be right."""


def require(right: object, sentence: str) -> None:
    """Raises `Mistake` with `sentence`, which begins with the field, unless all is `right`."""
    if not right:
        raise Mistake(sentence)


@dataclass(frozen=True)
class Must:
    """What a value must `be` besides its type, in words, and whether it `is_so` in a game."""

    be: str
    is_so: Callable[[Any, Variant], bool]


def between(least: int, most: int) -> Must:
    """A number within these bounds."""
    return Must(f"from {least} to {most}", lambda number, _: least <= number <= most)


def at_least(least: int) -> Must:
    """A number from `least` up."""
    return Must(f"{least} or more", lambda number, _: number >= least)


def line(most: int) -> Must:
    """A text of one line, neither blank nor longer than `most` characters."""
    return Must(
        f"one line of printable text, at most {most} characters",
        lambda text, _: text.strip() and len(text) <= most and not _NO_TEXT.search(text),
    )


def written(pattern: str, be: str) -> Must:
    """A text of at most `MAX_ID` characters that the regular expression `pattern` matches."""
    matches = re.compile(pattern).fullmatch
    return Must(be, lambda text, _: len(text) <= MAX_ID and matches(text) is not None)


def different(be: str, key: Callable[[Any], object]) -> Must:
    """Parts of which no two have the same `key`, which are `be` in words."""
    return Must(be, lambda parts, _: len({*map(key, parts)}) == len(parts))


def house_rule(be: str, type_: str) -> Must:
    """The name of a house rule of `type_`."""
    return Must(f"a house rule that is {be}", lambda rule, game: game.rule_types.get(rule) == type_)


OneLine = Annotated[str, line(MAX_TEXT)]
"""A text for people."""

PartId = Annotated[
    str,
    written(
        "[a-z][a-z0-9]*(_[a-z0-9]+)*",
        f"lower-case letters, digits and underscores, at most {MAX_ID}",
    ),
]
"""The name of a part of a game in requests and responses."""

Clause = Annotated[str, Must("a clause of the game", lambda clause, game: clause in game.clauses)]
"""The name of a clause that is cited."""

Switch = Annotated[str, house_rule("a switch", "boolean")]
"""The name of a house rule that is on or off."""

Amount = Annotated[str, house_rule("an amount", "integer")]
"""The name of a house rule that is a number."""

DIFFERENT_IDS = different("parts with different ids", lambda part: part.id)


def check_fields(part: Any, game: Variant, path: str = "", only: Collection[str] = ()) -> None:
    """Raises `Mistake` for a wrong value in the dataclass `part` of `game`, or within its parts.

    `path` leads to it; it is empty for the game itself. With `only`, just those fields are checked.
    """
    described: Any = type(part)
    hints = _hints(described)
    for field in fields(part):
        if field.name in only or (field.init and not only):
            where = _at(path, field.name) if path else f"{field.name}:"
            check_value(getattr(part, field.name), hints[field.name], game, where)


def check_value(value: Any, hint: Any, game: Variant, path: str) -> None:
    """Raises `Mistake` unless `value`, to which `path` leads, is of the type `hint`."""
    arguments = get_args(hint)
    if get_origin(hint) is Annotated:
        check_value(value, arguments[0], game, path)
        for must in arguments[1:]:
            if not must.is_so(value, game):
                raise Mistake(f"{path} must be {must.be}, not {value!r:.80}")
    elif not _is_a(value, hint):
        raise Mistake(f"{path} must be {_in_words(hint)}, not {value!r:.80}")
    elif get_origin(hint) in (Union, UnionType):
        fitting = next(each for each in arguments if _is_a(value, each))
        check_value(value, fitting, game, path)
    elif get_origin(hint) is tuple:
        hints = repeat(arguments[0]) if arguments[-1] is Ellipsis else arguments
        for index, (item, of) in enumerate(zip(value, hints, strict=False)):
            check_value(item, of, game, _at(path, getattr(item, "id", f"[{index}]")))
    elif get_origin(hint) is Mapping:
        for key, item in value.items():
            check_value(key, arguments[0], game, path)
            check_value(item, arguments[1], game, _at(path, key))
    elif is_dataclass(value) and not isinstance(value, type):
        check_fields(value, game, path)


def _at(path: str, name: object) -> str:
    """The path to a part within `path`: `ranks: pair`, `ranks: pair.pattern`."""
    return f"{path}{' ' if path.endswith(':') else '.'}{name}".replace(".[", "[")


_hints = cache(partial(get_type_hints, include_extras=True))


def _is_a(value: Any, hint: Any) -> bool:
    """Whether `value` is of the type `hint`, whatever it holds."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _is_a(value, arguments[0])
    if origin in (Union, UnionType):
        return any(_is_a(value, each) for each in arguments)
    if origin is type:
        return isinstance(value, type) and issubclass(value, arguments[0])
    if origin is tuple and arguments[-1] is not Ellipsis:
        return isinstance(value, tuple) and len(value) == len(arguments)
    if hint is int:
        return type(value) is int  # True is an int for isinstance
    # a class where an object is needed is wrong, though protocols would accept it
    return hint is Any or (not isinstance(value, type) and isinstance(value, origin or hint))


def _in_words(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _in_words(arguments[0])
    if origin in (Union, UnionType):
        return " or ".join(map(_in_words, arguments))
    if origin is type:
        return f"the class {arguments[0].__name__} or a subclass"
    if origin is tuple and arguments[-1] is not Ellipsis:
        return f"a tuple of {len(arguments)}"
    return _NAMES.get(hint, f"a {(origin or hint).__name__}")
