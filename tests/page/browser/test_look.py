"""The look, in figures: contrast of borders, felts and gold, and the size of dice."""

from __future__ import annotations

import re

import pytest

from tests.page.browser.game import NAMES, OWN_DEVICES, SHORT, Game, new_game
from tests.page.browser.test_views import VIEWS, sideways
from tests.page.browser.visitor import Page, Visit, box_of, expect

CONTROLS = ("home", "setup", "score: card", "score: pots", "play: card", "play: typed dice")
"""Views with every sort of control."""

_CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  globalThis.luminance = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data.map((each) => each);
    if (a < 255) return null;
    const [lr, lg, lb] = [r, g, b].map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * lr + 0.7152 * lg + 0.0722 * lb;
  };
  globalThis.contrast = (one, other) => {
    const [dark, light] = [one, other].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  globalThis.token = (place, name) => {
    const probe = place.appendChild(document.createElement("i"));
    probe.style.color = `var(--${name})`;
    const found = luminance(getComputedStyle(probe).color);
    probe.remove();
    return found;
  };
}"""
"""Defines what finds the luminance of a colour, and of a token at a place, and the contrast."""

_FAINT = """() => {
  const behind = (element) => {
    for (let each = element.parentElement; each; each = each.parentElement) {
      if (each.matches(".felt")) return [token(each, "felt"), token(each, "felt-deep")];
      const colour = luminance(getComputedStyle(each).backgroundColor);
      if (colour !== null) return [colour];
    }
  };
  const controls = "button, .button, input, select, textarea, .seat, .game";
  const bare = ".quiet, .die, .write, :disabled, .seat *, .game *, .sheet *, [type=range], "
    + "[type=radio], [type=checkbox], .slot";
  return [...document.querySelectorAll(controls)].filter((each) => {
    if (each.matches(bare) || !each.checkVisibility()) return false;
    const {borderTopColor, backgroundColor} = getComputedStyle(each);
    const edges = [borderTopColor, backgroundColor].map(luminance).filter((one) => one !== null);
    return !behind(each).every((back) => edges.some((edge) => contrast(edge, back) >= 3));
  }).map((each) => each.outerHTML.slice(0, 150));
}"""
"""The controls whose edge can't be told from what lies behind them: neither border nor face."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", CONTROLS)
def test_edges_of_controls(visit: Visit, view: str, scheme: str) -> None:
    """What can be pressed or filled in has an edge with a contrast of 3:1 (WCAG 1.4.11); what
    looks like a link has none.
    """
    visitor = visit()
    VIEWS[view](visitor)
    visitor.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    visitor.page.evaluate(_CONTRAST)
    assert visitor.page.evaluate(_FAINT) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours(visit: Visit, scheme: str) -> None:
    """On the cloth of each game, text and gold have a contrast of 4.5:1; the ring of gold on a
    plain cell has 3:1.
    """
    page = visit().open()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.evaluate(_CONTRAST)
    for variant in SHORT:
        lowest = page.evaluate(
            """(variant) => {
              const board = document.querySelector(".board");
              board.dataset.game = variant;
              const [deep, felt, ink, gold] = ["felt-deep", "felt", "felt-ink", "gold"]
                .map((name) => token(board, name));
              return Math.min(...[ink, gold].flatMap((one) => [deep, felt]
                .map((cloth) => contrast(one, cloth))));
            }""",
            variant,
        )
        assert lowest >= 4.5, variant
    ring = """["card", "mark"].map((name) => contrast(token(document.body, "mark-edge"),
                token(document.body, name)))"""
    plain, marked = page.evaluate(ring)
    assert plain >= 3
    assert marked >= 1.5  # the ring is also seen around the gold itself


def _rows(page: Page) -> list[int]:
    """How many dice lie in each row."""
    tops: list[float] = page.locator(".dice.turn .spot").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().top)"
    )
    return [tops.count(each) for each in sorted(set(tops))]


@pytest.mark.parametrize(
    ("variant", "rows"), [("dice-poker", [5]), ("poker-dice", [5]), ("yahtzee-deluxe", [3, 3])]
)
def test_dice_on_the_smallest_screen(visit: Visit, variant: str, rows: list[int]) -> None:
    """On a screen 320 px wide dice are at least 56 px wide, too: six lie in two rows, where those
    that are held stay in their places, with a ring around them.
    """
    game = new_game(visit, variant, rules={} if variant != "dice-poker" else None, width=320)
    while not game.page.locator(".dice.turn button.die").count():
        game.act(game.button(game.offered()[0]))
        game.go_on()
    page = game.page
    sizes = page.locator(".dice.turn .die").evaluate_all("all => all.map(each => each.clientWidth)")
    assert min(sizes) >= 56
    assert _rows(page) == rows
    assert sideways(page) == 0
    if len(rows) > 1:
        page.locator(".dice.turn button.die").nth(4).click()
        held = page.locator(".dice.turn .spot.held")
        expect(held).to_have_count(1)
        assert _rows(page) == rows
        assert "0px 0px 0px 3px" in held.evaluate("each => getComputedStyle(each).boxShadow")


def _play(game: Game, variant: str, rules: dict[str, int | bool | str] | None = None) -> None:
    """Begins a game of Ann and Ben, and plays until dice lie on the felt."""
    game.set_up(variant, NAMES, rules or {})
    while not game.page.locator(".felt .dice button.die, .felt > .dice .die:not(.slot)").count():
        game.step()


