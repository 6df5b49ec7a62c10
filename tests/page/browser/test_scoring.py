"""Dice from a real table are entered by clicks or keys; the page shows what the service says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.live import Service
from tests.page.browser.score_view import click_faces, result, type_faces, uncited
from tests.page.browser.visitor import Visit

RANKING = ["1"] * 4 + ["2"] + ["6", "5", "4", "3", "2"]


SUITS = {"r": "red", "b": "black", "w": "white", "y": "yellow"}


SHARED = ["3b", "4b", "4w", "2y", "6y"]


POCKETS = ["5r", "6r", "3r", "3w"]


CARDS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


COURT = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}


LAYOUT = ["As", "Ks", "Qs", "Js", "Ts", "Ah", "Kh", "Qh", "Jh", "Th", "9d", "8c", "2c"]


def _card(face: str) -> tuple[str, str]:
    """The rank of a card and its suit, which are clicked one after the other."""
    return COURT.get(face[0], face[0]), CARDS[face[1]]


def _suited(face: str) -> str:
    return f"{face[0]} {SUITS[face[1]]}"


def _enter(page: Page, by: str, faces: list[str], keys: str) -> None:
    """Enters dice by clicks on `faces`, or by `keys`."""
    click_faces(page, faces) if by == "clicks" else type_faces(page, keys)


@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_ranking(by: str, visit: Visit, service: Service) -> None:
    """With the dice of two players, the page has their ranks, who wins, and why."""
    page = visit().open("#/score/poker-dice")
    _enter(page, by, RANKING, "".join(RANKING))
    hands = [[int(face) for face in RANKING[:5]], [int(face) for face in RANKING[5:]]]
    asked = {"players": [{"id": f"Player {at + 1}", "dice": hands[at]} for at in range(2)]}
    places = service.post("/v1/variants/poker-dice/rank", asked).json["places"]
    expect(result(page).locator("h2").first).to_have_text(f"{places[0]['players'][0]} wins!")
    shown = result(page).locator(".ranking > li")
    expect(shown).to_have_count(2)
    for at, place in enumerate(places):
        expect(shown.nth(at)).to_contain_text(place["players"][0])
        expect(shown.nth(at)).to_contain_text(uncited(place["reason"]))


@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_community(by: str, visit: Visit) -> None:
    """With the shared dice, two pockets and what was paid, the page has the pots and who wins."""
    page = visit().open("#/score/texas-holdem-dice")
    _enter(page, by, [_suited(face) for face in SHARED + POCKETS], "".join(SHARED + POCKETS))
    for at, paid in enumerate(("50", "120")):
        page.get_by_label("paid").nth(at).fill(paid)
        page.get_by_label("paid").nth(at).press("Tab")
    expect(result(page).locator("h2").first).to_have_text("Player 1 wins!")
    pots = result(page).locator(".pots > li")
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
    _enter(page, by, [part for face in LAYOUT for part in _card(face)], "".join(LAYOUT))
    answer = service.post("/v1/variants/roll-a-royal/evaluate", {"rolls": [LAYOUT]}).json
    expect(result(page).locator("h2").first).to_have_text(f"{answer['score']:,} points")
    expect(result(page).locator(".hands > li")).to_have_count(len(answer["hands"]))
    expect(result(page).locator(".hands small")).to_have_text(
        [uncited(hand["reason"]) for hand in answer["hands"]]
    )
    placed = {place for hand in answer["hands"] for place in _places(hand)}
    expect(result(page).locator(".grid svg.die")).to_have_count(len(placed))


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
    _enter(page, by, list(dice), dice)
    entry = service.get(f"/v1/variants/{variant}").json
    asked = {"dice": [int(face) for face in dice]}
    answer = service.post(f"/v1/variants/{variant}/evaluate", asked).json
    rows: list[Any] = page.locator(".sheet tbody tr:not(.sum)").all()
    expect(page.locator(".sheet button")).to_have_count(len(entry["boxes"]))
    assert [row.locator("td").inner_text() for row in rows] == [
        str(answer["scores"][box["id"]]) for box in entry["boxes"]
    ]
    best = page.locator(".best button").first
    expect(best.locator("strong")).to_have_text(str(answer["best"]["score"]))
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
    type_faces(page, "".join(SHARED + POCKETS))
    for at, paid in enumerate(("100", "100", "40")):
        page.get_by_label("paid").nth(at).fill(paid)
        page.get_by_label("paid").nth(at).press("Tab")
    return page


def test_a_fold(visit: Visit) -> None:
    """A player who folded needs no pocket, and what they paid is in the pots."""
    page = _three_have_paid(visit)
    page.get_by_label("folded").nth(2).check()
    expect(result(page).locator(".pots > li")).to_have_text(
        ["Main pot: 240for Player 1 and Player 2Player 1 gets 240"]
    )


def test_a_switch_of_house_rules(visit: Visit) -> None:
    """House rules of a real table count: two pairs beat a higher die only where they rank."""
    page = visit().open("#/score/poker-dice")
    type_faces(page, "1122365421")
    expect(result(page).locator("h2").first).to_have_text("Player 2 wins!")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label("Pairs rank").check()
    expect(result(page).locator("h2").first).to_have_text("Player 1 wins!")


def test_a_choice_of_house_rules(visit: Visit, service: Service) -> None:
    """A house rule with several choices is a list, and the best layout follows it."""
    page = visit().open("#/score/roll-a-royal")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label(re.compile("^Layout")).select_option("Unconnected")
    type_faces(page, "".join(LAYOUT))
    asked: dict[str, Any] = {"rolls": [LAYOUT]}
    usual = service.post("/v1/variants/roll-a-royal/evaluate", asked).json
    asked |= {"house_rules": {"layout": "unconnected"}}
    answer = service.post("/v1/variants/roll-a-royal/evaluate", asked).json
    assert answer["score"] != usual["score"]
    expect(result(page).locator("h2").first).to_have_text(f"{answer['score']:,} points")


def test_a_house_rule_that_is_wrong(visit: Visit) -> None:
    """A house rule out of its bounds is not sent: the last one that was right counts."""
    page = visit().open("#/score/roll-a-royal")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label("Max uses").fill("9")
    page.get_by_label("Max uses").press("Tab")
    type_faces(page, "".join(LAYOUT))
    expect(result(page).locator(".hands > li").first).to_be_visible()


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
    bonus = page.locator(".sheet .sum", has_text="Extra five bonus").locator("td")
    expect(bonus).to_have_text("0")
    total = page.locator(".sheet .total td")
    for dice, box, sum_ in (
        ("11111", "50 in Five of a kind", "50"),
        ("22222", "10 in Twos", "160"),
    ):
        type_faces(page, dice)
        page.get_by_role("button", name=f"Write {box}").click()
        expect(result(page).locator(".label")).to_contain_text(f"New total: {sum_}.")
        page.get_by_role("button", name=f"Write {box}").click()
        expect(total).to_have_text(sum_)
    expect(bonus).to_have_text("100")


def test_a_pocket_that_is_missing(visit: Visit) -> None:
    """While somebody who has paid and not folded has no pocket, there are no pots, which would be
    wrong: the page names whose pocket is missing.
    """
    page = _three_have_paid(visit)
    expect(result(page)).to_contain_text("The pots follow with the dice of Player 3.")
    assert result(page).locator(".pots").count() == 0
    type_faces(page, "1b1w")
    expect(result(page).locator(".pots > li")).to_have_count(2)


def test_a_hand_alone(visit: Visit) -> None:
    """While the dice of one player alone are there, nobody wins."""
    page = visit().open("#/score/poker-dice")
    type_faces(page, "11112")
    expect(result(page).locator(".ranking > li")).to_have_count(1)
    expect(result(page).locator("h2")).to_have_count(0)


def test_nothing_to_risk(visit: Visit) -> None:
    """The risk die can be chosen only for a turn that has points."""
    page = visit().open("#/score/roll-a-royal")
    risk = page.get_by_label("Risk die")
    expect(risk).to_be_disabled()
    type_faces(page, "2s2h" + "--" * 11)
    expect(result(page)).to_contain_text("This roll doesn\u2019t open: 0 points")
    expect(risk).to_be_disabled()
    page.get_by_role("button", name="Clear").click()
    type_faces(page, "".join(LAYOUT))
    expect(risk).to_be_enabled()
