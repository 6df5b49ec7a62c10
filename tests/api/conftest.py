"""Fixtures of the tests of the HTTP interface."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live import Service


@pytest.fixture
def alive(service: Service) -> Iterator[None]:
    """Checks that the service still responds after each test."""
    yield
    assert service.get("/livez").status == 200
