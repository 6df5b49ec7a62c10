"""The score of a game with real dice: its turns and totals, over days, on paper and for others."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from tests.live import Service
from tests.page.browser.score_view import click_faces, type_faces
from tests.page.browser.visitor import Visit, box_of, labels

ROYAL = "AsKsQsJsTs9h8h4d3c2c2d7h5h"
"""The keys of a roll of `roll-a-royal`."""

TURNS = (("35556", "Three of a kind", 24), ("33355", "Full house", 25), ("66612", "Sixes", 18))


def _sheet(visit: Visit, width: int = 1280) -> Page:
    """A sheet of dice poker on which Ann has had two turns and Ben one; it is Ben's turn."""
    page = visit(width=width).open("#/score/dice-poker")
    page.get_by_role("button", name="Add a player").click()
    for at, name in enumerate(("Ann", "Ben")):
        field = page.get_by_role("textbox", name="Name of player").nth(at)
        field.fill(name)
        field.press("Tab")
    for dice, box, points in TURNS:
        type_faces(page, dice)
        page.get_by_role("button", name=f"{box} {points}", exact=True).click()
    expect(_totals(page)).to_have_text(["Ann 42", "Ben 25"])
    return page


def _totals(page: Page) -> Locator:
    """The tabs with the name and the total of each player."""
    return page.locator(".totals [data-key^=seat]")


def _turns(page: Page) -> Locator:
    """The history, the newest first."""
    return page.locator(".turns li > span:first-child")


def _edit(page: Page, turn: str) -> None:
    page.get_by_role("button", name=f"Edit: {turn}").click()


def test_a_history(visit: Visit) -> None:
    """Each turn is listed, the newest first. A turn that is edited has its dice
    and its player again; another box takes its place, and the one who was to play goes on.
    """
    page = _sheet(visit)
    newest = ["Ann: Sixes 18", "Ben: Full house 25", "Ann: Three of a kind 24"]
    expect(_turns(page)).to_have_text(newest)
    _edit(page, "Ben: Full house 25")
    expect(page.locator(".totals [aria-pressed=true]")).to_have_text(re.compile("Ben"))
    expect(page.locator("dice-entry [aria-current]")).to_be_focused()
    faces = page.locator("dice-entry .places button")
    expect(faces.nth(4)).to_have_attribute("aria-label", "Dice, die 5: 5")
    page.get_by_role("button", name="Write 9 in Threes").dblclick()
    expect(_turns(page)).to_have_text(["Ann: Sixes 18", "Ben: Threes 9", "Ann: Three of a kind 24"])
    expect(_totals(page)).to_have_text(["Ann 42", "Ben 9"])
    expect(page.locator(".totals [aria-pressed=true]")).to_have_text("Ben 9")


def test_a_turn_that_was_none(visit: Visit) -> None:
    """A turn can be taken off the sheet; one whose "Edit" is pressed again stays as it is."""
    page = _sheet(visit)
    _edit(page, "Ann: Sixes 18")
    _edit(page, "Ann: Sixes 18")
    expect(_totals(page)).to_have_text(["Ann 42", "Ben 25"])
    _edit(page, "Ann: Sixes 18")
    page.get_by_role("button", name="Remove: Ann: Sixes 18").click()
    expect(_turns(page)).to_have_text(["Ben: Full house 25", "Ann: Three of a kind 24"])
    expect(_totals(page)).to_have_text(["Ann 24", "Ben 25"])


def test_who_leaves_while_a_turn_is_edited(visit: Visit) -> None:
    """If the player who was to go on is taken off the sheet, the edit is over, and the sheet goes
    on with those who are there; somebody new begins without points.
    """
    page = _sheet(visit)
    _edit(page, "Ann: Sixes 18")
    page.get_by_role("button", name="Remove: Ben").click()
    expect(_totals(page)).to_have_text(["Ann 42"])
    type_faces(page, "44442")
    page.get_by_role("button", name="Write 16 in Fours").dblclick()
    expect(_totals(page)).to_have_text(["Ann 58"])
    page.get_by_role("button", name="Add a player").first.click()
    expect(_totals(page)).to_have_text(["Ann 58", "Player 2 0"])
    page.reload()
    expect(_totals(page)).to_have_text(["Ann 58", "Player 2 0"])


