"""Prints text from files and sessions so that it can't control the terminal."""

from __future__ import annotations

from typing import TextIO


def printable(text: str) -> str:
    r"""`text` with an escape such as `\x1b` for each character that isn't printable.

    These are control characters, line separators, marks that change the direction of text (U+202E),
    other invisible characters, and bytes of a path that are not UTF-8.
    """
    if text.isprintable():
        return text
    return "".join([each if each.isprintable() else _escaped(each) for each in text])


def say(line: str, stream: TextIO) -> None:
    """Prints `line` as exactly one line; characters that `stream` can't encode are escaped, too."""
    encoding = stream.encoding or "utf-8"
    shown = printable(line).encode(encoding, "backslashreplace").decode(encoding)
    print(shown, file=stream)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
