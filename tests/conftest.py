"""What tests share: one running service, and the contract."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.contract.reading import Contract, committed
from tests.live import Service, running


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The service in a real gunicorn."""
    with running() as started:
        yield started


@pytest.fixture(scope="session")
def contract() -> Contract:
    """The committed contract."""
    return committed()
