"""What stays until somebody goes on, or skips it: results, rolls, and moves of others."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from tests.page.browser.game import NAMES, REAL_DICE, ROBO, Game, new_game, shared_table
from tests.page.browser.pace import AT_ONCE, NEVER
from tests.page.browser.visitor import Visit, expect

HOLDEM = "texas-holdem-dice"
ROBOTS = {"Robo": "easy", "Max": "easy"}
RESULT = "See the result"
ABLE = ".felt [data-action]:enabled:not([data-action=take_back])"


@pytest.mark.parametrize("computers", [{}, {"Robo": "easy"}])
def test_the_last_hand_stays(visit: Visit, computers: Mapping[str, str]) -> None:
    """The hand that ends a game stays until somebody wants to see who has won; after a reload it
    does not.
    """
    people, rules = ["Ann"] if computers else NAMES, {"hands": 1, "starting_chips": 500}
    game = new_game(visit, HOLDEM, people, rules, computers=computers, scripts=[AT_ONCE])
    page = game.page
    game.visitor.allows("ERR_ABORTED")  # by the reload
    result = page.get_by_role("button", name=RESULT)
    plays = page.locator("[data-action=bet]:enabled, [data-action=call]:enabled")
    while not result.count():
        expect(result.or_(plays).first).to_be_visible()
        if plays.count():
            game.act(plays.first)
    expect(page.locator(".pause .last-hand")).to_be_visible()
    expect(page.locator(".standings")).to_have_count(0)
    assert not game.over
    result.click()
    expect(page.locator(".winners h2")).to_be_visible()
    assert page.evaluate("document.activeElement.className") == "felt winners"
    expect(result).to_have_count(0)
    page.reload()
    expect(page.locator(".winners h2")).to_be_visible()
    expect(result).to_have_count(0)


def test_moves_can_be_skipped(visit: Visit) -> None:
    """While moves of computers are shown, the felt says that a tap skips them, where nothing is
    moved by it.
    """
    game = new_game(
        visit, HOLDEM, ["Ann"], {"starting_chips": 500}, computers=ROBOTS, scripts=[NEVER]
    )
    page = game.page
    hint = page.get_by_text("Tap the table to skip.")
    expect(hint).to_be_visible()
    places = """() => [".lead-line", ".felt > .dice", ".actions"].map((each) => {
      const {top, bottom} = document.querySelector(each).getBoundingClientRect();
      return [top, bottom];
    })"""
    before = page.evaluate(places)
    hint.evaluate("(hint) => hint.remove()")
    assert page.evaluate(places) == before
    game.skip()
    game.wait_for_turn()
    expect(hint).to_have_count(0)


def test_the_chances_stay(visit: Visit) -> None:
    """While moves of computers are shown, the chances to win of before stay."""
    game = new_game(visit, "poker-dice", ["Ann"], {}, computers=ROBO, scripts=[NEVER])
    page = game.page
    chances = page.locator(".odds span")
    pays = page.locator("[data-action=ante], [data-action=meet]")
    skips = page.get_by_text("Tap the table to skip.")
    expect(pays.or_(skips)).to_be_visible()
    if skips.count():
        skips.click()
    expect(pays).to_be_visible()
    expect(chances).to_have_count(2)
    before = chances.all_inner_texts()
    game.act(pays)
    expect(skips).to_be_visible()
    assert chances.all_inner_texts() == before


def test_people_throw_the_first_dice(visit: Visit) -> None:
    """The first dice of a turn of Poker Dice are thrown by who plays at this device, by a press or
    R, though the service has rolled them; after a reload they lie there.
    """
    game = new_game(visit, "poker-dice", NAMES, {"rounds": 3})
    page = game.page
    game.visitor.allows("ERR_ABORTED")  # by the reload
    dice, roll = page.locator(".dice.turn svg.die"), page.get_by_role("button", name="Roll 5 dice")
    for throw in (lambda: page.keyboard.press("r"), roll.click, page.reload):
        game.do("ante", "meet")
        expect(roll).to_be_focused()
        expect(page.locator(".dice.turn .slot")).to_have_count(5)
        expect(dice).to_have_count(0)
        version = game.version
        throw()
        expect(page.locator(".dice.turn button.die")).to_have_count(5)
        assert game.version == version
        while not (game.button("ante").count() or game.over):
            game.act(game.button(game.offered()[-1]))
            game.go_on()


@pytest.mark.parametrize("computers", [{"Robo": "easy"}, {}], ids=["computer", "people"])
def test_a_roll_that_does_not_open(visit: Visit, computers: dict[str, str]) -> None:
    """A roll at this device that doesn't open lies on the felt with what it lacks and 0 points,
    until one goes on, whoever is next; the seat of who threw is marked until then.
    """
    people = ["Ann"] if computers else NAMES
    game = new_game(visit, "roll-a-royal", people, {"turns": 9}, REAL_DICE, computers=computers)
    page = game.page
    pause = page.locator(".pause")
    roll = "2s3h4d5c7s8h9d" + "--" * 6
    for _ in range(4):  # who begins is thrown for; Robo's roll opens no turn either
        for face in range(2):
            if page.locator(".typed p.row button").count():
                game.act(page.locator(".typed p.row button").nth(face))
        game.enter(roll)
        expect(pause.or_(page.locator("dice-entry")).first).to_be_visible()
        if pause.count():
            break
    expect(pause.locator("svg.die")).to_have_count(13)
    thrower = pause.locator("p").first.inner_text().partition(":")[0]
    expect(page.locator(".seats .current strong:first-child")).to_have_text([thrower])
    expect(pause.locator("p")).to_have_text(
        [
            re.compile("^(Ann|Ben): A pair of jacks or better opens; the best here is "),
            "0 points",
            "Go on",
        ]
    )
    game.go_on()
    expect(page.locator("dice-entry")).to_be_visible()  # of who is next


def test_a_result_fits_a_phone(visit: Visit) -> None:
    """On a phone the result of a round is all within the screen, with long names and ranks, too."""
    names = ("Bartholomew the Second", "Wilhelmina")
    game = new_game(visit, "poker-dice", names, {"rounds": 60}, REAL_DICE, width=390)
    page = game.page
    for _ in range(20):
        expect(page.locator(f".pause, dice-entry, {ABLE}").first).to_be_visible()
        if page.locator(".pause").count():
            break
        if page.locator("dice-entry").count():
            game.enter("23456")
        else:
            first = ("stop", "check", "meet", "ante")
            game.act(game.button(next(each for each in first if each in game.offered())))
    beyond = """(pause) => [...pause.querySelectorAll("*")].filter((each) => {
      const {left, right} = each.getBoundingClientRect();
      return left < 0 || right > innerWidth;
    }).length"""
    expect(page.locator(".pause h2")).to_contain_text("with Straight")
    assert page.locator(".pause").evaluate(beyond) == 0


TOLD = """() => {
  globalThis.told = [];
  const line = document.querySelector(".told");
  const dice = () => document.querySelectorAll(".felt svg.die").length;
  new MutationObserver(() => told.push([line.textContent, dice()]))
    .observe(line, {childList: true});
}"""
"""Each line on the felt, and how many dice lie there with it."""


def test_a_computers_roll_that_does_not_open(visit: Visit) -> None:
    """A computer's roll that doesn't open still lies there while the felt says why; the line is
    there, too, when the next player is to roll.
    """
    game = new_game(
        visit, "roll-a-royal", ["Ann"], {"turns": 9}, REAL_DICE, computers=ROBO, scripts=[AT_ONCE]
    )
    page = game.page
    page.evaluate(TOLD)
    for face in range(2):
        game.act(page.locator(".typed p.row button").nth(face))
    line = page.locator(".told", has_text="Robo: A pair of jacks")
    for _ in range(2):  # who begins is thrown for
        game.enter("2s3h4d5c7s8h9d" + "--" * 6)
        expect(page.locator(".next").or_(page.locator("dice-entry")).first).to_be_visible()
        if line.count():
            break
        game.go_on()
    expect(page.locator("dice-entry")).to_be_visible()
    expect(line).to_have_count(1)
    assert [dice for text, dice in page.evaluate("told") if text.startswith("Robo: A pair")] == [13]


@pytest.mark.parametrize("variant", ["poker-dice", HOLDEM])
def test_a_screen_for_all_follows_computers(visit: Visit, variant: str) -> None:
    """On a screen for all nobody presses a button: it shows the result of a round or a hand against
    a computer, and goes on by itself until the game is over.
    """
    rules = {"rounds": 5} if variant == "poker-dice" else {"hands": 5}
    game = new_game(visit, variant, ["Ann"], rules, computers=ROBO)
    screen = visit(scripts=[AT_ONCE])
    kept = json.dumps({game.id: game.seat()})
    screen.open().evaluate("(kept) => localStorage.setItem('dice-table-games', kept)", kept)
    screen.open(f"#/session/{game.id}/tv")
    screen.page.locator(".tv .standings").wait_for()
    results = screen.page.locator(".pause")
    game.play_against()
    expect(screen.page.locator(".winners h2")).to_be_visible()
    expect(results).to_have_count(0)


def test_a_late_tap_acts_on_nothing(visit: Visit) -> None:
    """A finger that taps to skip moves, and taps once more when they have just ended, acts on
    nothing; soon after, a tap acts again.
    """
    visitor = visit(scripts=[NEVER])
    page = visitor.page
    page.clock.install()
    game = Game(visitor)
    game.set_up(HOLDEM, ["Ann"], {"starting_chips": 500}, computers=ROBOTS)
    expect(page.get_by_text("Tap the table to skip.")).to_be_visible()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    game.skip()
    bets = page.locator("[data-action=bet], [data-action=raise]")
    expect(bets).to_be_visible()
    tap = """(button) => {
      const tap = {pointerType: "touch", bubbles: true, cancelable: true};
      button.dispatchEvent(new PointerEvent("click", tap));
      return document.querySelector(".view").ariaBusy;
    }"""
    assert bets.evaluate(tap) is None
    page.clock.run_for(300)
    assert bets.evaluate(tap) == "true"


def test_enter_goes_on_once(visit: Visit) -> None:
    """Enter, pressed twice on "Next hand", doesn't act in the next hand; soon after it does."""
    visitor = visit()
    page = visitor.page
    page.clock.install()
    game = Game(visitor)
    game.set_up(HOLDEM, ["Ann", "Ben"], {"starting_chips": 500})
    game.do("bet", "fold")
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    version = game.version
    page.locator(".next").press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("[data-action]:enabled").first).to_be_focused()
    expect(game.view).not_to_have_attribute("aria-busy", "true")
    assert game.version == version
    page.clock.run_for(300)
    page.keyboard.press("Enter")
    expect(game.view).to_have_attribute("data-version", str(version + 1))


def test_others_dice_are_not_thrown_here(visit: Visit) -> None:
    """On devices of their own only the player whose turn it is throws; with a clock, nobody does:
    it is running.
    """
    tables = shared_table(visit, "poker-dice")
    acts, other = tables if tables[0].offered() else tables[::-1]
    acts.do("ante")
    other.do("meet")
    roll = acts.page.get_by_role("button", name="Roll 5 dice")
    expect(roll).to_be_visible()
    expect(other.page.locator(".dice.turn svg.die")).to_have_count(5)
    expect(other.page.locator(".next")).to_have_count(0)
    roll.click()
    expect(acts.page.locator(".dice.turn button.die")).to_have_count(5)
    clocked = new_game(visit, "poker-dice", NAMES, {"rounds": 1, "turn_seconds": 600})
    clocked.do("ante", "meet")
    expect(clocked.page.locator(".dice.turn button.die")).to_have_count(5)
