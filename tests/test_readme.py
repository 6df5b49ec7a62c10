"""The README's requests, answered exactly as it prints them."""

from __future__ import annotations

import json
import re
import shlex

from tests.live import ROOT, Service

CONSOLE = re.compile(r"```console\n(\$ curl .*?)\n```", re.DOTALL)


def test_requests_are_answered_as_printed(service: Service) -> None:
    """Each curl command in the README gets the answer that stands below it, byte for byte."""
    blocks = CONSOLE.findall((ROOT / "README.md").read_text())
    assert len(blocks) == 5
    for block in blocks:
        command, answer = block.removeprefix("$ ").rsplit("\n", 1)
        words = shlex.split(command)
        url = next(word for word in words if word.startswith("http"))
        path = url.removeprefix("http://127.0.0.1:8000")
        header, body = words[words.index("-H") + 1], words[words.index("-d") + 1]
        reply = service.ask("POST", path, body.encode(), dict([header.split(": ")]))
        assert reply.body.decode() == answer


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
