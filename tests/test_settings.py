"""Settings come from the environment, and are checked before anything starts."""

from __future__ import annotations

import pytest

from service.settings import Settings


def test_defaults() -> None:
    """Without any variable the service listens on 127.0.0.1:8000."""
    assert Settings.from_environment({}) == Settings(
        bind_address="127.0.0.1",
        port=8000,
        web_concurrency=2,
        threads=4,
        max_body_bytes=1_048_576,
        access_log="",
    )


def test_all_violations_are_told() -> None:
    """Every invalid variable is named with its valid values."""
    with pytest.raises(ValueError, match=r"PORT must be .* 1 to 65535: '0'; THREADS must be"):
        Settings.from_environment({"PORT": "0", "THREADS": "many", "BIND_ADDRESS": "::1"})
    with pytest.raises(ValueError, match=r"^PLAY must be on or off: 'yes'$"):
        Settings.from_environment({"PLAY": "yes"})
