"""The look, in figures: contrast of borders, felts and gold, and the size of dice."""

from __future__ import annotations

import pytest

from tests.page.browser.game import SHORT, Game
from tests.page.browser.test_views import VIEWS, sideways
from tests.page.browser.visitor import Page, Visit, expect

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
    game = Game(visit(width=320))
    game.set_up(variant, rules={} if variant != "dice-poker" else None)
    while not game.page.locator(".dice.turn button.die").count():
        game.act(game.button("roll" if game.button("roll").count() else game.offered()[0]))
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
