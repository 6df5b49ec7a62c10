"""The first view."""

from __future__ import annotations

from typing import Any

import pytest

from tests.live import Service
from tests.page.browser.game import Game, choose_game, new_game
from tests.page.browser.pace import SHIFTS
from tests.page.browser.visitor import Route, Visit, expect
from tests.sessions.servers import until

MINUTES = {
    "dice-poker": 15,
    "poker-dice": 10,
    "roll-a-royal": 15,
    "texas-holdem-dice": 30,
    "yahtzee-deluxe": 15,
}
"""For each game, how long the page says that it takes."""

WAYS = ["Play the computer", "Two on this device", "Invite", "Options", "Score dice"]
"""What can be done with a game."""


def test_a_game_that_is_removed(visit: Visit) -> None:
    """A game can be removed from the list, after a question; the keyboard goes on at the next.
    After the last one there is no list, and it goes on in the view.
    """
    visitor = visit()
    visitor.allows("ERR_ABORTED")  # the pictures of the games, by the reload
    for variant in ("dice-poker", "poker-dice", "yahtzee-deluxe"):
        Game(visitor).set_up(variant, ("Ann", "Ben"))
    page = visitor.open()
    games = page.locator(".list li")
    expect(games).to_have_count(3)
    remove = games.nth(1).get_by_role("button", name="Remove: Ann and Ben")
    page.once("dialog", lambda dialog: dialog.dismiss())
    remove.click()
    expect(games).to_have_count(3)
    page.once("dialog", lambda dialog: dialog.accept())
    remove.click()
    expect(games).to_have_count(2)
    expect(games.nth(1).get_by_role("button")).to_be_focused()
    before = games.all_inner_texts()
    page.reload()
    expect(games).to_have_count(2)
    assert games.all_inner_texts() == before
    for _ in range(2):
        page.once("dialog", lambda dialog: dialog.accept())
        games.first.get_by_role("button").click()
    expect(page.get_by_role("heading", name="Your games")).to_have_count(0)
    expect(page.locator("main")).to_be_focused()


def test_a_game_that_is_over(visit: Visit) -> None:
    """Among the games of a device, one that is over says who won it, and others don't."""
    game = new_game(visit, "poker-dice", ("Ann", "Ben"), {"rounds": 1})
    winners = game.play_elsewhere()["state"]["winners"]
    expect(game.page.locator(".winners")).to_be_visible()
    game.set_up("dice-poker", ("Ann", "Ben"))
    games = game.visitor.open().locator(".list li")
    won = f"{winners[0]} wins!" if len(winners) == 1 else "Ann and Ben share the win!"
    expect(games.nth(0).locator("strong")).to_have_count(0)
    expect(games.nth(1).locator("strong")).to_have_text(won)


def test_a_view_that_was_left(visit: Visit) -> None:
    """The questions of the first view are given up when another view is opened."""
    visitor = visit()
    visitor.allows("ERR_ABORTED")
    page = visitor.page
    page.route("**/v1/variants/*", lambda _: None)  # no answer comes
    asked: set[str] = set()
    page.on("request", lambda each: asked.add(each.url) if "/variants/" in each.url else None)
    page.on("requestfailed", lambda each: asked.discard(each.url))
    visitor.open()
    until(lambda: page.evaluate("true") and len(asked) >= len(MINUTES), "each game is asked for")
    page.goto(f"{visitor.origin}/play#/verify")
    expect(page.get_by_role("heading", name="Were the dice fair?")).to_be_visible()
    until(lambda: page.evaluate("true") and not asked, "no request is left")


def test_each_game(visit: Visit, service: Service) -> None:
    """The first view has each game of the catalogue, with what it is, for how many, and how long it
    takes; the one that is chosen lies on the table, with its dice and all that can be done.
    """
    games = [service.get(f"/v1/variants/{name}").json for name in MINUTES]
    page = visit().open()
    expect(page).to_have_title("What shall we play? · Dice table")
    tiles, stage = page.locator(".game"), page.locator(".stage")
    expect(page.get_by_role("radiogroup", name="What shall we play?")).to_be_visible()
    expect(tiles.locator("strong")).to_have_text([game["name"] for game in games])
    assert all(tiles.locator(".about").all_inner_texts())
    expect(tiles.locator(".facts")).to_have_text(
        [f"{_players(game)}, {MINUTES[game['id']]} minutes" for game in games]
    )
    colours = set()
    for game in games:
        choose_game(page, game["name"])
        expect(stage.locator(".summary")).to_have_text(game["summary"])
        expect(stage.locator("button, a")).to_have_text(WAYS)
        expect(stage.locator(".die")).to_have_count(6 if game["id"] == "yahtzee-deluxe" else 5)
        colours.add(page.locator(".board").evaluate("each => getComputedStyle(each).background"))
    assert len(colours) == len(games)


