"""Parts of sentences."""

from __future__ import annotations

import pytest

from service.rules.sentences import all_of


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c", "d"], "a, b, c and d")],
)
def test_all_of(words: list[str], expected: str) -> None:
    """Commas separate all words but the last two, which "and" joins."""
    assert all_of(words) == expected
