"""The README's requests, answered exactly as it prints them."""

from __future__ import annotations

import re
import shlex

from tests.live import ROOT, Service

CONSOLE = re.compile(r"```console\n(\$ curl .*?)\n```", re.DOTALL)


def test_requests_are_answered_as_printed(service: Service) -> None:
    """Each curl command in the README gets the answer that stands below it, byte for byte."""
    blocks = CONSOLE.findall((ROOT / "README.md").read_text())
    assert len(blocks) >= 3
    for block in blocks:
        command, answer = block.removeprefix("$ ").rsplit("\n", 1)
        words = shlex.split(command)
        url = next(word for word in words if word.startswith("http"))
        path = url.removeprefix("http://127.0.0.1:8000")
        header, body = words[words.index("-H") + 1], words[words.index("-d") + 1]
        reply = service.ask("POST", path, body.encode(), dict([header.split(": ")]))
        assert reply.body.decode() == answer
