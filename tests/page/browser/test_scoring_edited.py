"""What the view that scores keeps and refuses while somebody changes what they entered."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.page.browser.score_view import click_faces, result, type_faces, written
from tests.page.browser.visitor import Visit, labels


def test_a_slow_answer(visit: Visit) -> None:
    """What is written on a sheet stays there, in whichever order the answers come."""
    page = visit().open("#/score/dice-poker")
    total = page.locator(".sheet .total td")
    expect(total).to_have_text("0")
    held: list[Route] = []
    page.route(
        "**/dice-poker/score", lambda route: route.continue_() if held else held.append(route)
    )
    page.get_by_label("Ones of Player 1").select_option("3")
    page.get_by_label("Twos of Player 1").select_option("6")
    expect(total).to_have_text("9")
    with page.expect_response("**/dice-poker/score"):
        held[0].continue_()
    page.get_by_label("Threes of Player 1").select_option("9")
    expect(total).to_have_text("18")
    assert [written(page, box) for box in ("Ones", "Twos", "Threes")] == ["3", "6", "9"]


def test_a_sheet_is_kept(visit: Visit) -> None:
    """A sheet is still there after a reload and in another language; a new one, after a question,
    is empty.
    """
    visitor = visit()
    visitor.allows("ERR_ABORTED")  # requests that are on their way at the reload
    page = visitor.open("#/score/dice-poker")
    page.get_by_role("textbox", name="Name of player 1").fill("Ann")
    page.get_by_role("textbox", name="Name of player 1").press("Tab")
    page.get_by_label("Ones of Ann").select_option("3")
    total = page.locator(".sheet .total td")
    expect(total).to_have_text("3")
    page.reload()
    expect(total).to_have_text("3")
    expect(page.locator(".sheet thead")).to_contain_text("Ann")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(total).to_have_text("3")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Neuer Zettel").click()
    expect(total).to_have_text("3")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Neuer Zettel").click()
    expect(total).to_have_text("0")
    page.reload()
    expect(total).to_have_text("0")


def test_house_rules_are_kept(visit: Visit) -> None:
    """The house rules that a sheet is scored by are still chosen after a reload."""
    visitor = visit()
    visitor.allows("ERR_ABORTED")
    page = visitor.open("#/score/dice-poker")
    page.locator("summary", has_text="House rules").click()
    rules = page.locator(".rule input[type=checkbox]")
    usual = [rule.is_checked() for rule in rules.all()]
    for rule in rules.all():
        rule.click()
    page.reload()
    page.locator(".sheet").wait_for()
    assert [rule.is_checked() for rule in rules.all()] == [not each for each in usual]


@pytest.mark.parametrize("game", ["poker-dice", "dice-poker"])
def test_two_players_of_one_name(game: str, visit: Visit) -> None:
    """Two players of one name are named in a sentence, not by a place in the request."""
    page = visit().open(f"#/score/{game}")
    names = page.get_by_role("textbox", name="Name of player")
    if names.count() == 1:
        page.get_by_role("button", name="Add a player").click()
    expect(names).to_have_count(2)
    names.nth(1).fill("Player 1")
    names.nth(1).press("Tab")
    if game == "poker-dice":
        type_faces(page, "1111266543")
    expect(result(page)).to_have_text("Two players can\u2019t have the same name.")


def test_a_face_that_is_taken(visit: Visit) -> None:
    """After the last die of a face the keyboard is still there, and goes on."""
    page = visit().open("#/score/roll-a-royal")
    ace, spades = (page.get_by_role("button", name=name, exact=True) for name in ("ace", "spades"))
    expect(spades).to_have_attribute("aria-disabled", "true")
    ace.click()
    expect(ace).to_have_attribute("aria-pressed", "true")
    spades.focus()
    page.keyboard.press("Space")
    expect(ace).to_have_attribute("aria-pressed", "false")
    ace.click()
    expect(spades).to_have_attribute("aria-disabled", "true")
    spades.focus()
    page.keyboard.press("Space")
    expect(spades).to_be_focused()
    page.keyboard.type("Ks")
    places = page.locator("dice-entry .places button")
    expect(places.nth(1)).to_have_attribute("aria-label", "Roll 1, die 2: king of spades")


@pytest.mark.parametrize("variant", ["poker-dice", "texas-holdem-dice", "dice-poker"])
def test_a_click_after_a_name(variant: str, visit: Visit) -> None:
    """The first click after a name was edited counts, such as that which removes a player."""
    page = visit().open(f"#/score/{variant}")
    names = page.get_by_role("textbox", name="Name of player")
    while names.count() < 3:
        page.get_by_role("button", name="Add a player").click()
    names.nth(1).fill("Ben")
    page.get_by_role("button", name="Remove: Player 3").click()
    expect(names).to_have_count(2)
    names.nth(0).fill("Ann")
    click_faces(page, ["4", "5"] if variant != "texas-holdem-dice" else ["4 red", "5 red"])
    shown = labels(page.locator("dice-entry .places button"))[:2]
    assert [re.sub(r".*: (\d).*", r"\1", label) for label in shown] == ["4", "5"]
    expect(names.nth(1)).to_have_value("Ben")


def test_an_answer_while_somebody_types(visit: Visit) -> None:
    """A name that is being typed stays in its field when an answer of the service arrives."""
    page = visit().open("#/score/dice-poker")
    held: list[Route] = []
    page.route("**/dice-poker/score", lambda route: held.append(route))
    with page.expect_request("**/dice-poker/score"):
        page.get_by_label("Ones of Player 1").select_option("3")
    name = page.get_by_role("textbox", name="Name of player 1")
    name.fill("Ann")
    held[0].continue_()
    expect(page.locator(".sheet .total td")).to_have_text("3")
    expect(name).to_have_value("Ann")
    name.press("Tab")
    expect(page.locator(".totals")).to_contain_text("Ann 3")


def test_a_box_after_a_name(visit: Visit) -> None:
    """The first click on a box after a name was edited writes it; the sheet has the new name."""
    page = visit().open("#/score/dice-poker")
    type_faces(page, "33355")
    best = page.locator(".best button").first
    expect(best).to_be_visible()
    page.get_by_role("textbox", name="Name of player 1").fill("Ann")
    worth = best.locator("strong").inner_text()
    best.click()
    expect(page.locator(".sheet .total td")).to_have_text(worth)
    expect(page.locator(".sheet thead")).to_contain_text("Ann")
    expect(page.get_by_label("Ones of Ann")).to_be_visible()


def test_only_what_has_changed_is_asked(visit: Visit) -> None:
    """Entering dice asks for what they are worth, and not once more for the sums of each card."""
    page = visit().open("#/score/dice-poker")
    page.get_by_role("button", name="Add a player").click()
    expect(page.locator(".totals button")).to_have_count(3)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    type_faces(page, "33355")
    expect(result(page)).to_contain_text("Most points now")
    assert asked.count("evaluate") == 1
    assert "score" not in asked


def test_faces_of_two_digits(visit: Visit) -> None:
    """A die with twenty faces is typed by its number; a comma ends one."""
    visitor = visit()

    def twenty(route: Route) -> None:
        game = route.fetch().json()
        game["dice"]["faces"] = 20
        route.fulfill(json=game)

    visitor.page.route("**/v1/variants/poker-dice", twenty)
    page = visitor.open("#/score/poker-dice")
    page.locator("dice-entry .slot").first.focus()
    page.keyboard.type("12,1,210")
    shown = labels(page.locator("dice-entry .places button"))[:4]
    assert shown == [
        f"Player 1, die {at + 1}: {face}" for at, face in enumerate(["12", "1", "2", "10"])
    ]


def test_a_default_that_allows_cards_twice(visit: Visit) -> None:
    """A card can be entered twice in a game whose default is to allow it."""
    visitor = visit()

    def allowed(route: Route) -> None:
        game = route.fetch().json()
        for rule in game["house_rules"]:
            if rule["name"] == "repeated_cards":
                rule["default"] = True
        route.fulfill(json=game)

    visitor.page.route("**/v1/variants/roll-a-royal", allowed)
    page = visitor.open("#/score/roll-a-royal")
    type_faces(page, "AsAs")
    places = page.locator("dice-entry .places button")
    expect(places.nth(1)).to_have_attribute("aria-label", "Roll 1, die 2: ace of spades")


def test_a_correction_under_a_bonus(visit: Visit) -> None:
    """A card that a correction made impossible says why and stays on screen, also after a reload;
    the count of further fives can be corrected, too, and the sums follow.
    """
    visitor = visit()
    visitor.expects(r"status 422 POST .*/dice-poker/score$")
    page = visitor.open("#/score/dice-poker")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label("Extra five bonus").fill("100")
    page.get_by_label("Extra five bonus").press("Tab")
    for dice, box in (("11111", "50 in Five of a kind"), ("22222", "10 in Twos")):
        type_faces(page, dice)
        page.get_by_role("button", name=f"Write {box}").dblclick()
    total = page.locator(".sheet .total td")
    expect(total).to_have_text("160")
    page.get_by_label("Five of a kind of Player 1").select_option("0")
    expect(result(page)).to_contain_text("each one needs a score in five_of_a_kind")
    expect(total).to_have_text("\N{EN DASH}")
    page.reload()
    expect(total).to_have_text("\N{EN DASH}")
    page.get_by_label("Extra five bonus: how often of Player 1").select_option("0")
    expect(total).to_have_text("10")
    page.get_by_label("Five of a kind of Player 1").select_option("50")
    page.get_by_label("Extra five bonus: how often of Player 1").select_option("1")
    expect(total).to_have_text("160")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label("Extra five bonus", exact=True).fill("0")
    page.get_by_label("Extra five bonus", exact=True).press("Tab")
    expect(total).to_have_text("60")


def test_a_refused_roll(visit: Visit) -> None:
    """The sheet is drawn with what is written there, whichever request is refused."""
    visitor = visit()
    visitor.expects(r"status 422 POST .*/evaluate$")
    page = visitor.open("#/score/dice-poker")
    refusal = {"status": 422, "json": {"status": 422, "detail": "No such dice."}}
    page.route("**/evaluate", lambda route: route.fulfill(**refusal))
    type_faces(page, "33355")
    expect(result(page)).to_have_text("No such dice.")
    page.get_by_label("Ones of Player 1").select_option("3")
    expect(page.locator(".sheet .total td")).to_have_text("3")


def test_whose_turn_it_is(visit: Visit) -> None:
    """The names are tabs, each with its total: the one that is pressed is the player whose turn it
    is, whose column is in sight on a wide screen, and whose card alone is there on a phone.
    """
    page = visit().open("#/score/yahtzee-deluxe")
    for _ in range(7):
        page.get_by_role("button", name="Add a player").click()
    tabs = page.locator(".totals [aria-pressed]")
    expect(tabs).to_have_count(8)
    for at in (7, 0, 5):
        tabs.nth(at).click()
        expect(page.locator(".totals [aria-pressed=true]")).to_have_text(f"Player {at + 1} 0")
        expect(page.locator(".sheet th.current")).to_have_text(f"Player {at + 1}")
        expect(page.locator(".sheet th.current")).to_be_in_viewport(ratio=0.9)
    page.set_viewport_size({"width": 360, "height": 800})
    page.get_by_label("Ones of Player 6").select_option("3")
    expect(page.locator(".sheet select")).to_have_count(14)
    expect(tabs.nth(5)).to_have_text("Player 6 3")
    expect(tabs.nth(5)).to_have_attribute("aria-pressed", "true")


def test_undo(visit: Visit) -> None:
    """Undo takes back the die that was put last, wherever it is; one that it replaced is there
    again.
    """
    page = visit().open("#/score/dice-poker")
    places = page.locator("dice-entry .places button")
    undo = page.get_by_role("button", name="Undo")
    type_faces(page, "12345")
    places.nth(1).click()
    page.keyboard.type("6")
    shown = ["16345", "12345", "1234y"]
    for faces in shown:
        assert _last(places) == faces
        undo.click()


def test_a_turn_that_was_written(visit: Visit) -> None:
    """Undo also takes back the last turn that was written, with no dice after it: they lie there
    again, for the same player, and the box is open.
    """
    page = visit().open("#/score/dice-poker")
    page.get_by_role("button", name="Add a player").click()
    type_faces(page, "66612")
    page.get_by_role("button", name="Write 18 in Sixes").dblclick()
    tabs = page.locator(".totals [data-key^=seat]")
    expect(tabs).to_have_text(["Player 1 18", "Player 2 0"])
    page.get_by_role("button", name="Undo").click()
    expect(tabs).to_have_text(["Player 1 0", "Player 2 0"])
    expect(tabs.first).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Write 18 in Sixes")).to_be_visible()
    places = page.locator("dice-entry .places button")
    assert _last(places) == "66612"


def test_undo_after_clear(visit: Visit) -> None:
    """Undo brings back the dice that were cleared, not a turn that was written before them."""
    page = visit().open("#/score/dice-poker")
    type_faces(page, "66612")
    page.get_by_role("button", name="Write 18 in Sixes").dblclick()
    type_faces(page, "33355")
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Undo").click()
    places = page.locator("dice-entry .places button")
    assert _last(places) == "33355"
    expect(page.locator(".totals [data-key^=seat]")).to_have_text(["Player 1 18"])


def test_a_zero_takes_two_taps(visit: Visit) -> None:
    """No single tap writes a zero on the sheet, and one on another box between begins anew."""
    page = visit().open("#/score/dice-poker")
    type_faces(page, "33355")
    fours, sixes = (
        page.get_by_role("button", name=f"Cross out {box} for 0") for box in ("Fours", "Sixes")
    )
    fours.click()
    expect(fours).to_have_attribute("aria-pressed", "true")
    sixes.click()
    expect(fours).to_have_attribute("aria-pressed", "false")
    fours.click()
    expect(sixes).to_be_visible()
    fours.click()
    expect(sixes).to_have_count(0)
    expect(page.get_by_label("Fours of Player 1")).to_have_value("0")


def _last(places: Locator) -> str:
    """The last sign of what is in each place: a face, or "y" if it is empty."""
    return "".join(label[-1] for label in labels(places))


def test_the_most_points(visit: Visit) -> None:
    """The three boxes with the most points now are buttons, and not named as advice: no box of the
    sheet stands out.
    """
    page = visit().open("#/score/dice-poker")
    type_faces(page, "33355")
    expect(result(page).locator("p")).to_have_text("Most points now")
    expect(page.locator(".best button")).to_have_text(
        ["Full house 25", "Three of a kind 19", "Chance 19"]
    )
    background = "all => new Set(all.map(each => getComputedStyle(each).backgroundColor)).size"
    assert page.locator(".sheet .write").evaluate_all(background) == 1
    page.get_by_role("button", name="Three of a kind 19").click()
    assert written(page, "Three of a kind") == "19"
