"""Advice beside the table, and the review of a finished game."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.live import Service
from tests.page.browser.game import REAL_DICE, SHORT, Game, new_game
from tests.page.browser.visitor import Visit
from tests.whole_games.legal_player import choose, moves

ADVICE = "Show advice during the game"


def _percent(share: float) -> str:
    return f"{round(share * 100 + 1e-9, 1):g}%"


def test_every_keep_has_its_value(visit: Visit, service: Service) -> None:
    """The panel lists each play with its value and what it loses; after a choice, it says what
    that one has cost against the best.
    """
    game = new_game(visit, "poker-dice", ("Ann", "Ben"), {"rounds": 2}, ADVICE)
    game.do("ante", "meet")
    game.go_on()
    page = game.page
    page.locator("advice-panel summary").first.click()
    options = game.read(service, "/advice")["options"]
    rows = page.locator(".options > li")
    expect(rows).to_have_count(len(options))
    shown = [
        (
            row.locator(".value").inner_text(),
            row.locator(".loss").inner_text().lstrip("\N{MINUS SIGN}"),
        )
        for row in rows.all()
    ]
    assert shown == [
        (_percent(each["chance"]), _percent(each["loss"]) if each["loss"] >= 0.0005 else "")
        for each in options
    ]
    worst = next(each for each in reversed(options) if each["action"] == "roll")
    for place in worst["keep"]:
        page.locator(".dice.turn button.die").nth(place).click()
    game.do("roll")
    cost = page.locator("advice-panel .cost")
    lost = round(worst["loss"] * 100 + 1e-9, 1)
    if worst["loss"] < 0.0005:
        expect(cost).to_have_text(re.compile(r": the best choice\.$"))
    else:
        expect(cost).to_have_text(
            re.compile(rf": {lost:g} percentage points less than the best choice")
        )


def test_hidden_pocket(visit: Visit) -> None:
    """At a Hold'em table, advice is asked for only when somebody opens the panel, as it depends on
    the pocket; the panel closes before the next player acts.
    """
    game = new_game(visit, "texas-holdem-dice", ("Ann", "Ben"), {}, ADVICE)
    visitor = game.visitor
    asked = [each.url for each in visitor.responses if each.url.endswith("/advice")]
    assert asked == []
    while "roll_flop" not in game.offered() and "roll_pocket" in game.offered():
        game.do("roll_pocket")
    game.page.locator("advice-panel summary").first.click()
    panel = game.page.locator("advice-panel")
    expect(panel).to_contain_text("Your share of the pot is")
    game.act(game.button(game.offered()[0]))
    expect(panel.locator("details")).not_to_have_attribute("open", "")
    expect(panel).not_to_contain_text("Your share of the pot is")


def test_hidden_pocket_when_another_page_acts(visit: Visit, service: Service) -> None:
    """The panel also closes when a player has acted elsewhere, as in another tab."""
    game = new_game(visit, "texas-holdem-dice", ("Ann", "Ben"), {}, ADVICE)
    while "roll_pocket" in game.offered():
        game.do("roll_pocket")
    panel = game.page.locator("advice-panel")
    panel.locator("summary").first.click()
    expect(panel).to_contain_text("Your share of the pot is")
    first = now = game.read(service)
    while now["state"]["to_act"] == first["state"]["to_act"]:
        now = game.act_elsewhere(service, **choose(Random(1), moves(now["actions"]), {}))
    expect(game.view).to_have_attribute("data-version", str(now["version"]))
    expect(panel.locator("details")).not_to_have_attribute("open", "")
    expect(panel).not_to_contain_text("Your share of the pot is")
    log = game.page.locator("teach-panel").text_content() or ""
    assert f"/v1/sessions/{game.id}" in log
    assert "/advice" not in log


def test_no_advice(visit: Visit) -> None:
    """A session without advice has no panel and no hint."""
    game = new_game(visit, "poker-dice")
    game.do("ante", "meet")
    expect(game.page.locator("advice-panel")).to_have_count(0)
    expect(_hint(game)).to_have_count(0)


def test_review(visit: Visit, service: Service) -> None:
    """At the end, the review says why the winner is ahead, and has the figures of the service."""
    game = new_game(visit, "dice-poker")
    game.play_elsewhere()
    game.wait_for_table("review")
    review = game.read(service, "/review")
    page = game.page
    page.get_by_role("link", name="Luck and skill").click()
    page.locator(".curve").first.wait_for()
    players = review["players"]
    (first, best), (second, other) = sorted(
        players.items(), key=lambda each: each[1]["total"], reverse=True
    )
    ahead = best["total"] - other["total"]
    if ahead:
        expect(page.locator(".verdict")).to_contain_text(
            f"{first} finished ahead of {second} by {ahead:.0f}:"
        )
    totals = page.locator(".sheet tr.sum td").all_inner_texts()
    assert [int(total) for total in totals] == [each["total"] for each in players.values()]
    chances = page.locator(".curve")
    chances.get_by_text("The figures").click()
    last = review["curve"][-1]["chances"]
    assert chances.locator("thead th").all_inner_texts()[1:] == [*last]
    moves = len({(each["player"], each["turn"]) for each in review["curve"]})
    expect(chances.locator("tbody tr")).to_have_count(moves)
    assert chances.locator("tbody tr").last.locator("td").all_inner_texts() == [
        str(round(each * 100)) for each in last.values()
    ]
    point = review["turning_point"]
    expect(page.locator("p.card")).to_have_text(
        f"The turning point: in turn {point['turn']}, a {point['moved_by']} of {point['player']} "
        f"moved the chance to win from {point['before']:.0%} to {point['after']:.0%}."
    )
    expect(page.get_by_role("heading", name=f"{first}: the choices that cost most")).to_be_visible()


def test_advice_that_came_too_late(visit: Visit) -> None:
    """The request for advice on a decision that has been made is given up."""
    game = new_game(visit, "poker-dice", ("Ann", "Ben"), {"rounds": 1}, ADVICE)
    game.page.route("**/advice", lambda _: None)  # no answer comes
    game.do("ante", "meet")
    with game.page.expect_request("**/advice") as asked:
        game.go_on()
    with game.page.expect_event("requestfailed", lambda request: request == asked.value):
        game.act(game.button(game.offered()[0]))


def test_a_turn_without_a_roll(visit: Visit) -> None:
    """The review says of a turn that the clock ended before any roll that it was so."""
    game = new_game(visit, "dice-poker", ("Ann",), {"turn_seconds": 600})
    play = {"action": "score", "box": "ones", "score": 0, "expected_total": 200}
    decision = {"turn": 1, "roll": 0, "dice": [], "luck": 0, "played": play, "best": play}
    review = {
        "variant": "dice-poker",
        "start": 240,
        "total": 200,
        "luck": 0,
        "loss": 40,
        "accuracy": 50,
        "decisions": [{**decision, "loss": 40, "word": "blunder"}],
    }
    answer: dict[str, Any] = {"players": {"Ann": review}, "curve": [], "turning_point": None}
    game.page.route("**/review", lambda route: route.fulfill(json=answer))
    page = game.visitor.open(f"#/review/{game.id}")
    expect(page.locator(".choices li").first).to_contain_text(
        "Turn 1, the time was up before a roll"
    )


def _hint(game: Game) -> Locator:
    return game.page.get_by_role("button", name="Hint", exact=True)


def test_a_hint(visit: Visit, service: Service) -> None:
    """One tap on the hint holds the dice of the best play, or chooses its box, and marks what plays
    it, which has the focus; nothing is marked without that tap, and nothing is sent.
    """
    game = new_game(visit, "dice-poker", ("Ann",), {"turn_seconds": 600}, ADVICE)
    game.visitor.allows("status 503 GET .*/advice$")  # while the service makes its table
    game.wait_for_table("advice")
    game.do("roll")
    marked = game.page.locator(".advised")
    marks = "all => all.map((each) => each.dataset.key)"
    for _ in range(3):
        expect(marked).to_have_count(0)
        _hint(game).click()
        expect(marked.first).to_be_visible()
        before = game.version
        best = game.read(service, "/advice")["options"][0]
        keys = [f"keep {place}" for place in best.get("keep", [])]
        keys += ["roll Ann"] if best["action"] == "roll" else [f"box {best['box']}"]
        assert sorted(marked.evaluate_all(marks)) == sorted(keys)
        expect(marked.first).to_have_accessible_description("Hint")
        assert game.page.locator(".most").count() == 0
        assert "Most points now" not in game.page.locator(".felt").inner_text()
        assert game.version == before
        held = game.page.locator(".dice.turn [aria-pressed=true]").evaluate_all(marks)
        if best["action"] == "roll":
            assert held == [f"keep {place}" for place in best["keep"]]
        else:
            expect(game.page.locator(".write[aria-pressed=true]")).to_be_focused()
            break
        expect(game.button("roll")).to_be_focused()
        game.do("roll")


def test_a_hint_on_the_sheet(visit: Visit) -> None:
    """A hint for a box marks it alone, and the button writes it."""
    game = new_game(visit, "dice-poker", ("Ann",), {"turn_seconds": 600}, REAL_DICE, ADVICE)
    game.visitor.allows("status 503 GET .*/advice$")  # while the service makes its table
    game.wait_for_table("advice")
    game.enter("23456")
    _hint(game).click()
    marked = game.page.locator(".advised")
    expect(marked).to_have_accessible_name("Write 40 in Large straight")
    background = "each => getComputedStyle(each).backgroundColor"
    other = game.page.get_by_role("button", name="Write 20 in Chance")
    assert marked.evaluate(background) != other.evaluate(background)
    expect(game.page.locator(".commit")).to_have_text("Write 40")


def test_a_line_that_keeps_dice(visit: Visit, service: Service) -> None:
    """Pressed, a line of the advice holds its dice and no others; the roll, which is still to be
    pressed, has the focus. A line that stops the turn sends nothing either.
    """
    game = new_game(visit, "poker-dice", ("Ann", "Ben"), {"rounds": 1}, ADVICE)
    game.do("ante", "meet")
    game.go_on()
    page, before = game.page, game.version
    page.locator("advice-panel summary").first.click()
    lines = page.locator(".options button")
    expect(lines.first).to_be_visible()
    options = game.read(service, "/advice")["options"]
    keeping = [at for at, each in enumerate(options) if each.get("keep")]
    for at in (keeping[-1], keeping[0]):
        lines.nth(at).click()
        held = page.locator(".dice.turn .die").evaluate_all(
            "all => all.flatMap((each, at) => each.ariaPressed === 'true' ? [at] : [])"
        )
        assert held == options[at]["keep"]
        expect(game.button("roll")).to_be_focused()
    lines.nth([each["action"] for each in options].index("stop")).click()
    expect(game.button("stop")).to_be_focused()
    assert game.version == before


def test_a_line_that_writes(visit: Visit, service: Service) -> None:
    """Pressed, a line of the advice previews its box, also one to cross out; it writes nothing,
    however often it is pressed.
    """
    game = new_game(visit, "dice-poker", ("Ann", "Ben"), {"turn_seconds": 600}, ADVICE)
    game.visitor.allows("status 503 GET .*/advice$")  # while the service makes its table
    game.wait_for_table("advice")
    game.do("roll")
    page, before = game.page, game.version
    page.locator("advice-panel summary").first.click()
    options = game.read(service, "/advice")["options"]
    actions = [each["action"] for each in options]
    for action, word in (("score", "Write"), ("cross_out", "Cross out")):
        at = actions.index(action)
        for _ in range(2):
            page.locator(".options button").nth(at).click()
            chosen = page.locator(".write[aria-pressed=true]")
            expect(chosen).to_have_attribute("data-key", f"box {options[at]['box']}")
            expect(page.locator(".commit")).to_have_text(re.compile(rf"^{word}"))
            expect(page.locator(".told.preview")).to_be_visible()
    assert game.version == before


def test_the_chances_to_win(visit: Visit, service: Service) -> None:
    """The bar has everybody's chance to win after each move, as the service says it; where it can't
    say it now there is none, and one can move on.
    """
    game = new_game(visit, "poker-dice", ("Ann", "Ben"), {"rounds": 1})
    bar = game.page.get_by_role("group", name="Chance this round").locator("span")
    game.do("ante", "meet")
    game.go_on()
    game.do("roll")
    players = game.read(service, "/forecast")["players"]
    expect(bar).to_have_text(
        [f"{each['id']} {round(each['win'] * 100 + 1e-9)}%" for each in players]
    )
    game.page.route("**/forecast", lambda route: route.fulfill(status=409, json={}))
    game.visitor.expects("status 409 GET .*/forecast$")
    game.do("stop")
    expect(bar).to_have_count(0)
    game.page.unroute("**/forecast")
    game.page.route("**/forecast", lambda _: None)  # no answer comes
    game.act(game.button(game.offered()[0]))


def test_no_chances_without_advice(visit: Visit) -> None:
    """In Hold'em one's own pocket counts in the chances: they are advice, and so are not shown in a
    session without it. Nor are they for one player.
    """
    game = new_game(visit, "texas-holdem-dice")
    visitor = game.visitor
    game.set_up("dice-poker", ("Ann",), {"turn_seconds": 600})
    game.do("roll")
    expect(game.page.get_by_role("group", name="Chance to win")).to_have_count(0)
    assert [each.url for each in visitor.responses if each.url.endswith("/forecast")] == []


def test_advice_on_the_dice_before(visit: Visit) -> None:
    """Until the advice on new dice is there, that on the dice before is out of sight, and there is
    no hint.
    """
    game = new_game(visit, "poker-dice", ("Ann", "Ben"), {"rounds": 1}, ADVICE)
    game.do("ante", "meet")
    game.go_on()
    game.page.locator("advice-panel summary").first.click()
    plays = game.page.locator(".options").first
    hint = _hint(game)
    expect(plays).to_be_visible()
    expect(hint).to_be_visible()
    game.page.route("**/advice", lambda _: None)  # no answer comes
    hint.click()
    game.do("roll")
    expect(game.page.locator(".advised")).to_have_count(0)
    expect(plays).to_be_hidden()
    expect(hint).to_be_hidden()
    game.page.unroute("**/advice")
    for _ in ("closed", "open"):  # which asks again
        game.page.locator("advice-panel summary").first.click()
    expect(plays).to_be_visible()
    hint.click()
    expect(game.page.locator(".felt [data-action].advised")).to_have_css("outline-style", "dashed")


@pytest.mark.parametrize("variant", [each for each in SHORT if each != "yahtzee-deluxe"])
def test_no_advice_is_asked_for_in_vain(variant: str, visit: Visit) -> None:
    """The page asks only where somebody decides on dice, and gets an answer each time: the visitor
    fails for any other.
    """
    game = new_game(visit, variant, ("Ann", "Ben"), None, ADVICE)
    game.visitor.allows("status 503 GET .*/advice$")  # while the service makes its table
    game.page.locator("advice-panel summary").first.click()
    for _ in range(8):
        game.step()
        game.go_on()
        if game.over:
            break
        panel = game.page.locator("advice-panel details").first
        if not panel.evaluate("(details) => details.open"):
            panel.locator("summary").first.click()
