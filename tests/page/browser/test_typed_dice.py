"""Games with real dice, which the players type or click."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import Locator

from tests.live import Service
from tests.page.browser.game import NAMES, REAL_DICE, Game, new_game
from tests.page.browser.visitor import Visit, expect, labels

ROLLED = "Rolled dice"


class TypedGame(Game):
    """A game whose dice are clicked in the palette of faces."""

    def step(self) -> None:
        """Enters dice where the page has places for them; otherwise performs an action."""
        places = self.page.locator("dice-entry .places button")
        if not places.count():
            super().step()
            return
        for _ in range(places.count()):
            faces = self.page.locator("dice-entry .palette .dice button:enabled")
            faces.nth(self._chance.randrange(faces.count())).click()
        self.act(self.page.locator(".typed .primary"))


def shown(places: Locator) -> list[str]:
    """The faces in places for dice, as they are read out."""
    return [re.sub(rf"{ROLLED}, die \d+: ", "", label) for label in labels(places)]


def test_clicked_to_the_end(visit: Visit, service: Service) -> None:
    """A game with real dice is played to its end by clicks on their faces."""
    game = TypedGame(visit())
    game.set_up("poker-dice", NAMES, None, REAL_DICE)
    game.play_to_the_end()
    ended = game.read(service)
    assert (ended["dice"], ended["state"]["over"]) == ("client", True)
    expect(game.page.locator(".winners a").first).to_be_visible()
    assert game.page.get_by_role("link", name="Were the dice fair?").count() == 0


def test_dice_with_blanks_to_the_end(visit: Visit, service: Service) -> None:
    """A game of Roll-a-royal with real dice is played to its end: the risk die is clicked, and the
    faces of the dice are typed, blanks too.
    """
    dice = service.get("/v1/variants/roll-a-royal").json["dice_set"]
    chance = Random(1)
    game = new_game(visit, "roll-a-royal", NAMES, None, REAL_DICE)
    while not game.over:
        places = game.page.locator("dice-entry .places button")
        if places.count():
            first = places.count() == len(dice)
            places.first.focus()
            for faces in dice[: places.count()]:
                game.page.keyboard.type(chance.choice(faces) if first else "--")
            game.act(game.page.locator(".typed .primary"))
        elif "throw" in game.offered():
            throws = game.page.locator("[data-action=throw]:enabled")
            game.act(throws.nth(chance.randrange(throws.count())))
        else:
            game.step()
    ended = game.read(service)
    assert (ended["dice"], ended["state"]["over"]) == ("client", True)


def test_what_is_typed_is_what_was_rolled(visit: Visit, service: Service) -> None:
    """Dice are typed with keys, and Backspace takes the last one back. Those that are kept stay at
    their places, and only the others are asked for.
    """
    game = new_game(visit, "yahtzee-deluxe", ["Ann"], None, REAL_DICE)
    places = game.page.locator("dice-entry .places button")
    send = game.page.locator(".typed .primary")
    expect(places).to_have_count(6)
    expect(send).to_be_disabled()
    places.first.focus()
    game.page.keyboard.type("665423")
    game.page.keyboard.press("Backspace")
    assert shown(places) == ["6", "6", "5", "4", "2", "empty"]
    expect(send).to_be_disabled()
    game.page.keyboard.type("31")
    assert shown(places) == ["6", "6", "5", "4", "2", "1"]  # one too many takes the last place
    game.page.keyboard.press("Backspace")
    assert shown(places) == ["6", "6", "5", "4", "2", "3"]
    game.page.keyboard.type("1")
    game.act(send)
    assert game.read(service)["state"]["turn"]["dice"] == [6, 6, 5, 4, 2, 1]
    kept = game.page.locator(".dice.turn button.die")
    kept.nth(0).click()
    kept.nth(3).click()
    expect(places).to_have_count(4)
    places.first.focus()
    game.page.keyboard.type("1235")
    game.act(send)
    assert game.read(service)["state"]["turn"]["dice"] == [6, 1, 2, 4, 3, 5]


def test_moving_between_dice(visit: Visit) -> None:
    """The arrow keys move to another die, which the next key fills."""
    page = visit().open("#/score/dice-poker")
    places = page.locator("dice-entry .places button")
    places.first.focus()
    page.keyboard.type("123")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("6")
    assert [each.rpartition(" ")[2] for each in shown(places)] == ["1", "6", "3", "empty", "empty"]


def test_typed_pockets_leave_no_trace(visit: Visit) -> None:
    """On one device, a pocket that was typed isn't in the panel of requests for the next player."""
    game = new_game(visit, "texas-holdem-dice", NAMES, None, REAL_DICE)
    game.enter("2b3r")
    game.visitor.develops()
    game.page.get_by_text("What the page sends").click()
    requests = game.page.locator(".exchanges > li > details > summary")
    expect(requests.filter(has_text="POST /v1/sessions")).to_have_count(1)
    expect(requests.filter(has_text="/actions")).to_have_count(0)


def test_all_typed_dice_kept(visit: Visit) -> None:
    """Where all typed dice are kept there are no places for others, and nothing can be sent."""
    game = new_game(visit, "yahtzee-deluxe", ["Ann"], None, REAL_DICE)
    game.enter("123456")
    for die in game.page.locator(".dice.turn button.die").all():
        die.click()
    expect(game.page.locator("dice-entry .places button")).to_have_count(0)
    expect(game.page.locator(".typed .primary")).to_be_disabled()
