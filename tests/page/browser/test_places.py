"""Where things lie on the table: nothing moves from move to move, and what counts is in sight."""

from __future__ import annotations

import pytest

from tests.page.browser.game import NAMES, OWN_DEVICES, ROBO, SHORT, Game, new_game
from tests.page.browser.score_view import type_faces
from tests.page.browser.visitor import Page, ViewportSize, Visit, box_of, expect

PHONE: ViewportSize = {"width": 390, "height": 844}
WIDE: ViewportSize = {"width": 1280, "height": 800}
SMALL: ViewportSize = {"width": 320, "height": 640}
TELEVISIONS: list[ViewportSize] = [{"width": 1280, "height": 720}, {"width": 1920, "height": 1080}]

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
def test_nothing_moves_through_a_round(visit: Visit, variant: str, size: ViewportSize) -> None:
    """Through a whole round or hand against a computer nothing on the screen moves, and the main
    button begins at one place, whatever it is for; so does the one that goes on.
    """
    game = new_game(visit, variant, ("Ann",), {}, computers=ROBO, **size)
    game.visitor.allows("status 503 GET .*/(forecast|advice)$")
    page = game.page
    able = page.locator(f"{MAIN}:enabled").first
    able.wait_for()
    page.evaluate(WATCH)
    places: set[tuple[int, int]] = set()
    while not page.locator(".next").count():
        places.add(_begins(page))
        bets = page.locator(".actions [data-action=bet]")  # after checks the flop is rolled again
        game.act(bets.first if bets.count() else able)
        able.wait_for()
    places.add(_begins(page))
    assert len(places) == 1
    assert page.evaluate("moved") == []


def _begins(page: Page) -> tuple[int, int]:
    """Where the main button begins: its left edge and its foot."""
    box = box_of(page.locator(MAIN).first)
    return round(box["x"]), round(box["y"] + box["height"])


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_buttons_through_turns_of_layouts(visit: Visit, size: ViewportSize) -> None:
    """In Roll-a-Royal the buttons are at one height on the screen through all turns, whether dice
    are rolled, laid, or banked, or one goes on after a roll that doesn't open.
    """
    game = new_game(visit, "roll-a-royal", ("Ann",), {"turns": 50}, computers=ROBO, **size)
    game.visitor.allows("status 503 GET .*/(forecast|advice)$")
    page = game.page
    able = page.locator(".table .actions [data-action]:enabled")
    next_ = page.locator(".next")
    seen: dict[str, set[float]] = {}
    while not {"lay", "bank", "roll", "next"} <= seen.keys():
        able.or_(next_).first.wait_for()
        if next_.count():
            seen.setdefault("next", set()).add(_begins(page)[1])
            game.go_on()
            able.first.wait_for()
        for action in game.offered():
            box = box_of(game.button(action))
            seen.setdefault(action, set()).add(round(box["y"] + box["height"]))
        first = game.offered()[0]
        game.do(first)
    assert len(set.union(*seen.values())) == 1


def test_after_a_layout(visit: Visit) -> None:
    """On a phone the button that lays the dice, and then those that bank and risk the points, are
    on the screen without scrolling, with each hand in one line beside another.
    """
    game = new_game(visit, "roll-a-royal", ("Ann",), {"turns": 50}, **PHONE)
    page = game.page
    hands = page.locator(".felt .hands li")
    for _ in range(50):
        if hands.count() >= 3:
            break
        if "bank" in game.offered():
            game.do("bank", "roll")
        while "lay" not in game.offered():
            game.do("roll")
        expect(game.button("lay")).to_be_in_viewport(ratio=1)
        game.do("lay")
    assert hands.count() >= 3
    for action in ("bank", "risk"):
        expect(game.button(action)).to_be_in_viewport(ratio=1)
    one, other = box_of(hands.nth(0)), box_of(hands.nth(1))
    assert (one["y"], one["x"] + one["width"]) <= (other["y"], other["x"])
    expect(page.locator(".felt .hands small").first).to_be_hidden()
    assert page.evaluate("scrollY") == 0


