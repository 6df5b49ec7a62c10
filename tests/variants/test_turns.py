"""How many dice a game has, how often a turn rolls them, and for how many players it is."""

from __future__ import annotations

import pytest

from service.variants import own_variants


@pytest.mark.parametrize(
    ("game", "dice", "rolls", "players"),
    [
        ("dice-poker", 5, 3, (1, None)),  # D1, D13
        ("poker-dice", 5, 3, (1, None)),  # P2
        ("roll-a-royal", 13, 3, (1, None)),  # R1, R3
        ("texas-holdem-dice", 20, 1, (2, 6)),  # H1, H2
        ("yahtzee-deluxe", 6, 3, (1, None)),  # Y1
    ],
)
def test_turns(game: str, dice: int, rolls: int, players: tuple[int, int | None]) -> None:
    """A game has the dice, rolls of a turn and players that its rules name; None: any number."""
    variant = own_variants()[game]
    count = variant.dice.count
    assert (count, variant.rolls, variant.players) == (dice, rolls, players)
