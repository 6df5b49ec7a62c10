"""Parts of sentences."""

from __future__ import annotations

import pytest

from service.rules.sentences import Words, all_of, any_of, fill_in


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c", "d"], "a, b, c and d")],
)
def test_all_of(words: list[str], expected: str) -> None:
    """Commas separate all words but the last two, which "and" joins."""
    assert all_of(words) == expected


def test_any_of() -> None:
    """The same with "or"; items are written as texts."""
    assert [any_of(range(1, count)) for count in (2, 3, 5)] == ["1", "1 or 2", "1, 2, 3 or 4"]


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        ("must hold {allowed:any} {count:die|dice}", {"allowed": [0, 3, 5], "count": 5},
         "must hold 0, 3 or 5 dice"),
        ("must hold {count} {count:die|dice}", {"count": 1}, "must hold 1 die"),
        ("a number{null:?, or null}", {"null": True}, "a number, or null"),
        ("a number{null:?, or null}", {}, "a number"),
        ("{better:Name} beats {worse:name}{clause:cited}.",
         {"better": "full_house", "worse": "small_straight", "clause": "P3"},
         "Full house beats small straight (P3)."),
        ("one of {allowed}{clause:cited}", {"allowed": ["a", "b"]}, "one of a, b"),
        ("{players:all} tie", {"players": ["ann", "ben"]}, "ann and ben tie"),
        ("at most {most:,} rows", {"most": 1048576}, "at most 1,048,576 rows"),
    ],
)  # fmt: skip
def test_fill_in(template: str, values: dict[str, object], expected: str) -> None:
    """A placeholder says how its value is written; one without a value is empty."""
    assert fill_in(template, values) == expected


def test_other_languages() -> None:
    """Templates, the words of lists, what is between thousands, and ids in words are translated;
    other values aren't.
    """
    german = {
        "{rank:Name} by {who:any}": "{who:any}: {rank:Name}",
        "{most:,} rows": "{most:,} Zeilen",
        "or": "oder",
        "pair": "Paar",
        ",": ".",
    }

    class German(Words):
        def text(self, english: str) -> str:
            return german[english]

    values = {"rank": "pair", "who": ["ann", "or"]}
    assert fill_in("{rank:Name} by {who:any}", values, German()) == "ann oder or: Paar"
    assert fill_in("{most:,} rows", {"most": 1048576}, German()) == "1.048.576 Zeilen"
