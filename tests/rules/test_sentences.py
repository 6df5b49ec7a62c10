"""Parts of sentences."""

from __future__ import annotations

import pytest

from service.rules.sentences import all_of, any_of


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
