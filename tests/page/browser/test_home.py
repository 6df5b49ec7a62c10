"""The first view."""

from __future__ import annotations

from tests.live import Service
from tests.page.browser.visitor import Visit, expect


def test_home_lists_the_games(visit: Visit, service: Service) -> None:
    """The first view has each game of the catalogue, with what it is and two ways to go on."""
    games = service.get("/v1/variants").json["variants"]
    page = visit().open()
    expect(page).to_have_title("What shall we play? · Dice table")
    cards = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Play"))
    # The pictures of dice have texts, too, and are drawn later.
    texts = [card.locator("h2, p:not(.row), a").all_inner_texts() for card in cards.all()]
    assert texts == [[game["name"], game["summary"], "Play", "Score dice"] for game in games]
