"""Every view: for people who use a screen reader, a dark screen, a narrow one, or no animation."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.live import Service
from tests.page.browser.game import OWN_DEVICES, REAL_DICE, Game, new_game
from tests.page.browser.pace import SHIFTS
from tests.page.browser.visitor import Visit, Visitor, box_of, expect

VENDOR = Path(__file__).parent / "vendor"

ADVICE = "Show advice during the game"

THIRTEEN = "AsKsQsJs9s8h8d4c3c2c2d7h5h"
"""The keys of a roll of `roll-a-royal`."""


def _opened(fragment: str, opens: str = "") -> Callable[[Visitor], None]:
    """The view of a fragment, with what the selector `opens` finds open."""

    def lead(visitor: Visitor) -> None:
        page = visitor.open(fragment)
        for each in page.locator(opens).all() if opens else []:
            each.click()

    return lead


def _scored(variant: str, keys: str) -> Callable[[Visitor], None]:
    """The view that scores dice, after `keys` were typed into it."""

    def lead(visitor: Visitor) -> None:
        page = visitor.open(f"#/score/{variant}")
        page.locator("dice-entry .slot").first.click()
        page.keyboard.type(keys)
        waiting = page.locator(".result .muted", has_text=re.compile("As soon as|Sobald"))
        expect(waiting).to_have_count(0)

    return lead


def _laid(visitor: Visitor) -> None:
    """The view that scores a layout that was laid by hand."""
    _scored("roll-a-royal", THIRTEEN)(visitor)
    _lay(visitor)


def _laid_at_the_table(visitor: Visitor) -> None:
    """A table where a player has laid dice by hand, and hasn't played them yet."""
    game = Game(visitor)
    game.set_up("roll-a-royal", ("Ann",), {}, REAL_DICE)
    game.enter(THIRTEEN)
    _lay(visitor)


def _lay(visitor: Visitor) -> None:
    """Lays the first five dice beside each other."""
    own = visitor.page.locator(".own")
    own.locator(".loose button").first.click()
    for column in range(5):
        own.locator(f"[data-cell='0,{column}']").click()
    own.locator(".points").wait_for()


def _played(variant: str, steps: int, *choices: str) -> Callable[[Visitor], None]:
    """A table after some actions, with the panel of advice open if there is one."""

    def lead(visitor: Visitor) -> None:
        visitor.allows("failed GET .*/advice net::ERR_ABORTED")
        game = Game(visitor)
        game.set_up(variant, ("Ann", "Ben"), {}, *choices)
        for _ in range(steps):
            game.step()
        for panel in game.page.locator("advice-panel summary").all():
            panel.click()

    return lead


def _own_pocket(visitor: Visitor) -> None:
    """The device of a player of Hold'em without a limit who may bet."""
    game = Game(visitor)
    game.set_up("texas-holdem-dice", ("Ann", "Ben"), {"betting": "no_limit"}, OWN_DEVICES)
    visitor.open(game.invitations()["Ben"])
    game.page.locator("[name=slide]").wait_for()


def _showdown(visitor: Visitor) -> None:
    """The end of a hand of Hold'em that three players have called down."""
    game = Game(visitor)
    game.set_up("texas-holdem-dice", ("Ann", "Ben", "Cleo"), {})
    while not game.page.locator(".pause").count():
        game.act(game.page.locator("[data-action=call], [data-action=bet]").first)


def _ended(view: str) -> Callable[[Visitor], None]:
    """A view of a game that has ended."""

    def lead(visitor: Visitor) -> None:
        game = Game(visitor)
        game.set_up("dice-poker", ("Ann", "Ben"), {"turn_seconds": 600})
        game.play_elsewhere()
        if view == "review":
            game.wait_for_table(view)
        if view:
            game.page.goto(f"{visitor.origin}/play#/{view}/{game.id}")
            game.page.locator(".view.review .curve, .verdict.true").first.wait_for()

    return lead


