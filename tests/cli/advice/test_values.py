"""Values of options on the command line."""

from __future__ import annotations

import pytest

from service.cli.command import CommandError
from service.cli.request import parse_value


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("1,3,3,5,6", "array", [1, 3, 3, 5, 6]),
        ("1 3 3 5 6", "array", [1, 3, 3, 5, 6]),
        ("1, 3, 3, 5, 6 ", "array", [1, 3, 3, 5, 6]),
        ("13356", "array", [1, 3, 3, 5, 6]),
        ("[1, 3, 3, 5, 6]", "array", [1, 3, 3, 5, 6]),
        ("6r,6b", "array", ["6r", "6b"]),
        ("6r,6b;5w,5y", "arrays", [["6r", "6b"], ["5w", "5y"]]),
        ("6r,6b", "arrays", [["6r", "6b"]]),
        ('[["6r", "6b"]]', "arrays", [["6r", "6b"]]),
        ("", "arrays", []),
        ("null", "array", [None]),
        ("", "array", []),
        ("ones=3,twos=6", "object", {"ones": 3, "twos": 6}),
        ("joker=true, turn_seconds=null", "object", {"joker": True, "turn_seconds": None}),
        ('{"ones": 3}', "object", {"ones": 3}),
        ("", "object", {}),
        ("2", "integer", 2),
        ("-2", "integer", -2),
        ("two", "integer", "two"),
        ("٣", "integer", "٣"),
    ],
)
def test_parsed(text: str, kind: str, value: object) -> None:
    """Lists and objects need no brackets and quotes; JSON is parsed as JSON."""
    assert parse_value(text, kind) == value


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("[1, 3", "array", r"\[1, 3 is not valid JSON: .+"),
        ("ones", "object", "ones must be a name and a value, such as ones=3"),
        ("=3", "object", "=3 must be a name and a value, such as ones=3"),
        ("ones=3,ones=4", "object", "ones is given twice"),
        ('{"ones": 3, "ones": 4}', "object", ".+ is not valid JSON: .+"),
    ],
)
def test_refused(text: str, kind: str, message: str) -> None:
    """What is neither JSON nor names and values is refused, with the part that is wrong."""
    with pytest.raises(CommandError, match=f"^{message}$"):
        parse_value(text, kind)
