"""Reads `docs/clients.md`: the command of each generator, and the program that uses its client."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.live import ROOT

HERE = "http://127.0.0.1:8000"
"""The address of the service on the page."""

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROGRAM = re.compile(r"\]\(\.\./(examples/clients/\S+)\)")
PRINTED = re.compile(r"^(?://|#) (.*)$", re.MULTILINE)

LANGUAGES = {".ts": "ts", ".py": "python", ".kt": "kotlin", ".swift": "swift", ".dart": "dart"}
"""The language of a program by the ending of its file."""


@dataclass(frozen=True)
class Section:
    """What the page says about one generator."""

    command: str
    """The shell command that generates the client."""

    language: str
    """The language of the example, one of `LANGUAGES`."""

    example: str
    """A program that uses the client, in a file that the page links."""

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
        programs = [ROOT / path for path in PROGRAM.findall(text)]
        if programs:
            (program,) = programs
            (_, command), *more = BLOCK.findall(text)
            language = LANGUAGES[program.suffix]
            code = "".join(code for _, code in more)
            found[title] = Section(command, language, program.read_text(), code)
    return found