VIEWS: dict[str, Callable[[Visitor], None]] = {
    "home": _opened(""),
    "setup": _opened("#/new/dice-poker", "main summary"),
    "setup with chips": _opened("#/new/texas-holdem-dice", "main summary"),
    "score: card": _scored("dice-poker", "35556"),
    "score: deluxe card": _scored("yahtzee-deluxe", "355562"),
    "score: hands": _scored("poker-dice", "1123342456"),
    "score: layout": _scored("roll-a-royal", THIRTEEN),
    "score: own layout": _laid,
    "score: pots": _scored("texas-holdem-dice", "3b4b4w2y6y5r6r3r3w"),
    "play: card": _played("dice-poker", 8),
    "play: deluxe card": _played("yahtzee-deluxe", 5),
    "play: hands": _played("poker-dice", 2, ADVICE),
    "play: layout": _played("roll-a-royal", 4, ADVICE),
    "play: own layout": _laid_at_the_table,
    "play: pots": _played("texas-holdem-dice", 7, ADVICE),
    "play: own pocket": _own_pocket,
    "play: showdown": _showdown,
    "play: typed dice": _played("dice-poker", 0, REAL_DICE),
    "invitations": _played("dice-poker", 0, OWN_DEVICES),
    "end": _ended(""),
    "review": _ended("review"),
    "proof": _ended("verify"),
    "proof of a file": _opened("#/verify"),
    "what the page sends": _opened(
        "#/new/poker-dice", "header [aria-pressed], teach-panel summary"
    ),
    "no such view": _opened("#/nowhere"),
}


def violations(page: Page) -> list[str]:
    """What axe-core finds: the rule, and the element."""
    if not page.evaluate("'axe' in window"):
        page.evaluate((VENDOR / "axe.min.js").read_text())
    found: list[dict[str, Any]] = page.evaluate(
        """async () => {
          const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
          const found = await axe.run(document, {runOnly: tags, resultTypes: ["violations"]});
          return found.violations.flatMap(({id, nodes}) => nodes.map(({html}) => ({id, html})));
        }"""
    )
    return [f"{each['id']}: {each['html'][:200]}" for each in found]


def sideways(page: Page) -> int:
    """By how many pixels the page is wider than the screen."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wider


@pytest.mark.parametrize("view", VIEWS)
def test_view(view: str, visit: Visit) -> None:
    """axe-core finds no violation in a view, light or dark, on a wide screen and on a phone, in
    either language. On a screen 360 px wide nothing has to be scrolled sideways.
    """
    visitor = visit()
    VIEWS[view](visitor)
    page = visitor.page
    found: dict[str, object] = {}
    page.set_viewport_size({"width": 1920, "height": 1080})
    found["wide, light"] = violations(page)
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="dark")
    found["narrow, dark"] = violations(page)
    found["English"] = sideways(page)
    page.get_by_role("button", name="Deutsch").click()
    page.wait_for_selector("html[lang=de] #view:not([aria-busy]) .view")
    found["German"] = sideways(page)
    page.emulate_media(color_scheme="light")
    found["German, narrow"] = violations(page)
    assert found == {key: 0 if key in ("English", "German") else [] for key in found}


def test_the_focus_follows(visit: Visit) -> None:
    """After a link, the focus is on the new view, whose name is the title of the page; after the
    page is opened, it is where browsers put it.
    """
    page = visit().open()
    focused = "document.activeElement.id || document.activeElement.tagName"
    assert page.evaluate(focused) == "BODY"
    page.get_by_role("link", name="Score dice: Dice poker").click()
    expect(page).to_have_title("Score: Dice poker · Dice table")
    assert page.evaluate(focused) == "view"


def test_a_roll_is_read_out(visit: Visit, service: Service) -> None:
    """A screen reader reads the dice of each roll, whoever rolls them, and nothing twice."""
    game = new_game(visit, "yahtzee-deluxe", ("Ann",))
    said = game.page.locator("p.offscreen[role=status]")
    expect(said).to_be_empty()
    game.do("roll")
    dice = game.read(service)["state"]["turn"]["dice"]
    expect(said).to_have_text(", ".join(map(str, dice)))


@pytest.mark.parametrize("width", [760, 1280])
def test_a_wide_sheet(visit: Visit, service: Service, width: int) -> None:
    """With many players, the column of the player whose turn it is stays in sight beside the names
    of the boxes, however long a name is, also after a reload, and the sheet stays where somebody
    scrolled it to while that is the case.
    """
    visitor = visit(width=width)
    visitor.allows("ERR_ABORTED")  # the request that waits at the reload
    game = Game(visitor)
    players = [*[f"Player number {each}" for each in range(7)], "M" * 64]
    game.set_up("yahtzee-deluxe", players)
    sheet, column = game.page.locator(".side .pad"), game.page.locator(".sheet th.current")
    boxes = game.page.locator(".sheet th").first
    order = game.read(service)["state"]["order"]
    for turn, player in enumerate(order):
        expect(column).to_have_text(player)
        if turn == 5:
            game.page.reload()
            expect(column).to_be_in_viewport()
        whole, names, seen = box_of(sheet), box_of(boxes), box_of(column)
        assert names["x"] + names["width"] <= seen["x"] + 1
        assert seen["x"] + seen["width"] <= whole["x"] + whole["width"] + 2
        game.do("roll")
        if turn == 3:
            before = sheet.evaluate("(sheet) => sheet.scrollLeft += 5")
            game.page.locator(".dice.turn button.die").first.click()
            assert sheet.evaluate("(sheet) => sheet.scrollLeft") == before
        game.act(game.page.locator(".write").first)


def test_a_name_from_right_to_left(visit: Visit) -> None:
    """A name in Arabic or Hebrew doesn't turn the numbers after it around."""
    game = new_game(visit, "yahtzee-deluxe", ["\u0645\u0631\u064a\u0645", "\u05d3\u05df"])
    game.do("roll")
    game.act(game.page.locator(".write:not(.zero)").first)
    told = game.page.locator(".story li").filter(has_text=re.compile("^\u2068[^:]+\u2069: "))
    expect(told).to_have_count(1)


