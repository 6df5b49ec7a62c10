"""Fixtures: visitors of the page, with profiles of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.live import Service

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.page.browser.visitor import Visit


@pytest.fixture
def visit(browser: Browser, service: Service) -> Iterator[Visit]:
    """Makes visitors of the page, by default of the service that all tests share.

    They leave when the test ends, which fails if anything went wrong in their browsers.
    """
    from tests.page.browser.visitor import Visitor

    visitors: list[Visitor] = []

    def make(port: int = service.port, **device: Any) -> Visitor:
        visitors.append(Visitor(browser, port, **device))
        return visitors[-1]

    yield make
    for visitor in visitors:
        visitor.leaves()
