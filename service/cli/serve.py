"""The command line of `dice-scoring serve`: starts the service in gunicorn."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from importlib.machinery import PathFinder
from textwrap import fill, indent
from typing import NoReturn

import service
from service.cli.command import parser_of, program
from service.listen import addresses_of, check
from service.settings import PLAIN, Settings

_SERVING = """\
Serves over HTTP until Ctrl-C. Environment variables are its settings.
"""

_EXAMPLES = """\
examples:
  %(prog)s
  PORT=9000 BIND_ADDRESS=0.0.0.0 %(prog)s
"""

_STATUSES = {
    0: "stopped by Ctrl-C or SIGTERM",
    1: "the service can't start",
    2: "a mistake in the options",
}

MALLOC = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "4194304",
    "MALLOC_TRIM_THRESHOLD_": "16777216",
}
"""How glibc keeps memory; sizes in bytes. The service answers batches in parts of a megabyte.
Without the thresholds, glibc would get each part from the kernel, page by page, and return it.
With an arena for each thread, each of 16 would keep the parts of its own batches."""


def main(arguments: Sequence[str]) -> NoReturn:
    """Checks the settings and executes gunicorn.

    gunicorn may be told to listen elsewhere than the settings say; `service.server` checks that.
    gunicorn reads WEB_CONCURRENCY itself, before any configuration, and fails if it is empty.
    Ctrl-C ends the start without a traceback; gunicorn gets it once `service.server` is loaded.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parser = parser_of("serve", _SERVING, _EXAMPLES, _STATUSES)
    parser.add_argument_group("settings", "\n".join(_settings()))
    parser.parse_args(arguments)
    try:
        settings = Settings.from_environment()
    except ValueError as error:
        sys.exit(f"The service can't start: {error}.")
    _check_folder()
    if os.environ.keys().isdisjoint(("GUNICORN_CMD_ARGS", "LISTEN_FDS")):
        check(settings, addresses_of(settings), _typed())
    if settings.log_format == PLAIN:
        with suppress(OSError):  # nobody may read it
            print("Starting the service ...", flush=True)
    for name, kept in MALLOC.items():
        os.environ.setdefault(name, kept)
    os.environ["WEB_CONCURRENCY"] = str(settings.web_concurrency)
    gunicorn = ["-m", "gunicorn", "--config", "python:service.server", "service.app:create_app()"]
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.execv(sys.executable, [sys.executable, *gunicorn])


def _settings() -> Iterator[str]:
    """The lines of the help for each setting: name, default and meaning."""
    for setting in fields(Settings):
        default = "" if setting.default == "" else f" (default: {setting.default})"
        meaning = f"{setting.metadata['meaning']}{default}"
        yield f"{setting.name.upper()}\n{indent(fill(meaning, 76), '    ')}"


def _typed() -> str:
    """The command that the user typed; make counts its levels in MAKELEVEL."""
    return "make run" if "MAKELEVEL" in os.environ else " ".join([program(), *sys.argv[1:]])


def _check_folder() -> None:
    """Exits if the working directory has another package `service`: gunicorn looks there first."""
    found = PathFinder.find_spec("service", [""])
    if found and found.origin and not os.path.samefile(found.origin, service.__file__):
        sys.exit(
            f"The service can't start here: gunicorn would import {found.origin}, which has the "
            "same name as the service's own package. Start it in another folder."
        )
