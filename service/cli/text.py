"""What commands print: lines that can't control a terminal, figures, options of advice, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TextIO

CHANCES = frozenset(("chance", "win", "tie", "equity", "break_even", "reach"))
"""The fields that are chances, which are printed in percent."""


def printable(text: str) -> str:
    r"""`text` with an escape such as `\x1b` for each character that isn't printable.

    These are control characters, line separators, marks that change the direction of text (U+202E),
    other invisible characters, and bytes of a path that are not UTF-8.
    """
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
        for each in text
    )


def say(line: str, stream: TextIO) -> None:
    """Prints `line` as exactly one line; characters that `stream` can't encode are escaped, too."""
    encoding = stream.encoding or "utf-8"
    shown = printable(line).encode(encoding, "backslashreplace").decode(encoding)
    print(shown, file=stream)


def counted(count: int, one: str, several: str = "") -> str:
    """So many of something, such as "1 hand" or "2,000 hands"."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def words(name: str) -> str:
    """The name of a field, box or rank in words."""
    return name.replace("_", " ")


def figure(name: str, value: float) -> str:
    """The value of the field `name`: points with two decimals, or a chance in percent."""
    if name in CHANCES:
        return percent(value)
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"


def percent(chance: float) -> str:
    """A chance in percent, with two decimals; it is 0 or 100 only if that is exact."""
    if 0 < chance < 0.0001:
        return "< 0.01 %"
    if 0.9999 < chance < 1:
        return "> 99.99 %"
    return f"{chance * 100:.2f} %"


def option(played: Mapping[str, Any]) -> str:
    """An option in words, such as "keep 6 6" or "score 12 in fours"."""
    match played["action"]:
        case "roll":
            dice = " ".join(map(str, played["dice"]))
            return f"keep {dice}" if dice else "roll all dice"
        case "score":
            return f"score {played['score']} in {words(played['box'])}"
        case "cross_out":
            return f"cross out {words(played['box'])}"
        case action:
            return words(str(action))


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """A line for each of `rows`, which all have as many cells; the columns `right` align right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
