"""/docs in a real browser, and what it loads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.live import PROBLEM, Service, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


def test_every_asset_is_our_own(service: Service) -> None:
    """The page and its style sheet name no other host, and all they name is there."""
    page = service.get("/docs")
    assert (page.status, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["Content-Security-Policy"] == (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assets = re.findall(r'(?:src|href)="([^"]+)"', page.body.decode())
    assert len(assets) == 9
    for asset in assets:
        assert service.get(f"/{asset}").status == 200
    style = service.get("/docs/assets/swagger-ui.css").body.decode()
    assert all(url.startswith("data:") for url in re.findall(r'url\("?([^")]+)', style))


def test_head() -> None:
    """The head of the page leads back to the games, unless the service has no page for them."""
    with running(PLAY="off") as service:
        page = service.get("/docs").body
    assert b"<header" not in page
    assert b"play" not in page


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

SESSIONS = "/v1/sessions"

SESSION = "/v1/sessions/{session_id}"

GAMES = ("dice_poker", "poker_dice", "roll_a_royal", "texas_holdem_dice", "yahtzee_deluxe")
"""The names of the example sessions."""


@pytest.fixture
def page(browser: Browser, service: Service) -> Iterator[Page]:
    """The page in a fresh browser profile, drawn."""
    with browser.new_context() as context:
        page = context.new_page()
        page.route("**/v1/sessions", without_clock)
        page.goto(f"http://127.0.0.1:{service.port}/docs")
        page.wait_for_selector(".opblock")
        yield page


def without_clock(route: Route) -> None:
    """Creates an example session without its clock, which goes on by itself on a slow machine."""
    game = route.request.post_data_json
    if game["variant"] == "dice-poker":
        game["house_rules"] = {"turn_seconds": None}
    route.continue_(post_data=game)


def run(page: Page, script: str) -> Any:
    """Runs `script`, the body of an async function, in the page, and returns its JSON value."""
    return page.evaluate(f"async () => {{{script}}}")


def test_page_draws_the_contract(page: Page, service: Service) -> None:
    """The page lists the tags in the order of the contract. It unfolds the sessions, and on a click
    every other tag: its operations, in the order of the contract.
    """
    contract = service.get("/openapi.json").json
    of_tag: dict[str, list[list[str]]] = {tag["name"]: [] for tag in contract["tags"]}
    for path, operation_of in contract["paths"].items():
        for method, operation in operation_of.items():
            for tag in operation["tags"]:
                of_tag[tag].append([method, path])
    drawn = """Object.fromEntries(
      [...document.querySelectorAll(".opblock-tag-section")].map((section) => [
        section.querySelector(".opblock-tag").dataset.tag,
        [...section.querySelectorAll(".opblock")].map((each) => [
          each.querySelector(".opblock-summary-method").innerText.toLowerCase(),
          each.querySelector(".opblock-summary-path").dataset.path])]))"""
    folded = {tag: listed if tag == "sessions" else [] for tag, listed in of_tag.items()}
    first = run(page, f"return {drawn}")
    assert (first, [*first]) == (folded, [*of_tag])
    run(
        page,
        """document.querySelectorAll('.opblock-tag[data-is-open="false"]')
                  .forEach((each) => each.click())""",
    )
    count = sum(map(len, of_tag.values()))
    page.wait_for_function(f"document.querySelectorAll('.opblock').length === {count}")
    assert run(page, f"return {drawn}") == of_tag


def test_introduction(page: Page, service: Service) -> None:
    """The page begins with the contract's introduction up to the end of its list, and has the rest
    below, to unfold.
    """
    shown, listed, rest = run(
        page,
        """
        const [above, below] = document.querySelectorAll(".info .renderedMarkdown");
        return [above.innerText, above.querySelectorAll("li").length,
                below.closest("details:not([open])") && below.textContent];
        """,
    )
    description = service.get("/openapi.json").json["info"]["description"]
    plain = re.sub(r"`|^- ", "", description, flags=re.MULTILINE)
    assert f"{shown} {rest}".split() == plain.split()
    assert shown.endswith("many hands in one request.")
    assert listed == 3
    assert rest.startswith("Errors are problem details")


def test_beginnings(page: Page) -> None:
    """The page begins with three ways: to score a roll and to play a session each unfold their
    operation, ready to be executed, and for a client there is the contract.
    """
    names = page.locator(".beginnings h2")
    assert names.all_inner_texts() == ["Score a roll", "Play a session", "Make a client"]
    for press, path in (("evaluate", "/v1/variants/poker-dice/evaluate"), ("sessions", SESSIONS)):
        page.get_by_role("button", name=f"Open {press}").click()
        opened = page.locator(".opblock.is-open", has=page.locator(f"[data-path='{path}']"))
        opened.locator(".execute").click()
        status = opened.locator(".live-responses-table tbody .response-col_status")
        assert status.inner_text() in ("200", "201")
    links = page.locator(".beginnings a").evaluate_all("(all) => all.map((link) => link.href)")
    assert [link.rpartition("/")[2] for link in links] == ["openapi.json", "openapi.yaml"]


def test_search(page: Page) -> None:
    """Of the operations, those are shown that have all the words, and how many there are."""
    search = page.get_by_role("search")
    search.get_by_label("Search").fill("POST advise yahtzee")
    search.get_by_text("1 found").wait_for()
    shown = page.locator(".opblock .opblock-summary-path")
    assert shown.evaluate_all("(all) => all.map((path) => path.dataset.path)") == [
        "/v1/variants/yahtzee-deluxe/advise"
    ]
    search.get_by_label("Search").fill("no such words")
    search.get_by_text("Nothing found: search for other words.").wait_for()
    assert shown.count() == 0
    search.get_by_label("Search").fill("")
    page.locator(f"[data-path='{SESSIONS}']").wait_for()
    assert search.get_by_role("status").inner_text() == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(page: Page, scheme: Literal["light", "dark"]) -> None:
    """axe-core finds no violation, light or dark, with an operation unfolded: badges, buttons and
    code have enough contrast, and each field has a name.
    """
    from tests.page.browser.test_views import violations

    page.emulate_media(color_scheme=scheme)
    page.get_by_role("button", name="Open sessions").click()
    page.locator(".execute").wait_for()
    assert violations(page) == []


def test_examples_of_errors(page: Page, service: Service) -> None:
    """An operation shows the example of each of its errors."""
    shown = run(
        page,
        BLOCK
        + """
        const found = await open("/v1/sessions", "post");
        const rows = () => [...found.querySelectorAll(".responses-table .response")];
        await until(() => rows().every((row) => row.querySelector(".example code")));
        return Object.fromEntries(rows().map((row) => [row.dataset.code,
          JSON.parse(row.querySelector(".example code").innerText)]));
        """,
    )
    contract = service.get("/openapi.json").json
    shared = contract["components"]["responses"]
    responses = contract["paths"]["/v1/sessions"]["post"]["responses"]
    whole = {
        status: shared[response["$ref"].rpartition("/")[2]] if "$ref" in response else response
        for status, response in responses.items()
    }
    first = {
        status: next(iter(response["content"][PROBLEM]["examples"].values()))["value"]
        for status, response in whole.items()
        if int(status) >= 400
    }
    assert {"400", "409", "503"} <= first.keys()
    assert {status: example for status, example in shown.items() if status != "201"} == first


def test_on_phones_in_the_dark(page: Page) -> None:
    """Nothing is wider than a phone of 360 pixels, with operations unfolded. With a dark colour
    scheme the page is dark, and axe-core finds no violation in what was executed.
    """
    from tests.page.browser.test_views import violations

    phone = {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.context.new_cdp_session(page).send("Emulation.setDeviceMetricsOverride", phone)
    page.emulate_media(color_scheme="dark")
    width = "document.documentElement.scrollWidth"
    run(page, 'document.querySelector(".info details").open = true;')
    widths = [page.evaluate(width)]
    run(page, BLOCK + 'await execute(await open("/v1/sessions", "post"));')
    widths.append(page.evaluate(width))
    assert run(page, "return getComputedStyle(document.body).backgroundColor") == "rgb(28, 32, 34)"
    assert len(page.locator("#contract").inner_text().split()) > 100
    assert violations(page) == []
    for path, method in ((SESSION, "get"), (f"{SESSION}/actions", "post")):
        run(page, BLOCK + f'await open("{path}", "{method}");')
        widths.append(page.evaluate(width))
    assert widths == [360] * 4


def test_every_game_goes_on_by_clicks(page: Page) -> None:
    """In the example session of every game, its id, token and ETag and a legal action are filled
    in: one press of Execute after another is an action, the service rolls the dice, and the session
    and its history can be read by a click each.
    """
    versions, typed, read, events = run(
        page,
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
          return refused() ?? match();
        }};
        await press(act); // so that a new session has another version than this one
        const chosen = create.querySelector(".examples-select-element");
        const body = (found) => JSON.parse(found.querySelector("textarea").value);
        const versions = {{}};
        const typed = [];
        for (const variant of [...chosen.options].map((each) => each.value)) {{
          chosen.value = variant;
          chosen.dispatchEvent(new Event("change", {{ bubbles: true }}));
          await until(() => body(create).variant.replaceAll("-", "_") === variant);
          versions[variant] = [await press(create)];
          while (versions[variant].length < 3) {{
            if ("dice" in body(act)) typed.push(body(act));
            versions[variant].push(await press(act));
          }}
        }}
        const read = await execute(await open("{SESSION}", "get"));
        const events = await execute(await open("{SESSION}/events", "get"));
        return [versions, typed, read[0], events[0]];
        """,
    )
    assert versions == {game: [f'"{version}"' for version in range(1, 4)] for game in GAMES}
    assert (typed, read, events) == ([], "200", "200")
