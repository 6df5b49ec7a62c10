"""Invitations to a table where each player has their own device, and the seats they give."""

from __future__ import annotations

import re

import numpy as np
import zxingcpp
from numpy.typing import NDArray
from playwright.sync_api import Locator

from tests.live import Service
from tests.page.browser.game import NAMES, OWN_DEVICES, REAL_DICE, Game, new_game
from tests.page.browser.visitor import Visit, expect

YOUR_TURN = "Your turn"


def test_the_code_of_an_invitation(visit: Visit) -> None:
    """A phone that reads the QR code of an invitation gets the same link as a click. On a page that
    was opened at this computer's own address, the invitations say that they work here alone.
    """
    ann = new_game(visit, "dice-poker", ["Ann", "Ben"], None, OWN_DEVICES)
    code = ann.page.get_by_role("img", name="QR code with the invitation for Ben")
    (read,) = zxingcpp.read_barcodes(pixels(code.locator("path")))
    assert read.text == f"{ann.visitor.origin}/play{ann.invitations()['Ben']}"
    expect(ann.page.locator(".invite")).to_contain_text("These links only open on this computer.")


def pixels(path: Locator) -> NDArray[np.uint8]:
    """A QR code as a camera sees it: eight pixels a module, and a white border."""
    drawn = path.get_attribute("d") or ""
    modules = [(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", drawn)]
    side = 1 + max(max(module) for module in modules)
    picture = np.full((side + 8, side + 8), 255, np.uint8)
    for x, y in modules:
        picture[y + 4, x + 4] = 0
    return picture.repeat(8, axis=0).repeat(8, axis=1)


def test_an_invitation_gives_way(visit: Visit) -> None:
    """Escape closes the invitation, and so does a press anywhere beside it, but none within it."""
    ann = new_game(visit, "dice-poker", ["Ann", "Ben"], None, OWN_DEVICES)
    invite, page = ann.page.locator(".invite"), ann.page
    invite.get_by_role("heading", name="Ben").click()
    expect(invite).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(invite).not_to_have_attribute("open", "")
    invite.locator("summary").click()
    expect(invite).to_have_attribute("open", "")
    page.locator("h1").click()
    expect(invite).not_to_have_attribute("open", "")


def test_an_invitation_keeps_its_token_to_itself(visit: Visit) -> None:
    """The token of an invitation is in the fragment of the link, which no request contains; the
    address loses it at once, and the device plays as that player.
    """
    ann = new_game(visit, "dice-poker", ["Ann", "Ben"], None, OWN_DEVICES)
    link = ann.invitations()["Ben"]
    token = ann.seat()["tokens"]["players"]["Ben"]
    assert link == f"#/session/{ann.id}?player=Ben&token={token}"
    visitor = visit()
    asked: list[str] = []
    visitor.context.on("request", lambda request: asked.append(request.url))
    ben = Game(visitor)
    page = visitor.open(link)
    assert page.url == f"{visitor.origin}/play#/session/{ann.id}"
    assert asked
    assert [url for url in asked if token in url] == []
    seat = ben.seat()
    assert (seat["me"], seat["one"], seat["tokens"]) == ("Ben", False, {"players": {"Ben": token}})
    page.go_back()
    assert token not in page.url
    page.go_forward()
    expect(ben.view).to_be_visible()


def test_an_invitation_opened_beside_the_game(visit: Visit) -> None:
    """Who opens the invitation of another player in a second tab of the same browser plays as that
    player there, and still as themselves in the first, even after a reload.
    """
    ann = new_game(visit, "dice-poker", ["Ann", "Ben"], None, OWN_DEVICES)
    page = ann.visitor.context.new_page()
    page.goto(f"{ann.visitor.origin}/play{ann.invitations()['Ben']}")
    for tab in (ann.page, page):
        tab.locator(".view.session").wait_for()
        tab.reload()
        tab.locator(".view.session").wait_for()
    statuses = [tab.locator(".status").inner_text() for tab in (ann.page, page)]
    assert sorted(statuses) in ([f"Waiting for {name} …", YOUR_TURN] for name in NAMES)


def test_an_invitation_with_the_token_of_another(visit: Visit) -> None:
    """A link that names a player, but holds the token of another one, changes no token that the
    device has.
    """
    ann = new_game(visit, "dice-poker", ["Ann", "Ben"], None, OWN_DEVICES)
    tokens = ann.seat()["tokens"]
    page = ann.visitor.context.new_page()
    path = f"/play#/session/{ann.id}?player=Ann&token={tokens['players']['Ben']}"
    page.goto(ann.visitor.origin + path)
    page.locator(".view.session").wait_for()
    assert ann.seat()["tokens"] == tokens


def test_no_clock(visit: Visit, service: Service) -> None:
    """No clock runs, on one device or several, with real dice or not, unless somebody sets it. It
    is then the one that they see, also where dice are typed in (D14).
    """
    game = Game(visit())
    for choices in ([], [OWN_DEVICES], [REAL_DICE]):
        game.set_up("dice-poker", NAMES, {}, *choices)
        assert game.read(service)["house_rules"]["turn_seconds"] is None
        expect(game.page.get_by_role("timer")).to_be_hidden()
    page = game.visitor.open("#/new/dice-poker")
    page.locator("summary", has_text="Options").click()
    expect(page.get_by_label(REAL_DICE)).to_be_checked()
    seconds = page.get_by_label("Turn seconds")
    expect(seconds).to_be_disabled()
    page.locator(".rule", has=seconds).get_by_label("no limit").uncheck()
    expect(seconds).to_have_value("30")
    page.get_by_role("button", name="Start the game").click()
    game.view.wait_for()
    assert game.read(service)["house_rules"]["turn_seconds"] == 30
    expect(game.page.get_by_role("timer")).to_be_visible()


def test_the_seat_of_this_device(visit: Visit) -> None:
    """The player of this device stays the same when another one is removed or has another name;
    when that player is removed, it is the first one.
    """
    game = Game(visit())
    page = game.visitor.open("#/new/dice-poker")
    page.get_by_role("button", name="Remove: Player 2").click()
    for _ in range(2):
        page.get_by_role("button", name="Add a player").click()
    names = page.get_by_role("textbox", name="Name of player")
    for field, name in zip(names.all(), ("Ann", "Ben", "Cid"), strict=True):
        field.fill(name)
    page.locator("summary", has_text="Options").click()
    seat = page.get_by_label("With invitations, this device is for")
    seat.select_option("Ben")
    page.get_by_role("button", name="Remove: Player 1").click()
    names.first.fill("Bea")
    expect(seat.locator("option:checked")).to_have_text("Bea")
    page.get_by_role("button", name="Add a player").click()
    names.last.fill("Dan")
    page.get_by_role("button", name="Remove: Player 1").click()
    expect(seat.locator("option:checked")).to_have_text("Cid")
    seat.select_option("Dan")
    page.get_by_role("button", name="Invite").click()
    game.view.wait_for()
    assert (game.seat()["players"], game.seat()["me"]) == (["Cid", "Dan"], "Dan")


def test_out_of_the_way(visit: Visit, service: Service) -> None:
    """The invitations are open until the game goes on, on whichever device; then they are one line
    above the table, also after a reload, and whoever opens them again has them open.
    """
    ann = new_game(visit, "yahtzee-deluxe", ["Ann", "Ben"], {}, OWN_DEVICES)
    ann.visitor.allows("failed GET .* net::ERR_ABORTED")  # by the reload
    invite = ann.page.locator(".invite")
    expect(invite.get_by_role("link").first).to_be_visible()
    invite.get_by_role("button").first.focus()
    ann.act_elsewhere(service, action="roll")
    expect(invite.get_by_role("link")).to_have_count(0)
    expect(invite.locator("summary")).to_be_focused()
    ann.page.reload()
    expect(invite).to_be_visible()
    expect(invite.get_by_role("link")).to_have_count(0)
    invite.locator("summary").click()
    ann.act_elsewhere(service, action="roll")
    expect(ann.view).to_have_attribute("data-version", "3")
    expect(invite.get_by_role("link").first).to_be_visible()


def test_nobody_invites_without_a_token(visit: Visit) -> None:
    """Who was invited invites nobody, whatever the names of the others."""
    ann, ben = Game(visit()), Game(visit())
    ann.set_up("poker-dice", ["Ann", "Ben", "constructor"], None, OWN_DEVICES)
    ben.visitor.allows("failed GET .* net::ERR_ABORTED")  # by the reload
    ben.visitor.open(ann.invitations()["Ben"])
    ben.page.reload()
    ben.view.wait_for()
    expect(ben.page.locator(".invite")).to_have_count(0)
