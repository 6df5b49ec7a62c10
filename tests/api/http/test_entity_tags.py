"""If-Match and If-None-Match are parsed as RFC 9110 prescribes."""

from __future__ import annotations

import pytest

from service.api.http.conditional import EntityTags, read_tags

NONE = EntityTags(False, frozenset(), frozenset())


@pytest.mark.parametrize(
    ("header", "strong", "weak"),
    [
        ('"1"', ["1"], []),
        ('"01"', ["01"], []),
        ('""', [""], []),
        ('W/"1"', [], ["1"]),
        (' "a" ,\t"b"', ["a", "b"], []),
        (',"a",, W/"b",', ["a"], ["b"]),
        ('"a,b", "!#~"', ["a,b", "!#~"], []),
        ('"\xb2"', ["\xb2"], []),
        ('"1", W/"1"', ["1"], ["1"]),
    ],
)
def test_lists(header: str, strong: list[str], weak: list[str]) -> None:
    """Tags are taken literally; empty items in the list are skipped."""
    assert read_tags(header) == EntityTags(False, frozenset(strong), frozenset(strong + weak))


@pytest.mark.parametrize("header", ["*", " *\t"])
def test_star(header: str) -> None:
    """A header that is only `*` matches any entity tag."""
    assert read_tags(header) == EntityTags(True, frozenset(), frozenset())


@pytest.mark.parametrize(
    "header",
    ["", ",", "1", '"1', "1\"", '"1" "2"', '"1""2"', 'w/"1"', 'W /"1"', '*, "1"', '"a b"', '"\t"',
     '1, "2"', "'1'", '"1";', "**"],
)  # fmt: skip
def test_no_lists(header: str) -> None:
    """A header that isn't a valid list of entity tags has none, even if a part is valid."""
    assert read_tags(header) == NONE


@pytest.mark.parametrize("part", [" ", ",", '"a"', '"', "W/", '"a" ', "\t,"])
def test_long_headers(part: str) -> None:
    """A long header is parsed in one pass; backtracking would take minutes."""
    assert read_tags(part * 500_000 + "x") == NONE
