"""What tests share: one running service, and the contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.live import ROOT, Service, running


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The service in a real gunicorn."""
    with running() as started:
        yield started


@pytest.fixture(scope="session")
def contract() -> dict[str, Any]:
    """The committed contract."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    made: dict[str, Any] = yaml.load((ROOT / "openapi.yaml").read_text(), loader)
    return made
