"""What goes wrong at a table: each is a sentence, and the game or another page goes on."""

from __future__ import annotations

import json
import os
import re
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.live import JSON, Service, free_port, running
from tests.page.browser.game import Game
from tests.page.browser.visitor import Page, Route, Visit, expect

SCORE_CARD = "yahtzee-deluxe"
OFFLINE = "net::ERR_INTERNET_DISCONNECTED"
GONE = "net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)"
LOST = "No connection to the service. The page keeps trying; nothing is lost."
FOUND = "Connected again."


def table_of(page: Page) -> list[str]:
    """What is on the table and on the sheet."""
    texts: list[str] = page.locator(".felt, .side").all_inner_texts()
    return texts


def test_reload_in_mid_game(visit: Visit) -> None:
    """After a reload the table is as it was, with all that has happened, and the game goes on."""
    game = Game(visit())
    game.set_up(SCORE_CARD)
    for _ in range(3):
        game.act(game.button("roll"))
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
    game = Game(visit())
    game.visitor.expects(OFFLINE)
    game.set_up(SCORE_CARD, ["Ann"])
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
        game.act(game.button("roll"))
        other = visitor.context.new_page()
        other.goto(f"{visitor.origin}/play")
        other.get_by_role("link", name="Play Dice poker").wait_for()
    expect(notice).to_have_text(LOST)
    before = table_of(game.page)
    game.hand.press(game.button("roll"))
    other.get_by_role("link", name="Score dice of Poker dice").click()
    expect(other.locator(".trouble p").first).to_contain_text("The service doesn\u2019t answer.")
    assert (game.version, table_of(game.page)) == (2, before)
    expect(notice).to_have_text(LOST)
    with running(PORT=port, DATA_DIR=str(tmp_path)):
        expect(game.view).to_have_attribute("data-version", "3")
        expect(notice).to_have_text(FOUND)
        other.get_by_role("button", name="Try again").click()
        expect(other.get_by_role("heading", level=1)).to_have_text("Score: Poker dice")
        game.step()


def test_a_service_that_freezes(visit: Visit) -> None:
    """A service that says nothing any more is lost after a while, and the request is answered once
    it goes on. That while is a hundredth here of what it is for others.
    """
    with running() as service:
        visitor = visit(service.port)
        visitor.expects(r"failed POST .*/poker-dice/\w+ net::ERR_ABORTED")
        visitor.context.add_init_script(
            "const timeout = AbortSignal.timeout;"
            "AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 100);"
        )
        page = visitor.open("#/score/poker-dice")
        os.killpg(service.process.pid, signal.SIGSTOP)
        try:
            page.locator("dice-entry .places button").first.focus()
            page.keyboard.type("11234")
            expect(page.locator("#notice")).to_have_text(LOST)
        finally:
            os.killpg(service.process.pid, signal.SIGCONT)
        expect(page.locator("#notice")).to_have_text(FOUND)


@pytest.mark.parametrize("twice", ["double click", "held key"])
def test_pressed_twice(visit: Visit, twice: str) -> None:
    """A double click, and Enter that is held, act once, although the next action may be offered by
    a button in the same place at once.
    """
    game = Game(visit())
    game.set_up(SCORE_CARD, ["Ann"])
    mouse, keyboard = game.page.mouse, game.page.keyboard
    if twice == "double click":
        for count in (1, 2):
            game.button("roll").hover()
            mouse.down(click_count=count)
            mouse.up(click_count=count)
            expect(game.view).to_have_attribute("data-version", "2")
    else:
        game.button("roll").focus()
        for _ in range(20):
            keyboard.down("Enter")
        keyboard.up("Enter")
    expect(game.view).to_have_attribute("data-version", "2")
    game.act(game.button("roll"))
    assert game.version == 3


def test_a_proxy_without_a_service(visit: Visit) -> None:
    """A proxy that answers in HTML is no connection to the service; an action is sent again until
    the service itself answers, and is done once.
    """
    game = Game(visit())
    game.visitor.expects(r"status 502 POST .*/actions")
    game.set_up(SCORE_CARD, ["Ann"])
    html = {"status": 502, "content_type": "text/html", "body": "<h1>Bad Gateway</h1>"}
    game.page.route("**/actions", lambda route: route.fulfill(**html), times=2)
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
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#notice")).to_contain_text("It is full.")
    expect(page.get_by_role("button", name="Start")).to_be_focused()
    page.get_by_role("button", name="Start").click()
    expect(game.view).to_have_attribute("data-version", "1")


def held_until(game: Game, held: list[Route], count: int) -> Route:
    """The last of `count` requests that are held."""
    for _ in range(1000):
        if len(held) == count:
            return held[-1]
        game.page.evaluate("new Promise(requestAnimationFrame)")
    raise AssertionError(f"{len(held)} requests, not {count}")


