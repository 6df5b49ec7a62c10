"""The first view."""

from __future__ import annotations

from tests.live import Service
from tests.page.browser.game import Game
from tests.page.browser.visitor import Visit, expect


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


def test_home_lists_the_games(visit: Visit, service: Service) -> None:
    """The first view has each game of the catalogue, with what it is and two ways to go on."""
    games = service.get("/v1/variants").json["variants"]
    page = visit().open()
    expect(page).to_have_title("What shall we play? · Dice table")
    cards = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Play"))
    # The pictures of dice have texts, too, and are drawn later.
    texts = [card.locator("h2, p:not(.row), a").all_inner_texts() for card in cards.all()]
    assert texts == [[game["name"], game["summary"], "Play", "Score dice"] for game in games]
