"""What goes wrong at a table: each is a sentence, and the game goes on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.live import Service
from tests.page.browser.game import REAL_DICE, Game, new_game
from tests.page.browser.visitor import Visit, expect

SCORE_CARD = "yahtzee-deluxe"


@pytest.mark.parametrize("twice", ["double click", "held key"])
def test_pressed_twice(visit: Visit, twice: str) -> None:
    """A double click, and Enter that is held, act once, although the next action may be offered by
    a button in the same place at once.
    """
    game = new_game(visit, SCORE_CARD, ["Ann"])
    mouse, keyboard = game.page.mouse, game.page.keyboard
    if twice == "double click":
        for count in (1, 2):
            game.button("roll").hover()
            mouse.down(click_count=count)
            mouse.up(click_count=count)
            expect(game.view).to_have_attribute("data-version", "2")
    else:
        game.button("roll").focus()
        for _ in range(20):
            keyboard.down("Enter")
        keyboard.up("Enter")
    expect(game.view).to_have_attribute("data-version", "2")
    game.do("roll")
    assert game.version == 3


def test_regions_that_are_read_out(visit: Visit) -> None:
    """What screen readers read out once it has a text is never out of the page before."""
    game = new_game(visit, SCORE_CARD, ["Ann"], None, "Show advice during the game")
    game.visitor.allows("status 503 GET .*/advice$")
    for region in ("#notice", "advice-panel .cost", ".status"):
        style = "(each) => { each.replaceChildren(); return getComputedStyle(each).display; }"
        assert game.page.locator(region).evaluate(style) != "none"


def test_a_refused_action(visit: Visit) -> None:
    """A sixth die of one suit is refused in a sentence; the dice can be taken back, and others
    typed.
    """
    game = new_game(visit, "texas-holdem-dice", ["Ann", "Ben"], {}, REAL_DICE)
    game.visitor.expects(r"status 422 POST .*/actions")
    for dice in ("1w2w", "3w4w"):
        game.enter(dice)
    for _ in range(2):
        game.do("check")
    version = game.version
    game.type_dice("5w6w1r")
    game.page.locator(".typed .primary").click()
    expect(game.page.locator("#notice")).to_contain_text(
        "can't be white: the set has only 5 white dice (H24)."
    )
    assert game.version == version
    game.page.get_by_role("button", name="Clear").click()
    game.enter("5w1b1r")
    expect(game.page.locator("#notice")).to_be_hidden()


def test_somebody_else_was_faster(visit: Visit, service: Service) -> None:
    """An action on a state that is no longer the last one is refused; the page says so, and shows
    the game as it is. It waits for the next news without a pause: its clock stands still here.
    """
    visitor = visit()
    visitor.page.clock.install()
    game = Game(visitor)
    visitor.expects(r"status 412 POST .*/actions")
    visitor.page.route("**/*wait=*", lambda _: None, times=1)  # no news comes
    game.set_up(SCORE_CARD, ["Ann"])
    visitor.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    game.act_elsewhere(service, action="roll")
    game.do("roll")
    expect(game.page.locator("#notice")).to_have_text("The game has gone on meanwhile.")
    assert game.version == 2
    game.act_elsewhere(service, action="roll")
    expect(game.view).to_have_attribute("data-version", "3")


def test_a_name_that_is_none(visit: Visit) -> None:
    """A link whose name is not one of the players is refused in a sentence."""
    game = new_game(visit, SCORE_CARD)
    token = game.seat()["tokens"]["table"]
    page = visit().open(f"#/session/{game.id}?player=Nobody&token={token}")
    expect(page.locator(".trouble")).to_contain_text("This device doesn\u2019t take part")


def test_a_house_rule_that_is_wrong(visit: Visit) -> None:
    """If a house rule is wrong and out of sight, starting a game shows it and says why."""
    page = visit().open("#/new/poker-dice")
    summary, chips = page.locator("summary", has_text="Options"), page.get_by_label("Starting")
    summary.click()
    chips.fill("0")
    summary.click()
    expect(chips).to_be_hidden()
    page.get_by_role("button", name="Start the game").click()
    expect(chips).to_be_focused()
    chips.fill("50")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".view.session").wait_for()


def test_a_name_that_is_blank(visit: Visit) -> None:
    """A name of spaces is none: the field says so, and nothing is sent."""
    page = visit().open("#/new/poker-dice")
    name = page.get_by_role("textbox", name="Name of player").first
    name.fill("   ")
    page.get_by_role("button", name="Start the game").click()
    expect(name).to_be_focused()
    message = name.evaluate("(input) => input.validationMessage")
    assert message == "Each player needs a name."
