"""Serves over HTTP: `python -m service`, in gunicorn, by the settings in the environment.

With `score` it scores files of hands, with `verify` it verifies the dice of a session.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter

from service.rules.variant import WrongDescription
from service.settings import Settings

MALLOC = {"MALLOC_MMAP_THRESHOLD_": "4194304", "MALLOC_TRIM_THRESHOLD_": "16777216"}
"""What glibc keeps for itself, in bytes: batches are answered in parts of a megabyte, which it
would otherwise take from the kernel, page by page, and give back each time."""


COMMANDS = """\
commands:
  score   score the hands in a file
  verify  verify the dice of a session that is over

Each says more with --help. Without a command it serves over HTTP, by the settings in the
environment (PORT and others), until Ctrl-C.
"""


def main() -> None:
    """Serves, or does what the first argument says.

    A command is imported once it is asked for: NumPy, which `score` takes, would make every start
    of the server slower.
    """
    parser = ArgumentParser(
        "python -m service", epilog=COMMANDS, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("command", nargs="?", choices=["score", "verify"], help="see below")
    command: str | None = parser.parse_args(sys.argv[1:2]).command
    if command is None:
        serve()
    try:
        if command == "score":
            from service.cli.score.command import main as score

            sys.exit(score(sys.argv[2:]))
        if command == "verify":
            from service.cli.verify import main as verify

            sys.exit(verify(sys.argv[2:]))
    except WrongDescription as error:
        sys.exit(f"The games can't be used: {error}.")


def serve() -> None:
    """Checks the settings and becomes gunicorn.

    gunicorn reads WEB_CONCURRENCY by itself, before any configuration, and fails on an empty one.
    """
    try:
        settings = Settings.from_environment()
    except ValueError as error:
        sys.exit(f"The service can't start: {error}.")
    for name, kept in MALLOC.items():
        os.environ.setdefault(name, kept)
    os.environ["WEB_CONCURRENCY"] = str(settings.web_concurrency)
    gunicorn = ["-m", "gunicorn", "--config", "python:service.server", "service.app:create_app()"]
    os.execv(sys.executable, [sys.executable, *gunicorn])


if __name__ == "__main__":
    main()
