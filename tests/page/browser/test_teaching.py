"""The panel that shows what the page sends, and the languages of the page."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.page.browser.game import Game
from tests.page.browser.score_view import type_faces
from tests.page.browser.visitor import Page, Visit, expect

needs_curl = pytest.mark.skipif(
    shutil.which("curl") is None, reason="needs curl: apt-get install curl"
)


def _exchange(page: Page, method: str, path: str) -> tuple[str, str]:
    """The curl and the answer that the panel shows for the newest request to a path."""
    switch = page.get_by_role("button", name="For developers", pressed=False)
    if switch.count():
        switch.click()
    page.get_by_text("What the page sends").click()
    shown = page.locator(".exchanges > li").filter(has_text=f"{method} {path}").first
    shown.locator("summary").click()
    curl, answer = (
        shown.get_by_role("group", name=name, exact=True).inner_text()
        for name in ("curl", "Answer")
    )
    return curl, answer


@needs_curl
def test_curl_of_an_action(visit: Visit) -> None:
    """Beside the table are the request of the last step, which names the version on screen, and its
    answer. What the panel copies gets the answer that it shows.
    """
    game = Game(visit())
    game.visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    game.set_up("dice-poker", ["Ann"], {"turn_seconds": 600})
    game.do("roll")
    page = game.page
    game.visitor.develops()
    panel = page.locator(".round teach-panel")
    expect(panel.locator("summary").first).to_contain_text(f"POST /v1/sessions/{game.id}/actions")
    panel.locator("summary").first.click()
    sent = panel.locator(".exchanges > li").first
    sent.locator("summary").click()
    assert "'If-Match: \"1\"'" in sent.get_by_role("group", name="curl").inner_text()
    sent.get_by_role("button", name="Copy").first.click()
    curl = page.evaluate("navigator.clipboard.readText()")  # its key is known
    ran = subprocess.run(["sh", "-c", curl], capture_output=True, check=True, text=True, timeout=30)
    assert json.loads(ran.stdout) == json.loads(
        sent.get_by_role("group", name="Answer").inner_text()
    )


def _ranked_by_curl(page: Page) -> Any:
    """The response for two hands that are typed, which the curl of the panel also gets."""
    type_faces(page, "1111266543")
    page.locator(".ranking > li").nth(1).wait_for()
    curl, answer = _exchange(page, "POST", "/v1/variants/poker-dice/rank")
    ran = subprocess.run(["sh", "-c", curl], capture_output=True, check=True, text=True, timeout=30)
    assert json.loads(ran.stdout) == json.loads(answer)
    return json.loads(answer)


@needs_curl
def test_curl_of_a_request(visit: Visit) -> None:
    """What the panel shows as curl gets the answer that it shows, in a shell."""
    answer = _ranked_by_curl(visit().open("#/score/poker-dice"))
    assert answer["variant"] == "poker-dice"


@needs_curl
def test_names_are_quoted(visit: Visit) -> None:
    """Whatever people write as their names, the curl is one command and has them as they are."""
    name = "O'Neil $(id) `id` \" \\ <b>"
    page = visit().open("#/score/poker-dice")
    page.get_by_label("Name").first.fill(name)
    answer = _ranked_by_curl(page)
    assert name in {one for place in answer["places"] for one in place["players"]}
    expect(page.locator("b")).to_have_count(0)


def test_tokens_are_short_and_copies_whole(visit: Visit) -> None:
    """No token is on screen in full, in a request or an answer; what is copied has it."""
    game = Game(visit())
    game.visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    game.set_up("dice-poker")
    game.do("roll")
    page, tokens = game.page, game.seat()["tokens"]
    whole = [tokens["table"], *tokens["players"].values()]
    _exchange(page, "POST", "/v1/sessions")
    text = page.locator("teach-panel").text_content() or ""
    assert text.count(f"{whole[0][:6]}\u2026") > 2
    assert [token for token in whole if token in text] == []
    opened = page.locator(".exchanges > li > details[open]").first
    copy = opened.get_by_role("button", name="Copy").first
    copy.click()
    expect(opened.get_by_role("button", name="Copied")).to_have_count(1)
    expect(opened.get_by_role("button", name="Copied")).to_be_focused()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl -s ")
    assert f"Authorization: Bearer {whole[0]}" in copied
    assert whole[0] not in opened.inner_text()


def test_a_browser_that_refuses_to_copy(visit: Visit) -> None:
    """Where the browser refuses its clipboard, a text is copied by a selection; the button says so
    until it loses the focus.
    """
    page = visit().open("#/score/poker-dice")
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"
    )
    _exchange(page, "GET", "/v1/variants/poker-dice")
    copy = page.locator(".exchanges details[open] button").first
    copy.click()
    expect(copy).to_have_text("Copied")
    page.get_by_role("button", name="For developers").focus()
    expect(copy).to_have_text("Copy")


def test_what_is_open_stays_open(visit: Visit) -> None:
    """An exchange that somebody reads stays open while further ones come, the newest first."""
    page = visit().open("#/score/poker-dice")
    _exchange(page, "GET", "/v1/variants/poker-dice")
    type_faces(page, "11112")
    exchanges = page.locator(".exchanges > li")
    expect(exchanges.first).to_contain_text("POST /v1/variants/poker-dice/rank")
    opened = page.locator(".exchanges > li > details[open]")
    expect(opened).to_have_count(1)
    expect(opened).to_contain_text("GET /v1/variants/poker-dice")


def test_a_switch_for_developers(visit: Visit) -> None:
    """What the page sends, with the way to the contract, is there only for those who switch it on
    in the head of the page; the device remembers it.
    """
    visitor = visit()
    visitor.allows("ERR_ABORTED")  # the pictures of the games, by the reload
    page = visitor.open()
    panel, switch = page.locator("teach-panel"), page.get_by_role("button", name="For developers")
    expect(panel).to_be_hidden()
    expect(page.get_by_role("link", name="API")).to_have_count(0)
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.reload()
    panel.locator("summary").first.click()
    expect(page.get_by_role("link", name="API")).to_be_visible()
    switch.click()
    expect(panel).to_be_hidden()
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(panel).to_be_hidden()


def test_languages(visit: Visit) -> None:
    """The page speaks the language of the browser, and another one from a click on. In place of one
    that it doesn't speak, it speaks English.
    """
    visitor = visit(language="de-AT")
    page = visitor.open()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("h1")).to_have_text("Was spielen wir?")
    page.get_by_role("button", name="English").click()
    expect(page.locator("h1")).to_have_text("What shall we play?")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    visitor.open("#/score/poker-dice")
    expect(page.locator("h1")).to_have_text("Score: Poker dice")
    expect(visit(language="pt").open().locator("h1")).to_have_text("What shall we play?")
