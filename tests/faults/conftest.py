"""What the tests of faults share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live import WORKER


@pytest.fixture(scope="session", autouse=True)
def _as_shipped() -> Iterator[None]:
    """The workers are the service's own: these tests are about their time limits."""
    with pytest.MonkeyPatch.context() as changed:
        changed.delenv(WORKER)
        yield
