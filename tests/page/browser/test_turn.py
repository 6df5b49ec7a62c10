"""A turn at the table: how many taps it takes, and what stays in sight until somebody goes on."""

from __future__ import annotations

import re

import pytest

from tests.live import Service
from tests.page.browser.game import NAMES, REAL_DICE, Game, Pointer, new_game
from tests.page.browser.test_leaving import leave
from tests.page.browser.visitor import Locator, ViewportSize, Visit, Visitor, box_of, expect, labels

PHONE: ViewportSize = {"width": 390, "height": 844}


class Thumb(Pointer):
    """A thumb on a phone, which counts its gestures, and never scrolls."""

    def __init__(self, visitor: Visitor) -> None:
        self.taps = 0
        self._page = visitor.page
        self._page.set_viewport_size(PHONE)

    def press(self, target: Locator) -> None:
        """Taps what is on the screen."""
        self._find(target)
        target.click()

    def press_twice(self, target: Locator) -> None:
        """Taps twice, which is one gesture."""
        self._find(target)
        target.dblclick()

    def _find(self, target: Locator) -> None:
        expect(target).to_be_in_viewport(ratio=1)
        assert self._page.evaluate("scrollY") == 0
        self.taps += 1


def test_the_taps_of_a_turn(visit: Visit, service: Service) -> None:
    """After the first roll of a turn six taps suffice to hold, roll, hold, roll, and write with two
    taps on a box; five, if these two are a double tap.
    """
    game = new_game(visit, "dice-poker", NAMES, {"turn_seconds": 600})
    visitor = game.visitor
    game.hand = thumb = Thumb(visitor)
    for player in game.read(service)["state"]["order"]:
        game.do("roll")
        thumb.taps, before = 0, game.version
        for die in (0, 3):
            thumb.press(game.page.locator(f"[data-key='keep {die}']"))
            game.do("roll")
        chance = game.page.locator("[data-key='box chance']")
        if player == "Ann":
            thumb.press_twice(chance)
            expect(game.view).not_to_have_attribute("data-version", str(before + 2))
        else:
            game.act(chance)
        assert thumb.taps == (5 if player == "Ann" else 6)
        now = game.read(service)
        assert now["version"] == before + 3
        assert now["state"]["cards"][player]["scores"]["chance"] > 0


def test_the_row_is_a_target(visit: Visit) -> None:
    """On a phone a tap anywhere in a row of the card previews its box, also where rows of tables
    can't be positioned, as in Safari.
    """
    game = new_game(visit, "dice-poker", NAMES, {"turn_seconds": 600})
    visitor = game.visitor
    Thumb(visitor)
    visitor.page.evaluate(
        """() => {
             const sheet = new CSSStyleSheet();
             sheet.replaceSync("tr { position: static !important }");
             document.adoptedStyleSheets.push(sheet);
           }"""
    )
    game.do("roll")
    for box in ("ones", "fours", "chance"):
        button = visitor.page.locator(f"[data-key='box {box}']")
        visitor.page.locator(".half tr", has=button).locator("th").click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(visitor.page.locator(".half [aria-pressed=true]")).to_have_count(1)


def test_held_dice_survive_a_reload(visit: Visit) -> None:
    """Dice that are held are still held when the page is opened again before the next roll, and
    after a roll; those of one game are not held in another.
    """
    game = new_game(visit, "dice-poker", NAMES, {"turn_seconds": 600})
    game.visitor.allows("ERR_ABORTED")  # the request that waits at the reload
    held = game.page.locator(".dice.turn [aria-pressed=true]")
    game.do("roll")
    for die in (1, 4):
        game.page.locator(f"[data-key='keep {die}']").click()
    for _ in range(2):
        game.page.reload()
        expect(held).to_have_count(2)
        assert held.evaluate_all("all => all.map((each) => each.dataset.key)") == [
            "keep 1",
            "keep 4",
        ]
        game.do("roll")
    game.set_up("dice-poker", NAMES, {"turn_seconds": 600})
    game.do("roll")
    expect(held).to_have_count(0)


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_last_roll_stays(visit: Visit, rounds: int) -> None:
    """The last roll before the bets lies on the felt while its player bets; one that was not enough
    is shown once and stays until somebody goes on, with the hand that it did not beat: at the end
    of a game, until somebody wants to see who has won.
    """
    game = new_game(visit, "poker-dice", NAMES, {"rounds": rounds}, REAL_DICE)
    page = game.page
    game.do("ante", "meet")
    game.enter("66555")
    game.do("stop")
    assert game.offered() == ["check", "raise"]
    expect(page.locator(".felt .dice.turn .die")).to_have_count(5)
    assert _faces(page.locator(".felt .dice.turn")) == ["6", "6", "5", "5", "5"]
    expect(page.locator(".felt .to-beat")).to_have_count(0)
    game.do("check")
    assert _faces(page.locator(".felt .to-beat")) == ["5", "5", "5", "6", "6"]
    game.enter("12465")
    game.do("stop")
    hands = page.locator(".felt .to-beat")
    expect(hands).to_have_count(2)
    assert _faces(hands.first) == ["1", "2", "4", "5", "6"]
    expect(hands.first).to_have_text("Ben: Not enough: no combination against full house.")
    assert _faces(hands.last) == ["5", "5", "5", "6", "6"]
    expect(page.locator(".status")).not_to_have_text(re.compile(r"\w"))
    expect(page.locator(".standings")).to_have_count(0)
    goes_on = page.locator(".next")
    assert (goes_on.inner_text() == "See the result") == (rounds == 1)
    goes_on.click()
    expect(page.locator(".pause")).to_have_count(0)
    assert game.over == (rounds == 1)
    if game.over:
        expect(hands).to_have_count(0)