@pytest.mark.parametrize(
    ("variant", "width", "least"),
    [
        ("poker-dice", 1280, 37.2),
        ("texas-holdem-dice", 1280, 37.2),
        ("poker-dice", 390, 34.6),
        ("texas-holdem-dice", 390, 34.6),
    ],
)
def test_the_felt_keeps_its_height(visit: Visit, variant: str, width: int, least: float) -> None:
    """From move to move the felt of a betting game keeps its height but for a line, and the button
    of an action its place at the foot.
    """
    game = new_game(visit, variant, NAMES, {}, width=width, height=844)
    heights, feet = set(), set()
    for _ in range(12):
        game.step()
        height, foot = game.page.evaluate(
            """() => {
              const box = (element) => element.getBoundingClientRect();
              const felt = box(document.querySelector(".felt.table"));
              const main = document.querySelector(".felt .actions .primary");
              return [felt.height / 16, felt.bottom - box(main).bottom];
            }"""
        )
        heights.add(height)
        feet.add(round(foot))
    assert min(heights) == pytest.approx(least, abs=0.01)
    assert max(heights) <= least + 4
    assert max(feet) - min(feet) <= 2


def test_beside_the_felt(visit: Visit) -> None:
    """On a wide screen the seats of a betting game and what happened stand beside the felt."""
    game = Game(visit())
    _play(game, "texas-holdem-dice")
    felt, seats, happened = (
        box_of(game.page.locator(each)) for each in (".felt.table", ".side", ".happened")
    )
    assert seats["y"] == felt["y"]
    assert felt["x"] + felt["width"] < seats["x"] == happened["x"]
    assert happened["y"] < felt["y"] + felt["height"]


def test_a_card_on_a_wide_screen(visit: Visit) -> None:
    """On a screen of 1280 by 800 the buttons lie below the middle of the dice, and all of the card
    is in sight.
    """
    game = Game(visit())
    _play(game, "yahtzee-deluxe")
    page = game.page
    middles = page.locator(".dice.turn, .actions > .row").evaluate_all(
        "all => all.map(({firstElementChild: {offsetLeft: left}, lastElementChild: last}) =>"
        " left + last.offsetLeft + last.offsetWidth)"
    )
    dice = page.locator(".dice.turn").evaluate("each => each.offsetLeft * 2 + each.offsetWidth")
    assert abs(dice - middles[1]) <= 2
    card = box_of(page.locator(".pad .sheet"))
    assert card["y"] + card["height"] <= 800


_BROKEN = r"""({lastChild: text}) => [...text.data.matchAll(/\S+/g)].filter((found) => {
  const range = new Range();
  range.setStart(text, found.index);
  range.setEnd(text, found.index + found[0].length);
  return range.getClientRects().length > 1;
}).map(([word]) => word)"""
"""The words of an element that take more than a line."""


def test_a_card_on_the_smallest_screen(visit: Visit) -> None:
    """On a screen of 320 by 640 the head takes one line, and at least five boxes of each half are
    in sight; no word of a title breaks, with what else is in its line.
    """
    game = new_game(visit, "dice-poker", NAMES, {}, OWN_DEVICES, width=320, height=640)
    page = game.page
    assert page.evaluate("document.querySelector('.top').offsetHeight") < 70
    assert page.locator("h1").evaluate(_BROKEN) == []
    game.set_up("dice-poker", NAMES, {})
    seen = page.locator(".half tbody tr").evaluate_all(
        """(all) => {
          const felt = document.querySelector(".felt.table").getBoundingClientRect();
          return all.filter((each) => each.getBoundingClientRect().bottom <= felt.top).length;
        }"""
    )
    assert seen >= 2 * 5
    page.get_by_role("link", name="TV view").click()
    page.locator(".tv .standings").wait_for()
    assert page.locator("h1").evaluate(_BROKEN) == []
    assert sideways(page) == 0


def test_what_stays_under_the_finger(visit: Visit) -> None:
    """On a phone, the button that shows a pocket stays where it is while it is held, and so do the
    actions; a message moves neither, and takes no tap. No tap flashes grey.
    """
    game = Game(visit(width=390))
    page = game.page
    _play(game, "texas-holdem-dice")
    hold = page.locator(".hold")
    watched = page.locator(".hold, .felt .actions button, .felt.table")
    places = (
        "all => all.map(each => [each.getBoundingClientRect().x, each.getBoundingClientRect().y])"
    )
    before = watched.evaluate_all(places)
    hold.hover()
    page.mouse.down()
    expect(page.locator("hold-to-look .holding")).to_be_visible()
    assert watched.evaluate_all(places) == before
    page.mouse.up()
    page.locator("#notice").evaluate("each => { each.textContent = 'No connection'; }")
    assert watched.evaluate_all(places) == before
    assert (
        page.locator("#notice").evaluate("each => getComputedStyle(each).pointerEvents") == "none"
    )
    flash = "getComputedStyle(document.body).webkitTapHighlightColor"
    assert page.evaluate(flash) == "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("variant", SHORT)
def test_the_house_rules(visit: Visit, variant: str) -> None:
    """The house rules of a new game stand in two columns on a wide screen, and speak of no null, no
    id and no clause.
    """
    page = visit().open(f"#/new/{variant}")
    page.get_by_text("Options", exact=True).click()
    rules = page.locator(".rule")
    lefts = rules.evaluate_all("all => all.map(each => each.getBoundingClientRect().x)")
    assert len(set(lefts)) == min(2, rules.count())
    text = page.locator(".rules").inner_text()
    assert re.findall(r"\bnull\b|\w_\w|`|\([A-Z]\d", text) == []
