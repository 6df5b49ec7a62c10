"""A connection that is lost, late or busy: nothing is lost, and the page says what it waits for."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.live import Service, free_port, running
from tests.page.browser.game import REAL_DICE, Game, new_game
from tests.page.browser.visitor import Page, Route, Visit, expect

SCORE_CARD = "yahtzee-deluxe"
OFFLINE = "net::ERR_INTERNET_DISCONNECTED"
GONE = "net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)"
LOST = "No connection to the service. The page keeps trying; nothing is lost."
FOUND = "The service answers again."


def table_of(page: Page) -> list[str]:
    """What is on the table and on the sheet."""
    texts: list[str] = page.locator(".felt, .side").all_inner_texts()
    return texts


def held_until(game: Game, held: list[Route], count: int) -> Route:
    """The last of `count` requests that are held."""
    for _ in range(1000):
        if len(held) == count:
            return held[-1]
        game.page.evaluate("new Promise(requestAnimationFrame)")
    raise AssertionError(f"{len(held)} requests, not {count}")


def test_reload_in_mid_game(visit: Visit) -> None:
    """After a reload the table is as it was, with all that has happened, and the game goes on."""
    game = new_game(visit, SCORE_CARD)
    for _ in range(3):
        game.do("roll")
        game.act(game.page.locator(".write").first)
    before = game.version, table_of(game.page)
    told = game.page.locator(".story li")
    story = told.all_inner_texts()
    assert len(story) > 1
    game.page.reload()
    game.view.wait_for()
    assert (game.version, table_of(game.page)) == before
    expect(told).to_have_text(story)
    game.step()
    assert game.version == before[0] + 1


def test_a_connection_that_is_lost_for_a_while(visit: Visit) -> None:
    """An action without a connection is sent once there is one again, and is done once."""
    game = new_game(visit, SCORE_CARD, ["Ann"])
    game.visitor.expects(OFFLINE)
    notice = game.page.locator("#notice")
    game.visitor.context.set_offline(True)
    game.hand.press(game.button("roll"))
    expect(notice).to_have_text(LOST)
    assert game.version == 1
    game.visitor.context.set_offline(False)
    expect(game.view).to_have_attribute("data-version", "2")
    expect(notice).to_have_text(FOUND)
    game.step()
    assert game.version == 3


def test_a_service_that_stops_and_starts_again(visit: Visit, tmp_path: Path) -> None:
    """While the service is stopped, the page says so and keeps the table; the game goes on when the
    service runs again. Views that were not loaded yet have a button to try again.
    """
    port = str(free_port())
    visitor = visit(int(port))
    visitor.expects(GONE)
    game = Game(visitor)
    notice = game.page.locator("#notice")
    with running(PORT=port, DATA_DIR=str(tmp_path)):
        game.set_up(SCORE_CARD, ["Ann"])
        game.do("roll")
        other = visitor.context.new_page()
        other.goto(f"{visitor.origin}/play")
        other.get_by_role("button", name="Invite: Dice poker").wait_for()
    expect(notice).to_have_text(LOST)
    before = table_of(game.page)
    game.hand.press(game.button("roll"))
    other.evaluate("location.hash = '#/verify'")
    expect(other.locator(".trouble p").first).to_contain_text("The service doesn\u2019t answer.")
    assert (game.version, table_of(game.page)) == (2, before)
    expect(notice).to_have_text(LOST)
    with running(PORT=port, DATA_DIR=str(tmp_path)):
        expect(game.view).to_have_attribute("data-version", "3")
        expect(notice).to_have_text(FOUND)
        other.get_by_role("button", name="Try again").click()
        expect(other.get_by_role("heading", level=1)).to_have_text("Were the dice fair?")
        game.step()


def test_a_service_that_freezes(visit: Visit, service: Service) -> None:
    """A service that says nothing any more is lost after a while, and the request is answered once
    it goes on. That while is a thirtieth here of what it is for others.
    """
    visitor = visit()
    visitor.expects(r"failed POST .*/poker-dice/\w+ net::ERR_ABORTED")
    page = visitor.open("#/score/poker-dice")
    page.evaluate(
        "const timeout = AbortSignal.timeout;"
        "AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 30);"
    )
    os.killpg(service.process.pid, signal.SIGSTOP)
    try:
        page.locator("dice-entry .places button").first.focus()
        page.keyboard.type("11234")
        expect(page.locator("#notice")).to_have_text(LOST)
    finally:
        os.killpg(service.process.pid, signal.SIGCONT)
    expect(page.locator("#notice")).to_have_text(FOUND)


@pytest.mark.parametrize("body", ["<h1>Bad Gateway</h1>", ""])
def test_a_proxy_without_a_service(visit: Visit, body: str) -> None:
    """A proxy that answers in HTML or with nothing is no connection to the service; an action is
    sent again until the service itself answers, and is done once.
    """
    game = new_game(visit, SCORE_CARD, ["Ann"])
    game.visitor.expects(r"status 502 POST .*/actions")
    bad = {"status": 502, "content_type": "text/html", "body": body}
    game.page.route("**/actions", lambda route: route.fulfill(**bad), times=2)
    game.hand.press(game.button("roll"))
    expect(game.page.locator("#notice")).to_have_text(LOST)
    expect(game.view).to_have_attribute("data-version", "2")
    expect(game.page.locator("#notice")).to_have_text(FOUND)


def test_a_service_without_time_for_a_new_game(visit: Visit) -> None:
    """A store that is full is said at once, and the game can be started again later, with the
    keyboard where it was.
    """
    game = Game(visit())
    game.visitor.expects(r"status 503 POST .*/v1/sessions")
    refused = {"status": 503, "headers": {"Retry-After": "60"}, "json": {"detail": "It is full."}}
    game.page.route("**/v1/sessions", lambda route: route.fulfill(**refused), times=1)
    page = game.visitor.open(f"#/new/{SCORE_CARD}")
    page.get_by_role("button", name="Remove: Player 2").click()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#notice")).to_contain_text("It is full.")
    expect(page.get_by_role("button", name="Start")).to_be_focused()
    page.get_by_role("button", name="Start").click()
    expect(game.view).to_have_attribute("data-version", "1")


def test_an_answer_that_is_late(visit: Visit, service: Service) -> None:
    """While the answer to an action is on its way, the page doesn't show the next state, whose
    buttons would do nothing yet.
    """
    game = new_game(visit, SCORE_CARD, ["Ann"])
    held: list[Route] = []
    game.page.route("**/actions", lambda route: held.append(route), times=1)
    with game.page.expect_event("requestfailed", lambda request: "wait=" in request.url):
        game.hand.press(game.button("roll"))
    held_until(game, held, 1)
    answer = held[0].fetch()
    assert game.read(service)["version"] == 2
    assert (game.version, game.view.get_attribute("aria-busy")) == (1, "true")
    held[0].fulfill(response=answer)
    expect(game.view).to_have_attribute("data-version", "2")
    game.do("roll")
    assert game.version == 3


@pytest.mark.parametrize("path", ["**/actions", "**/*wait=*"])
def test_a_service_that_is_busy(visit: Visit, path: str) -> None:
    """A busy service is asked again: for an action with the same key, as it may be done already.
    That it is busy is said until it answers.
    """
    game = new_game(visit, SCORE_CARD, ["Ann"])
    game.visitor.expects(r"status 503 (GET|POST) .*/v1/sessions/")
    notice = game.page.locator("#notice")
    held: list[Route] = []

    def answer(route: Route) -> None:
        held.append(route)
        if len(held) < 3:
            route.fulfill(status=503, headers={"Retry-After": "0.01"}, json={"detail": "Busy."})

    game.page.route(path, answer)
    game.hand.press(game.button("roll"))
    last = held_until(game, held, 3)
    expect(notice).to_have_text("The service is busy. The page keeps trying; nothing is lost.")
    sent = [(each.request.headers, each.request.post_data) for each in held]
    assert len({(headers.get("idempotency-key"), body) for headers, body in sent}) == 1
    last.fulfill(status=304) if "wait" in path else last.continue_()
    expect(notice).to_have_text("The service answers again.")
    expect(game.view).to_have_attribute("data-version", "2")


def test_a_store_that_lost_its_last_versions(visit: Visit) -> None:
    """If the service is at an older version again, with another ETag, the page shows that one,
    waits for the next, and acts on it.
    """
    game = Game(visit())
    held: list[Route] = []
    game.page.route("**/*wait=*", lambda route: held.append(route))
    game.set_up(SCORE_CARD, ["Ann"])
    answers = []
    for _ in range(3):
        with game.page.expect_response("**/actions") as answered:
            game.do("roll")
        answers.append(answered.value)
    older, newer = ({"body": each.body(), "headers": each.headers} for each in answers[:2])
    last = held_until(game, held, 4)
    with game.page.expect_request("**/*wait=*") as asked:
        last.fulfill(**older)
        expect(game.view).to_have_attribute("data-version", "2")
    assert asked.value.headers["if-none-match"] == older["headers"]["etag"]
    game.page.route("**/actions", lambda route: route.fulfill(**newer))
    with game.page.expect_request("**/actions") as sent:
        game.do("roll")
    assert sent.value.headers["if-match"] == '"2"'
    assert game.version == 3


def test_leaving_while_a_game_is_created(visit: Visit) -> None:
    """Whoever leaves before a game is there isn't taken to it later."""
    visitor = visit()
    visitor.expects(r"failed POST .*/v1/sessions net::ERR_ABORTED")
    visitor.page.route("**/v1/sessions", lambda _: None)  # no answer comes
    page = visitor.open(f"#/new/{SCORE_CARD}")
    with page.expect_request("**/v1/sessions"):
        page.get_by_role("button", name="Start").click()
    with page.expect_event("requestfailed"):
        page.get_by_role("link", name="To all games").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What shall we play?")
    expect(page.locator("#notice")).to_be_hidden()


def test_good_news_hides_nothing(visit: Visit) -> None:
    """On a phone, that the connection is back covers no die that has the focus, and is no longer
    said once the game goes on.
    """
    game = new_game(visit, SCORE_CARD, ["Ann"], None, REAL_DICE, width=360, height=640)
    game.visitor.expects(OFFLINE)
    notice = game.page.locator("#notice")
    for message, offline in ((LOST, True), (FOUND, False)):
        game.visitor.context.set_offline(offline)
        if offline:
            game.type_dice("123456")
            game.page.locator(".typed .primary").click()
        expect(notice).to_have_text(message)
    expect(game.view).to_have_attribute("data-version", "2")
    for face in game.page.locator(".palette .dice button").all():
        face.focus()
        assert face.evaluate(
            """(face) => {
                 const {x, y, width, height} = face.getBoundingClientRect();
                 return face.contains(document.elementFromPoint(x + width / 2, y + height / 2));
               }"""
        )
    game.enter("123456")
    expect(notice).to_be_hidden()
