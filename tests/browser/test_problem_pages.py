"""The pages of problems in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.live import Service

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("path", ["/problems", "/problems/invalid", "/problems/too-much-work"])
def test_readable(browser: Browser, service: Service, path: str) -> None:
    """axe-core finds no violation, light or dark, in either language. On a screen 360 px wide
    nothing has to be scrolled sideways.
    """
    from tests.page.browser.test_views import sideways, violations

    for language, scheme in (("en", "light"), ("de", "dark")):
        with browser.new_context(
            locale=language,
            viewport={"width": 360, "height": 740},
            color_scheme=scheme,
            bypass_csp=True,  # the policy allows no script, axe-core neither
        ) as context:
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{service.port}{path}")
            assert page.evaluate("document.documentElement.lang") == language
            assert (violations(page), sideways(page)) == ([], 0)
