"""What the tests of folders need around them."""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def no_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the disk: only processes die here."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
