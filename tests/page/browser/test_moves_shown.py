"""What the page shows of moves that this device didn't make: one after the other, as they were."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

import pytest

from tests.live import Service
from tests.page.browser.game import NAMES, REAL_DICE, ROBO, new_game
from tests.page.browser.pace import AT_ONCE, NEVER, STILL
from tests.page.browser.test_leaving import leave
from tests.page.browser.test_start import TABLE
from tests.page.browser.visitor import Visit, expect

HOLDEM = "texas-holdem-dice"
ROBOTS = {"Robo": "easy", "Max": "easy"}


RECORDED = r"""() => {
  const {setItem} = Storage.prototype;
  const found = (text, unit) => Number(text.match(`([\\d,]+) ${unit}`)[1].replace(",", ""));
  globalThis.shown = [];
  Storage.prototype.setItem = function (key, value) {
    setItem.call(this, key, value);
    const seats = [...document.querySelectorAll("[data-key^='seat ']")];
    if (key !== "dice-table-held" || !seats.length) return;
    const pot = document.querySelector(".felt strong.pot")?.textContent.replace(/\D/g, "") ?? 0;
    const story = document.querySelectorAll(".story li").length;
    const has = seats.map(({dataset, textContent: text}) =>
      [dataset.key.slice(5), found(text, "chips"), found(text, "in the pot")]);
    shown.push([Number(pot), has, story]);
  };
}"""
"""Each time that the page draws a table for chips: the pot, what each player has and has put in,
and how long the story was until then.
"""


LAYOUTS = r"""() => {
  const {setItem} = Storage.prototype;
  globalThis.laid = [];
  Storage.prototype.setItem = function (key, value) {
    setItem.call(this, key, value);
    const points = document.querySelector(".felt .points strong")?.textContent.replace(/\D/g, "");
    if (key === "dice-table-held" && points) {
      laid.push([document.querySelectorAll(".felt .grid svg").length, Number(points)]);
    }
  };
}"""
"""Each time that the page draws a table: how many dice lie in a layout, and its points."""


def _steps(events: Any) -> Iterator[Any]:
    for event in events:
        yield event
        yield from event["then"]


def _books(events: Any, chips: int, ante: int) -> Iterator[tuple[int, list[list[Any]]]]:
    """The pot, and what everybody has and has put in, after each step of a game of Hold'em."""
    has = dict.fromkeys(("Ann", *ROBOTS), chips)
    paid: dict[str, int] = {}
    for step in _steps(events):
        player, action = step["player"], step["action"]
        if action == "roll_pocket" and not paid:
            paid = {name: min(ante, stack) for name, stack in has.items()}
            has = {name: stack - paid[name] for name, stack in has.items()}
        if action in ("bet", "call", "raise", "all_in"):
            owed = max(paid.values()) - paid[player]
            put = has[player] if action == "all_in" else owed + step.get("amount", 0)
            has[player] -= put
            paid[player] += put
        ends = [each["payouts"] for each in step["news"] if "payouts" in each]
        for name, amount in ends[0].items() if ends else ():
            has[name] += amount
        if ends:
            paid = {}
        yield sum(paid.values()), [[name, stack, paid.get(name, 0)] for name, stack in has.items()]


def _ordered(shown: Any) -> list[Any]:
    """What was shown, the players by name, each once."""
    return [each for each, _ in groupby([pot, sorted(players)] for pot, players, *_ in shown)]


