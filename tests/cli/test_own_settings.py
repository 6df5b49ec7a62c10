"""Where commands keep tables."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from service.cli.command import CommandError
from service.cli.own_settings import own_settings


@pytest.mark.parametrize(
    ("system", "caches", "home", "folder"),
    [
        ("linux", "", "/home/ann", "/home/ann/.cache/dice-scoring"),
        ("linux", "here", "/home/ann", "/home/ann/.cache/dice-scoring"),
        ("linux", "/caches", "/home/ann", "/caches/dice-scoring"),
        ("darwin", "", "/Users/ann", "/Users/ann/Library/Caches/dice-scoring"),
        ("linux", "", "~", "/~/.cache/dice-scoring"),
    ],
)
def test_cache_folder(
    system: str, caches: str, home: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is where the system has the user's caches, and never where one stands; but
    DATA_DIR counts.
    """
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("XDG_CACHE_HOME", caches)
    monkeypatch.setenv("HOME", home)
    monkeypatch.delenv("DATA_DIR", raising=False)
    assert Path(own_settings().data_dir) == Path(folder)
    monkeypatch.setenv("DATA_DIR", ".data")
    assert own_settings().data_dir == ".data"


def test_invalid(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that is invalid is an error of one line, as it is for the service."""
    monkeypatch.setenv("PORT", "x")
    with pytest.raises(CommandError, match="PORT must be a whole number from 1 to 65535: 'x'"):
        own_settings()
