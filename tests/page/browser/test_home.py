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
    """The first view has each game of the catalogue, with what it is, and what can be done."""
    games = service.get("/v1/variants").json["variants"]
    page = visit().open()
    expect(page).to_have_title("What shall we play? · Dice table")
    cards = page.locator(".game")
    # The pictures of dice have texts, too, and are drawn later.
    texts = [
        card.locator("h2, p:not(:has(*)), button, a").all_inner_texts() for card in cards.all()
    ]
    ways = ["Play the computer", "Two on this device", "Invite", "Options", "Score dice"]
    assert texts == [[game["name"], game["summary"], *ways] for game in games]


def test_pictures(visit: Visit) -> None:
    """The picture of a game reaches to the edges of its card."""
    page = visit().open()
    expect(page.locator(".picture svg").last).to_be_visible()
    gaps = page.locator(".game").evaluate_all(
        """all => all.map((card) => {
             const [outer, inner] = [card, card.querySelector(".picture")]
               .map((each) => each.getBoundingClientRect());
             return [inner.top - outer.top, inner.left - outer.left, outer.right - inner.right];
           })"""
    )
    assert gaps == [[1, 1, 1]] * len(gaps)


def test_a_picture_that_is_missing(visit: Visit) -> None:
    """A game whose entry can't be read has no picture; the others have theirs."""
    visitor = visit()
    visitor.expects("status 500 GET .*/variants/dice-poker$")
    broken = {"status": 500, "json": {"status": 500}}
    visitor.page.route("**/variants/dice-poker", lambda route: route.fulfill(**broken))
    page = visitor.open()
    pictures = page.locator(".picture:has(svg)")
    expect(pictures).to_have_count(page.locator(".picture").count() - 1)


def test_the_log_names_the_game(visit: Visit) -> None:
    """The newest request in the panel is about the game on screen, also on the way back to it."""
    visitor = visit()
    page = visitor.open()
    visitor.develops()
    newest = page.locator("teach-panel summary").first
    expect(page.locator(".picture svg").last).to_be_visible()
    expect(newest).to_contain_text("GET /v1/variants")
    expect(newest).not_to_contain_text("/v1/variants/")
    for game in ("Dice poker", "Poker dice", "Dice poker"):
        page.get_by_role("link", name=f"Options: {game}").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(game)
        path = game.lower().replace(" ", "-")
        expect(newest).to_contain_text(f"GET /v1/variants/{path}")
        page.go_back()
