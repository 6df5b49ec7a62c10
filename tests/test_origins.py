"""The setting ALLOW_ORIGINS is read as browsers send origins, or refused with a reason."""

from __future__ import annotations

import pytest

from service.settings import Settings, parse_origins


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
