"""For all tests: running services, their contracts, and the games that general tests run over."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pkgutil import iter_modules
from typing import TYPE_CHECKING
from zlib import crc32

import pytest

from service.variants import SETTING, own_variants, variants
from tests import trial_games
from tests.api.sessions.playing import Kept, keeping
from tests.contract.openapi import Contract, read_contract
from tests.live import SHARED_TABLES, WORKER, Service, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ADDED_GAMES = "--added-games"
SAMPLE = "--sample"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that says which games general tests run over."""
    parser.addoption(
        ADDED_GAMES,
        action="store_true",
        help="run general tests over the games of installed packages and of the setting VARIANTS "
        "alone, not over those in service/variants and tests/trial_games",
    )
    parser.addoption(
        SAMPLE,
        type=int,
        default=1,
        metavar="N",
        help="run about one of N tests, always the same ones",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is not in the sample. It depends on the names of the tests alone.

    A test with an argument `share` does less by itself.
    """
    share = config.getoption(SAMPLE)
    kept = [
        item
        for item in items
        if crc32(item.nodeid.encode()) % share == 0
        or (isinstance(item, pytest.Function) and "share" in item.fixturenames)
    ]
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def pytest_configure(config: pytest.Config) -> None:
    """Makes a folder for tables, for all processes that test; chooses the workers of services."""
    os.environ.setdefault(WORKER, "tests.worker.waits.PatientWithTheStore")
    if SHARED_TABLES not in os.environ:
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        os.environ[SHARED_TABLES] = folder.name
        config.add_cleanup(folder.cleanup)


def further(config: pytest.Config) -> str:
    """The setting VARIANTS of general tests: the games in tests/trial_games are found, too."""
    given = os.environ.get(SETTING, "")
    if config.getoption(ADDED_GAMES):
        return given
    found = iter_modules(trial_games.__path__, f"{trial_games.__name__}.")
    return ",".join([*filter(None, [given]), *(each.name for each in found if not each.ispkg)])


def is_general(node: pytest.Item) -> bool:
    """Whether a test is about all games; those of whole_games are about those that make names."""
    return bool(node.get_closest_marker("general")) and "whole_games" not in node.path.parts


def has_added_games(node: pytest.Item) -> bool:
    """Whether a test finds other games than those in service/variants, too."""
    added = node.config.getoption(ADDED_GAMES) or node.get_closest_marker("proof")
    return bool(added) and is_general(node)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a test marked `general` for every variant, if it has an argument `variant`.

    The arguments of the marker are the kinds of games that the test is about; none: all. The games
    of tests/trial_games are left to make proofs: so is a general test of all games at once, but for
    a run without them.
    """
    general = metafunc.definition.get_closest_marker("general")
    if general is None:
        return
    config = metafunc.config
    own, added = own_variants(), config.getoption(ADDED_GAMES)
    if "variant" not in metafunc.fixturenames:
        if not added and not has_added_games(metafunc.definition):
            runs = ["own", pytest.param("trial", marks=pytest.mark.proof)]
            metafunc.parametrize("_games", runs, indirect=True)
        return
    found = variants(further(config)) if is_general(metafunc.definition) else variants()
    metafunc.parametrize(
        "variant",
        [
            pytest.param(name, marks=[] if added or name in own else [pytest.mark.proof])
            for name, variant in found.items()
            if not (added and name in own) and (not general.args or variant.kind in general.args)
        ],
    )


def pytest_xdist_auto_num_workers() -> int:
    """As many processes as cores: each collects all tests, and starts services of its own."""
    return min(os.cpu_count() or 1, 16)


@pytest.fixture(autouse=True)
def _games(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A general test with added games finds them, as if they were in the setting VARIANTS."""
    if not has_added_games(request.node):
        yield
        return
    with monkeypatch.context() as changed:
        changed.setenv(SETTING, further(request.config))
        variants.cache_clear()
        yield
    variants.cache_clear()


@pytest.fixture(scope="session")
def share(pytestconfig: pytest.Config) -> int:
    """The divisor for what a test does thousands of times: `--sample`."""
    divisor: int = pytestconfig.getoption(SAMPLE)
    return divisor


@pytest.fixture(scope="session")
def own_kept() -> Iterator[Kept]:
    """The service in a real gunicorn, and a client of its store."""
    with keeping() as started:
        yield started


@pytest.fixture(scope="session")
def own_service(own_kept: Kept) -> Service:
    """That service."""
    return own_kept.service


@pytest.fixture(scope="session")
def general_service(pytestconfig: pytest.Config) -> Iterator[Service]:
    """The same with the games that general tests are about in make proofs."""
    with running(VARIANTS=further(pytestconfig)) as started:
        yield started


@pytest.fixture
def service(request: pytest.FixtureRequest) -> Service:
    """The service in a real gunicorn, with the games that the test is about."""
    name = "general_service" if has_added_games(request.node) else "own_service"
    found: Service = request.getfixturevalue(name)
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A running Chromium."""
    from tests.page.browser.visitor import started

    with started() as running:
        yield running


@pytest.fixture(scope="session")
def solved_dice_poker() -> None:
    """Services find the table of dice-poker under its default rules."""
    from service.advice.scorecard.scoring import scoring
    from service.variants.dice_poker import VARIANT
    from tests.tables.solved import solved

    solved(scoring(VARIANT, VARIANT.default_rules))


@pytest.fixture
def contract() -> Contract:
    """The contract of that service."""
    return read_contract()
