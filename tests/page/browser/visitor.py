"""People who visit the page, each with a fresh browser profile, and what went wrong there."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import pytest

pytest.importorskip("playwright", reason="needs Playwright: make page installs it")

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    FloatRect,
    Request,
    Response,
    sync_playwright,
)
from playwright.sync_api import Locator as Locator
from playwright.sync_api import Page as Page
from playwright.sync_api import Route as Route
from playwright.sync_api import ViewportSize as ViewportSize
from playwright.sync_api import expect as expect

from service.page import contents
from service.page.texts import ENGLISH, decoded
from service.variants import variants

expect.set_options(timeout=60_000)  # a busy machine is slow

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


_KEYS = {text: key for key, text in json.loads(ENGLISH.read_bytes()).items()}

ELSEWHERE = "table.test"
"""A name of this machine that browsers take for that of another one."""


_REPEATED = "Failed to load resource|Service Worker registration blocked by Playwright"
"""What Chromium reports of each response with an error, which `_response` adds in full, and what
Playwright says where a visitor keeps nothing.
"""


@contextmanager
def started() -> Iterator[Browser]:
    """A running Chromium without a window; the test is skipped where there is none."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
            ],
        )
        yield browser
        browser.close()


class Visitor:
    """Somebody with a fresh browser profile, on the page of the service at `port`.

    With `keeps`, the browser keeps the page for times without a network. Each page runs `scripts`
    before its own.

    Whatever goes wrong in the browser fails the test unless the test said before that it will:
    errors in the console, which include refusals by the page's policy, exceptions, requests that
    fail, and responses with an error.
    """

    def __init__(
        self,
        browser: Browser,
        port: int,
        width: int = 1280,
        height: int = 800,
        language: str = "en",
        keeps: bool = False,
        scripts: Iterable[str] = (),
    ) -> None:
        self.context = browser.new_context(
            locale=language,
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            service_workers="allow" if keeps else "block",  # Playwright sees no further than one
        )
        self.context.set_default_timeout(60_000)
        for script in scripts:
            self.context.add_init_script(f"({script})()")
        self.origin = f"http://127.0.0.1:{port}"
        self._language = language[:2]
        self.responses: list[Response] = []
        self._troubles: list[str] = []
        self._expected: list[str] = []
        # No chances, and no curve of them, are shown while the service makes its table.
        self._allowed = ["status 503 GET .*/(forecast|review)$"]
        self._leaving = False
        self.context.on("console", self._console)
        self.context.on("weberror", lambda error: self._troubles.append(f"exception {error.error}"))
        self.context.on("requestfailed", self._failed)
        self.context.on("response", self._response)
        self.page: Page = self.context.new_page()

    def open(self, fragment: str = "") -> Page:
        """Opens the view of `fragment`, and returns the page once the view is drawn."""
        self.page.goto(f"{self.origin}/play{fragment}")
        self.page.wait_for_selector("#view:not([aria-busy]) .view")
        return self.page

    def develops(self) -> None:
        """Has the page show what it sends, by the switch in its head."""
        self.page.get_by_role("button", name=self.says("For developers")).click()

    def says(self, english: str) -> str:
        """What the page says to this visitor in place of an English text of its own."""
        if self._language == "en":
            return english
        texts = decoded(contents([*variants().values()])[f"texts/{self._language}.json"])
        text: str = texts[_KEYS[english]]
        return text

    def expects(self, *troubles: str) -> None:
        """Only these regular expressions may go wrong, and each has to."""
        self._expected += troubles

    def allows(self, *troubles: str) -> None:
        """These regular expressions may go wrong, and need not."""
        self._allowed += troubles

    def leaves(self) -> None:
        """Closes the browser profile; fails if anything went wrong, or what should have did not."""
        self._leaving = True
        self.context.close()
        troubles, expected = self._troubles, self._expected
        known = expected + self._allowed
        surprises = [each for each in troubles if not any(re.search(one, each) for one in known)]
        missed = [one for one in expected if not any(re.search(one, each) for each in troubles)]
        assert not surprises, surprises
        assert not missed, missed

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not re.search(_REPEATED, message.text):
            self._troubles.append(f"console {message.type} {message.text}")

    def _failed(self, request: Request) -> None:
        # The page waits no longer for news, or for advice, when it acts itself, nor for what
        # happened or the chances when another view is opened; a browser that closes waits for
        # nothing that it still reads, nor for who it said has joined.
        given_up = request.failure == "net::ERR_ABORTED" and (
            (self._leaving and request.method == "GET")
            or re.search(r"\?wait=|/(advice|events|forecast|joined|review)$", request.url)
        )
        if not given_up:
            self._troubles.append(f"failed {request.method} {request.url} {request.failure}")

    def _response(self, response: Response) -> None:
        self.responses.append(response)
        if response.status >= 400:
            failed = f"status {response.status} {response.request.method} {response.url}"
            self._troubles.append(failed)


def labels(places: Locator) -> list[str]:
    """What screen readers call some elements."""
    found: list[str] = places.evaluate_all("all => all.map((each) => each.ariaLabel)")
    return found


def box_of(place: Locator) -> FloatRect:
    """Where an element lies, which must be on the page."""
    found = place.bounding_box()
    assert found
    return found


Visit = Callable[..., Visitor]
"""Makes a visitor: `visit(port, width, height, language, keeps, scripts)`."""
