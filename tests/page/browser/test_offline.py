"""The page as an app: installed, and without a network."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from service.page import STATIC
from tests.live import ROOT, Service, free_port, running
from tests.page.browser.game import Game
from tests.page.browser.score_view import result, type_faces, written
from tests.page.browser.visitor import CHROMIUM, Page, Visit, Visitor, expect

GONE = "net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|FAILED)"
ALONE = "No connection: this device adds the sheet up."


@contextmanager
def kept(visit: Visit, language: str = "en") -> Iterator[Visitor]:
    """Somebody who has opened the page once; after that its service is no longer there."""
    with running() as service:
        visitor = visit(service.port, language=language, keeps=True)
        keep(visitor)
    visitor.allows(GONE)
    yield visitor


def keep(visitor: Visitor) -> Page:
    """Opens the page, and returns it once the browser has kept it."""
    page = visitor.open()
    until(page, "localStorage.getItem('dice-table-kept')")
    return page


def until(page: Page, condition: str) -> None:
    """Waits for `condition` in the page, whose policy refuses Playwright's own way of waiting."""
    page.evaluate(
        f"""async () => {{
          const end = performance.now() + 60_000;
          while (!({condition})) {{
            if (performance.now() > end) throw new Error("still false");
            await new Promise((resolve) => setTimeout(resolve, 20));
          }}
        }}"""
    )


def test_the_page_can_be_installed(browser: Browser, service: Service, tmp_path: Path) -> None:
    """Chromium finds no mistake in the manifest, and nothing that prevents installing the page. The
    manifest has what Lighthouse asks for besides: names, colours, and icons for a splash screen and
    for the shape that a device gives them.
    """
    profile = browser.browser_type.launch_persistent_context(  # no other can install anything
        tmp_path, executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
    )
    with profile as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{service.port}/play")
        until(page, "await navigator.serviceWorker.getRegistration('play')")
        devtools = context.new_cdp_session(page)
        assert devtools.send("Page.getInstallabilityErrors") == {"installabilityErrors": []}
        answer = devtools.send("Page.getAppManifest")
    assert answer["errors"] == []
    manifest = json.loads(answer["data"])
    assert (manifest["name"], manifest["short_name"]) == ("Dice table", "Dice table")
    assert manifest["display"] == "standalone"
    assert {"background_color", "theme_color"} <= manifest.keys()
    icons = {icon.get("purpose", "any"): STATIC / icon["src"] for icon in manifest["icons"]}
    assert {purpose: side(icon) for purpose, icon in icons.items()} == {"any": 512, "maskable": 512}
    assert side(STATIC / "icon-192.png") == 192


def side(icon: Path) -> int:
    """The pixels of each side of a square PNG (PNG, 11.2.1)."""
    width, height = struct.unpack(">II", icon.read_bytes()[16:24])
    assert width == height
    return int(width)


def test_a_sheet_without_a_network(visit: Visit) -> None:
    """Without the service the page opens, also at an address that was never opened, and a sheet is
    kept: dice are scored, boxes are written, the upper bonus and the total are added up, and
    a line says that the device does so on its own.
    """
    with kept(visit) as visitor:
        visitor.allows("failed POST .*/score .*ERR_ABORTED")  # the last dice, once it leaves
        page = visitor.open()
        expect(page.get_by_role("heading", level=1)).to_have_text("What shall we play?")
        page.get_by_role("link", name="Score dice: Dice poker").click()
        expect(page.locator("#notice")).to_have_text(ALONE)
        type_faces(page, "35556")
        expect(result(page)).to_contain_text("Most points nowThree of a kind 24")
        page.get_by_role("button", name="Write 24 in Three of a kind").dblclick()
        assert written(page, "Three of a kind") == "24"
        for box, score in (("Fours", "12"), ("Fives", "25"), ("Sixes", "30")):
            page.get_by_label(f"{box} of Player 1").select_option(score)
        expect(page.locator(".sheet .total td")).to_have_text(str(24 + 67 + 35))
        page.get_by_role("button", name="Add a player").click()
        page.reload()
        expect(page.locator(".sheet .total td").first).to_have_text("126")


def test_what_only_the_service_knows(visit: Visit) -> None:
    """Dice under house rules that were not kept are not scored without the service; the boxes can
    be written by hand.
    """
    with kept(visit) as visitor:
        page = visitor.open("#/score/dice-poker")
        page.locator("summary", has_text="House rules").click()
        page.get_by_label("Five alike is full house").check()
        type_faces(page, "55555")
        expect(result(page)).to_contain_text("The service doesn\u2019t answer.")
        page.get_by_label("Full house of Player 1").select_option("25")
        expect(page.locator(".sheet .total td")).to_have_text("25")


