"""The tables of a running service: gunicorn's master chooses the folder, its workers share it."""

from __future__ import annotations

import atexit
import subprocess

from service import lifeline
from service.settings import Settings
from service.tables.folder import Folder, find_folder
from service.tables.making import last_record
from service.tables.starting import start as start_process
from service.tables.tables import Tables

PREPARE_SECONDS = 5
"""How long after the start of the service its default tables are made."""

_folder: Folder | None = None
_tables: Tables | None = None
_preparing: subprocess.Popen[bytes] | None = None


def start(settings: Settings, *, foreground: bool = False) -> None:
    """Chooses the folder in gunicorn's master, before there are workers. A reload keeps it."""
    global _folder, _tables
    if _folder is None:
        lifeline.hold()
        _folder = find_folder(settings.data_dir)
        _tables = Tables(_folder.path, prepared=_folder.prepared, foreground=foreground)


def prepare(settings: Settings) -> None:
    """Starts the process that makes those of the default tables that are missing.

    gunicorn's master waits for its processes, so there is no thread for that.
    """
    global _preparing
    if _folder is not None and settings.prepare_tables:
        words = ["--folder", str(_folder.path), "--after", str(PREPARE_SECONDS)]
        if _folder.prepared is not None:
            words += ["--prepared", str(_folder.prepared)]
        _preparing = start_process("service.tables.prepare", words)


def forked() -> None:
    """Call this first in each worker: it closes what only the master may hold open."""
    lifeline.leave()
    if _folder is not None:
        _folder.leave()


def stop() -> None:
    """Ends the makers, and removes a temporary folder; call this after the last worker."""
    global _folder, _tables
    lifeline.cut()
    if _folder is not None:
        _folder.remove()
    _folder = _tables = None


def running() -> Tables | None:
    """The tables of the service, or of this process; None if it has needed none yet."""
    return _tables


def made_and_failed() -> tuple[int, int]:
    """How many tables were made in the folder of the service, and how many failed."""
    record = last_record(_folder.path) if _folder is not None else None
    return (record.all_made, record.all_failed) if record else (0, 0)


def shared_tables(settings: Settings, *, foreground: bool = False) -> Tables:
    """The tables of the service; outside of gunicorn, those of this process (see `Tables`)."""
    if _tables is None:
        start(settings, foreground=foreground)
        atexit.register(stop)
    assert _tables is not None
    return _tables
