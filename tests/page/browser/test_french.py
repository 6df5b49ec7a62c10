"""The page in a language that it has alone, from one file."""

from __future__ import annotations

from tests.page.browser.game import Game
from tests.page.browser.visitor import Visit, expect


def test_french(visit: Visit) -> None:
    """A browser in French gets the page in French, and plays a game to its end; numbers and plurals
    are French, too. Another language is one click away, and stays.
    """
    game = Game(visit(language="fr"))
    game.visitor.allows("ERR_ABORTED")  # the pictures of the games, by the reload
    page = game.visitor.open()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("heading", level=1)).to_have_text("À quoi jouons-nous\u202f?")
    game.set_up("poker-dice", rules={"rounds": 1})
    game.play_to_the_end()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("button", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_narrow(visit: Visit) -> None:
    """With three languages in its head, the page needs no scrolling sideways at 320 px."""
    for language in ("en", "de", "fr"):
        page = visit(width=320, language=language).open()
        assert page.evaluate("document.documentElement.scrollWidth") == 320
