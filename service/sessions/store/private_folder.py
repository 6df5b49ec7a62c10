"""The folder of the service's own server; its files hold the seeds of running games."""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path

UMASK = 0o077
"""The umask of the server: only its own user can read its files."""

_FILES = ("lock", "store.log", "appendonly.aof", "appendonlydir")
"""What the service and its server create; Redis 6 has a file instead of the folder."""

_ENTER = 0o011
"""The mode bits that let other users enter a folder."""


def make_private(folder: Path) -> None:
    """Makes the files of earlier releases in `folder` private, and touches nothing else.

    It follows no links: if others can write there, a link could lead anywhere.
    """
    within = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in _FILES:
            _make_private(name, within)
    finally:
        os.close(within)


def open_to_others(folder: Path) -> str | None:
    """A warning if other users can enter `folder`, with what they can do there; None if not."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    if not mode & _ENTER:
        return None
    can = "see how many there are and how large they are"
    sticky = mode & stat.S_ISVTX  # only their owner can remove files then
    if not sticky and (mode & 0o030 == 0o030 or mode & 0o003 == 0o003):
        can = "delete them, or put others in their place"
    return (
        f"Other users of this machine can enter {folder} (mode {mode:o}), where the sessions are "
        f"kept: they can't read the files of the service there, but they can {can}. To keep them "
        f"out: chmod 700 {shlex.quote(str(folder))}"
    )


def _make_private(name: str, within: int) -> None:
    """Removes all rights of others from the file or folder `name` and its contents."""
    try:
        entry = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=within)
    except OSError:  # missing, a link, or another user's
        return
    try:
        status = os.fstat(entry)
        if status.st_uid == os.geteuid():
            os.fchmod(entry, stat.S_IMODE(status.st_mode) & ~UMASK)
        if stat.S_ISDIR(status.st_mode):
            for each in os.listdir(entry):
                _make_private(each, entry)
    finally:
        os.close(entry)
