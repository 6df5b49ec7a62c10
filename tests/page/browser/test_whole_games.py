"""Whole games of each variant, on one device that goes round."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest

from tests.live import Service
from tests.page.browser.game import SHORT, Game, Keyboard, new_game
from tests.page.browser.visitor import Visit, expect

PLAYERS = {variant: ["Ann", "Ben"] for variant in SHORT} | {"yahtzee-deluxe": ["Ann"]}
"""Who plays: alone where a game is long, and another of its kind has two players."""

BOXES_LEFT = 0 if os.environ.get("WHOLE") else 2
"""The open boxes with which a score card comes to the page, where it is not played as a whole: all
turns are alike. The other games are short.
"""


@pytest.mark.parametrize("variant", SHORT)
def test_by_clicks(variant: str, visit: Visit, service: Service) -> None:
    """A game is played to its end by clicks on one device; the page says who won, as the service
    does, and draws every die again from the seed.
    """
    game = new_game(visit, variant, PLAYERS[variant])
    _shortened(game, service)
    game.play_to_the_end()
    ended = game.read(service)
    assert (ended["state"]["over"], ended["players"]) == (True, PLAYERS[variant])
    expect(game.page.locator(".winners h2")).to_have_text(
        _result(variant, ended["state"]["winners"])
    )
    assert game.offered() == []
    expect(game.view).not_to_contain_text(re.compile(r"Still to decide|Pot 0"))
    expect(game.page.locator(".felt :is(.last-hand, .to-beat, .slot)")).to_have_count(0)
    game.page.get_by_role("link", name="Were the dice fair?").click()
    expect(game.page.locator(".verdict strong")).to_have_text(
        "Yes. Every die follows from the seed."
    )


def _shortened(game: Game, service: Service) -> None:
    """Plays a score card elsewhere until few of its boxes are open."""
    if BOXES_LEFT and "cards" in game.read(service)["state"]:
        game.play_elsewhere(BOXES_LEFT)


def _result(variant: str, winners: list[Any]) -> str:
    """What the page says of the winners."""
    if len(PLAYERS[variant]) == 1:
        return "The game is over."
    return f"{winners[0]} wins!" if len(winners) == 1 else "Ann and Ben share the win!"


@pytest.mark.parametrize(
    "variant", ["yahtzee-deluxe", "poker-dice", "roll-a-royal", "texas-holdem-dice"]
)
def test_by_keys(variant: str, visit: Visit, service: Service) -> None:
    """A game of each kind is set up and played to its end with the keyboard alone."""
    game = Game(visit(), Keyboard())
    game.set_up(variant, PLAYERS[variant])
    _shortened(game, service)
    game.play_to_the_end()
    winners = game.read(service)["state"]["winners"]
    expect(game.page.locator(".winners h2")).to_have_text(_result(variant, winners))
