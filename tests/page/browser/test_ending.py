"""The end of a game: who has won, the best roll, how the chances moved; and the screen for all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.live import Service
from tests.page.browser.game import (
    NAMES,
    OWN_DEVICES,
    REAL_DICE,
    SHORT,
    Game,
    new_game,
    shared_table,
)
from tests.page.browser.test_views import sideways, violations
from tests.page.browser.visitor import Page, Route, Visit, box_of, expect, labels


def _clean(page: Page) -> None:
    """Fails if axe-core finds something, light or dark, or if a phone has to scroll sideways."""
    for scheme, width in (("light", 1280), ("dark", 320)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        assert (violations(page), sideways(page)) == ([], 0)


@pytest.mark.parametrize("variant", SHORT)
def test_the_totals(visit: Visit, service: Service, variant: str) -> None:
    """At the end of each game stand who has won, and the totals of all, the winners first."""
    game = new_game(visit, variant)
    state = game.play_elsewhere()["state"]
    won = state["winners"]
    words = f"{won[0]} wins!" if len(won) == 1 else "Ann and Ben share the win!"
    expect(game.page.locator(".winners h2")).to_have_text(words)
    result = game.read(service, "/result")["players"]
    totals = {each["id"]: each.get("total", each.get("chips")) for each in result}
    cards = game.page.locator(".standings li")
    expect(cards).to_have_count(len(totals))
    assert dict(text.rsplit(None, 1) for text in cards.all_inner_texts()) == {
        name: f"{total:,}" for name, total in totals.items()
    }
    first = game.page.locator(".standings .first")
    expect(first).to_have_count(len(won))
    assert set(first.locator("span").all_inner_texts()) == set(won)
    assert cards.first.locator("span").inner_text() in won
    _clean(game.page)


def test_the_best_roll(visit: Visit, service: Service) -> None:
    """The roll that brought the most is named with its dice; one that was taken back is not."""
    game = new_game(visit, "dice-poker", ("Ann",), {"turn_seconds": 600}, REAL_DICE)
    boxes = [*game.read(service)["state"]["cards"]["Ann"]["scores"]]
    game.act_elsewhere(service, action="write", box="five_of_a_kind", dice=[6, 6, 6, 6, 6])
    game.act_elsewhere(service, action="take_back", to=1)
    game.act_elsewhere(service, action="write", box="full_house", dice=[4, 4, 2, 2, 4])
    for box in boxes:
        if box != "full_house":
            game.act_elsewhere(service, action="write", box=box, points=0)
    best = game.page.locator(".best-roll")
    expect(best).to_have_text("The best roll: Ann, 25 in Full house")
    assert labels(best.get_by_role("img")) == ["4", "4", "2", "2", "4"]


@pytest.mark.parametrize("variant", ["poker-dice", "roll-a-royal", "texas-holdem-dice"])
def test_the_best_roll_of_other_games(visit: Visit, service: Service, variant: str) -> None:
    """In games without a card it is the strongest hand that was shown, or the layout with the most
    points.
    """
    game = new_game(visit, variant)
    game.play_elsewhere()
    steps = [
        step
        for event in game.read(service, "/events")["events"]
        for step in (event, *event["then"])
    ]
    news = [each for step in steps for each in step["news"]]
    ranks = service.get(f"/v1/variants/{variant}").json.get("ranks", [])
    order, names = [each["id"] for each in ranks], {each["id"]: each["name"] for each in ranks}
    found: list[tuple[float, str]] = []
    for each in news:
        if each["what"] == "laid":
            found.append((each["points"], f"{each['points']:,} points"))
        elif each["what"] == "collects" and "dice" in each:
            found.append((each["strength"], names[each["rank"]]))
        elif each["what"] == "showdown":
            rank = each["places"][0]["rank"]
            found.append((-order.index(rank), names[rank]))
    best = game.page.locator(".best-roll")
    if not found:
        expect(game.page.locator(".winners")).to_be_visible()
        expect(best).to_have_count(0)
        return
    expect(best).to_contain_text(max(found)[1])


def test_the_curve(visit: Visit, service: Service) -> None:
    """Once the service has it, the curve of chances stands at the end of a game with a score card,
    as it does in the review, and below what begins the next game.
    """
    game = new_game(visit, "dice-poker")
    game.play_elsewhere()
    game.wait_for_table("review")
    curve = game.page.locator(".winners .curve")
    expect(curve).to_be_visible()
    again, drawn = box_of(game.page.locator(".winners .actions")), box_of(curve)
    assert again["y"] + again["height"] <= drawn["y"]
    curve.get_by_text("The figures").click()
    moves = game.read(service, "/review")["curve"]
    last = [str(round(each * 100)) for each in moves[-1]["chances"].values()]
    assert curve.locator("tbody tr").last.locator("td").all_inner_texts() == last


@pytest.mark.parametrize("width", [390, 1280])
def test_the_place_of_the_curve(visit: Visit, width: int) -> None:
    """The curve moves nothing when it comes: its place is there from the end on."""
    game = new_game(visit, "dice-poker", width=width)
    page = game.page
    held: list[Route] = []
    page.route("**/review", lambda route: held.append(route))
    with page.expect_request("**/review"):
        game.play_elsewhere()
    below = page.locator(".round")
    place = page.locator(".winners .card:empty")
    expect(place).to_be_visible()
    expect(page.locator(".best-roll")).to_be_visible()
    before = box_of(below)
    moves = {"player": "Ann", "turn": 1, "chances": {"Ann": 0.6, "Ben": 0.4}}
    for each in held:
        each.fulfill(json={"players": {}, "curve": [{**moves, "turn": turn} for turn in range(13)]})
    expect(page.locator(".winners .curve")).to_be_visible()
    assert abs(box_of(below)["y"] - before["y"]) <= 8
    page.set_viewport_size({"width": 1670 - width, "height": 800})  # the view is drawn again
    expect(page.locator(".winners .curve figcaption")).to_be_visible()


def test_who_has_won_is_in_sight(visit: Visit) -> None:
    """Wherever the page was scrolled to, the end of a game shows who has won, and the button that
    begins the next one; the keyboard is there, too.
    """
    game = new_game(visit, "roll-a-royal", NAMES, {"turns": 1}, width=390, height=700)
    page = game.page
    game.play_to_the_end()
    expect(page.get_by_role("heading", name="win")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Play again")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.activeElement.className") == "felt winners"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_burst(visit: Visit, motion: Any) -> None:
    """Paper flies and the totals count up when a game ends, and not again after a reload; for
    whoever asked for reduced motion, nothing moves.
    """
    game = new_game(visit, "poker-dice", NAMES, {"rounds": 1})
    game.visitor.allows("ERR_ABORTED")  # by the reload
    page = game.page
    game.stop_motion(".bit")
    page.emulate_media(reduced_motion=motion)
    game.play_to_the_end()
    bits = page.locator(".bit")
    expect(bits).to_have_count(48 if motion == "no-preference" else 0)
    stacks = page.locator(".seats .card strong + span").all_inner_texts()
    expect(page.locator(".standings strong").first).to_have_text(
        max((text.split()[0] for text in stacks), key=int)
    )
    page.reload()
    expect(page.locator(".winners")).to_be_visible()
    expect(bits).to_have_count(0)


def _on_television(game: Game) -> Page:
    """The screen for all of a game, in another tab of the device that set it up."""
    page = game.visitor.context.new_page()
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{game.visitor.origin}/play#/session/{game.id}/tv")
    page.locator(".tv .standings").wait_for()
    return page


@pytest.mark.parametrize("variant", SHORT)
def test_a_screen_for_all(visit: Visit, service: Service, variant: str) -> None:
    """The TV view says whose turn it is and what everybody has, shows the dice at least 100 px
    wide, and has nothing to act with; it shows the card, if there is one, or the hands that were
    laid, all on the screen. It follows the game to its end.
    """
    game = new_game(visit, variant)
    page = _on_television(game)
    dice = page.locator(".felt > .dice:not(.turn) > *, .felt .dice.turn .die")
    while not dice.count():
        game.step()
        expect(page.locator(".tv")).to_have_attribute("data-version", str(game.version))
    state = game.read(service)["state"]
    expect(page.locator(".status")).to_have_text(f"{state['to_act'][0]} is to play.")
    expect(page.locator(".standings .first span")).to_have_text(state["to_act"])
    widths = dice.evaluate_all("all => all.map((each) => each.getBoundingClientRect().width)")
    assert min(widths) >= 100
    expect(page.locator("[data-action]:visible")).to_have_count(0)
    expect(page.locator("header")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    expect(page.locator(".sheet:visible")).to_have_count(int("cards" in state))
    if variant == "roll-a-royal":
        while not page.locator(".hands").count():
            game.step()
            expect(page.locator(".tv")).to_have_attribute("data-version", str(game.version))
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    _clean(page)
    game.play_elsewhere()
    expect(page.locator(".winners h2")).to_be_visible()
    _clean(page)
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator(".view.session:not(.tv) .winners")).to_be_visible()


def test_codes_to_join(visit: Visit) -> None:
    """In its corner the TV view has a code for each player who has not come yet, which opens their
    seat on a phone.
    """
    ann, ben = Game(visit()), Game(visit())
    ann.visitor.allows("ERR_ABORTED")
    ann.set_up("poker-dice", NAMES, {}, OWN_DEVICES)
    link = ann.invitations()["Ben"]
    page = _on_television(ann)
    codes = page.locator(".invitations li:visible")
    expect(codes).to_have_count(1)
    expect(codes.get_by_role("img")).to_be_visible()
    ben.visitor.open(link)
    expect(page.locator(".invite")).to_be_hidden()


def test_no_codes_for_one_device(visit: Visit) -> None:
    """The TV view of a game on one device invites nobody."""
    game = new_game(visit, "poker-dice", NAMES, {})
    page = _on_television(game)
    page.locator(".tv .standings").wait_for()
    expect(page.locator(".invite")).to_have_count(0)


def test_no_screen_for_all_by_an_invitation(visit: Visit) -> None:
    """Only a device with the token of the table has the TV view."""
    ann, ben = shared_table(visit, "dice-poker", turn_seconds=600)
    expect(ann.page.get_by_role("link", name="TV view")).to_be_visible()
    expect(ben.page.get_by_role("link", name="TV view")).to_have_count(0)


def test_playing_on_from_the_turning_point(visit: Visit, service: Service) -> None:
    """One tap in the review begins a game of the same players with the cards as they were before
    the turning point, with the player to move whose turn it was.
    """
    game = new_game(visit, "dice-poker", NAMES, {"turn_seconds": 600, "extra_five_bonus": 100})
    game.play_elsewhere()
    game.wait_for_table("review")
    point = game.read(service, "/review")["turning_point"]
    cards: dict[str, dict[str, int]] = {name: {} for name in NAMES}
    written = [
        each
        for event in game.read(service, "/events")["events"]
        for each in event["news"]
        if each["what"] in ("written", "crossed_out")
    ]
    turns = 0
    for each in written:
        turns += each["player"] == point["player"]
        if (each["player"], turns) == (point["player"], point["turn"]):
            break
        cards[each["player"]][each["box"]] = each["score"]
    before = game.id
    game.page.goto(f"{game.visitor.origin}/play#/review/{before}")
    game.page.get_by_role("button", name="Play on from there").click()
    game.page.locator(".turn-line").wait_for()
    assert game.id != before
    session = game.read(service)
    assert session["state"]["to_act"] == [point["player"]]
    assert {
        name: {box: score for box, score in card["scores"].items() if score is not None}
        for name, card in session["state"]["cards"].items()
    } == cards
    assert session["house_rules"]["extra_five_bonus"] == 100
