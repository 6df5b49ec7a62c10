"""Where things lie on the table: nothing moves from move to move, and what counts is in sight."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.page.browser.game import NAMES, OWN_DEVICES, REAL_DICE, Game
from tests.page.browser.visitor import Page, Visit, expect

PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 800}
SMALL = {"width": 320, "height": 640}

WATCH = """() => {
  globalThis.moved = [];
  new PerformanceObserver((list) => moved.push(...list.getEntries().flatMap(({sources}) =>
    sources.map(({node, previousRect: {x, y}, currentRect}) =>
      [(node?.outerHTML ?? node?.data)?.slice(0, 200), x, y, currentRect.x, currentRect.y]))))
    .observe({type: "layout-shift"});
}"""
"""Keeps what a layout shift moves, with where from and where to."""

MAIN = ".table .actions .primary"


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
@pytest.mark.parametrize("variant", ["poker-dice", "texas-holdem-dice"])
def test_nothing_moves_through_a_round(
    visit: Visit, variant: str, size: Mapping[str, int]
) -> None:
    """Through a whole round or hand against a computer nothing on the screen moves, and the main
    button begins at one place, whatever it is for; so does the one that goes on.
    """
    game = Game(visit())
    game.visitor.allows("status 503 GET .*/(forecast|advice)$")
    page = game.page
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    game.set_up(variant, ("Ann",), {}, computers={"Robo": "easy"})
    able = page.locator(f"{MAIN}:enabled").first
    able.wait_for()
    page.evaluate(WATCH)
    places: set[tuple[float, float]] = set()
    while not page.locator(".next").count():
        places.add(_begins(page))
        bets = page.locator(".actions [data-action=bet]")  # after checks the flop is rolled again
        game.act(bets.first if bets.count() else able)
        able.wait_for()
    places.add(_begins(page))
    assert len(places) == 1
    assert page.evaluate("moved") == []


def _begins(page: Page) -> tuple[float, float]:
    """Where the main button begins: its left edge and its foot."""
    box = page.locator(MAIN).first.bounding_box()
    assert box
    return box["x"], box["y"] + box["height"]