@pytest.mark.parametrize("pairs", [False, True], ids=["no pairs", "pairs"])
def test_the_hands_that_count(visit: Visit, service: Service, pairs: bool) -> None:
    """At poker dice the hands lie on the felt, the best first, then those that don't count; the one
    of the dice is marked. The ante that is offered is a twentieth of the most; no chip lies beside
    an empty pot.
    """
    game = new_game(
        visit, "poker-dice", NAMES, {"pairs_rank": pairs, "starting_chips": 200}, REAL_DICE
    )
    ranks = service.get("/v1/variants/poker-dice").json["ranks"][:-1]
    hands = game.page.locator(".ladder li")
    names = [rank["name"] for rank in ranks if pairs or rank["house_rule"] is None]
    void = [] if pairs else ["Don\u2019t count: Two pair and One pair"]
    expect(hands).to_have_text([*names, *void])
    expect(game.page.locator("[name=amount]")).to_have_value("10")
    expect(game.page.locator(".pot .chips")).to_have_count(0)
    game.do("ante", "meet")
    expect(game.page.locator(".pot .chips")).to_have_count(1)
    game.enter("66541")
    expect(game.page.locator(".ladder .own")).to_have_text(["One pair"] if pairs else [])


def test_a_box_is_to_be_tapped(visit: Visit) -> None:
    """After the last roll of a turn with a score card, the felt says what is next, beside the dice
    that are held, until a box is previewed.
    """
    game = new_game(visit, "dice-poker", NAMES, {"turn_seconds": 600})
    hint = game.page.locator(".actions .hint")
    for _ in range(2):
        game.do("roll")
        expect(game.page.locator(".tray")).to_have_text("Tap the dice to keep.")
        expect(hint).to_have_count(0)
    game.do("roll")
    expect(hint).to_have_text("Tap a box, then write.")
    game.page.locator("[data-key='box chance']").click()
    expect(hint).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("variant", ["dice-poker", "yahtzee-deluxe", "poker-dice"])
def test_all_dice_are_held(visit: Visit, variant: str, width: int) -> None:
    """Dice lie in the tray below their places even if all are held; nothing else moves. None is
    left to roll, as the page says, until one is put back.
    """
    game = new_game(visit, variant, NAMES, {}, width=width)
    for action in ("ante", "meet"):
        if variant == "poker-dice":
            game.do(action)
    game.button("roll").click()
    dice = game.page.locator(".dice.turn button.die")
    expect(dice.first).to_be_visible()
    places = "all => all.map((each) => each.offsetParent && each.getBoundingClientRect().x)"
    before, felt = dice.evaluate_all(places), game.page.locator(".felt.table").bounding_box()
    for die in dice.all():
        die.click()
    tray = game.page.locator(".tray")
    ends = "stop" if variant == "poker-dice" else "tap a box"
    expect(tray).to_have_text(f"Put a die back, or {ends}.")
    roll = game.page.locator("[data-action=roll]")
    expect(roll).to_have_text("Roll")
    expect(roll).to_be_disabled()
    said, die = box_of(tray), box_of(dice.first)
    assert said["y"] + said["height"] <= die["y"]
    assert dice.evaluate_all(places) == before
    assert game.page.locator(".felt.table").bounding_box() == felt
    assert game.page.evaluate("document.documentElement.scrollWidth") == width
    dice.first.click()
    game.do("roll")


def _type(game: Game, dice: str) -> None:
    game.enter(dice)


def _faces(place: Locator) -> list[str]:
    return labels(place.locator(".die"))


def test_the_risk_die_stays(visit: Visit) -> None:
    """What the risk die showed is on the felt until the next player rolls."""
    game = new_game(visit, "roll-a-royal", NAMES, {"turns": 2}, REAL_DICE)
    for thrown in ("4", "1"):
        game.act(game.page.locator(".typed button", has_text=thrown))
    game.enter("AsKsQsJs9s8h8d4c3c2c2d7h5h")
    game.do("lay")
    game.act(game.page.locator(".typed button", has_text="3"))
    risk = game.page.locator(".felt p.row", has_text="Risk die")
    assert _faces(risk) == ["3"]
    game.type_dice("AsKsQsJs9s8h8d4c3c2c2d7h5h")
    expect(risk).to_be_visible()
    game.act(game.page.locator(".typed .primary"))
    expect(risk).to_have_count(0)


