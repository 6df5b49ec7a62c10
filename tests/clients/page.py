"""Reads `docs/clients.md`: the command and the example of each generator."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.live import ROOT

HERE = "http://127.0.0.1:8000"
"""The address of the service on the page."""

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PRINTED = re.compile(r"^(?://|#) (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """What the page says about one generator."""

    command: str
    """The shell command that generates the client."""

    language: str
    """The language of the example, as its block names it."""

    example: str
    """A program that uses the client."""

    more: str
    """Further code on the page."""

    @property
    def prints(self) -> list[str]:
        """The lines that the example prints: its comments that start a line."""
        return PRINTED.findall(self.example)


def sections() -> dict[str, Section]:
    """The sections of the page that have a command, by title."""
    parts = re.split(r"^## ", (ROOT / "docs/clients.md").read_text(), flags=re.MULTILINE)
    found = {}
    for part in parts[1:]:
        title, _, text = part.partition("\n")
        blocks = BLOCK.findall(text)
        if blocks and blocks[0][0] == "sh":
            (_, command), (language, example), *more = blocks
            found[title] = Section(command, language, example, "".join(code for _, code in more))
    return found
