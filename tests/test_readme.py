"""The README's requests, answered exactly as it prints them."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys

from tests.live import ROOT, Service

CONSOLE = re.compile(r"```console\n\$ (.*?)\n```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)\n```", re.DOTALL)
HERE = "http://127.0.0.1:8000"


def test_requests_are_answered_as_printed(service: Service) -> None:
    """Each curl command in the README gets the answer that stands below it, byte for byte."""
    blocks = CONSOLE.findall((ROOT / "README.md").read_text())
    assert len(blocks) == 7
    for block in blocks:
        command, answer = re.split(r"\n(?=\{)", block, maxsplit=1)
        lines, _, curl = command.rpartition("|\n")
        words = shlex.split(curl)
        url = next(word for word in words if word.startswith(HERE))
        if lines:
            body = "".join(f"{line}\n" for line in shlex.split(lines)[2:])
        else:
            body = words[words.index("-d") + 1]
        headers = dict([words[words.index("-H") + 1].split(": ")])
        reply = service.ask("POST", url.removeprefix(HERE), body.encode(), headers)
        assert reply.body.decode().rstrip("\n") == answer


def test_arrow_is_answered_as_printed(service: Service) -> None:
    """The README's Arrow client, run as it stands, prints what its last line says."""
    (program,) = PYTHON.findall((ROOT / "README.md").read_text())
    _, expected = program.rsplit("# ", 1)
    done = subprocess.run(
        [sys.executable, "-c", program.replace(HERE, f"http://127.0.0.1:{service.port}")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected


def test_crossword_is_drawn_as_it_lies() -> None:
    """The drawing of a crossword in the README is the grid of the answer that follows it."""
    _, after = (ROOT / "README.md").read_text().split("```text\n")
    drawing, rest = after.split("\n```", 1)
    answer = next(line for line in rest.splitlines() if line.startswith("{"))
    drawn = {
        (row, column): line[3 * column : 3 * column + 2]
        for row, line in enumerate(drawing.splitlines())
        for column in range(5)
        if line[3 * column : 3 * column + 2].strip()
    }
    assert drawn == {(die["row"], die["column"]): die["card"] for die in json.loads(answer)["grid"]}