def test_what_reasons_cite(visit: Visit, service: Service) -> None:
    """At the table lie the rules that reasons cite, and the house rules of this game."""
    game = new_game(visit, "dice-poker", ("Ann",), {"turn_seconds": 600, "joker": True})
    game.do("roll")
    game.act(game.page.locator(".write").first)
    news = game.read(service)["state"]["news"]
    cited = [each["because"]["clause"] for each in news if "clause" in each["because"]]
    assert cited
    game.page.get_by_text("The rules of the game").click()
    rules, _boxes, house_rules = game.page.locator(".below .clauses").all()
    assert set(cited) <= set(rules.locator("dt").all_inner_texts())
    assert house_rules.locator("dd").all_inner_texts() == [
        "Extra five bonus: 0",
        "Joker: yes",
        "Five alike is full house: no",
        "Turn seconds: 600",
        "Throw to begin: no",
        "Zero only if nothing fits: no",
    ]


def test_zeros_that_are_refused(visit: Visit) -> None:
    """Under zero_only_if_nothing_fits the sheet offers only boxes with points, and no crossing out
    while there are any (D17).
    """
    game = new_game(
        visit, "dice-poker", ("Ann",), {"turn_seconds": 600, "zero_only_if_nothing_fits": True}
    )
    game.do("roll")
    offered = game.page.locator(".write").all_inner_texts()
    assert offered
    assert "0" not in offered
    expect(game.page.locator(".write.zero")).to_have_count(0)


def test_kept_dice_stand_out(visit: Visit) -> None:
    """A die that is kept has a ring around it, in the colour for marks on felt."""
    game = new_game(visit, "dice-poker")
    game.do("roll")
    ring = "(die) => getComputedStyle(die).boxShadow"
    dice = game.page.locator(".dice.turn button.die")
    assert dice.first.evaluate(ring) == "none"
    dice.first.click()
    expect(dice.first).to_have_attribute("aria-pressed", "true")
    assert "rgb(242, 207, 99)" in dice.first.evaluate(ring)


@pytest.mark.parametrize("game", ["dice-poker", "yahtzee-deluxe", "roll-a-royal"])
def test_nothing_moves(visit: Visit, game: str) -> None:
    """While a view is drawn on a phone, what is on screen moves by less than 0.1 (layout shift)."""
    page = visit(width=360, scripts=[SHIFTS]).open(f"#/score/{game}")
    page.get_by_role("button").first.wait_for()
    assert page.evaluate("moved") < 0.1


def test_words_for_the_dice(visit: Visit, service: Service) -> None:
    """The words that players give are mixed into their dice."""
    game = Game(visit())
    page = game.visitor.open("#/new/poker-dice")
    page.locator("summary", has_text="Options").click()
    page.get_by_label("Your words for the dice (optional)").fill("a lucky day")
    page.get_by_role("button", name="Start the game").click()
    game.view.wait_for()
    assert game.read(service)["fairness"]["client_seed"] == "a lucky day"
