"""What is said about values of another type than the field declares, of every type there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

import pytest

from service.rules.field_types import texts_of, type_mistakes


@dataclass(frozen=True)
class Inner:
    """A part without a name."""

    number: int = 1


@dataclass(frozen=True)
class Named:
    """A part with a name, and a part within it."""

    id: Any = "named"
    text: str = "inside"
    inner: Inner = field(default_factory=Inner)


@dataclass(frozen=True)
class Special(Inner):
    """A subclass of a part."""


@runtime_checkable
class Points(Protocol):
    """Anything with these points."""

    points: int


class Five:
    """Has points."""

    points = 5


Anything = TypeVar("Anything")


@dataclass(frozen=True)
class Description:
    """A field of every type that descriptions have."""

    # no value of its type, since fields that nobody can give aren't checked
    made: int = field(init=False, default="not given by anyone")  # type: ignore[assignment]
    number: int = 1
    text: str = "first"
    switch: bool = True
    either: int | None = None
    texts: tuple[str, ...] = ("second", "third")
    pair: tuple[int, str] = (1, "fourth")
    by_name: Mapping[str, int] = field(default_factory=dict)
    by_number: Mapping[int, Inner] = field(default_factory=dict)
    kind: type[Inner] = Inner
    # mypy takes no type variable outside of generic classes; descriptions may have one
    some_kind: type[Anything] = int  # type: ignore[valid-type]
    anything: Any = None
    points: Points = field(default_factory=Five)
    call: Callable[[int], int] = abs
    inner: Inner = field(default_factory=Inner)
    named: Named = field(default_factory=Named)
    several: tuple[Named, ...] = ()
    nested: Mapping[str, tuple[Inner, ...]] = field(default_factory=dict)
    shared: ClassVar[str] = "of the class"


def test_right_types() -> None:
    """A description whose fields have their types has no mistakes, whichever of them it has."""
    assert [*type_mistakes(Description())] == []
    other = Description(
        either=3,
        texts=(),
        by_name={"a": 1, "b": 2},
        by_number={1: Inner(), 2: Special()},
        kind=Special,
        some_kind=Inner,
        anything=Inner,
        inner=Special(),
        several=(Named(), Named("other")),
        nested={"a": (Inner(2), Inner(3))},
    )
    assert [*type_mistakes(other)] == []


INNER: Any = Inner
NAMED: Any = Named
DESCRIPTION: Any = Description
"""The same classes, to which mypy lets the tests give wrong values."""

TEXTS = "must be a tuple whose items are each a text, not "
PAIR = "must be a tuple of a whole number, a text, not "
BY_NAME = "must be a mapping from a text to a whole number, not "
BY_NUMBER = "must be a mapping from a whole number to Inner, not "


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("number", "1", "must be a whole number, not '1'"),
        ("number", True, "must be a whole number, not True"),
        ("number", 1.0, "must be a whole number, not 1.0"),
        ("number", int, "must be a whole number, not <class 'int'>"),
        ("text", 1, "must be a text, not 1"),
        ("text", str, "must be a text, not <class 'str'>"),
        ("text", ["x" * 100], f"must be a text, not ['{'x' * 78}"),
        ("switch", 1, "must be True or False, not 1"),
        ("either", "1", "must be a whole number or None, not '1'"),
        ("either", False, "must be a whole number or None, not False"),
        ("texts", ["a"], f"{TEXTS}['a']"),
        ("texts", "a", f"{TEXTS}'a'"),
        ("texts", (1, "a"), f"{TEXTS}(1, 'a')"),
        ("texts", ("a", 1), f"{TEXTS}('a', 1)"),
        ("pair", [1, "a"], f"{PAIR}[1, 'a']"),
        ("pair", (1,), f"{PAIR}(1,)"),
        ("pair", (1, "a", 1), f"{PAIR}(1, 'a', 1)"),
        ("pair", ("a", "a"), f"{PAIR}('a', 'a')"),
        ("pair", (1, 1), f"{PAIR}(1, 1)"),
        ("by_name", [("a", 1)], f"{BY_NAME}[('a', 1)]"),
        ("by_name", {1: 1}, f"{BY_NAME}{{1: 1}}"),
        ("by_name", {"a": "a"}, f"{BY_NAME}{{'a': 'a'}}"),
        ("by_name", {"a": 1, "b": None}, f"{BY_NAME}{{'a': 1, 'b': None}}"),
        ("by_number", {"a": INNER()}, f"{BY_NUMBER}{{'a': Inner(number=1)}}"),
        ("by_number", {1: 1}, f"{BY_NUMBER}{{1: 1}}"),
        ("kind", INNER(), "must be a class, Inner or a subclass, not Inner(number=1)"),
        ("kind", int, "must be a class, Inner or a subclass, not <class 'int'>"),
        ("some_kind", 1, "must be a class, object or a subclass, not 1"),
        ("points", 5, "must be Points, not 5"),
        ("points", Five, f"must be Points, not {Five!r}"[: 80 + len("must be Points, not ")]),
        ("inner", 1, "must be Inner, not 1"),
        ("inner", Inner, f"must be Inner, not {Inner!r}"),
        ("inner", NAMED("a"), f"must be Inner, not {NAMED('a')!r:.80}"),
        ("inner", INNER(number="1"), "number must be a whole number, not '1'"),
        ("anything", INNER(number="1"), "number must be a whole number, not '1'"),
        ("named", NAMED(text=1), "named.text must be a text, not 1"),
        ("named", NAMED(3, inner=INNER(None)), "3.inner.number must be a whole number, not None"),
        ("several", (NAMED(), NAMED("b", 2)), "b.text must be a text, not 2"),
        ("nested", {"a": (INNER(), INNER(""))}, "number must be a whole number, not ''"),
    ],
)
def test_wrong_types(name: str, value: Any, sentence: str) -> None:
    """A value of another type is one mistake, which says what it must be and, within a part, which
    field of the part it is.
    """
    assert [*type_mistakes(Description(**{name: value}))] == [(name, sentence)]


def test_every_mistake() -> None:
    """All mistakes are found, in the order of the fields; a part of another type is looked into."""
    wrong = DESCRIPTION(
        number="1",
        inner=NAMED(1, 2, INNER("3")),
        several=(NAMED("a", 1), NAMED("b", 2)),
    )
    found = [*type_mistakes(wrong)]
    assert found == [
        ("number", "must be a whole number, not '1'"),
        ("inner", "must be Inner, not Named(id=1, text=2, inner=Inner(number='3'))"),
        ("inner", "1.text must be a text, not 2"),
        ("inner", "1.inner.number must be a whole number, not '3'"),
        ("several", "a.text must be a text, not 1"),
        ("several", "b.text must be a text, not 2"),
    ]


def test_texts() -> None:
    """The texts of fields, of tuples and of parts are found, and none in mappings and classes."""
    description = Description(
        by_name={"no": 1},
        nested={"no": ()},
        kind=Special,
        anything=({"no": "no"}, ("deep", Named("x", "y")), Named, 1),
    )
    assert [*texts_of(description)] == [
        ("made", "not given by anyone"),
        ("text", "first"),
        ("texts", "second"),
        ("texts", "third"),
        ("pair", "fourth"),
        ("anything", "deep"),
        ("anything", "x"),
        ("anything", "y"),
        ("named", "named"),
        ("named", "inside"),
    ]
