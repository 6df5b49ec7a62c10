"""The folder of the service's own server: its files hold the seeds of games that go on."""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path

UMASK = 0o077
"""That of the server: whatever it makes is for its own user alone."""

_FILES = ("lock", "store.log", "appendonly.aof", "appendonlydir")
"""What the service and its server make; Redis 6 has the file in place of the folder."""

_ENTER = 0o011
"""The modes that let other users into a folder."""


def make_private(folder: Path) -> None:
    """Leaves what an earlier release made in `folder` to its owner alone; nothing else is touched.

    Follows no links: where others may write, these could lead anywhere.
    """
    within = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in _FILES:
            _make_private(name, within)
    finally:
        os.close(within)


def open_to_others(folder: Path) -> str | None:
    """What it means that other users can enter `folder`, and what to do; None if they can't."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    if not mode & _ENTER:
        return None
    can = "see how many there are and how large they are"
    sticky = mode & stat.S_ISVTX  # files in it can only be removed by those whose they are
    if not sticky and (mode & 0o030 == 0o030 or mode & 0o003 == 0o003):
        can = "delete them, or put others in their place"
    return (
        f"Other users of this machine can enter {folder} (mode {mode:o}), where the sessions are "
        f"kept: they can't read the files of the service there, but they can {can}. To keep them "
        f"out: chmod 700 {shlex.quote(str(folder))}"
    )


def _make_private(name: str, within: int) -> None:
    """Takes all rights of others from the file or folder `name`, and from what is in it."""
    try:
        found = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=within)
    except OSError:  # it isn't there, is a link, or is another user's
        return
    try:
        status = os.fstat(found)
        if status.st_uid == os.geteuid():
            os.fchmod(found, stat.S_IMODE(status.st_mode) & ~UMASK)
        if stat.S_ISDIR(status.st_mode):
            for each in os.listdir(found):
                _make_private(each, found)
    finally:
        os.close(found)
