"""Serves over HTTP: `python -m service`, in gunicorn, by the settings in the environment."""

from __future__ import annotations

import os
import sys

from service.settings import Settings


def main() -> None:
    """Checks the settings and becomes gunicorn.

    gunicorn reads WEB_CONCURRENCY by itself, before any configuration, and fails on an empty one.
    """
    try:
        settings = Settings.from_environment()
    except ValueError as error:
        sys.exit(f"The service can't start: {error}.")
    os.environ["WEB_CONCURRENCY"] = str(settings.web_concurrency)
    gunicorn = ["-m", "gunicorn", "--config", "python:service.server", "service.app:create_app()"]
    os.execv(sys.executable, [sys.executable, *gunicorn])


if __name__ == "__main__":
    main()