def test_chips_move_with_their_bets(visit: Visit, service: Service) -> None:
    """In a whole game of Hold'em each bet, call, raise and ante of a computer changes the chips and
    the pot when it is shown, from the first moves before anybody here has acted; the story doesn't
    run ahead of them.
    """
    rules, scripts = {"starting_chips": 500, "hands": 4}, [AT_ONCE, RECORDED]
    game = new_game(visit, HOLDEM, ["Ann"], rules, computers=ROBOTS, scripts=scripts)
    able = game.page.locator(".next, .winners, [data-action]:enabled:not([data-action=take_back])")
    while not game.over:
        expect(able.first).to_be_visible()
        game.step()
    expect(game.page.locator(".winners")).to_be_visible()
    shown, events = game.page.evaluate("shown"), game.read(service, "/events")["events"]
    players = game.read(service)["state"]["players"]
    expected = _ordered(
        each
        for step, each in zip(_steps(events), _books(events, 500, 10), strict=True)
        if step["action"] != "create" and step is not events[0]
    )
    opening = [30, [["Ann", 490, 10], ["Max", 490, 10], ["Robo", 490, 10]]]
    expected = expected[expected.index(opening) :]
    assert _ordered(shown) == expected
    assert [story for *_, story in shown[:2]] == [0, 0]
    assert expected[-1][1] == sorted([each["id"], each["chips"], 0] for each in players)


CARDS = """([opening, events, game, ended]) => {
  const main = document.querySelector("script").src;
  return import(main.replace("main", "kinds/scorecard")).then(({after}) => {
    const newest = {cards: ended};
    let state = opening;
    const shown = [];
    for (const {then, ...event} of events) {
      for (const step of [event, ...then]) {
        state = after(state, step, game, newest);
        const filled = Object.values(state.cards).flatMap(({scores}) => Object.values(scores));
        shown.push(filled.filter((score) => score !== null).length);
      }
    }
    return [shown, state.cards];
  });
}"""
"""How many boxes are filled after each step, and the cards in the end."""


@pytest.mark.parametrize(
    ("variant", "rules"),
    [("dice-poker", {"turn_seconds": 600, "extra_five_bonus": 100}), ("yahtzee-deluxe", {})],
)
def test_each_box_when_it_is_written(
    visit: Visit, service: Service, variant: str, rules: Mapping[str, int]
) -> None:
    """A card that is written on elsewhere fills box by box, and adds up to what the service has."""
    game = new_game(visit, variant, NAMES, rules)
    opening = game.read(service)["state"]
    cards = game.play_elsewhere()["state"]["cards"]
    events = game.read(service, "/events")["events"][1:]
    entry = service.get(f"/v1/variants/{variant}").json
    shown, found = game.page.evaluate(CARDS, [opening, events, entry, cards])
    wrote = [
        sum(each["what"] in ("written", "crossed_out") for each in step["news"])
        for step in _steps(events)
    ]
    assert shown == [sum(wrote[: at + 1]) for at in range(len(wrote))]
    assert found == cards


def test_nobody_is_left(visit: Visit, service: Service) -> None:
    """Once the last person has left, the page goes to the end at once, and says who left: nobody
    watches how computers play on.
    """
    game = new_game(visit, HOLDEM, ["Ann"], {"starting_chips": 100}, computers=ROBOTS)
    game.page.locator(".felt").click()
    game.wait_for_turn()
    game.page.evaluate(NEVER)
    leave(game, "Leave the game")
    expect(game.page.locator(".winners h2")).to_have_text(re.compile("(Robo|Max) wins!"))
    expect(game.page.locator(".left")).to_have_text("Left the game: Ann.")
    expect(game.page.locator(".told")).to_contain_text("Ann has left the game.")
    assert len(game.read(service, "/events")["events"]) > 4


ROLLS = r"""() => {
  const {setItem} = Storage.prototype;
  globalThis.shown = [];
  Storage.prototype.setItem = function (key, value) {
    setItem.call(this, key, value);
    const dice = document.querySelector("p.offscreen")?.textContent;
    if (key === "dice-table-held" && dice !== undefined) shown.push(dice);
    if (document.querySelector(".next[data-action]")) {
      shown.push(`${document.querySelectorAll(".spot.held").length} held`);
    }
  };
}"""
"""Each time that the page draws a table: the dice of the turn, and before a throw those held."""