def test_the_series_on_a_phone(visit: Visit) -> None:
    """On a phone, games that were won are counted in the head of the table, below its name, where
    they take no line of their own.
    """
    game = new_game(visit, "yahtzee-deluxe", NAMES, width=390)
    page = game.page
    head = page.locator(".head")
    before = head.bounding_box()
    game.play_elsewhere()
    won = page.locator(".standings .first span").first.inner_text()
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".winners")).to_have_count(0)
    expect(head.locator(".series")).to_be_visible()
    expect(head.locator(".series")).to_contain_text(f"{won} (1)")
    assert head.bounding_box() == before


@pytest.mark.parametrize("size", [PHONE, WIDE, SMALL], ids=["phone", "wide", "small"])
def test_invitations_take_no_room(visit: Visit, size: ViewportSize) -> None:
    """Invitations lie over the table: it is where it is without them, with its buttons and one's
    own seat in sight; the codes are in reach.
    """
    game = new_game(visit, "yahtzee-deluxe", NAMES, {}, OWN_DEVICES, **size)
    page = game.page
    felt, code = page.locator(".felt.table"), page.locator(".invite .qr").first
    expect(code).to_be_in_viewport()
    before = felt.bounding_box()
    summary = page.locator(".invite summary")
    summary.click()
    expect(code).to_be_hidden()
    assert felt.bounding_box() == before
    expect(page.locator(".side")).to_be_in_viewport()


def test_keys_all_over_the_score(visit: Visit) -> None:
    """Keys enter dice wherever the focus is in the view that keeps the score, but not from a field
    that has it.
    """
    page = visit().open("#/score/dice-poker")
    page.keyboard.type("33")
    dice = page.locator("dice-entry .places svg")
    expect(dice).to_have_count(2)
    page.locator("summary", has_text="rules").first.focus()
    page.keyboard.type("355")
    expect(dice).to_have_count(5)
    page.keyboard.press("Backspace")
    expect(dice).to_have_count(4)
    field = page.get_by_label("Name of player 1")
    field.fill("")
    field.press("6")
    expect(dice).to_have_count(4)


@pytest.mark.parametrize("rules", [{}, {"betting": "no_limit", "starting_chips": 300}])
def test_a_hand_on_the_smallest_screen(visit: Visit, rules: dict[str, int | str]) -> None:
    """On a screen of 320 by 640 the shared dice, the pocket, the pot and every button of Hold'em
    are in sight, and nothing is cut off.
    """
    game = new_game(visit, "texas-holdem-dice", NAMES, rules, **SMALL)
    page = game.page
    game.do("bet")
    seen = page.locator(
        ".table :is(.tally > *, .die, .hold, .actions button, .actions input), hold-to-look .die"
    )
    assert seen.count() > 10
    cut = seen.evaluate_all(
        """all => all.filter((each) => {
          const {left, right, top, bottom} = each.getBoundingClientRect();
          const whole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
          return !whole || each.scrollWidth > each.offsetWidth;
        }).map((each) => each.outerHTML)"""
    )
    assert cut == []
    tops = page.locator("hold-to-look .die").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().top)"
    )
    assert len(set(tops)) == 1


def test_a_line_up_on_the_smallest_screen(visit: Visit) -> None:
    """On a screen 320 px wide the strength of a computer can be read as a whole."""
    page = visit(width=320).open("#/new/texas-holdem-dice")
    page.get_by_role("button", name="Add a computer").click()
    for choice in page.get_by_label("Strength").all():
        choice.select_option("medium")
        width, needed = choice.evaluate(
            """(select) => {
              const copy = select.cloneNode(true);
              copy.style.cssText = "position: absolute; max-width: none";
              select.parentNode.append(copy);
              const needed = copy.offsetWidth;
              copy.remove();
              return [select.offsetWidth, needed];
            }"""
        )
        assert width >= needed


