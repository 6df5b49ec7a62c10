"""What the table tells: what happened, and at the end why somebody won."""

from __future__ import annotations

import re

from tests.page.browser.game import REAL_DICE, new_game
from tests.page.browser.visitor import Visit, expect


def test_why_they_won(visit: Visit) -> None:
    """At the end of a score card, the story says of each place why it is that one, the first on
    top; the totals are in this order.
    """
    game = new_game(visit, "dice-poker", ("Ann", "Ben"), {"turn_seconds": 600})
    places = game.play_elsewhere()["state"]["places"]
    assert len(places) == 2
    expect(game.page.locator(".winners")).to_be_visible()
    told = game.page.locator(".story li")
    for at, place in enumerate(places):
        reason = re.sub(r" \(\w+\)", "", place["reason"])
        expect(told.nth(1 + at)).to_have_text(f"{place['players'][0]}: {reason}")
    totals = game.page.locator(".standings li")
    expect(totals).to_have_text([f"{each['players'][0]} {each['total']}" for each in places])


def test_a_super_royal(visit: Visit) -> None:
    """Who wins by a super royal stands first at the end, whatever the totals."""
    game = new_game(visit, "roll-a-royal")
    game.visitor.allows("failed GET .*/events net::ERR_ABORTED")  # by the reload
    ended = game.play_elsewhere()
    places = ended["state"]["places"]
    places.reverse()
    game.page.route(f"**/v1/sessions/{game.id}", lambda route: route.fulfill(json=ended))
    game.page.reload()
    names = [name for place in places for name in place["players"]]
    expect(game.page.locator(".standings li span")).to_have_text(names)


def test_a_short_name(visit: Visit) -> None:
    """Who did something is told even if their name is a part of a word in the sentence."""
    game = new_game(visit, "yahtzee-deluxe", ["a"])
    game.do("roll")
    game.act(game.page.locator("[data-key='box chance']"))
    told = game.page.locator(".story li").first
    expect(told).to_have_text(re.compile(r"^a: .* in chance\.$"))


def test_who_is_out(visit: Visit) -> None:
    """That a better hand was rolled is told of the player whom it puts out, as that."""
    game = new_game(visit, "poker-dice", ["Ann", "Ben"], {"rounds": 1}, REAL_DICE)
    game.do("ante", "meet")
    for dice in ("12465", "66555"):
        game.enter(dice)
        game.do("stop")
        if "check" in game.offered():
            game.do("check")
    told = game.page.locator(".story li", has_text="beats no combination")
    expect(told).to_have_text("Ann is out: Full house beats no combination.")
