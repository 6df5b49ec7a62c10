"""The command `dice-scoring`, also as `python -m service`: serves, or runs another command."""

from __future__ import annotations

import errno
import os
import signal
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from importlib import import_module

from service import __version__
from service.cli.command import GAMES_FAILED, OUTPUT_FAILED, program
from service.rules.variant import WrongDescription

FULL = {errno.ENOSPC, errno.EDQUOT}
"""What it means that a disk, or a user's share of it, is full."""

COMMANDS = {
    "serve": "serve over HTTP",
    "advise": "find the best play in a position",
    "match": "let computers play against each other",
    "review": "find out what each choice of a game cost",
    "score": "score the hands in a file or a folder",
    "simulate": "play games of a score card",
    "summary": "show how numbers in a file or a folder are distributed",
    "verify": "verify the dice of a session that is over",
}
"""The commands, each a module of `service.cli`, and what they do."""

MORE = """
Each has its own --help, with its exit statuses. Without a command the service serves over HTTP
until Ctrl-C; environment variables (PORT and others) are its settings.
"""


def main() -> None:
    """Runs the command in the first argument, or serves.

    A command is imported only when it runs: NumPy, which `score` needs, would slow down every start
    of the server.
    """
    lines = "".join(f"  {name:<10}{does}\n" for name, does in COMMANDS.items())
    parser = ArgumentParser(
        program(), epilog=f"commands:\n{lines}{MORE}", formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"dice-scoring {__version__}")
    parser.add_argument(
        "command", nargs="?", choices=[*COMMANDS], default="serve", help="see below"
    )
    command: str = parser.parse_args(sys.argv[1:2]).command
    if command != "serve" and sys.stdout is None:  # a server doesn't need it
        print("The output can't be written: standard output is closed.", file=sys.stderr)
        sys.exit(OUTPUT_FAILED)
    try:
        status: int = import_module(f"service.cli.{command}").main(sys.argv[2:])
        sys.stdout.flush()
        sys.exit(status)
    except WrongDescription as error:
        print(f"The games can't be used: {error}.", file=sys.stderr)
        sys.exit(GAMES_FAILED)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.exit(128 + signal.SIGINT)
    except BrokenPipeError:  # `| head` has read enough; the interpreter would flush once more
        _stop_printing()
        sys.exit(OUTPUT_FAILED)
    except OSError as error:
        if error.errno not in FULL:
            raise
        _stop_printing()
        print(f"The output can't be written: {error.strerror}.", file=sys.stderr)
        sys.exit(OUTPUT_FAILED)


def _stop_printing() -> None:
    """Discards what is still to be flushed to standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
