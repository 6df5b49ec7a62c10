"""Where the store of a service is."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from service.sessions.store import embedded
from service.sessions.store.supervisor import NoServer
from service.settings import Settings


def test_the_url_of_no_server() -> None:
    """Without REDIS_URL, and without a server of its own, a service has no store."""
    with pytest.raises(NoServer) as caught:
        embedded.url(Settings())
    assert str(caught.value) == "there is neither a REDIS_URL nor a server of the service's own"
    assert embedded.url(Settings(redis_url="redis://127.0.0.1:1")) == "redis://127.0.0.1:1"


def test_the_longest_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path of the socket may be as long as the system allows, and no longer."""
    monkeypatch.chdir(tmp_path)
    longest = "s" * embedded.LONGEST_SOCKET_PATH
    with socket.socket(socket.AF_UNIX) as own:
        own.bind(longest)
    with socket.socket(socket.AF_UNIX) as own, pytest.raises(OSError, match="too long"):
        own.bind(f"{longest}s")
