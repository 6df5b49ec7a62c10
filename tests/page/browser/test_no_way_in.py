"""Addresses, tokens and games that aren't there, and browsers that keep nothing."""

from __future__ import annotations

import re

import pytest

from tests.live import Service, running
from tests.page.browser.game import Game, new_game
from tests.page.browser.visitor import Visit, expect

SCORE_CARD = "yahtzee-deluxe"


@pytest.mark.parametrize(
    ("fragment", "status", "sentence"),
    [
        ("#/session/none", None, "This device doesn\u2019t take part in this game."),
        ("#/session/none?player=Ann&token=t", 404, "This game is gone: games expire"),
        ("#/session/none?player=Ann&token=t%E2%82%AC", None, "This device doesn\u2019t take part"),
        ("#/new/none", 404, "There is no such variant."),
        ("#/nowhere", None, "There is nothing at this address."),
    ],
)
def test_addresses_that_lead_nowhere(
    fragment: str, status: int | None, sentence: str, visit: Visit
) -> None:
    """A session that is unknown, without a token or with one, a game and a view that are unknown:
    a sentence, and the way to all games.
    """
    visitor = visit()
    if status:
        visitor.expects(f"status {status} GET")
    page = visitor.open(fragment)
    expect(page.get_by_role("heading", level=1)).to_have_text("That didn\u2019t work")
    expect(page.locator(".trouble p").first).to_contain_text(sentence)
    page.get_by_role("link", name="To all games").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What shall we play?")
    assert page.get_by_role("heading", name="Your games").count() == 0


@pytest.mark.parametrize(
    "kept", ["null", '"x"', '{"x": null}', '{"x": {"players": 7}}', '{"x": {"players": []}}', "{"]
)
def test_storage_with_anything_in_it(visit: Visit, kept: str) -> None:
    """What isn't a seat is left out of the list of games, and a new game can begin."""
    visitor = visit()
    visitor.allows("ERR_ABORTED")  # the pictures of the games, by the reload
    page = visitor.open("")
    page.evaluate("(kept) => localStorage.setItem('dice-table-games', kept)", kept)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("What shall we play?")
    assert page.get_by_role("heading", name="Your games").count() == 0
    game = Game(visitor)
    game.set_up(SCORE_CARD)
    game.step()
    assert game.version == 2


def test_a_token_that_is_none(visit: Visit) -> None:
    """A wrong token in a link is refused in a sentence; the device keeps the token that it had, so
    that trying again opens the game.
    """
    game = new_game(visit, SCORE_CARD)
    game.visitor.expects(r"status 403 GET")
    game.visitor.allows("failed GET .*/v1/variants/.*ERR_ABORTED")  # the first view is left at once
    before = game.seat()
    fragment = f"#/session/{game.id}"
    page = game.visitor.open("")
    page.evaluate("(fragment) => { location.hash = fragment; }", f"{fragment}?player=Cara&token=t")
    expect(page.locator(".trouble")).to_contain_text(
        "This link doesn\u2019t open this game. Ask for yours again."
    )
    page.get_by_role("button", name="Try again").click()
    game.view.wait_for()
    assert game.seat() | {"at": 0} == before | {"at": 0}
    game.step()


def test_a_session_that_was_deleted(visit: Visit, service: Service) -> None:
    """A game that is gone says so while it is on screen, and after a reload, with a way on; it is
    nobody's turn, and it is no longer among the games of this device.
    """
    game = new_game(visit, SCORE_CARD)
    game.visitor.expects(r"status 404 GET")
    token = {"Authorization": f"Bearer {game.seat()['tokens']['table']}"}
    assert service.ask("DELETE", f"/v1/sessions/{game.id}", headers=token).status == 204
    gone = "This game is gone: games expire after a while."
    expect(game.page.locator("#notice")).to_have_text(gone)
    assert game.offered() == []
    expect(game.page.locator(".status")).to_be_empty()
    expect(game.page.locator(".view").get_by_role("link", name="To all games")).to_be_visible()
    game.page.reload()
    expect(game.page.locator(".trouble")).to_contain_text(re.compile("gone|take part"))
    page = game.visitor.open()
    assert page.get_by_role("heading", name="Your games").count() == 0


def test_a_session_that_expired(visit: Visit) -> None:
    """An action in a game that has expired is refused in a sentence."""
    with running(SESSION_SECONDS="1") as service:
        game = Game(visit(service.port))
        game.visitor.expects(r"status 404 (GET|POST)")
        game.page.route("**/*wait=*", lambda _: None)
        game.set_up(SCORE_CARD)
        token = game.seat()["tokens"]["table"]
        game.page.evaluate(
            """async ([path, token]) => {
                 const headers = {Authorization: `Bearer ${token}`};
                 while ((await fetch(path, {headers})).ok);
               }""",
            [f"/v1/sessions/{game.id}", token],
        )
        game.hand.press(game.page.locator("[data-action]").first)
        expect(game.page.locator("#notice")).to_contain_text("This game is gone")


@pytest.mark.parametrize("storage", ["full", "forbidden"])
def test_without_storage(visit: Visit, storage: str) -> None:
    """Where the browser stores nothing, or nothing more, a new game is played until it is over."""
    visitor = visit()
    refuse = "() => { throw new DOMException('no', 'QuotaExceededError'); }"
    visitor.context.add_init_script(
        f"Storage.prototype.setItem = {refuse};"
        + (f"Storage.prototype.getItem = {refuse};" if storage == "forbidden" else "")
    )
    game = Game(visitor)
    game.set_up("poker-dice", rules={"rounds": 1})
    game.play_to_the_end()
