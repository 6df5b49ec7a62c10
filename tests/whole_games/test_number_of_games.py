"""How many whole games are played of a variant."""

from __future__ import annotations

from random import Random

import pytest

from tests.whole_games.requests import number_of_games, request


@pytest.mark.parametrize(
    ("lengths", "count"),
    [([10, 30], 300), ([100, 300], 100), ([5_000], 4), ([30_000, 50_000, 10_000], 3)],
    ids=["short", "long", "longer", "longest"],
)
def test_fewer_of_long_games(lengths: list[int], count: int) -> None:
    """There are as many long games as take 20,000 actions, and at least those already played."""
    assert number_of_games(300, 20_000, lengths) == count


@pytest.mark.general("ranking", "community")
def test_few_players_where_nothing_shortens_games(variant: str) -> None:
    """Games for chips without a house rule for them have the fewest players."""
    asked = [request(Random(number), variant) for number in range(20)]
    players = {len(each["players"]) for each in asked}
    if all("starting_chips" not in each["house_rules"] for each in asked):
        assert players == {2}
    else:
        assert len(players) > 1
