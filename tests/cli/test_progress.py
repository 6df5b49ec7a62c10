"""The lines that tell how far a run is where there is no terminal."""

from __future__ import annotations

import time

import pytest

from service.cli.folders.run import Progress


def test_plain_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every ten seconds a line has what is done, the rate, the workers, and the time that is left
    by that; parts that are under way count.
    """
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    count = 2
    with Progress({"a": 300, "b": 500, "c": 200}, lambda: count, "games") as shown:
        shown.tick()
        now = 9.0
        shown.ended("a", 30_000)
        shown.tick()
        assert capsys.readouterr().err == ""
        now = 10.0
        shown.reached("b", 20_000, 0.4)
        shown.tick()
        line = "50%: 50,000 games, 5,000 games/s, 2 workers, about 10 s left\n"
        assert capsys.readouterr().err == line
        now, count = 19.0, 1
        shown.tick()
        assert capsys.readouterr().err == ""
        now = 20.0
        shown.ended("b", 50_000)
        shown.reached("b", 40_000, 0.8)  # said before, and come late
        shown.tick()
        line = "80%: 80,000 games, 4,000 games/s, 1 worker, about 5 s left\n"
        assert capsys.readouterr() == ("", line)