def test_each_roll_is_shown(visit: Visit, service: Service) -> None:
    """Each roll of a computer is on the felt before what it decides, also the last of a round, and
    no die is held before the first roll of a turn. The result shows the dice that were beaten, too,
    and why, and neither lines nor chances.
    """
    robo, scripts = {"Robo": "hard"}, [AT_ONCE, ROLLS]
    game = new_game(visit, "poker-dice", ["Ann"], {"rounds": 4}, computers=robo, scripts=scripts)
    page = game.page
    able = page.locator(".next, .winners, [data-action]:enabled:not([data-action=take_back])")
    while not game.over:
        expect(able.first).to_be_visible()
        pause = page.locator(".pause")
        if pause.count():
            steps = [*_steps(game.read(service, "/events")["events"])]
            last = [step for step in steps if step.get("dice")][-1]
            news = [each for step in steps for each in step["news"]]
            put_out = [each for each in news if each["what"] == "put_out"]
            expect(page.locator(".odds span")).to_have_count(0)
            if "Robo took" in pause.inner_text() and last["player"] == "Robo":
                expect(pause.locator(".dice")).to_have_count(2)
                why = re.sub(r" \(\w+\)", "", put_out[-1]["reason"])
                expect(pause.locator("p").first).to_have_text(f"Ann is out: {why}")
            expect(page.locator(".told")).to_have_text("")
        game.step()
    shown = page.evaluate("shown")
    following = iter(shown)
    for step in _steps(game.read(service, "/events")["events"]):
        if step["player"] == "Robo" and step["action"] == "roll":
            assert ", ".join(map(str, step["dice"])) in following
    assert {each for each in shown if each.endswith(" held")} <= {"0 held"}


BEATEN = """(news) => {
  const main = document.querySelector("script").src;
  const before = {
    turn: {player: "Ann", dice: [6, 6, 6, 1, 2], rank: "three_of_a_kind"},
    best: {player: "Cem"}, players: [], news,
  };
  return import(main.replace("main", "kinds/ranking")).then(({after}) =>
    after(before, {action: "roll", player: "Robo", dice: [1], news: []}, {rolls: 3}, {news}).best);
}"""
"""Whose hand is to be beaten once Robo rolls after Ann."""


def test_who_was_enough_is_to_be_beaten(visit: Visit) -> None:
    """When the next player rolls at once, as after an all-in, the hand before is the one to beat,
    unless it was not enough, or the round is over.
    """
    page = visit().open()
    ann = {"player": "Ann", "dice": [6, 6, 6, 1, 2], "rank": "three_of_a_kind"}
    assert page.evaluate(BEATEN, []) == ann
    assert page.evaluate(BEATEN, [{"what": "busts", "player": "Ann"}]) == {"player": "Cem"}
    assert page.evaluate(BEATEN, [{"what": "collects", "player": "Ann"}]) is None


def test_the_hand_of_a_computer_is_named(visit: Visit) -> None:
    """The last roll of a computer has the name that the state then knows; rolls before it, which
    nothing names, have none.
    """
    names = """async () => {
      const main = document.querySelector("script").src;
      const {after} = await import(main.replace("main", "kinds/ranking"));
      const best = {player: "Robo", dice: [1, 2, 3, 4, 5], rank: "small_straight"};
      const state = {turn: null, players: [], news: []};
      return [[1, 2, 3, 4, 6], best.dice].map((dice) =>
        after(state, {action: "roll", player: "Robo", dice, news: []}, {rolls: 3}, {best, news: []})
          .turn.rank ?? "");
    }"""
    assert visit().open().evaluate(names) == ["", "small_straight"]


def test_the_last_die_lies(visit: Visit) -> None:
    """After an all-in among people, too, the flop, the turn and the river lie on the table one by
    one before the showdown, while nothing can be done; a tap shows the showdown at once.
    """
    rules: dict[str, int | str] = {"hands": 1, "starting_chips": 500, "betting": "no_limit"}
    game = new_game(visit, HOLDEM, NAMES, rules, scripts=[NEVER])
    page = game.page
    page.get_by_role("button", name="All in", exact=True).click()
    game.act(page.locator("form [data-action]"))
    game.hand.press(game.button("call"))
    dice = page.locator(".felt > .dice").first.locator("svg.die")
    expect(dice).to_have_count(3)
    page.evaluate("goes()")
    expect(dice).to_have_count(4)
    page.evaluate("goes()")
    expect(dice).to_have_count(5)
    expect(page.locator(".pause")).to_have_count(0)
    assert not game.offered()
    game.skip()
    expect(page.locator(".pause .last-hand")).to_be_visible()