def test_an_answer_that_is_late(visit: Visit, service: Service) -> None:
    """While the answer to an action is on its way, the page doesn't show the next state, whose
    buttons would do nothing yet.
    """
    game = Game(visit())
    game.set_up(SCORE_CARD, ["Ann"])
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
    game.act(game.button("roll"))
    assert game.version == 3


@pytest.mark.parametrize("path", ["**/actions", "**/*wait=*"])
def test_a_service_that_is_busy(visit: Visit, path: str) -> None:
    """A busy service is asked again: for an action with the same key, as it may be done already.
    That it is busy is said until it answers.
    """
    game = Game(visit())
    game.visitor.expects(r"status 503 (GET|POST) .*/v1/sessions/")
    game.set_up(SCORE_CARD, ["Ann"])
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
    expect(notice).to_have_text("The service has time again.")
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
            game.act(game.button("roll"))
        answers.append(answered.value)
    older, newer = ({"body": each.body(), "headers": each.headers} for each in answers[:2])
    last = held_until(game, held, 4)
    with game.page.expect_request("**/*wait=*") as asked:
        last.fulfill(**older)
        expect(game.view).to_have_attribute("data-version", "2")
    assert asked.value.headers["if-none-match"] == older["headers"]["etag"]
    game.page.route("**/actions", lambda route: route.fulfill(**newer))
    with game.page.expect_request("**/actions") as sent:
        game.act(game.button("roll"))
    assert sent.value.headers["if-match"] == older["headers"]["etag"]
    assert game.version == 3


def test_regions_that_are_read_out(visit: Visit) -> None:
    """What screen readers read out once it has a text is never out of the page before."""
    game = Game(visit())
    game.visitor.allows("status (409|503) GET .*/advice$")
    game.set_up(SCORE_CARD, ["Ann"], None, "Show advice during the game")
    for region in ("#notice", "advice-panel .cost", ".status"):
        style = "(each) => { each.replaceChildren(); return getComputedStyle(each).display; }"
        assert game.page.locator(region).evaluate(style) != "none"


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


def test_a_clock_that_runs_out(visit: Visit, service: Service) -> None:
    """When the time is up, the page shows without any click what the service wrote, and why."""
    game = Game(visit())
    game.set_up("dice-poker", ["Ann"], {"turn_seconds": 2})
    expect(game.page.get_by_role("timer")).to_be_visible()
    expect(game.page.locator(".story")).to_contain_text("(D14)")
    session = game.read(service)
    assert set(session["state"]["cards"]["Ann"]["scores"].values()) - {None} == {0}


def test_a_clock_that_is_wrong(visit: Visit) -> None:
    """The time that is left is right on a device whose clock is an hour slow, and is read out once
    it is short.
    """
    visitor = visit()
    visitor.page.clock.set_system_time(datetime.now(UTC) - timedelta(hours=1))
    game = Game(visitor)
    game.set_up("dice-poker", ["Ann"], {"turn_seconds": 10})
    expect(game.page.get_by_role("timer")).to_have_text(re.compile(r"^0:(10|0\d)$"))
    expect(game.page.locator("turn-clock [role=status]")).to_have_text(
        re.compile(r"^Seconds left: \d+\.$")
    )


def test_a_clock_that_is_set_right(visit: Visit) -> None:
    """Once the clock of a device is set right, the time that is left is right again."""
    visitor = visit()
    visitor.page.clock.set_system_time(datetime.now(UTC) - timedelta(hours=1))
    game = Game(visitor)
    game.set_up("dice-poker", ["Ann"], {"turn_seconds": 600})
    timer = game.page.get_by_role("timer")
    expect(timer).to_have_text(re.compile(r"^(10|9):\d\d$"))
    visitor.page.clock.set_system_time(datetime.now(UTC))
    game.act(game.button("roll"))
    expect(timer).to_have_text(re.compile(r"^(10|9):\d\d$"))


def test_a_refused_action(visit: Visit) -> None:
    """A sixth die of one suit is refused in a sentence; the dice can be taken back, and others
    typed.
    """
    game = Game(visit())
    game.visitor.expects(r"status 422 POST .*/actions")
    game.set_up("texas-holdem-dice", ["Ann", "Ben"], {}, "We roll real dice")
    for dice in ("1w2w", "3w4w"):
        game.type_dice(dice)
        game.act(game.page.locator(".typed .primary"))
    for _ in range(2):
        game.act(game.button("check"))
    version = game.version
    game.type_dice("5w6w1r")
    game.page.locator(".typed .primary").click()
    expect(game.page.locator("#notice")).to_contain_text(
        "can't be white: the set has only 5 white dice (H24)."
    )
    assert game.version == version
    game.page.get_by_role("button", name="Clear").click()
    game.type_dice("5w1b1r")
    game.act(game.page.locator(".typed .primary"))
    expect(game.page.locator("#notice")).to_be_hidden()


