"""Where the store of a service is."""

from __future__ import annotations

from service.sessions.store import embedded
from service.settings import Settings


def test_the_url_of_no_server() -> None:
    """Without REDIS_URL, and without a server of its own, a service has no store."""
    assert embedded.url(Settings()) == ""
    assert embedded.url(Settings(redis_url="redis://127.0.0.1:1")) == "redis://127.0.0.1:1"
