"""Leaving a game on the page: for good, after a question, and without stopping the others."""

from __future__ import annotations

from tests.live import Service
from tests.page.browser.game import Game, new_game, shared_table
from tests.page.browser.visitor import Visit, expect


def leave(game: Game, button: str, *, sure: bool = True) -> None:
    """Presses a button to leave, and answers the question."""
    game.page.once("dialog", lambda dialog: dialog.accept() if sure else dialog.dismiss())
    game.hand.press(game.page.get_by_role("button", name=button, exact=True))


def test_on_one_device(visit: Visit, service: Service) -> None:
    """On a device that goes round anybody can leave, after a question; the page says who did."""
    game = new_game(visit, "dice-poker", ("Ann", "Ben", "Cid"))
    buttons = game.page.locator(".leaving button")
    expect(buttons).to_have_text(["Ann leaves", "Ben leaves", "Cid leaves"])
    leave(game, "Ann leaves", sure=False)
    assert game.read(service)["version"] == 1
    leave(game, "Ann leaves")
    expect(game.page.locator(".left")).to_have_text("Left the game: Ann.")
    expect(buttons).to_have_text(["Ben leaves", "Cid leaves"])
    expect(game.page.locator(".status")).to_have_text("Ben is to play.")
    told = game.page.locator(".story li")
    expect(told.first).to_have_text("Ann gives up the turn: ones gets a zero.")
    expect(told.nth(1)).to_have_text("Ann has left the game.")
    game.do("roll")
    expect(game.page.locator(".left")).to_be_visible()


def test_on_devices_of_their_own(visit: Visit) -> None:
    """On a device of their own, a player can leave alone; the others see it without a click."""
    ann, ben = shared_table(visit, "yahtzee-deluxe")
    expect(ben.page.locator(".leaving button")).to_have_text(["Leave the game"])
    leave(ben, "Leave the game")
    for game in ann, ben:
        expect(game.page.locator(".left")).to_have_text("Left the game: Ben.")
    expect(ben.page.locator(".leaving")).to_have_count(0)


def test_who_went_away(visit: Visit, service: Service) -> None:
    """The device that set the game up, with the token of the table, has a player leave who went
    away. It still is the device of its own player.
    """
    ann, ben = shared_table(visit, "dice-poker")
    expect(ann.page.locator(".leaving button")).to_have_text(
        ["Leave the game", "Go on without Ben"]
    )
    leave(ann, "Go on without Ben")
    for game in ann, ben:
        expect(game.page.locator(".left")).to_have_text("Left the game: Ben.")
    assert ann.read(service)["state"]["left"] == ["Ben"]
    expect(ann.page.locator(".status")).to_have_text("Your turn")
    ann.do("roll")
