"""The tables of a running service: gunicorn's master chooses the folder, its workers share it."""

from __future__ import annotations

import atexit
import subprocess

from service import parent_death
from service.settings import Settings
from service.tables.folder import Folder, find_folder
from service.tables.making import last_record
from service.tables.starting import start as start_process
from service.tables.tables import Tables

PREPARE_SECONDS = 5
"""How long after the start of the service its default tables are made."""

_served: dict[tuple[str, str], tuple[Folder, Tables]] = {}
"""The folders and tables of this process, by the settings DATA_DIR and VARIANTS."""

_preparing: subprocess.Popen[bytes] | None = None


def start(settings: Settings, *, foreground: bool = False) -> None:
    """Chooses the folder in gunicorn's master, before there are workers. A reload keeps it."""
    if _key(settings) not in _served:
        parent_death.hold()
        folder = find_folder(settings.data_dir)
        tables = Tables(
            folder.path,
            prepared=folder.prepared,
            further=settings.variants,
            foreground=foreground,
        )
        _served[_key(settings)] = folder, tables


def prepare(settings: Settings) -> None:
    """Starts the process that makes those of the default tables that are missing.

    gunicorn's master waits for its processes, so there is no thread for that.
    """
    global _preparing
    if settings.prepare_tables:
        folder, _ = _served[_key(settings)]
        words = ["--folder", str(folder.path), "--after", str(PREPARE_SECONDS)]
        words += ["--further", settings.variants, "--log-format", settings.log_format]
        if folder.prepared is not None:
            words += ["--prepared", str(folder.prepared)]
        _preparing = start_process("service.tables.prepare", words)


def forked() -> None:
    """Call this first in each worker: it closes what only the master may hold open."""
    parent_death.leave()
    for folder, _ in _served.values():
        folder.leave()


def stop() -> None:
    """Ends the makers, and removes temporary folders; call this after the last worker."""
    parent_death.cut()
    for folder, _ in _served.values():
        folder.remove()
    _served.clear()


def running(settings: Settings) -> Tables | None:
    """The tables of the service with these settings; None if this process has needed none yet."""
    served = _served.get(_key(settings))
    return served[1] if served else None


def made_and_failed(settings: Settings) -> tuple[int, int]:
    """How many tables were made in the folder of the service, and how many failed."""
    tables = running(settings)
    record = last_record(tables.folder) if tables else None
    return (record.all_made, record.all_failed) if record else (0, 0)


def shared_tables(settings: Settings, *, foreground: bool = False) -> Tables:
    """The tables of the service; outside of gunicorn, those of this process (see `Tables`)."""
    if _key(settings) not in _served:
        start(settings, foreground=foreground)
        atexit.register(stop)
    return _served[_key(settings)][1]


def _key(settings: Settings) -> tuple[str, str]:
    return settings.data_dir, settings.variants
