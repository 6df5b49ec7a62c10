"""Fixtures of the tests of the HTTP interface."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.sessions.playing import Kept, keeping
from tests.live import Service

STREAM = "games"
KEY = "a key that only the league knows"


@pytest.fixture(scope="session")
def feeding() -> Iterator[Kept]:
    """A service with a feed, which signs results."""
    with keeping(FEED=STREAM, RESULT_KEY=KEY) as started:
        yield started


@pytest.fixture
def alive(service: Service) -> Iterator[None]:
    """Checks that the service still responds after each test."""
    yield
    assert service.get("/livez").status == 200
