"""A game that the page has never heard of: it is drawn from the catalogue alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live import ROOT, Service, running
from tests.page.browser.game import Game, choose_game
from tests.page.browser.score_view import type_faces
from tests.page.browser.visitor import Visit, expect


@pytest.fixture(scope="module")
def added() -> Iterator[Service]:
    """A service that also has a game of `examples/`."""
    with running(VARIANTS="dice_games.card_dice", PYTHONPATH=str(ROOT / "examples")) as service:
        yield service


def test_played(visit: Visit, added: Service) -> None:
    """An added game is on the first view, has its house rules, is played to its end, and its dice
    are drawn again from the seed.
    """
    game = Game(visit(added.port))
    page = game.visitor.open()
    choose_game(page, "Card dice")
    expect(page.get_by_role("button", name="Play the computer: Card dice")).to_be_visible()
    game.set_up("card-dice", rules={"rounds": 2, "straight_beats_full_house": True})
    game.play_to_the_end()
    token = {"Authorization": f"Bearer {game.seat()['tokens']['table']}"}
    session = added.ask_unchecked("GET", f"/v1/sessions/{game.id}", headers=token).json
    rules = session["house_rules"]
    assert (rules["rounds"], rules["straight_beats_full_house"]) == (2, True)
    page.get_by_role("link", name="Were the dice fair?").click()
    expect(page.locator(".verdict strong")).to_have_text("Yes. Every die follows from the seed.")


def test_scored(visit: Visit, added: Service) -> None:
    """The dice of an added game have the faces and the house rules that the catalogue names."""
    page = visit(added.port).open("#/score/card-dice")
    type_faces(page, "9tjqkaaakk")
    winner = page.locator(".result h2").first
    expect(winner).to_have_text("Player 2 wins!")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label("Straight beats full house").check()
    expect(winner).to_have_text("Player 1 wins!")
