"""What the table tells: what happened, and at the end why somebody won."""

from __future__ import annotations

import re

from tests.live import Service
from tests.page.browser.game import REAL_DICE, Game
from tests.page.browser.visitor import Visit, expect


def test_why_they_won(visit: Visit) -> None:
    """At the end of a score card, the story says of each place why it is that one, the first on
    top; the totals are in this order.
    """
    game = Game(visit())
    game.set_up("dice-poker", ("Ann", "Ben"), {"turn_seconds": 600})
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
    game = Game(visit())
    game.visitor.allows("failed GET .*/events net::ERR_ABORTED")  # by the reload
    game.set_up("roll-a-royal")
    ended = game.play_elsewhere()
    places = ended["state"]["places"]
    places.reverse()
    game.page.route(f"**/v1/sessions/{game.id}", lambda route: route.fulfill(json=ended))
    game.page.reload()
    names = [name for place in places for name in place["players"]]
    expect(game.page.locator(".standings li span")).to_have_text(names)


def test_a_short_name(visit: Visit) -> None:
    """Who did something is told even if their name is a part of a word in the sentence."""
    game = Game(visit())
    game.set_up("yahtzee-deluxe", ["a"])
    game.act(game.button("roll"))
    game.act(game.page.locator("[data-key='box chance']"))
    told = game.page.locator(".story li").first
    expect(told).to_have_text(re.compile(r"^a: .* in chance\.$"))


def test_who_is_out(visit: Visit) -> None:
    """That a better hand was rolled is told of the player whom it puts out, as that."""
    game = Game(visit())
    game.set_up("poker-dice", ["Ann", "Ben"], {"rounds": 1}, REAL_DICE)
    game.act(game.button("ante"))
    game.act(game.button("meet"))
    for dice in ("12465", "66555"):
        game.type_dice(dice)
        game.act(game.page.locator(".typed .primary"))
        game.act(game.button("stop"))
        if "check" in game.offered():
            game.act(game.button("check"))
    told = game.page.locator(".story li", has_text="beats no combination")
    expect(told).to_have_text("Ann is out: Full house beats no combination.")


def test_the_end_of_a_game_alone(visit: Visit) -> None:
    """Whoever plays alone beats nobody."""
    game = Game(visit())
    game.set_up("yahtzee-deluxe", ["Zoe"])
    game.play_elsewhere()
    expect(game.page.locator(".winners h2")).to_have_text("The game is over.")


def test_nothing_to_risk(visit: Visit, service: Service) -> None:
    """A layout without points can only be banked: the risk die would have nothing to multiply."""
    game = Game(visit())
    game.set_up("roll-a-royal", ["Zoe"], {"turns": 2}, REAL_DICE)
    game.type_dice("JsJh" + "--" * 11)
    game.act(game.page.locator(".typed .primary"))
    game.act(game.button("lay"))
    assert game.read(service)["state"]["turn"]["laid"]["points"] == 0
    assert game.offered() == ["bank"]
    expect(game.page.locator(".felt")).not_to_contain_text("risk")