def test_the_flop_before(visit: Visit, service: Service) -> None:
    """A flop that is rolled again tumbles like the first, which stays in sight until the next move;
    why is said once.
    """
    game = new_game(visit, "texas-holdem-dice", NAMES, {})
    game.stop_motion(".felt .die")
    for _ in range(4):
        game.do("check")
    state = game.read(service)["state"]
    (again,) = state["news"]
    before = game.page.locator(".felt .to-beat")
    why = "Everyone checked, so the flop was rolled again."
    expect(game.page.locator(".told")).to_have_text(why)
    expect(game.page.locator(".felt").get_by_text(why)).to_have_count(1)
    expect(before.locator("p")).to_have_text("The flop before")
    assert _faces(before) == [game.page.evaluate(NAMED, die) for die in again["was"]]
    assert game.page.evaluate("moving.length") == 2 * 3
    game.do("check")
    expect(before).to_have_count(0)


NAMED = """async (die) => {
  const {dieName} = await import(document.querySelector("script").src.replace("main", "draw"));
  const game = await (await fetch("v1/variants/texas-holdem-dice")).json();
  return dieName(die, game.dice);
}"""
"""The name that the page gives to a die of Hold'em."""


def test_few_amounts(visit: Visit, service: Service) -> None:
    """Up to three amounts are a button each; only where there are more, there is a slider."""
    game = new_game(visit, "poker-dice", NAMES, {"starting_chips": 3})
    amounts = game.page.locator("[data-action=ante]")
    expect(amounts).to_have_text(["Set the ante 1", "Set the ante 2", "Set the ante 3"])
    expect(game.page.locator("[name=slide]")).to_have_count(0)
    game.act(amounts.nth(1))
    assert game.read(service)["state"]["price"] == 2
    game.set_up("poker-dice", NAMES, {"starting_chips": 4})
    expect(game.page.locator("[name=slide]")).to_be_visible()


@pytest.mark.parametrize(("computers", "wins"), [({"Robo": "easy"}, False), ({}, True)])
def test_paper_flies_for_people(visit: Visit, computers: dict[str, str], wins: bool) -> None:
    """Paper flies at the end of a game that somebody won, not one that a computer did."""
    game = Game(visit())
    people = ("Ann",) if computers else NAMES
    game.set_up("poker-dice", people, None, computers=computers)
    game.stop_motion(".bit")
    leave(game, "Leave the game" if computers else "Ann leaves")
    expect(game.page.locator(".winners h2")).to_have_text(f"{'Robo' if computers else 'Ben'} wins!")
    assert bool(game.page.evaluate("moving.length")) is wins


def test_chips_while_computers_play(visit: Visit) -> None:
    """The moves of computers change the chips that are shown when they are shown: what is put in,
    and the pot of who wins it.
    """
    page = visit().open()
    found = page.evaluate(
        """async () => {
          const main = document.querySelector("script").src;
          const {after} = await import(main.replace("main", "kinds/ranking"));
          const players = [{id: "Ann", stack: 9}, {id: "Robo", stack: 7}];
          const won = {what: "collects", player: "Robo", amount: 4};
          let state = {turn: null, price: null, pot: 0, players, news: []};
          const shown = [];
          for (const event of [
            {action: "ante", player: "Robo", amount: 2, news: []},
            {action: "meet", player: "Ann", news: []},
            {action: "stop", player: "Robo", news: [won]},
          ]) {
            state = after(state, event, {rolls: 3}, {news: []});
            shown.push([state.price, state.pot, ...state.players.map(({stack}) => stack)]);
          }
          return shown;
        }"""
    )
    assert found == [[2, 2, 9, 5], [2, 4, 7, 5], [2, 0, 7, 9]]


def test_nobody_cites_clauses(visit: Visit, service: Service) -> None:
    """What is said at the table has no numbers of clauses, which the answers of the service have,
    as the panel of requests shows them.
    """
    game = new_game(visit, "dice-poker", ("Ann",), {"turn_seconds": 600})
    game.visitor.develops()
    game.do("roll")
    game.act(game.page.locator("[data-key='box chance']"))
    reason = game.read(service)["state"]["news"][0]["reason"]
    said, clause = reason.removesuffix(").").split(" (")
    assert re.fullmatch(r"[A-Z]\d+", clause)
    expect(game.page.locator(".told")).to_have_text(re.compile(rf"{re.escape(said)}\.$"))
    assert f"({clause})" not in game.page.locator(".round").inner_text()
    sent = game.page.locator("teach-panel")
    sent.locator("summary").first.click()
    assert f"{said} ({clause})." in (sent.text_content() or "")
    closed = new_game(visit, "roll-a-royal", ("Ann",), {"turns": 2}, REAL_DICE)
    closed.enter("Js" + "--" * 12)
    told = closed.page.locator(".pause p").first
    expect(told).to_have_text(re.compile(r"^Ann: A pair of jacks or better opens; .* no pair\.$"))
    expect(told).not_to_have_text(re.compile(r"\([A-Z]\d+\)"))
