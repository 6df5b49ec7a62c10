"""The games of the pages, played by real shells against the service."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import ROOT, Service
from tests.sampled import first

pytestmark = pytest.mark.smoke

HERE = "http://127.0.0.1:8000"
SHELL = re.compile(r"```sh\n(.*?)```", re.DOTALL)
PRINTED = re.compile(r"```text\n(.*?)```", re.DOTALL)

CHANCE = (
    (re.compile(r"(?<=[\[,])[1-6](?=[\],])"), "die"),
    (re.compile(r'"[1-6] [1-6] [1-6] [1-6] [1-6] scores \d+ '), "dice score points "),
    (re.compile(r'"winners":\["(ann|ben|ann","ben)"\]'), "winners"),
)
"""All that chance decides in what is printed; everything else has to be as it stands."""


def without_chance(line: str) -> str:
    """`line` with words in place of what chance decides."""
    for decided, word in CHANCE:
        line = decided.sub(word, line)
    return line


def dice(line: str) -> list[object]:
    """The list at the end of a line."""
    listed: list[object] = json.loads(line[line.rindex("[") :])
    return listed


SHELLS = pytest.mark.parametrize("shell", first(["bash", "sh", "zsh"], pytest.mark.fault))


def run(shell: str, section: str, service: Service, folder: Path) -> list[str]:
    """The lines that the commands of a section print in `folder`; skips if there is no `shell`."""
    for needed in shell, "curl":
        if shutil.which(needed) is None:
            pytest.skip(f"needs {needed}: apt-get install {needed}")
    script = "".join(SHELL.findall(section))
    ran = subprocess.run(
        [shell, "-eu"],
        input=script.replace(HERE, f"http://127.0.0.1:{service.port}").replace(
            ".venv/bin/python", sys.executable
        ),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.splitlines()


@SHELLS
def test_an_evening_goes_as_printed(service: Service, tmp_path: Path, shell: str) -> None:
    """The commands of docs/scorekeeping.md print the output below them: nothing is by chance."""
    page = (ROOT / "docs" / "scorekeeping.md").read_text()
    printed = "".join(PRINTED.findall(page)).splitlines()
    assert run(shell, page, service, tmp_path) == printed
    assert "<th" in (tmp_path / "sheet.html").read_text()


@SHELLS
def test_a_game_goes_as_printed(service: Service, tmp_path: Path, shell: str) -> None:
    """The commands under "A game in a shell" print the output below them.

    Dice differ from run to run, but not those that are kept or repeated. The winner is the player
    who won this run.
    """
    _, after = (ROOT / "docs" / "sessions.md").read_text().split("\n## A game in a shell\n")
    section = after.split("\n## ")[0]
    assert len(SHELL.findall(section)) == 3
    lines = run(shell, section, service, tmp_path)
    printed = "".join(PRINTED.findall(section)).splitlines()
    assert [*map(without_chance, lines)] == [*map(without_chance, printed)]
    check_outcome(lines, tmp_path / "session.json")
    check_outcome(printed, None)


def check_outcome(lines: list[str], history: Path | None) -> None:
    """Checks what dice and winners have to do with each other, in a run or on the page."""
    first, second, again = dice(lines[1]), dice(lines[2]), dice(lines[3])
    assert again == first
    assert (second[0], second[2]) == (first[0], first[2])
    shown = " ".join(map(str, second))
    total = sum(int(str(die)) for die in second)
    assert lines[4] == f'"reason":"{shown} scores {total} in chance (D4)."'
    if history is not None:
        (over,) = json.loads(history.read_text())["events"][-1]["news"][-1:]
        assert (over["what"], over["winners"]) == ("game_over", dice(lines[5]))