def _players(game: Any) -> str:
    least, most = game["players"].values()
    if most:
        return f"{least} to {most} players"
    return f"{least}+ players"


def test_the_keyboard_chooses(visit: Visit) -> None:
    """Arrow keys go from game to game, and a game begins by one press of its first button. The game
    that was chosen last lies on the table the next time.
    """
    game = Game(visit())
    game.visitor.allows("ERR_ABORTED")  # the dice of the games, by the reload
    page = game.visitor.open()
    page.get_by_role("radio", name="Dice poker").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("heading", level=2)).to_have_text("Poker dice")
    expect(page.get_by_role("radio", name="Poker dice")).to_be_focused()
    page.reload()
    begin = page.get_by_role("button", name="Two on this device: Poker dice")
    begin.focus()
    page.keyboard.press("Enter")
    game.view.wait_for()
    assert game.seat()["variant"] == "poker-dice"


def test_going_on(visit: Visit) -> None:
    """A game that is not over is one tap away on the table, until it ends; so is the newest one if
    there are several.
    """
    game = Game(visit())
    game.visitor.allows("ERR_ABORTED")
    going = game.page.locator(".going")
    game.set_up("poker-dice", ("Ann", "Ben"), {"rounds": 1})
    first = game.id
    game.set_up("yahtzee-deluxe")
    game.visitor.open()
    expect(going).to_have_text("Continue your game: Yahtzee Deluxe")
    going.click()
    game.view.wait_for()
    game.play_elsewhere()
    expect(game.page.locator(".winners")).to_be_visible()
    game.visitor.open()
    expect(going).to_have_text("Continue your game: Poker dice")
    going.click()
    game.view.wait_for()
    assert game.id == first


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_first_view_stays(visit: Visit, width: int) -> None:
    """What begins a game is on the screen at once, before the dice, and nothing moves when they
    come; nothing has to be scrolled sideways. Dice are at least 56 px wide.
    """
    visitor = visit(width=width, scripts=[SHIFTS])
    waiting: list[Route] = []
    visitor.page.route("**/v1/variants/*", lambda route: waiting.append(route))
    page = visitor.open()
    begin = page.get_by_role("button", name="Play the computer: Dice poker")
    expect(begin).to_be_in_viewport(ratio=1)
    before = begin.bounding_box()
    assert page.locator(".stage .die").count() == 0
    for route in waiting:
        route.continue_()
    dice = page.locator(".stage .die")
    expect(dice).to_have_count(5)
    expect(page.locator(".facts").last).not_to_be_empty()
    assert begin.bounding_box() == before
    assert page.evaluate("moved") == 0
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert min(dice.evaluate_all("all => all.map(each => each.clientWidth)")) >= 56


def test_a_game_that_cannot_be_read(visit: Visit) -> None:
    """A game whose entry can't be read has no dice, and nobody knows for how many it is; it can be
    chosen and begun all the same.
    """
    visitor = visit()
    visitor.expects("status 500 GET .*/variants/dice-poker$")
    broken = {"status": 500, "json": {"status": 500}}
    visitor.page.route("**/variants/dice-poker", lambda route: route.fulfill(**broken))
    page = visitor.open()
    facts = page.locator(".facts:not(:empty)")
    expect(facts).to_have_count(len(MINUTES) - 1)
    expect(page.locator(".stage .die")).to_have_count(0)
    expect(page.get_by_role("button", name="Play the computer: Dice poker")).to_be_enabled()
    choose_game(page, "Poker dice")
    expect(page.locator(".stage .die")).to_have_count(5)


def test_the_log_names_the_game(visit: Visit) -> None:
    """The newest request in the panel is about the game on screen, also on the way back to it."""
    visitor = visit()
    page = visitor.open()
    visitor.develops()
    newest = page.locator("teach-panel summary").first
    expect(page.locator(".facts").last).not_to_be_empty()
    expect(newest).to_contain_text("GET /v1/variants")
    expect(newest).not_to_contain_text("/v1/variants/")
    for game in ("Dice poker", "Poker dice", "Dice poker"):
        choose_game(page, game)
        page.get_by_role("link", name=f"Options: {game}").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(game)
        path = game.lower().replace(" ", "-")
        expect(newest).to_contain_text(f"GET /v1/variants/{path}")
        page.go_back()
