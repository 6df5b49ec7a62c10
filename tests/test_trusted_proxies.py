"""Which client a request comes from: the setting TRUSTED_PROXIES, and X-Forwarded-For."""

from __future__ import annotations

import pytest

from service.settings import Settings
from service.trusted_proxies import parse_proxies

PROXIES = "10.0.0.0/8, 192.0.2.1, 2001:db8:1::/48"


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.7", "", "203.0.113.7"),
        ("203.0.113.7", "198.51.100.1", "203.0.113.7"),
        ("203.0.113.7", "10.0.0.1", "203.0.113.7"),
        ("10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "10.0.0.9, 203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.7,192.0.2.1 , 10.9.9.9", "203.0.113.7"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.2"),
        ("10.0.0.1", "203.0.113.7:4711", "203.0.113.7"),
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.7, _hidden", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.7,", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.7, " + "1" * 8000, "10.0.0.1"),
        ("::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:2:3:4:5:6:7", "203.0.113.7", "2001:db8:2:3::/64"),
        ("2001:db8:1::9", "2001:DB8:2:3:9:9:9:9", "2001:db8:2:3::/64"),
        ("2001:db8:1::9", "[2001:db8:2:3::1]:443", "2001:db8:2:3::/64"),
        ("fe80::1%eth0", "203.0.113.7", "fe80::/64"),
        ("", "203.0.113.7", ""),
    ],
)
def test_clients(peer: str, forwarded: str, client: str) -> None:
    """The client is the first address from the right that isn't a trusted proxy. Only what trusted
    proxies appended counts, and IPv6 clients are networks of 64 bits.
    """
    assert parse_proxies(PROXIES).client(peer, forwarded) == client


def test_a_unix_socket() -> None:
    """A proxy that connects through a Unix socket is only believed if the setting says so."""
    assert parse_proxies("unix").client("", "198.51.100.1, 203.0.113.7") == "203.0.113.7"
    assert parse_proxies("unix").client("", "203.0.113.7, ") == ""
    assert parse_proxies("unix").client("203.0.113.9", "203.0.113.7") == "203.0.113.9"


@pytest.mark.parametrize("text", ["10.0.0.1/8", "proxy.example", "10.0.0.1 10.0.0.2", "*"])
def test_wrong_proxies(text: str) -> None:
    """The service doesn't start with anything else than addresses and networks."""
    with pytest.raises(ValueError, match="TRUSTED_PROXIES must be addresses and networks"):
        Settings.from_environment({"TRUSTED_PROXIES": f"192.0.2.1,{text}"})
