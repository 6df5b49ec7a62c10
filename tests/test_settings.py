"""Settings come from the environment, and are checked before anything starts."""

from __future__ import annotations

import pytest

from service.settings import Settings, parse_origins
from service.trusted_proxies import parse_proxies


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
    both = {"SESSION_SECONDS": "2592001", "PORT": "8080"}
    with pytest.raises(ValueError, match=r"^MAX_SESSION_SECONDS must be at least SESSION_SECONDS$"):
        Settings.from_environment(both)
    assert Settings.from_environment({**both, "MAX_SESSION_SECONDS": "2592001"})
    with pytest.raises(ValueError, match=r"^PLAY must be on or off: 'yes'$"):
        Settings.from_environment({"PLAY": "yes"})
    with pytest.raises(ValueError, match=r"^LOG_FORMAT must be plain or json: 'xml'$"):
        Settings.from_environment({"LOG_FORMAT": "xml"})


@pytest.mark.parametrize(
    ("text", "origins"),
    [
        ("*", {"*"}),
        ("https://game.example", {"https://game.example"}),
        (
            "https://game.example, http://localhost:3000 ,http://127.0.0.1:5173",
            {"https://game.example", "http://localhost:3000", "http://127.0.0.1:5173"},
        ),
        ("HTTPS://Game.Example", {"https://game.example"}),
        ("https://game.example:443,http://game.example:80", {"https://game.example",
                                                            "http://game.example"}),
        ("https://game.example:80,http://game.example:0443", {"https://game.example:80",
                                                             "http://game.example:443"}),
        ("http://[::1]:3000", {"http://[::1]:3000"}),
        ("capacitor://localhost", {"capacitor://localhost"}),
    ],
)  # fmt: skip
def test_origins(text: str, origins: set[str]) -> None:
    """Origins are in lower case and without default ports, as browsers send them."""
    assert parse_origins(text) == origins


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("https://game.example/", "https://game.example/"),
        ("https://game.example/play", "https://game.example/play"),
        ("http://localhost:3000,https://game.example?a", "https://game.example?a"),
        ("game.example", "game.example"),
        ("//game.example", "//game.example"),
        ("https://", "https://"),
        ("https://*.game.example", "https://*.game.example"),
        ("https://me@game.example", "https://me@game.example"),
        ("https://game.example:", "https://game.example:"),
        ("https://game.example:0", "https://game.example:0"),
        ("https://game.example:65536", "https://game.example:65536"),
        ("https://game.example:http", "https://game.example:http"),
        ("https://a.example https://b.example", "https://a.example https://b.example"),
        ("https://a.example,", ""),
        (",", ""),
        ("null", "null"),
    ],
)
def test_no_origin(text: str, wrong: str) -> None:
    """Anything but an origin is refused; the error names the setting and the value."""
    with pytest.raises(ValueError, match="ALLOW_ORIGINS") as error:
        Settings.from_environment({"ALLOW_ORIGINS": text})
    assert str(error.value) == (
        "ALLOW_ORIGINS must be * or origins separated by commas, each scheme://host or "
        f"scheme://host:port without a path or a slash at the end: {wrong!r}"
    )


@pytest.mark.parametrize("text", ["*,https://game.example", "https://game.example, *", "*,*"])
def test_all_and_some(text: str) -> None:
    """`*` can't be mixed with anything."""
    with pytest.raises(ValueError, match="ALLOW_ORIGINS") as error:
        Settings.from_environment({"ALLOW_ORIGINS": text})
    assert str(error.value) == f"ALLOW_ORIGINS must be * alone, or origins without it: {text!r}"


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