def test_somebody_else_was_faster(visit: Visit, service: Service) -> None:
    """An action on a state that is no longer the last one is refused; the page says so, and shows
    the game as it is.
    """
    game = Game(visit())
    game.visitor.expects(r"status 412 POST .*/actions")
    game.page.route("**/*wait=*", lambda _: None)  # no news comes
    game.set_up(SCORE_CARD, ["Ann"])
    headers = {
        "Authorization": f"Bearer {game.seat()['tokens']['table']}",
        "If-Match": "*",
        "Content-Type": JSON,
    }
    faster = json.dumps({"action": "roll", "player": "Ann"}).encode()
    path = f"/v1/sessions/{game.id}/actions"
    assert service.ask("POST", path, faster, headers).status == 200
    game.act(game.button("roll"))
    expect(game.page.locator("#notice")).to_have_text(
        "The game has gone on meanwhile. Here it is as it is now."
    )
    assert game.version == 2


@pytest.mark.parametrize(
    ("fragment", "status", "sentence"),
    [
        ("#/session/none", None, "This device doesn\u2019t take part in this game."),
        ("#/session/none?player=Ann&token=t", 404, "This game is gone: games expire"),
        ("#/session/none?player=Ann&token=t%E2%82%AC", None, "This device doesn\u2019t take part"),
        ("#/new/none", 404, "There is nothing at this path."),
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


def test_a_name_that_is_none(visit: Visit) -> None:
    """A link whose name is not one of the players is refused in a sentence."""
    game = Game(visit())
    game.set_up(SCORE_CARD)
    token = game.seat()["tokens"]["table"]
    page = visit().open(f"#/session/{game.id}?player=Nobody&token={token}")
    expect(page.locator(".trouble")).to_contain_text("This device doesn\u2019t take part")


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
    game = Game(visit())
    game.visitor.expects(r"status 403 GET")
    game.set_up(SCORE_CARD)
    before = game.seat()
    fragment = f"#/session/{game.id}"
    page = game.visitor.open("")
    page.evaluate("(fragment) => { location.hash = fragment; }", f"{fragment}?player=Cara&token=t")
    expect(page.locator(".trouble")).to_contain_text(
        "The token in this link is not one of this game. Ask for your link again."
    )
    page.get_by_role("button", name="Try again").click()
    game.view.wait_for()
    assert game.seat() | {"at": 0} == before | {"at": 0}
    game.step()


def test_a_session_that_was_deleted(visit: Visit, service: Service) -> None:
    """A game that is gone says so while it is on screen, and after a reload, with a way on; it is
    no longer among the games of this device.
    """
    game = Game(visit())
    game.visitor.expects(r"status 404 GET")
    game.set_up(SCORE_CARD)
    token = {"Authorization": f"Bearer {game.seat()['tokens']['table']}"}
    assert service.ask("DELETE", f"/v1/sessions/{game.id}", headers=token).status == 204
    gone = "This game is gone: games expire after a while. Start a new one."
    expect(game.page.locator("#notice")).to_have_text(gone)
    assert game.offered() == []
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


def test_a_house_rule_that_is_wrong(visit: Visit) -> None:
    """If a house rule is wrong and out of sight, starting a game shows it and says why."""
    page = visit().open("#/new/poker-dice")
    summary, chips = page.locator("summary", has_text="House rules"), page.get_by_label("Starting")
    summary.click()
    chips.fill("0")
    summary.click()
    expect(chips).to_be_hidden()
    page.get_by_role("button", name="Start the game").click()
    expect(chips).to_be_focused()
    chips.fill("50")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".view.session").wait_for()


def test_a_name_that_is_blank(visit: Visit) -> None:
    """A name of spaces is none: the field says so, and nothing is sent."""
    page = visit().open("#/new/poker-dice")
    name = page.get_by_role("textbox", name="Name of player").first
    name.fill("   ")
    page.get_by_role("button", name="Start the game").click()
    expect(name).to_be_focused()
    message = name.evaluate("(input) => input.validationMessage")
    assert message == "Each player needs a name."


def test_good_news_hides_nothing(visit: Visit) -> None:
    """On a phone, that the connection is back covers no die that has the focus, and is no longer
    said once the game goes on.
    """
    game = Game(visit(width=360))
    game.visitor.expects(OFFLINE)
    game.page.set_viewport_size({"width": 360, "height": 640})
    game.set_up(SCORE_CARD, ["Ann"], None, "We roll real dice and enter them")
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
    game.type_dice("123456")
    game.act(game.page.locator(".typed .primary"))
    expect(notice).to_be_hidden()
