"""The settings of a command: those of the service, but with a folder of its user."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from service.cli.command import CommandError
from service.settings import Settings


def own_settings() -> Settings:
    """The settings in the environment. Without DATA_DIR, tables are in the user's cache folder.

    Raises `CommandError` for invalid ones.
    """
    try:
        settings = Settings.from_environment()
    except ValueError as error:
        raise CommandError(str(error)) from None
    if os.environ.get("DATA_DIR"):
        return settings
    return replace(settings, data_dir=str(cache_folder()))


def cache_folder() -> Path:
    """The folder of this service among the user's caches."""
    home = Path("/", os.path.expanduser("~"))  # "~" for a user without a home: it isn't there
    caches = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(caches):  # nor empty: the standard says to ignore it then
        caches = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return home / caches / "dice-scoring"
