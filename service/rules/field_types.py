"""The fields of a description: whether they have the types that they declare, and their texts.

Games from outside are not checked by mypy, and a value of another type would fail much later: a
score of 12.5, an id that is a number.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

_NAMES = {int: "a whole number", str: "a text", bool: "True or False", type(None): "None"}
"""What the types of scalar fields are called in messages."""


def type_mistakes(description: Any) -> Iterator[tuple[str, str]]:
    """Each field of the dataclass `description` with a value of another type than it declares.

    Returns the name of the field and a sentence. The dataclasses within it are checked, too; then
    the sentence begins with the path to the value: `chance.points.plus must be a whole number`.
    """
    for (field, *path), sentence in _mistakes(description):
        yield field, f"{'.'.join(path)} {sentence}" if path else sentence


def _mistakes(part: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """The paths from `part` to values of another type, and what they must be."""
    described: Any = type(part)
    hints = _hints(described)
    for field in fields(part):
        if not field.init:
            continue
        value = getattr(part, field.name)
        if not _fits(value, hints[field.name]):
            yield (field.name,), f"must be {_in_words(hints[field.name])}, not {value!r:.80}"
        for inner in _parts(value):
            name = [str(inner.id)] if hasattr(inner, "id") else []
            for path, sentence in _mistakes(inner):
                yield (field.name, *name, *path), sentence


def texts_of(description: Any) -> Iterator[tuple[str, str]]:
    """The texts within the fields of the dataclass `description`, with the name of the field.

    Those in mappings are left out: the request of an example can hold any text.
    """
    for field in fields(description):
        for text in _texts(getattr(description, field.name)):
            yield field.name, text


def _texts(value: object) -> Iterator[str]:
    """The texts that `value` is or holds."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for _, text in texts_of(value):
            yield text
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)


@cache
def _hints(part: Hashable) -> Mapping[str, Any]:
    return get_type_hints(part)


def _parts(value: object) -> Iterable[Any]:
    """The dataclasses that `value` is or holds."""
    if is_dataclass(value) and not isinstance(value, type):
        return [value]
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple):
        return [part for item in value for part in _parts(item)]
    return []


def _fits(value: object, hint: Any) -> bool:
    """Whether `value` is of the type `hint`; True for hints that only mypy can check."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in arguments)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if arguments[-1] is Ellipsis:
            return all(_fits(item, arguments[0]) for item in value)
        return len(value) == len(arguments) and all(map(_fits, value, arguments))
    if origin is Mapping:
        return isinstance(value, Mapping) and all(
            _fits(key, arguments[0]) and _fits(item, arguments[1]) for key, item in value.items()
        )
    if origin is type:
        return isinstance(value, type) and issubclass(value, _bound(arguments[0]))
    if hint is Any:
        return True
    if isinstance(value, type):  # a class where an object is needed; protocols would accept it
        return False
    if hint is int:
        return type(value) is int  # True is an int for isinstance
    try:
        return isinstance(value, hint)
    except TypeError:  # callables with arguments, type variables
        return True


def _bound(variable: Any) -> type[Any]:
    """The class that a type variable stands for subclasses of."""
    bound = variable.__bound__ if isinstance(variable, TypeVar) else variable
    return bound if isinstance(bound, type) else object


def _in_words(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(map(_in_words, arguments))
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return f"a tuple whose items are each {_in_words(arguments[0])}"
        return f"a tuple of {', '.join(map(_in_words, arguments))}"
    if origin is Mapping:
        return f"a mapping from {_in_words(arguments[0])} to {_in_words(arguments[1])}"
    if origin is type:
        return f"a class, {_bound(arguments[0]).__name__} or a subclass"
    return _NAMES.get(hint, getattr(hint, "__name__", str(hint)))
