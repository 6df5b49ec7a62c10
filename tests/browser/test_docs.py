"""/docs in a real browser, and what it loads."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.browser.chromium import CHROMIUM, Page, opened
from tests.live import Service

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="needs Chromium: apt-get install chromium"
)


def test_every_asset_is_our_own(service: Service) -> None:
    """The page and its style sheet name no other host, and all they name is there."""
    page = service.get("/docs")
    assert (page.status, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["Content-Security-Policy"] == (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assets = re.findall(r'(?:src|href)="([^"]+)"', page.body.decode())
    assert len(assets) == 7
    for asset in assets:
        assert service.get(f"/{asset}").status == 200
    style = service.get("/docs/assets/swagger-ui.css").body.decode()
    assert all(url.startswith("data:") for url in re.findall(r'url\("?([^")]+)', style))


BLOCK = """
const block = (path, method) => [...document.querySelectorAll(".opblock-" + method)]
  .find((each) => each.querySelector(".opblock-summary-path").dataset.path === path);
const until = async (condition) => {
  const end = performance.now() + 30000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(condition + " is still false");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return condition();
};
const open = async (path, method) => {
  const found = block(path, method);
  found.querySelector(".opblock-summary-control").click();
  await until(() => found.querySelector(".execute"));
  if (method === "post") await until(() => found.querySelector("textarea")?.value);
  const id = "tr[data-param-name='session_id']";
  await until(() => !path.includes("{") || found.querySelector(`${id} input`)?.value);
  return found;
};
const execute = async (found) => {
  found.querySelector(".execute").click();
  const status = ".live-responses-table tbody .response-col_status";
  await until(() => found.querySelector(status));
  return [found.querySelector(status).innerText.trim(),
          found.querySelector(".live-responses-table .highlight-code")?.innerText];
};
"""
"""Functions for scripts in the page, which act as a reader does: they click."""

SESSION = "/v1/sessions/{session_id}"

GAMES = ("dice_poker", "poker_dice", "roll_a_royal", "texas_holdem_dice", "yahtzee_deluxe")
"""The names of the example sessions."""


@pytest.fixture
def page(service: Service) -> Iterator[Page]:
    """The page in a browser with a fresh profile, drawn."""
    with opened() as browser:
        browser.open(f"http://127.0.0.1:{service.port}/docs")
        browser.wait_for("document.querySelector('.opblock')")
        yield browser


@needs_chromium
def test_page_draws_the_contract(page: Page, service: Service) -> None:
    """The page unfolds the sessions, and every other operation of the contract on a click."""
    drawn = (
        "[...document.querySelectorAll('.opblock-summary-path')].map((each) => each.dataset.path)"
    )
    contract = service.get("/openapi.json").json
    sessions = [path for path in contract["paths"] if path.startswith("/v1/sessions")]
    assert set(page.run(f"return {drawn}")) == set(sessions)
    page.run("""document.querySelectorAll('.opblock-tag[data-is-open="false"]')
                  .forEach((each) => each.click())""")
    page.wait_for("!document.querySelector('.opblock-tag[data-is-open=\"false\"]')")
    page.wait_for(f"{drawn}.length === {sum(map(len, contract['paths'].values()))}")
    assert set(page.run(f"return {drawn}")) == set(contract["paths"])


@needs_chromium
def test_play_without_copying(page: Page) -> None:
    """After a session is created on the page, its id, token and ETag and a legal action are filled
    in: the next operations succeed by a click each.
    """
    created, version, acted, current, read, events = page.run(
        BLOCK
        + f"""
        const created = await execute(await open("/v1/sessions", "post"));
        const act = await open("{SESSION}/actions", "post");
        const match = () => act.querySelector("tr[data-param-name='If-Match'] input").value;
        const version = match();
        const acted = await execute(act);
        await until(() => match() !== version);
        const read = await execute(await open("{SESSION}", "get"));
        const events = await execute(await open("{SESSION}/events", "get"));
        return [created[0], version, acted[0], match(), read[0], events[0]];
        """
    )
    assert (created, acted, read, events) == ("201", "200", "200", "200")
    assert (version.startswith('"1-'), current.startswith('"2-')) == (True, True)


@needs_chromium
def test_every_game_goes_on_by_clicks(page: Page) -> None:
    """In the example session of every game, one press of Execute after another is an action, and
    the service rolls the dice.
    """
    versions, typed = page.run(
        BLOCK
        + f"""
        const create = await open("/v1/sessions", "post");
        await execute(create);
        const act = await open("{SESSION}/actions", "post");
        const match = () => act.querySelector("tr[data-param-name='If-Match'] input").value;
        const press = async (found) => {{
          const before = match();
          const refused = () => found.querySelector(
            ".live-responses-table .response[data-code^='4']")?.innerText;
          found.querySelector(".execute").click();
          await until(() => match() !== before || refused());
          return refused() ?? match().split("-")[0];
        }};
        const chosen = create.querySelector(".examples-select-element");
        const body = (found) => JSON.parse(found.querySelector("textarea").value);
        const versions = {{}};
        const typed = [];
        for (const variant of [...chosen.options].map((each) => each.value)) {{
          chosen.value = variant;
          chosen.dispatchEvent(new Event("change", {{ bubbles: true }}));
          await until(() => body(create).variant.replaceAll("-", "_") === variant);
          versions[variant] = [await press(create)];
          while (versions[variant].length < 4) {{
            if ("dice" in body(act)) typed.push(body(act));
            versions[variant].push(await press(act));
          }}
        }}
        return [versions, typed];
        """
    )
    assert versions == {game: [f'"{version}' for version in range(1, 5)] for game in GAMES}
    assert typed == []
