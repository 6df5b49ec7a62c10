"""If-Match and If-None-Match are parsed in one pass."""

from __future__ import annotations

import pytest

from service.api.http.entity_tags import EntityTags, read_tags


@pytest.mark.parametrize("part", [" ", ",", '"a"', '"', "W/", '"a" ', "\t,"])
def test_long_headers(part: str) -> None:
    """A long header is parsed in one pass; backtracking would take minutes."""
    assert read_tags(part * 500_000 + "x") == EntityTags(False, frozenset(), frozenset())
