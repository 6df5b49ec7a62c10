"""What all command lines have: the name of the program, and a help with examples and statuses."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping
from pathlib import Path

OUTPUT_FAILED, GAMES_FAILED = 74, 78
"""Exit statuses, as BSD's `sysexits.h` has them."""

STATUSES = {
    0: "done",
    2: "a mistake in the options, in a file or in a setting",
    OUTPUT_FAILED: "the standard output can't be written",
    GAMES_FAILED: "a game from outside can't be used",
    130: "stopped by Ctrl-C",
    143: "stopped by SIGTERM",
}
"""The exit statuses of every command but `serve`."""


def program() -> str:
    """What the user typed to start this: the command, or the module where it isn't installed."""
    return "python -m service" if Path(sys.argv[0]).name == "__main__.py" else "dice-scoring"


def parser_of(
    command: str, description: str, examples: str, statuses: Mapping[int, str]
) -> ArgumentParser:
    """A parser without arguments, whose help ends with `examples`, in which `%(prog)s` is the
    command itself, and with the exit `statuses`.
    """
    listed = "".join(f"  {status:<5}{statuses[status]}\n" for status in sorted(statuses))
    return ArgumentParser(
        f"{program()} {command}",
        description=description,
        epilog=f"{examples}\nexit status:\n{listed}".lstrip("\n"),
        formatter_class=RawDescriptionHelpFormatter,
    )