@pytest.mark.parametrize("further", [True, False])
def test_house_rules_that_were_kept(visit: Visit, further: bool) -> None:
    """Under the house rules of a sheet that was opened before, dice are scored without the service,
    except those that may earn the bonus for repeats.
    """
    with running() as service:
        visitor = visit(service.port, keeps=True)
        page = keep(visitor)
        page.goto(f"{visitor.origin}/play#/score/dice-poker")
        page.locator("summary", has_text="House rules").click()
        page.get_by_label("Five alike is full house").check()
        page.get_by_label("Joker").check()
        until(page, "localStorage.getItem('dice-table-rolls-dice-poker').includes('joker')")
    visitor.allows(GONE)
    if further:
        page.get_by_label("Five of a kind of Player 1").select_option("50")
    type_faces(page, "55555")
    says = "The service doesn" if further else "Most points nowFive of a kind 50"
    expect(result(page)).to_contain_text(says)
    offers = page.get_by_role("button", name="Write 25 in Full house")
    expect(offers).to_have_count(0 if further else 1)


def test_in_the_language_of_the_reader(visit: Visit) -> None:
    """Without the service, the page and the names of the boxes are in the reader's language."""
    with kept(visit, "de") as visitor:
        page = visitor.open("#/score/dice-poker")
        expect(page.locator(".sheet")).to_contain_text("Drilling")
        expect(page.locator("#notice")).to_have_text(visitor.says(ALONE))


SUMS = """async () => {
  const folder = document.querySelector("script").src.replace("main.js", "");
  const {answer} = await import(`${folder}keeping.js`);
  const rules = {chosen: undefined, value: () => 0};
  const headers = {"Content-Type": "application/json"};
  const read = async (path) => (await fetch(path)).json();
  const differ = [];
  for (const id of ["dice-poker", "yahtzee-deluxe"]) {
    const game = await read(`v1/variants/${id}`);
    const both = async (operation, body, ...fields) => {
      const sent = {method: "POST", body: JSON.stringify(body), headers};
      const reply = await fetch(game.links[operation], sent);
      const [theirs, own] = [await reply.json(), answer(game, rules, operation, body)].map(
        (each) => JSON.stringify(fields.map((field) => each[field])));
      if (reply.ok && theirs !== own) differ.push([body, theirs, own]);
    };
    const open_boxes = game.boxes.map((box) => box.id);
    for (let seed = 0; seed < 40; seed++) {
      const die = (_, at) => 1 + (seed * (at + 3) + at * at) % 6;
      const dice = Array.from({length: game.dice.count}, die);
      await both("evaluate", {dice, open_boxes}, "scores", "best");
      const written = ({id, possible}, at) => [id, possible[(seed + at) % possible.length]];
      const card = Object.fromEntries(game.boxes.map(written));
      await both("score", {card}, "upper", "bonus", "total");
    }
  }
  return differ;
}"""
"""Scores rolls and cards on the device and by the service; returns where they differ."""


def test_the_same_sums(visit: Visit) -> None:
    """The device scores every roll as the service does, and adds up cards to the same sums."""
    visitor = visit(keeps=True)
    visitor.allows("status 422")  # cards that no dice can give
    page = keep(visitor)
    found = page.evaluate(SUMS)
    assert found == []


def test_no_game_is_kept(visit: Visit) -> None:
    """Nothing of a session is kept: without the service, its table says that there is no
    connection, and nothing that was on it before is on screen.
    """
    with running() as service:
        game = Game(visit(service.port, keeps=True))
        page = keep(game.visitor)
        game.set_up("yahtzee-deluxe", ("Ann",))
        game.step()
        addresses = page.evaluate(
            """async () => {
              const names = await caches.keys();
              const all = await Promise.all(names.map((name) => caches.open(name)));
              const requests = await Promise.all(all.map((cache) => cache.keys()));
              return requests.flat().map(({url}) => new URL(url).pathname);
            }"""
        )
        assert [each for each in addresses if "/v1/" in each and "/v1/variants" not in each] == []
        assert {"/play", "/v1/variants", "/v1/variants/dice-poker"} <= set(addresses)
    game.visitor.allows(GONE)
    page.reload()
    expect(page.locator("#notice")).to_have_text(
        "No connection to the service. The page keeps trying; nothing is lost."
    )
    expect(page.locator(".felt")).to_have_count(0)


def test_a_new_release(visit: Visit) -> None:
    """Where the service has a new release, the page is that at once, and the browser keeps it in
    place of the old one; what other pages of this origin keep stays.
    """
    port = free_port()
    with running(PORT=str(port)):
        visitor = visit(port, keeps=True)
        page = keep(visitor)
        before = page.locator("script").get_attribute("src")
        page.evaluate("caches.open('of-another-page')")
        page.goto("about:blank")
    more = {"VARIANTS": "dice_games.card_dice", "PYTHONPATH": str(ROOT / "examples")}
    with running(PORT=str(port), **more):
        visitor.open()
        after = page.locator("script").get_attribute("src")
        assert before != after
        expect(page.get_by_role("radio", name="Card dice")).to_be_attached()
        version = str(after).split("/")[1]
        names = f"['dice-table-games', 'dice-table-{version}', 'of-another-page']"
        until(page, f"String((await caches.keys()).sort()) === String({names}.sort())")
    visitor.allows(GONE)
    visitor.open()
    expect(page.get_by_role("radio", name="Card dice")).to_be_attached()
