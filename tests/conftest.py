"""What tests share: one running service, and the contract."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.contract.openapi import Contract, committed
from tests.live import Service, running


def pytest_xdist_auto_num_workers() -> int:
    """Twice as many processes as cores: they wait for services to start, and for clocks."""
    return min(2 * (os.cpu_count() or 1), 16)


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The service in a real gunicorn."""
    with running() as started:
        yield started


@pytest.fixture(scope="session")
def contract() -> Contract:
    """The committed contract."""
    return committed()
