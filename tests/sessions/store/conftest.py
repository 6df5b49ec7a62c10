"""What the tests of stores share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from service.sessions.store.redis_store import Store
from tests.sessions import servers
from tests.sessions.servers import Direct
from tests.sessions.store.stored import opened


@pytest.fixture
def own() -> Iterator[Path]:
    """A data folder with a short path, as sockets need one."""
    with TemporaryDirectory() as made:
        yield Path(made)


@pytest.fixture
def client(store_url: str) -> Iterator[Direct]:
    """A client of every kind of store in turn."""
    with opened(store_url) as made:
        yield made


@pytest.fixture
def store(client: Direct) -> Store:
    """A store that uses `client`."""
    return Store(lambda: client)


@pytest.fixture
def alone(any_server: str, tmp_path: Path) -> Iterator[Direct]:
    """A client of a server that no other test uses."""
    with servers.on_a_port(any_server, tmp_path) as url, opened(url) as made:
        yield made
