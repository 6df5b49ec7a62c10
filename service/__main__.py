"""Serves over HTTP with gunicorn, or runs a command: `python -m service [COMMAND]`."""

from __future__ import annotations

import errno
import os
import signal
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from contextlib import suppress
from importlib import import_module

from service.listen import addresses_of, check
from service.rules.variant import WrongDescription
from service.settings import PLAIN, Settings

MALLOC = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "4194304",
    "MALLOC_TRIM_THRESHOLD_": "16777216",
}
"""How glibc keeps memory; sizes in bytes. The service answers batches in parts of a megabyte.
Without the thresholds, glibc would get each part from the kernel, page by page, and return it.
With an arena for each thread, each of 16 would keep the parts of its own batches."""

FULL = {errno.ENOSPC, errno.EDQUOT}
"""What it means that a disk, or a user's share of it, is full."""

COMMANDS = {
    "advise": "find the best play in a position",
    "review": "find out what each choice of a game cost",
    "score": "score the hands in a file or a folder",
    "simulate": "play games of a score card",
    "summary": "show how numbers in a file or a folder are distributed",
    "verify": "verify the dice of a session that is over",
}
"""The commands, each a module of `service.cli`, and what they do."""

MORE = """
Each has its own --help. Without a command the service listens for HTTP until Ctrl-C; environment
variables (PORT and others) are its settings.
"""


def main() -> None:
    """Serves, or runs the command in the first argument.

    A command is imported only when it runs: NumPy, which `score` needs, would slow down every start
    of the server.
    """
    lines = "".join(f"  {name:<10}{does}\n" for name, does in COMMANDS.items())
    parser = ArgumentParser(
        "python -m service",
        epilog=f"commands:\n{lines}{MORE}",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", nargs="?", choices=[*COMMANDS], help="see below")
    command: str | None = parser.parse_args(sys.argv[1:2]).command
    if command is None:
        serve()
    try:
        status: int = import_module(f"service.cli.{command}").main(sys.argv[2:])
        sys.stdout.flush()
        sys.exit(status)
    except WrongDescription as error:
        sys.exit(f"The games can't be used: {error}.")
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.exit(128 + signal.SIGINT)
    except BrokenPipeError:  # `| head` has read enough; the interpreter would flush once more
        _stop_printing()
        sys.exit(1)
    except OSError as error:
        if error.errno not in FULL:
            raise
        _stop_printing()
        sys.exit(f"The output can't be written: {error.strerror}.")


def _stop_printing() -> None:
    """Discards what is still to be flushed to standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def serve() -> None:
    """Checks the settings and executes gunicorn.

    gunicorn may be told to listen elsewhere than the settings say; `service.server` checks that.
    gunicorn reads WEB_CONCURRENCY itself, before any configuration, and fails if it is empty.
    Ctrl-C ends the start without a traceback; gunicorn gets it once `service.server` is loaded.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        settings = Settings.from_environment()
    except ValueError as error:
        sys.exit(f"The service can't start: {error}.")
    if os.environ.keys().isdisjoint(("GUNICORN_CMD_ARGS", "LISTEN_FDS")):
        check(settings, addresses_of(settings))
    if settings.log_format == PLAIN:
        with suppress(OSError):  # nobody may read it
            print("Starting the service ...", flush=True)
    for name, kept in MALLOC.items():
        os.environ.setdefault(name, kept)
    os.environ["WEB_CONCURRENCY"] = str(settings.web_concurrency)
    gunicorn = ["-m", "gunicorn", "--config", "python:service.server", "service.app:create_app()"]
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.execv(sys.executable, [sys.executable, *gunicorn])


if __name__ == "__main__":
    main()