def test_continue_your_sheet(visit: Visit) -> None:
    """A sheet stays on the device when the browser is closed; the first view leads back to it once
    something is written.
    """
    page = visit().open()
    going = page.get_by_role("link", name="Continue your sheet")
    expect(page.get_by_role("link", name="Score dice: Dice poker")).to_be_visible()
    expect(going).to_have_count(0)
    page = _sheet(visit)
    other = page.context.new_page()
    page.close()
    other.goto(page.url.split("#")[0])
    other.get_by_role("link", name="Continue your sheet: Dice poker").click()
    expect(_totals(other)).to_have_text(["Ann 42", "Ben 25"])
    other.once("dialog", lambda dialog: dialog.accept())
    other.get_by_role("button", name="New sheet").click()
    expect(_totals(other)).to_have_text(["Ann 0", "Ben 0"])
    other.locator("summary", has_text="Players").click()
    expect(other.get_by_role("textbox", name="Name of player 2")).to_have_value("Ben")


def test_the_sheet_comes_first(visit: Visit) -> None:
    """On a phone the sheet comes first, and the dice stay in sight at its foot; on a wide screen
    they are beside it.
    """
    page = _sheet(visit, 390)
    page.set_viewport_size({"width": 390, "height": 844})
    type_faces(page, "44462")
    expect(page.locator(".best button")).to_have_count(3)
    page.evaluate("scrollTo(0, 0)")
    paper, pad = box_of(page.locator(".paper")), box_of(page.locator(".entry"))
    assert paper["y"] + paper["height"] <= pad["y"]
    assert pad["y"] + pad["height"] <= 844
    page.set_viewport_size({"width": 1280, "height": 800})
    paper, pad = box_of(page.locator(".paper")), box_of(page.locator(".entry"))
    assert paper["x"] + paper["width"] <= pad["x"]
    assert abs(paper["y"] - pad["y"]) <= 1


@pytest.mark.parametrize("game", ["dice-poker", "roll-a-royal", "texas-holdem-dice"])
def test_targets(visit: Visit, game: str) -> None:
    """On a phone, all faces, ranks, suits, places for dice and tabs are at least 44 pixels wide and
    high, and so are the cells of a sheet.
    """
    page = visit(width=360).open(f"#/score/{game}")
    page.get_by_role("button", name="Add a player").click()
    targets = page.locator(".palette button:not(.quiet), .places button, .totals button, .half tr")
    small = """all => all.map(each => each.getBoundingClientRect())
      .filter(({width, height}) => Math.min(width, height) < 43.9).length"""
    expect(targets.nth(10)).to_be_visible()
    assert targets.evaluate_all(small) == 0


def test_cards_by_rank_then_suit(visit: Visit) -> None:
    """Of thirteen cards in four suits one chooses the rank and then the suit, with 17 targets; only
    what is still there can be chosen.
    """
    page = visit(width=360).open("#/score/roll-a-royal")
    signs = page.locator(".palette .sign")
    expect(signs).to_have_count(17)
    click_faces(page, ["ace", "hearts", "10", "clubs"])
    shown = labels(page.locator("dice-entry .places button"))[:2]
    assert shown == ["Roll 1, die 1: ace of hearts", "Roll 1, die 2: 10 of clubs"]
    click_faces(page, ["ace"])
    off = page.locator(".palette .sign[aria-disabled=true]")
    expect(off).to_have_attribute("aria-label", "hearts")


