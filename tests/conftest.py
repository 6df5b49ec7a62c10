"""For all tests: a running service, its contract, and the games that general tests run over."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import pytest

from service.variants import SETTING, own_variants, variants
from tests import trial_games
from tests.contract.openapi import Contract, read_contract
from tests.live import SHARED_TABLES, Service, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ADDED_GAMES = "--added-games"
TRIAL_GAMES = "--trial-games"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options that say which games general tests run over."""
    parser.addoption(
        ADDED_GAMES,
        action="store_true",
        help="run general tests without the games in service/variants: only over those of "
        "installed packages, of the setting VARIANTS, and of --trial-games",
    )
    parser.addoption(
        TRIAL_GAMES,
        action="store_true",
        help="run general tests over the games in tests/trial_games, too",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Makes a folder for tables, for all processes that test; serves the trial games if wanted."""
    if SHARED_TABLES not in os.environ:
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        os.environ[SHARED_TABLES] = folder.name
        config.add_cleanup(folder.cleanup)
    if config.getoption(TRIAL_GAMES):
        found = iter_modules(trial_games.__path__, f"{trial_games.__name__}.")
        os.environ[SETTING] = ",".join(module.name for module in found if not module.ispkg)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a test marked `general` for every variant, if it has an argument `variant`.

    The arguments of the marker are the kinds of games that the test is about; none: all.
    """
    general = metafunc.definition.get_closest_marker("general")
    if general is None or "variant" not in metafunc.fixturenames:
        return
    left_out = own_variants() if metafunc.config.getoption(ADDED_GAMES) else {}
    metafunc.parametrize(
        "variant",
        [
            name
            for name, variant in variants().items()
            if name not in left_out and (not general.args or variant.kind in general.args)
        ],
    )


def pytest_xdist_auto_num_workers() -> int:
    """Twice as many processes as cores: they wait for services to start, and for clocks."""
    return min(2 * (os.cpu_count() or 1), 16)


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The service in a real gunicorn, with the games that the tests find."""
    with running() as started:
        yield started


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A running Chromium."""
    from tests.page.browser.visitor import started

    with started() as running:
        yield running


@pytest.fixture(scope="session")
def contract() -> Contract:
    """The contract of that service."""
    return read_contract()
