"""The dice of a real table, entered by clicks and by keys, and what the page says of them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

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