def test_totals_of_points(visit: Visit, service: Service) -> None:
    """The points of each turn of Roll-a-Royal are added to the total of the player whose turn it
    is; they can be changed before, and later.
    """
    page = visit().open("#/score/roll-a-royal")
    page.get_by_role("button", name="Add a player").click()
    type_faces(page, ROYAL)
    score = service.post(
        "/v1/variants/roll-a-royal/evaluate",
        {"rolls": [[ROYAL[at : at + 2] for at in range(0, len(ROYAL), 2)]]},
    ).json["score"]
    add = page.get_by_role("button", name="Add to the totals")
    expect(page.get_by_role("spinbutton")).to_have_value(str(score))
    add.click()
    expect(_totals(page)).to_have_text([f"Player 1 {score:,}", "Player 2 0"])
    page.get_by_role("spinbutton", name="Player 2").fill("150")
    add.click()
    expect(_totals(page)).to_have_text([f"Player 1 {score:,}", "Player 2 150"])
    _edit(page, "Player 2 +150")
    page.get_by_role("spinbutton", name="Player 2").fill("250")
    add.click()
    expect(_turns(page)).to_have_text(["Player 2 +250", f"Player 1 +{score:,}"])


def test_totals_of_rounds(visit: Visit) -> None:
    """Each round of poker dice counts for who wins it, or for as much as the players say."""
    page = visit().open("#/score/poker-dice")
    add = page.get_by_role("button", name="Add to the totals")
    type_faces(page, "1111266543")
    add.click()
    expect(_totals(page)).to_have_text(["Player 1 1", "Player 2 0"])
    page.get_by_role("spinbutton", name="Player 2").fill("3")
    add.click()
    expect(_totals(page)).to_have_text(["Player 1 1", "Player 2 3"])


def test_totals_of_chips(visit: Visit) -> None:
    """What each player wins or loses in a hand of Hold'em is added to their total."""
    page = visit().open("#/score/texas-holdem-dice")
    type_faces(page, "3b4b4w2y6y5r6r3r3w")
    for at, paid in enumerate(("50", "120")):
        page.get_by_label("paid").nth(at).fill(paid)
        page.get_by_label("paid").nth(at).press("Tab")
    page.get_by_role("button", name="Add to the totals").click()
    expect(_totals(page)).to_have_text(["Player 1 50", "Player 2 \N{MINUS SIGN}50"])
    expect(page.get_by_label("paid").first).to_have_value("")


def test_csv(visit: Visit, tmp_path: Path) -> None:
    """On a full card the page asks for no further dice. The sheet can be kept as CSV, which the
    service makes: also that of a game that is over, and nothing of it stays there.
    """
    visitor = visit()
    page = visitor.open("#/score/dice-poker")
    boxes = page.locator(".sheet select")
    expect(boxes.first).to_be_visible()
    for at in range(boxes.count()):
        boxes.nth(at).select_option(index=2)
    total = page.locator(".sheet .total td")
    expect(total).to_have_text("181")
    type_faces(page, "33355")
    expect(page.locator(".result h2")).to_have_text("All boxes of Player 1 are written.")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert download.value.suggested_filename == "Dice poker.csv"
    path = tmp_path / "sheet.csv"
    download.value.save_as(path)
    with path.open(newline="") as file:
        lines = dict(csv.reader(file))
    assert (lines[""], lines["Ones"], lines["Full house"]) == ("Player 1", "1", "25")
    assert lines["Total"] == total.inner_text()
    ends = [each.request.method for each in visitor.responses if "/v1/sessions" in each.url]
    assert ends == ["POST", "POST", "GET", "DELETE"]


@pytest.mark.parametrize("game", ["dice-poker", "texas-holdem-dice"])
def test_a_picture(visit: Visit, tmp_path: Path, game: str) -> None:
    """The sheet can be kept as a picture that every device shows: PNG, with two dots a pixel. A
    double click makes one.
    """
    page = _sheet(visit) if game == "dice-poker" else _chips(visit)
    downloads: list[Download] = []
    page.on("download", lambda each: downloads.append(each))
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture").dblclick()
    path = tmp_path / "sheet.png"
    download.value.save_as(path)
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
    assert width > 600
    assert height > 200
    names = {"dice-poker": "Dice poker.png", "texas-holdem-dice": "Texas Hold'em dice.png"}
    assert download.value.suggested_filename == names[game]
    with page.expect_download():
        page.get_by_role("button", name="CSV").click()
    assert len(downloads) == 2


