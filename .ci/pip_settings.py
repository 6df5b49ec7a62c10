"""Where pip gets packages from on this machine, written for a system that has its own pip.conf.

    python pip_settings.py FILE < settings

`settings` is what `pip config list` prints, from files and environment alike. FILE becomes a
pip.conf with those of them that say where packages come from and how they are reached. The local
files and folders that they name are printed, one a line: the other system needs them too.
"""

from __future__ import annotations

import ast
import sys
from configparser import RawConfigParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

INDEXES = ("index-url", "extra-index-url")
PLACES = (*INDEXES, "find-links", "cert", "client-cert")
REACHED = (*PLACES, "no-index", "trusted-host", "proxy", "timeout", "default-timeout", "retries")


def read(lines: list[str]) -> dict[str, dict[str, str]]:
    """The settings by section; the environment's go before those of every section."""
    sections: dict[str, dict[str, str]] = {}
    for line in lines:
        key, _, quoted = line.strip().partition("=")
        section, _, name = key.rpartition(".")
        if name in REACHED:
            value: str = ast.literal_eval(quoted)
            sections.setdefault(section, {})[name] = value
    environment = sections.pop(":env:", {})
    for named in sections.values():
        for name in environment:
            named.pop(name, None)
    sections.setdefault("global", {}).update(environment)
    return sections


def local(name: str, word: str) -> str:
    """The local path that `word`, a part of the setting `name`, leads to, or ""."""
    parts = urlsplit(word)
    if parts.scheme not in ("", "file"):
        return ""
    path = Path(unquote(parts.path))
    if name in INDEXES:
        path = path.parent  # the pages of an index link to files that lie beside it
    return str(path) if path.is_absolute() and path.exists() else ""


def main(file: str) -> None:
    """Writes the file, and prints the paths."""
    sections = read(sys.stdin.read().splitlines())
    conf = RawConfigParser()
    conf.read_dict(sections)
    with Path(file).open("w") as written:
        conf.write(written)
    words = [
        (name, word)
        for named in sections.values()
        for name in PLACES
        for word in named.get(name, "").split()
    ]
    for path in sorted({local(name, word) for name, word in words} - {""}):
        print(path)


if __name__ == "__main__":
    main(sys.argv[1])
