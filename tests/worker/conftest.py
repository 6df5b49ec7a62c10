"""What the tests of the worker share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live import Service, running


@pytest.fixture(scope="session")
def breaking() -> Iterator[Service]:
    """A service with one thread for each kind of work and a plain access log, with views and a
    logger that break.
    """
    logger = "--logger-class=tests.worker.breaking.BreakingLogger"
    words = ("-m", "gunicorn", "--config=python:service.server", "tests.worker.breaking:create()")
    settings = {"THREADS": "1", "ACCESS_LOG": "-", "ALLOW_ORIGINS": "https://game.example"}
    with running(*words, **settings, GUNICORN_CMD_ARGS=logger) as service:
        yield service
