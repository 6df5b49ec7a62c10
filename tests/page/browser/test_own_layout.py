"""Dice that players lay out themselves, and what the page says of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.live import Service
from tests.page.browser.game import REAL_DICE, Keyboard, Pointer, new_game
from tests.page.browser.score_view import type_faces
from tests.page.browser.visitor import Visit, box_of

VARIANT = "roll-a-royal"
DICE = ["As", "Ks", "Qs", "Js", "9s", "8h", "8d", "4c", "3c", "2c", "2d", "7h", "5h"]
NAMES = ["ace of spades", "king of spades", "queen of spades", "jack of spades", "9 of spades"]
SIGNS = ["A♠", "K♠", "Q♠", "J♠"]
FLUSH: dict[str, Any] = {"dice": [0, 1, 2, 3, 4], "direction": "across", "row": 0, "column": 0}


def _own(page: Page) -> Locator:
    return page.locator(".own")


def _entered(visit: Visit, *refused: str) -> Page:
    """The view that scores, once all dice were typed; requests that match `refused` are refused."""
    visitor = visit()
    visitor.expects(*refused)
    page = visitor.open(f"#/score/{VARIANT}")
    type_faces(page, "".join(DICE))
    return page


def _lay(page: Page, hand: Pointer | Keyboard, name: str, row: int, column: int) -> None:
    """Chooses a die, and lays it in a cell; the first one is laid in row 0 and column 0."""
    hand.press(_own(page).locator(".loose button").and_(page.get_by_label(name, exact=True)))
    hand.press(_own(page).locator(f"[data-cell='{row},{column}']"))


@pytest.mark.parametrize("hand", [Pointer(), Keyboard()], ids=["clicks", "keys"])
def test_scored(hand: Pointer | Keyboard, visit: Visit, service: Service) -> None:
    """Each layout of one's own at once has its points, its hands, and how much more the best layout
    has; the page says which dice are no hand yet, and asks for nothing until there is a hand.
    """
    page = _entered(visit)
    scored: list[str] = []
    page.on("request", lambda request: scored.append(request.url))
    judged = _own(page).locator(".judged p")
    for column, name in enumerate(NAMES[:4]):
        _lay(page, hand, name, 0, column)
        yet = (
            f"{' '.join(SIGNS[: column + 1])}: not a hand yet"
            if column
            else "Tap a die, then its place."
        )
        expect(judged).to_have_text([yet])
    assert not [url for url in scored if url.endswith("/score")]
    _lay(page, hand, NAMES[4], 0, 4)
    answer = service.post(f"/v1/variants/{VARIANT}/score", {"rolls": [DICE], "layout": [FLUSH]})
    own = _own(page)
    expect(own.locator(".points")).to_have_text(f"{answer.json['score']} points")
    more = answer.json["best"]["beats_by"]
    expect(own).to_contain_text(f"The best layout has {more} points more.")
    expect(own.locator(".judged .muted")).to_have_text(f"Flush {answer.json['score']}")
    _lay(page, hand, "8 of hearts", 1, 0)
    points = re.compile(f"^{answer.json['score']} points")
    flush = f"Flush {answer.json['score']}"
    expect(judged).to_have_text([points, "A♠ 8♥: not a hand yet"])
    hand.press(own.get_by_label("Row 5, column 3: 8 of hearts"))
    expect(judged).to_have_text([points, flush])
    expect(own.locator(".loose button[aria-pressed=true]")).to_have_accessible_name("8 of hearts")


def test_as_good_as_the_best(visit: Visit, service: Service) -> None:
    """The page says so if no layout has more, and scores it again under another house rule."""
    page = _entered(visit, r"status 422 POST .*/score$")
    best = service.post(f"/v1/variants/{VARIANT}/evaluate", {"rolls": [DICE]}).json
    row, column = _middle(best["hands"])
    laid: set[int] = set()
    for hand in best["hands"]:
        for at, die in enumerate(hand["dice"]):
            place = (0, at) if hand["direction"] == "across" else (at, 0)
            if die not in laid:
                _lay(page, Pointer(), _name(DICE[die]), hand["row"] + place[0] - row,
                     hand["column"] + place[1] - column)  # fmt: skip
                laid.add(die)
    own = _own(page)
    expect(own).to_contain_text("No layout has more points.")
    expect(own.locator(".points")).to_have_text(f"{best['score']} points")
    page.locator("summary", has_text="House rules").click()
    page.locator(".rule", has_text="Layout").locator("select").select_option("Unconnected")
    expect(own.locator(".judged p").first).to_contain_text(" shares A♠ with ")


def _middle(hands: list[dict[str, Any]]) -> tuple[int, int]:
    """Where the first die of the first hand lies."""
    return hands[0]["row"], hands[0]["column"]


def _name(card: str) -> str:
    ranks = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
    suits = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
    return f"{ranks.get(card[0], card[0])} of {suits[card[1]]}"


def test_played(visit: Visit, service: Service) -> None:
    """In a game, a player may lay the dice out as they like: the page says what that has before it
    lies, and doesn't advise those who want none. While a die is in no hand, it can't be laid.
    """
    game = new_game(visit, VARIANT, ["Ann"], {"turns": 2}, REAL_DICE)
    game.enter("AsKsQsJsTs" + "".join(DICE[5:]))
    for column, name in enumerate([*NAMES[:4], "10 of spades"]):
        _lay(game.page, game.hand, name, -2, column - 2)  # from the first cell of all
    expect(_own(game.page)).to_contain_text("Royal flush")
    expect(_own(game.page)).not_to_contain_text("layout")
    _lay(game.page, game.hand, "4 of clubs", 1, -2)
    judged = game.page.locator(".judged p")
    expect(judged).to_have_text(["8,000 points", "4♣: not a hand yet"])
    expect(game.page.locator("[data-action='lay own']")).to_be_disabled()
    game.hand.press(game.page.locator(".cells").get_by_label("4 of clubs"))
    game.act(game.button("lay own"))
    laid = game.read(service)["state"]["turn"]["laid"]
    assert [(hand["dice"], hand["row"], hand["column"]) for hand in laid["hands"]] == [
        ([0, 1, 2, 3, 4], 0, 0)
    ]
    expect(game.page.locator(".felt .grid svg.die")).to_have_count(5)
    expect(game.page.locator(".felt .points")).to_contain_text(f"{laid['points']:,} points")
    expect(_own(game.page)).to_have_count(0)


def test_taken_up(visit: Visit) -> None:
    """Dice can be taken up one after another, down to none, and the keyboard stays among them."""
    page = _entered(visit)
    for column in range(4):
        _lay(page, Pointer(), NAMES[column], 0, column)
    for column in range(4):
        Keyboard().press(_own(page).locator(f"[data-cell='0,{column}']"))
        assert page.evaluate("document.activeElement.closest('.own') !== null")
    expect(_own(page).locator(".cells svg")).to_have_count(0)


def test_one_die_was_wrong(visit: Visit) -> None:
    """Once a die that was entered by mistake is corrected, the others lie where they lay."""
    page = _entered(visit)
    for column in range(5):
        _lay(page, Pointer(), NAMES[column], 0, column)
    page.keyboard.press("Escape")
    page.locator("dice-entry .places button").last.click()
    page.keyboard.type("6h")
    expect(_own(page).get_by_label("6 of hearts", exact=True)).to_be_visible()
    expect(_own(page).locator(".cells svg")).to_have_count(5)
    expect(_own(page).locator(".points")).to_have_text("300 points")


def test_where_there_is_no_grid(visit: Visit) -> None:
    """If a die may count in three hands, lines are not only across and down: none can be laid."""
    page = _entered(visit)
    expect(_own(page)).to_be_visible()
    page.locator("summary", has_text="House rules").click()
    page.get_by_label("Max uses").fill("3")
    page.get_by_label("Max uses").press("Tab")
    expect(_own(page)).to_be_hidden()


def test_open_on_the_felt(visit: Visit) -> None:
    """At the table, cells take the place of the dice once they can be laid, each 44 px wide, on a
    phone without scrolling; what lies stays while blanks are rolled again; the service's layout is
    the smaller button.
    """
    game = new_game(visit, VARIANT, ["Ann"], {"turns": 9}, REAL_DICE, width=390, height=844)
    page = game.page
    game.enter("".join([*DICE[:-1], "--"]))
    cells = _own(page).locator(".cells button")
    expect(cells.first).to_be_visible()
    expect(page.locator(".felt.table > .dice")).to_have_count(0)
    sizes = _own(page).locator("button").evaluate_all("all => all.map(each => each.offsetWidth)")
    assert min(sizes) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for column in range(3):
        _lay(page, game.hand, NAMES[column], 0, column)
    page.locator("dice-entry .slot").first.click()
    page.keyboard.type("5h")
    game.act(page.locator(".typed .primary"))
    expect(_own(page).locator(".cells svg")).to_have_count(3)
    for each in (page.locator("[data-key=commit]"), game.button("lay")):
        expect(each).to_be_in_viewport(ratio=1)
    own, other = page.locator("[data-key=commit]"), game.button("lay")
    assert own.evaluate("each => each.offsetWidth") > other.evaluate("each => each.offsetWidth")


def test_a_layout_comes_back(visit: Visit) -> None:
    """Who has the service lay the dice, and takes that back, has their own layout again."""
    game = new_game(visit, VARIANT, ["Ann"], {"turns": 9}, REAL_DICE)
    game.enter("".join(DICE))
    for column, name in enumerate(NAMES):
        _lay(game.page, game.hand, name, 0, column)
    points = _own(game.page).locator(".points").inner_text()
    game.do("lay")
    expect(_own(game.page)).to_have_count(0)
    game.do("take_back")
    expect(_own(game.page).locator(".cells svg")).to_have_count(5)
    expect(_own(game.page).locator(".points")).to_have_text(points)


def test_a_board_that_moves(visit: Visit) -> None:
    """A board that makes room slides there, and takes no tap meanwhile: what one aims at moves."""
    game = new_game(visit, VARIANT, ["Ann"], None, REAL_DICE)
    page = game.page
    page.emulate_media(reduced_motion="no-preference")
    game.enter("".join(DICE))
    own = _own(page)
    game.view.evaluate(
        "(view) => Promise.all(view.getAnimations({subtree: true}).map(({finished}) => finished))"
    )
    own.get_by_label(NAMES[0], exact=True).click()
    cells = own.locator("[data-cell]")
    corner = cells.first.get_attribute("data-cell")
    slides = """(cells) => {
      cells.querySelector("button").click();
      const moving = cells.getAnimations();
      moving.forEach((each) => each.pause());
      cells.querySelectorAll("button.slot")[9].click();
      const laid = cells.querySelectorAll(".die:not(.slot)").length;
      moving.forEach((each) => each.finish());
      return [moving.length, laid];
    }"""
    assert own.locator(".cells").evaluate(slides) == [1, 1]
    expect(cells.first).not_to_have_attribute("data-cell", corner or "")
    own.locator("button.slot").nth(20).click()
    expect(own.locator(".cells button.die:not(.slot)")).to_have_count(2)


def test_the_button_that_lays(visit: Visit) -> None:
    """With no roll left, the button stands out that can be pressed: "Lay it for me", until one's
    own layout scores.
    """
    game = new_game(visit, VARIANT, ["Ann"], None, REAL_DICE)
    page = game.page
    game.enter("".join(DICE))
    gold = re.compile("^linear-gradient")
    lay, own = (page.locator(f"[data-action='{name}']") for name in ("lay", "lay own"))
    expect(own).to_be_disabled()
    expect(own).to_have_css("background-image", "none")
    expect(lay).to_have_css("background-image", gold)
    for column, name in enumerate(NAMES):
        _lay(page, game.hand, name, -2, column - 2)
    expect(own).to_be_enabled()
    expect(own).to_have_css("background-image", gold)
    expect(lay).to_have_css("background-image", "none")


def test_worth_nothing(visit: Visit) -> None:
    """Players who roll real dice may have them laid after any roll that opens. A layout without
    points can only end the turn, and the button says so.
    """
    game = new_game(visit, VARIANT, ["Ann"], {"turns": 9}, REAL_DICE)
    game.enter("JsJh" + "--" * 11)
    assert game.offered() == ["lay"]
    game.do("lay")
    expect(game.page.locator(".felt .points")).to_have_text("0 points")
    buttons = game.page.locator(".table .actions button")
    expect(buttons).to_have_text(["End the turn"])
    expect(game.page.locator(".felt")).not_to_contain_text("risk")
    game.do("bank")
    expect(game.page.locator(".turn-line")).to_contain_text("Round 2 of 9")


def test_the_board_keeps_its_size(visit: Visit) -> None:
    """On a phone, while five rows of dice are laid, no cell changes its size, and a row around them
    is free: what was laid at the edge moves by one row. Only six rows make cells smaller.
    """
    game = new_game(visit, VARIANT, ["Ann"], {"turns": 9}, REAL_DICE, width=390, height=844)
    game.visitor.allows("status 422 POST .*/score$")  # six cards are no hand
    page = game.page
    game.enter("".join(DICE))
    cell = _own(page).locator("[data-cell='0,0']")
    before = box_of(cell)
    for row, name in enumerate(NAMES, -2):
        _lay(page, game.hand, name, row, 0)
        assert box_of(cell) == before
    game.hand.press(_own(page).locator("[data-cell='-2,0']"))
    _lay(page, game.hand, NAMES[0], 3, 0)
    assert box_of(cell) == {**before, "y": before["y"] - before["height"] - 2}
    expect(_own(page).locator("[data-cell='4,0']")).to_be_visible()
    _lay(page, game.hand, "8 of hearts", -2, 0)
    assert 36 <= cell.evaluate("each => each.offsetWidth") < before["width"]


def test_many_columns_on_the_smallest_screen(visit: Visit) -> None:
    """On a screen of 320 px, all cells of a board with nine columns of dice can be tapped."""
    game = new_game(visit, VARIANT, ["Ann"], {"turns": 9}, REAL_DICE, width=320)
    game.enter("".join(DICE))
    others = ["8 of hearts", "8 of diamonds", "4 of clubs", "3 of clubs"]
    for column, name in enumerate([*NAMES, *others], -2):
        _lay(game.page, game.hand, name, column % 2 * 2, column)
    cells = _own(game.page).locator(".cells > *")
    sides = cells.evaluate_all(
        """all => all.map((each) => each.getBoundingClientRect())
          .map(({left, right}) => [left, right])"""
    )
    assert min(left for left, _ in sides) >= 0
    assert max(right for _, right in sides) <= 320
    assert min(right - left for left, right in sides) >= 24
