"""What commands print: text from files and sessions is shown on a terminal, and does no more."""

from __future__ import annotations

from typing import TextIO


def printable(text: str) -> str:
    r"""`text` with an escape such as `\x1b` for all that is no character to be seen.

    These are control characters, line separators, marks that turn the direction of what follows
    (U+202E), other invisible ones, and bytes of a path that are not UTF-8.
    """
    if text.isprintable():
        return text
    return "".join([each if each.isprintable() else _escaped(each) for each in text])


def say(line: str, stream: TextIO) -> None:
    """Prints `line`, and only one line, on `stream`; what its encoding lacks is escaped too."""
    encoding = stream.encoding or "utf-8"
    shown = printable(line).encode(encoding, "backslashreplace").decode(encoding)
    print(shown, file=stream)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
