"""One real server for all games, and a process for each processor to play them in."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from service.sessions import computers
from service.sessions.store import deadline
from tests.sessions import servers


@pytest.fixture(scope="session")
def store_url() -> Iterator[str]:
    """A server on a Unix socket, as the service starts it."""
    binary = servers.either()
    with tempfile.TemporaryDirectory() as folder, servers.on_a_socket(binary, Path(folder)) as url:
        yield url


def _patient() -> None:
    """Lets requests wait for the store of a busy machine, and computers play for long: other tests
    are about their limits.
    """
    deadline.REQUEST_SECONDS = deadline.STEP_SECONDS = computers.MOST_SECONDS = 60.0


@pytest.fixture(scope="session")
def processes() -> Iterator[ProcessPoolExecutor]:
    """Processes that begin afresh: they share nothing, so that games can be played in any order."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), _patient) as pool:
        yield pool