@pytest.mark.parametrize("size", TELEVISIONS, ids=["720", "1080"])
@pytest.mark.parametrize("variant", [*SHORT])
def test_from_across_the_room(visit: Visit, variant: str, size: ViewportSize) -> None:
    """On a television names are at least 2.5 rem high and dice a tenth of the screen; the dice lie
    in the middle of the felt, and all is on the screen.
    """
    game = new_game(visit, variant, NAMES, {})
    page = game.page
    dice = ":is(.felt > .dice, .dice.turn) .die:not(.slot)"
    thrown = page.locator(f"{dice}, .loose svg.die")
    for _ in range(50):
        if thrown.count():
            break
        game.step()
    expect(thrown.first).to_be_visible()
    page.set_viewport_size(size)
    page.get_by_role("link", name="TV view").click()
    page.locator(".tv .standings").wait_for()
    names, heights, rem, over = page.evaluate(
        """(dice) => {
          const sizes = (selector, size) => [...document.querySelectorAll(selector)].map(size);
          return [
            sizes(".standings span", (each) => parseFloat(getComputedStyle(each).fontSize)),
            sizes(dice, (each) => each.getBoundingClientRect().height),
            parseFloat(getComputedStyle(document.documentElement).fontSize),
            document.documentElement.scrollHeight - innerHeight,
          ];
        }""",
        dice,
    )
    assert min(names) >= 2.5 * rem
    assert min(heights) >= size["height"] / 10
    assert over <= 0


def test_a_layout_on_the_smallest_screen(visit: Visit) -> None:
    """On a screen of 320 by 640, dice, board and buttons are in sight while one lays; the button to
    roll says how many dice it rolls.
    """
    game = Game(visit(**SMALL))
    page = game.page
    for _ in range(40):  # until a roll opens
        game.set_up("roll-a-royal", ["Ann"], {"turns": 9})
        game.do("roll")
        if page.locator(".own .cells").count():
            break
    expect(page.locator(".own .cells")).to_have_count(1)
    seen = [page.locator(".loose"), page.locator(".cells"), *page.locator(".actions button").all()]
    for each in seen:
        expect(each).to_be_in_viewport(ratio=1)
    blanks = page.locator(".loose svg.die").count()
    expect(game.button("roll")).to_have_text(
        f"Roll {blanks} blanks" if blanks > 1 else "Roll one blank"
    )
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("place", ["table", "score"])
@pytest.mark.parametrize("variant", ["dice-poker", "yahtzee-deluxe"])
def test_a_card_on_the_smallest_screen(visit: Visit, variant: str, place: str) -> None:
    """On a screen of 320 by 640 all boxes of a card are in sight above the dice of a game, and at
    least twelve rows above those of a score that is kept.
    """
    if place == "score":
        page = visit(**SMALL).open(f"#/score/{variant}")
        type_faces(page, "355566")
        page.locator(".best button").first.wait_for()
    else:
        game = new_game(visit, variant, **SMALL)
        game.do("roll")
        page = game.page
    below = box_of(page.locator(".entry, .felt.table").first)
    rows = page.locator(".half tr")
    feet = rows.evaluate_all("all => all.map(each => each.getBoundingClientRect().bottom)")
    assert sum(foot <= below["y"] + 1 for foot in feet) >= (12 if place == "score" else 15)
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize("size", [PHONE, WIDE, SMALL], ids=["phone", "wide", "small"])
def test_keeping_score_stands_still(visit: Visit, size: ViewportSize) -> None:
    """Where the score is kept nothing moves when dice are entered or a box is chosen; the first tap
    on a box says what it gives, with the new total, and the second writes it.
    """
    page = visit(**size).open("#/score/dice-poker")
    page.evaluate(WATCH)
    type_faces(page, "35556")
    box = page.locator(".sheet [data-key='box three_of_a_kind']")
    said = page.locator(".result .label")
    box.click()
    expect(said).to_have_text("Three of a kind: 24 points. New total: 24.")
    page.locator(".sheet [data-key='box twos']").click()
    expect(said).to_have_text("Twos: 0 points. New total: 0.")
    assert page.evaluate("moved") == []
    box.click()
    box.click()
    expect(page.locator(".totals strong").first).to_have_text("24")


def test_a_hand_by_its_name(visit: Visit) -> None:
    """On a screen 320 px wide Poker dice says what the dice are."""
    game = new_game(visit, "poker-dice", ("Ann",), {}, computers=ROBO, width=320)
    name = game.page.locator(".turn-line > :nth-child(2)")
    while not game.page.locator(".turn-line > :nth-child(3)").count() or not name.text_content():
        game.act(game.page.locator(f"{MAIN}:enabled").first)
    expect(name).to_be_visible()
