"""The dice of a real table, entered by clicks and by keys, and what the page says of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.live import Service
from tests.page.browser.visitor import Visit


def _click(page: Page, faces: list[str]) -> None:
    """Enters dice by clicks on the palette."""
    palette = page.get_by_role("group", name="Faces")
    for face in faces:
        palette.get_by_role("button", name=face, exact=True).click()


def _type(page: Page, signs: str) -> None:
    """Enters dice by keys, from the first place on."""
    page.locator("dice-entry .slot").first.focus()
    page.keyboard.type(signs)


def _result(page: Page) -> Locator:
    return page.get_by_role("region", name="Result")


RANKING = ["1"] * 4 + ["2"] + ["6", "5", "4", "3", "2"]
SUITS = {"r": "red", "b": "black", "w": "white", "y": "yellow"}
SHARED = ["3b", "4b", "4w", "2y", "6y"]
POCKETS = ["5r", "6r", "3r", "3w"]
CARDS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
COURT = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
LAYOUT = ["As", "Ks", "Qs", "Js", "Ts", "Ah", "Kh", "Qh", "Jh", "Th", "9d", "8c", "2c"]


def _card(face: str) -> str:
    return f"{COURT.get(face[0], face[0])} of {CARDS[face[1]]}"


def _suited(face: str) -> str:
    return f"{face[0]} {SUITS[face[1]]}"


@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_ranking(by: str, visit: Visit, service: Service) -> None:
    """With the dice of two players, the page has their ranks, who wins, and why."""
    page = visit().open("#/score/poker-dice")
    if by == "clicks":
        _click(page, RANKING)
    else:
        _type(page, "".join(RANKING))
    hands = [[int(face) for face in RANKING[:5]], [int(face) for face in RANKING[5:]]]
    asked = {"players": [{"id": f"Player {at + 1}", "dice": hands[at]} for at in range(2)]}
    places = service.post("/v1/variants/poker-dice/rank", asked).json["places"]
    expect(_result(page).locator("h2").first).to_have_text(f"{places[0]['players'][0]} wins")
    shown = _result(page).locator(".ranking > li")
    expect(shown).to_have_count(2)
    for at, place in enumerate(places):
        expect(shown.nth(at)).to_contain_text(place["players"][0])
        expect(shown.nth(at)).to_contain_text(place["reason"])


@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_community(by: str, visit: Visit) -> None:
    """With the shared dice, two pockets and what was paid, the page has the pots and who wins."""
    page = visit().open("#/score/texas-holdem-dice")
    if by == "clicks":
        _click(page, [_suited(face) for face in SHARED + POCKETS])
    else:
        _type(page, "".join(SHARED + POCKETS))
    for at, paid in enumerate(("50", "120")):
        page.get_by_label("paid").nth(at).fill(paid)
        page.get_by_label("paid").nth(at).press("Tab")
    expect(_result(page).locator("h2").first).to_have_text("Player 1 wins")
    pots = _result(page).locator(".pots > li")
    expect(pots).to_have_text(
        [
            "Main pot: 100for Player 1 and Player 2Player 1 gets 100",
            "Side pot 1: 70for Player 2Player 2 gets 70",
        ]
    )


@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_layout(by: str, visit: Visit, service: Service) -> None:
    """The thirteen dice of a turn lie as the best crossword, with its points and its hands."""
    page = visit().open("#/score/roll-a-royal")
    if by == "clicks":
        _click(page, [_card(face) for face in LAYOUT])
    else:
        _type(page, "".join(LAYOUT))
    answer = service.post("/v1/variants/roll-a-royal/evaluate", {"rolls": [LAYOUT]}).json
    expect(_result(page).locator("h2").first).to_have_text(f"{answer['score']:,} points")
    expect(_result(page).locator(".hands > li")).to_have_count(len(answer["hands"]))
    expect(_result(page).locator(".hands small")).to_have_text(
        [hand["reason"] for hand in answer["hands"]]
    )
    placed = {place for hand in answer["hands"] for place in _places(hand)}
    expect(_result(page).locator(".grid svg.die")).to_have_count(len(placed))


def _places(hand: dict[str, Any]) -> list[tuple[int, int]]:
    """Rows and columns of the dice of a hand."""
    row, column, down = hand["row"], hand["column"], hand["direction"] == "down"
    return [(row + at, column) if down else (row, column + at) for at in range(len(hand["cards"]))]


@pytest.mark.parametrize("by", ["clicks", "keys"])
@pytest.mark.parametrize(
    ("variant", "dice"), [("dice-poker", "33355"), ("yahtzee-deluxe", "333555")]
)
def test_score_card(by: str, variant: str, dice: str, visit: Visit, service: Service) -> None:
    """Every open box shows what the dice are worth there; one that is pressed is written, and
    counts in the total.
    """
    page = visit().open(f"#/score/{variant}")
    if by == "clicks":
        _click(page, list(dice))
    else:
        _type(page, dice)
    entry = service.get(f"/v1/variants/{variant}").json
    asked = {"dice": [int(face) for face in dice]}
    answer = service.post(f"/v1/variants/{variant}/evaluate", asked).json
    rows: list[Any] = page.locator(".sheet tbody tr:not(.sum)").all()
    expect(page.locator(".sheet button")).to_have_count(len(entry["boxes"]))
    assert [row.locator("td").inner_text() for row in rows] == [
        str(answer["scores"][box["id"]]) for box in entry["boxes"]
    ]
    best = page.locator(".sheet .best")
    expect(best).to_have_text(str(answer["best"]["score"]))
    if by == "clicks":
        best.click()
    else:
        best.focus()
        page.keyboard.press("Enter")
    expect(page.locator(".sheet .total td")).to_have_text(str(answer["best"]["score"]))


def _three_have_paid(visit: Visit) -> Page:
    """A showdown of three players who have paid, the last of whom has no pocket."""
    page = visit().open("#/score/texas-holdem-dice")
    page.get_by_role("button", name="Add a player").click()
    _type(page, "".join(SHARED + POCKETS))
    for at, paid in enumerate(("100", "100", "40")):
        page.get_by_label("paid").nth(at).fill(paid)
        page.get_by_label("paid").nth(at).press("Tab")
    return page


def test_a_fold(visit: Visit) -> None:
    """A player who folded needs no pocket, and what they paid is in the pots."""
    page = _three_have_paid(visit)
    page.get_by_label("folded").nth(2).check()
    expect(_result(page).locator(".pots > li")).to_have_text(
        ["Main pot: 240for Player 1 and Player 2Player 1 gets 240"]
    )


def test_a_switch_of_house_rules(visit: Visit) -> None:
    """House rules of a real table count: two pairs beat a higher die only where they rank."""
    page = visit().open("#/score/poker-dice")
    _type(page, "1122365421")
    expect(_result(page).locator("h2").first).to_have_text("Player 2 wins")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label("Pairs rank").check()
    expect(_result(page).locator("h2").first).to_have_text("Player 1 wins")


def test_a_choice_of_house_rules(visit: Visit, service: Service) -> None:
    """A house rule with several choices is a list, and the best layout follows it."""
    page = visit().open("#/score/roll-a-royal")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label(re.compile("^Layout")).select_option("Unconnected")
    _type(page, "".join(LAYOUT))
    asked: dict[str, Any] = {"rolls": [LAYOUT]}
    usual = service.post("/v1/variants/roll-a-royal/evaluate", asked).json
    asked |= {"house_rules": {"layout": "unconnected"}}
    answer = service.post("/v1/variants/roll-a-royal/evaluate", asked).json
    assert answer["score"] != usual["score"]
    expect(_result(page).locator("h2").first).to_have_text(f"{answer['score']:,} points")


def test_a_house_rule_that_is_wrong(visit: Visit) -> None:
    """A house rule out of its bounds is not sent: the last one that was right counts."""
    page = visit().open("#/score/roll-a-royal")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label("Max uses").fill("9")
    page.get_by_label("Max uses").press("Tab")
    _type(page, "".join(LAYOUT))
    expect(_result(page).locator(".hands > li").first).to_be_visible()


def _written(page: Page, box: str) -> str:
    written: str = page.get_by_label(f"{box} of Player 1").input_value()
    return written


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
    assert [_written(page, box) for box in ("Ones", "Twos", "Threes")] == ["3", "6", "9"]


def test_a_sheet_is_kept(visit: Visit) -> None:
    """A sheet is still there after a reload and in another language; a new one, after a question,
    is empty.
    """
    visitor = visit()
    visitor.allows("ERR_ABORTED")  # requests that are on their way at the reload
    page = visitor.open("#/score/dice-poker")
    page.get_by_role("textbox", name="Name of player 1").fill("Ann")
    page.get_by_label("Ones of Player 1").select_option("3")
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


def test_what_boxes_score(visit: Visit, service: Service) -> None:
    """The rules of a game say what each box needs or scores."""
    page = visit().open("#/score/dice-poker")
    page.locator("summary", has_text="The rules of the game").click()
    said = page.locator(".clauses").last
    for box in service.get("/v1/variants/dice-poker").json["boxes"]:
        expect(said).to_contain_text(
            box["name"] + (box["scores"] if box["points"] is None else box["needs"])
        )


def test_a_bonus_for_repeats(visit: Visit) -> None:
    """A further five of a kind has its bonus in a row of its own, and in the total."""
    page = visit().open("#/score/dice-poker")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label("Extra five bonus").fill("100")
    page.get_by_label("Extra five bonus").press("Tab")
    bonus = page.locator(".sheet tfoot tr", has_text="Extra five bonus").locator("td")
    expect(bonus).to_have_text("0")
    total = page.locator(".sheet .total td")
    for dice, box, sum_ in (
        ("11111", "50 in Five of a kind", "50"),
        ("22222", "10 in Twos", "160"),
    ):
        _type(page, dice)
        page.get_by_role("button", name=f"Write {box}").click()
        expect(total).to_have_text(sum_)
    expect(bonus).to_have_text("100")


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
        _type(page, "1111266543")
    expect(_result(page)).to_have_text("Two players can\u2019t have the same name.")


def test_a_face_that_is_taken(visit: Visit) -> None:
    """After the last die of a face the keyboard is still there, and goes on."""
    page = visit().open("#/score/roll-a-royal")
    ace = page.get_by_role("button", name="ace of spades", exact=True)
    ace.focus()
    page.keyboard.press("Space")
    expect(ace).to_have_attribute("aria-disabled", "true")
    expect(ace).to_be_focused()
    page.keyboard.press("Space")
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
    _click(page, ["4", "5"] if variant != "texas-holdem-dice" else ["4 red", "5 red"])
    places = page.locator("dice-entry .places button, .sheet button")
    assert [_face(places.nth(at)) for at in range(2)] == ["4", "5"]
    expect(page.locator("[aria-label='Remove: Ben']")).to_have_count(1)


def _face(place: Locator) -> str:
    """The number of the die in a place."""
    return re.sub(r".*: (\d).*", r"\1", place.get_attribute("aria-label") or "")


def test_a_box_after_a_name(visit: Visit) -> None:
    """The first click on a box after a name was edited writes it; the sheet has the new name."""
    page = visit().open("#/score/dice-poker")
    _type(page, "33355")
    best = page.locator(".sheet .best")
    expect(best).to_be_visible()
    page.get_by_role("textbox", name="Name of player 1").fill("Ann")
    worth = best.inner_text()
    best.click()
    expect(page.locator(".sheet .total td")).to_have_text(worth)
    expect(page.locator(".sheet thead")).to_contain_text("Ann")
    expect(page.get_by_label("Ones of Ann")).to_be_visible()


def test_a_pocket_that_is_missing(visit: Visit) -> None:
    """While somebody who has paid and not folded has no pocket, there are no pots, which would be
    wrong: the page names whose pocket is missing.
    """
    page = _three_have_paid(visit)
    expect(_result(page)).to_contain_text(
        "The pots follow once all who have paid have a pocket or have folded: Player 3."
    )
    assert _result(page).locator(".pots").count() == 0
    _type(page, "1b1w")
    expect(_result(page).locator(".pots > li")).to_have_count(2)


def test_a_full_card(visit: Visit) -> None:
    """On a full card the page asks for no further dice."""
    page = visit().open("#/score/dice-poker")
    boxes = page.locator(".sheet select")
    expect(boxes.first).to_be_visible()
    for at in range(boxes.count()):
        boxes.nth(at).select_option(index=1)
    _type(page, "33355")
    expect(_result(page)).to_have_text("All boxes of Player 1 are written.")


def test_only_what_has_changed_is_asked(visit: Visit) -> None:
    """Entering dice asks for what they are worth, and not once more for the sums of each card."""
    page = visit().open("#/score/dice-poker")
    page.get_by_role("button", name="Add a player").click()
    expect(_result(page)).to_contain_text("lead")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    _type(page, "33355")
    expect(_result(page)).to_contain_text("Best now")
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
    places = page.locator("dice-entry .places button")
    shown = [places.nth(at).get_attribute("aria-label") for at in range(4)]
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
    _type(page, "AsAs")
    places = page.locator("dice-entry .places button")
    expect(places.nth(1)).to_have_attribute("aria-label", "Roll 1, die 2: ace of spades")
