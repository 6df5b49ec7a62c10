"""Serves over HTTP: `python -m service`, in gunicorn, by the settings in the environment.

With `score` it scores files of hands, with `verify` it verifies the dice of a session.
"""

from __future__ import annotations

import os
import sys

from service.settings import Settings

MALLOC = {"MALLOC_MMAP_THRESHOLD_": "4194304", "MALLOC_TRIM_THRESHOLD_": "16777216"}
"""What glibc keeps for itself, in bytes: batches are answered in parts of a megabyte, which it
would otherwise take from the kernel, page by page, and give back each time."""


def main() -> None:
    """Serves, or does what the arguments say.

    NumPy, which the command line takes, would make every start of the server slower.
    """
    if sys.argv[1:2] == ["verify"]:
        from service.sessions import verify

        sys.exit(verify.main(sys.argv[2:]))
    if sys.argv[1:]:
        from service.score import command

        sys.exit(command.main(sys.argv[1:]))
    serve()


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
