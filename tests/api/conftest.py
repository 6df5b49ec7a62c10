"""What tests of the HTTP interface share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live import Service


@pytest.fixture
def alive(service: Service) -> Iterator[None]:
    """Whatever was sent, the service answers afterwards."""
    yield
    assert service.get("/livez").status == 200