def _chips(visit: Visit) -> Page:
    """A sheet of Hold'em after two hands, which have left Player 2 without chips."""
    page = visit().open("#/score/texas-holdem-dice")
    field = page.get_by_role("textbox", name="Name of player 1")
    field.fill('=A"1')
    field.press("Tab")
    for gain in (50, 450):
        for name, points in (('=A"1', gain), ("Player 2", -gain)):
            page.get_by_role("spinbutton", name=name, exact=True).fill(str(points))
        page.get_by_role("button", name="Add to the totals").click()
    expect(_totals(page).last).to_have_text("Player 2 \N{MINUS SIGN}500")
    return page


def test_a_sheet_of_chips(visit: Visit, tmp_path: Path) -> None:
    """The sheet of a game in chips has a line for each hand, and the totals, also once somebody has
    lost all; a name that a spreadsheet would take for a formula begins with an apostrophe. It can
    be printed, too.
    """
    page = _chips(visit)
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    path = tmp_path / "sheet.csv"
    download.value.save_as(path)
    with path.open(newline="") as file:
        assert [*csv.reader(file)] == [
            ["", "'=A\"1", "Player 2"],
            ["Hand 1", "50", "-50"],
            ["Hand 2", "450", "-450"],
            ["Total", "500", "-500"],
        ]
    page.evaluate("globalThis.print = () => { globalThis.printed = true; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("printed")
    texts = page.locator(".printed text").all_text_contents()
    assert [text.split() for text in texts] == [
        ["Texas", "Hold'em", "dice"],
        ['=A"1', "Player", "2"],
        ["Hand", "1", "50", "-50"],
        ["Hand", "2", "450", "-450"],
        ["Total", "500", "-500"],
    ]


def test_printing(visit: Visit) -> None:
    """Nothing but the picture of the sheet is printed."""
    page = _sheet(visit)
    page.evaluate("globalThis.print = () => { globalThis.printed = true; }")
    page.get_by_role("button", name="Print").click()
    sheet = page.locator(".printed")
    expect(sheet.locator("title")).to_have_text("Dice poker")
    assert page.evaluate("printed")
    expect(sheet).to_be_hidden()
    page.emulate_media(media="print")
    expect(sheet.locator("text", has_text="Three of a kind")).to_be_visible()
    expect(sheet.locator("text", has_text="24")).to_have_count(2)
    expect(page.locator(".keeping")).to_be_hidden()
    expect(page.locator("header")).to_be_hidden()


def test_sharing(visit: Visit) -> None:
    """Where the device has a dialogue to share with, the totals can be shared."""
    visitor = visit()
    visitor.page.add_init_script(
        "navigator.share = async (shared) => { globalThis.shared = shared; };"
    )
    page = visitor.open("#/score/poker-dice")
    page.get_by_role("spinbutton", name="Player 1").fill("3")
    page.get_by_role("button", name="Add to the totals").click()
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("shared") == {"title": "Poker dice", "text": "Player 1 3\nPlayer 2 0"}


def test_copying(visit: Visit) -> None:
    """Where the device has no dialogue to share with, the totals are copied."""
    visitor = visit()
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.page.add_init_script("delete Navigator.prototype.share;")
    page = visitor.open("#/score/poker-dice")
    page.get_by_role("spinbutton", name="Player 1").fill("3")
    page.get_by_role("button", name="Add to the totals").click()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Copied")).to_be_focused()
    assert page.evaluate("navigator.clipboard.readText()") == "Player 1 3\nPlayer 2 0"


def test_no_single_tap_writes_a_zero(visit: Visit) -> None:
    """The boxes that one tap writes are those in which the dice score something."""
    page = visit().open("#/score/dice-poker")
    best = page.locator(".best button")
    for box in ("Chance", "Four of a kind", "Three of a kind", "Ones"):
        type_faces(page, "11112")
        best.filter(has_text=box).click()
    type_faces(page, "11112")
    expect(best).to_have_text(["Twos 2"])


def test_the_button_that_writes(visit: Visit) -> None:
    """Once a box is previewed, one button says what it writes; a face that is tapped then replaces
    no die, unless that die was tapped before.
    """
    page = visit(width=390).open("#/score/dice-poker")
    click_faces(page, ["3", "3", "5", "5", "5"])
    page.locator("[data-key='box full_house']").click()
    best = page.locator(".best button")
    expect(best).to_have_text(["Write 25"])
    click_faces(page, ["1"])
    dice = page.locator(".places .die")
    assert [label[-1] for label in labels(dice)] == ["3", "3", "5", "5", "5"]
    dice.last.click()
    click_faces(page, ["1"])
    expect(dice.last).to_have_accessible_name("Dice, die 5: 1")
    page.locator("[data-key='box fives']").click()
    expect(best).to_have_text(["Write 10"])
    page.locator("[data-key='box ones']").click()
    expect(best).to_have_text(["Write 1"])
    page.locator("[data-key='box sixes']").click()
    expect(best).to_have_text(["Cross out"])
    page.locator("[data-key='box fives']").click()
    best.click()
    expect(_totals(page)).to_have_text(["Player 1 10"])


def test_a_zero_is_mended(visit: Visit) -> None:
    """A zero that was written by mistake is not for ever: its turn is edited."""
    page = _sheet(visit)
    type_faces(page, "11234")
    page.get_by_role("button", name="Cross out Fives for 0").dblclick()
    _edit(page, "Ben: Fives 0")
    page.get_by_role("button", name="Small straight 30", exact=True).click()
    expect(_totals(page)).to_have_text(["Ann 42", "Ben 55"])
    page.get_by_role("button", name=re.compile("^Ben")).first.click()
    expect(page.get_by_label("Fives of Ben")).to_have_value("")
    assert page.get_by_label("Small straight of Ben").input_value() == "30"


def test_what_was_written(visit: Visit) -> None:
    """Until the next dice are complete, the page says what was written last."""
    page = _sheet(visit, width=390)
    last = page.locator(".result .label")
    expect(last).to_have_text("Ann: Sixes 18")
    type_faces(page, "11234")
    expect(last).to_have_text("Most points now")


@pytest.mark.parametrize(
    ("chance", "said"), [(29, "Ben wins!"), (30, "Ann and Ben share the win!")], ids=["one", "both"]
)
def test_a_full_sheet(visit: Visit, service: Service, chance: int, said: str) -> None:
    """Once all cards are full, the sheet names who has won; before, it says whose card is full."""
    boxes = [box["id"] for box in service.get("/v1/variants/dice-poker").json["boxes"]]
    points = {"Ann": dict.fromkeys(boxes, 0) | {"chance": chance}}
    points["Ben"] = points["Ann"] | {"chance": 30}
    turns = [
        {"points": {key: score}, "box": box}
        for key, card in enumerate(points.values(), start=1)
        for box, score in card.items()
    ]
    seats = [{"key": key, "name": name} for key, name in enumerate(points, start=1)]
    visitor = visit()
    visitor.allows("ERR_ABORTED")  # what a view asks when it is left
    page = visitor.open()
    for left, result in ((1, "All boxes of Ann are written."), (0, said)):
        written = turns[: len(turns) - left]
        sheet = {"seats": seats, "turns": written, "current": 1, "rules": {}}
        page.evaluate(
            "(sheet) => localStorage.setItem('dice-table-sheet-dice-poker', JSON.stringify(sheet))",
            sheet,
        )
        page.evaluate("location.hash = '#/score/dice-poker'")
        expect(page.locator(".result h2")).to_have_text(result)
        page.evaluate("location.hash = '#/'")
        expect(page.locator(".view.home")).to_be_visible()


def test_points_go_with_their_dice(visit: Visit) -> None:
    """The points of a turn that was taken back are there until other dice are entered."""
    page = visit().open("#/score/roll-a-royal")
    points = page.get_by_role("spinbutton")
    type_faces(page, ROYAL)
    expect(points).to_have_value(re.compile(r"^\d+$"))
    scored = points.input_value()
    page.get_by_role("button", name="Add to the totals").click()
    page.get_by_role("button", name="Undo").click()
    expect(points).to_have_value(scored)
    type_faces(page, "As")
    expect(points).to_have_value("")