def test_the_next_card_follows_what_was_written(visit: Visit) -> None:
    """On a phone the card of who wrote stays as long as the box glows; then the next player sees
    their own, before they roll.
    """
    game = new_game(visit, "dice-poker", NAMES, {"turn_seconds": 600}, width=390)
    page = game.page
    page.evaluate(STILL, "[data-cell]")
    writer = page.locator(".turn-line strong").inner_text()
    (following,) = set(NAMES) - {writer}
    game.do("roll")
    game.act(page.locator("[data-key='box chance']"))
    seen = page.locator(".totals [aria-pressed=true]")
    expect(seen).to_contain_text(writer)
    page.evaluate("moving.forEach(([, one]) => one.finish())")
    expect(seen).to_contain_text(following)
    expect(page.get_by_role("group", name=f"Card of {following}")).to_be_visible()


def test_the_own_card_follows_a_computer(visit: Visit) -> None:
    """On a phone one's own card is back once the box that a computer wrote has glowed."""
    game = new_game(visit, "dice-poker", ["Ann"], {}, computers=ROBO, width=390, scripts=[AT_ONCE])
    page = game.page
    game.visitor.allows(TABLE)
    for _ in range(2):
        game.wait_for_turn()
        if game.button("roll").count():
            game.do("roll")
            game.act(page.locator("[data-key='box chance'], [data-key='box fives']").first)
    expect(game.button("roll")).to_be_visible()
    expect(page.get_by_role("group", name="Card of Ann")).to_be_visible()
    expect(page.locator(".status")).to_have_text("Your turn")


def test_an_end_that_is_taken_back(visit: Visit, service: Service) -> None:
    """A game for one is over with its points in "Your games", and nobody wins it; once its end is
    taken back, it goes on there, too.
    """
    game = new_game(visit, "dice-poker", ["Zoe"], {"turn_seconds": 600}, REAL_DICE)
    page = game.page
    boxes = [*game.read(service)["state"]["cards"]["Zoe"]["scores"]]
    for box in boxes:
        game.act_elsewhere(service, action="write", box=box, points=30 if box == "chance" else 0)
    expect(page.locator(".winners h2")).to_have_text("The game is over.")
    assert game.seat()["over"] is True
    game.act(page.get_by_role("button", name="Take back"))
    expect(page.locator(".winners")).to_have_count(0)
    assert game.seat()["over"] is False
    game.act_elsewhere(service, action="write", box="chance", points=30)
    expect(page.locator(".winners")).to_have_count(1)
    page.locator(".brand").click()
    item = page.locator("main .list li", has_text="Zoe")
    expect(item.locator("strong")).to_have_text("The game is over. 30 points")


def test_a_layout_of_a_computer(visit: Visit, service: Service) -> None:
    """What a computer lays is on the felt with its points before the turn goes on."""
    game = new_game(
        visit, "roll-a-royal", ("Ann",), {"turns": 100}, computers=ROBO, scripts=[LAYOUTS]
    )
    page = game.page
    game.visitor.allows("status 503 GET .*/forecast$")
    able = page.locator("[data-action]:enabled:not([data-action=take_back])")
    laid: list[Any] = []
    for _ in range(200):
        if laid:
            break
        while not able.count():
            if page.locator(".next").count():
                game.go_on()
            else:
                game.skip()
                expect(able.or_(page.locator(".next")).first).to_be_visible()
        game.step()
        laid = [
            step
            for step in _steps(game.read(service, "/events")["events"])
            if step["player"] == "Robo" and step.get("layout")
        ]
    assert laid
    game.skip()
    expect(able.or_(page.locator(".next")).first).to_be_visible()
    shown = {(dice, points) for dice, points in page.evaluate("laid")}
    for step in laid:
        dice = len({die for line in step["layout"] for die in line["dice"]})
        assert (dice, step["news"][-1]["points"]) in shown
