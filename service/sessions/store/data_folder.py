"""The data folder of the service's own server, whose files hold the seeds of running games: what
others may do there, and whether its data are complete.

The manifest lists the files with the data. The server reads it only when it starts. Without it, it
starts empty and overwrites those files. So a manifest that is missing or damaged has to be noticed
before that.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
from pathlib import Path

UMASK = 0o077
"""The umask of the server: only its own user can read its files."""

FOLDER = "appendonlydir"
NAME = "appendonly.aof.manifest"

_OWN = ("lock", "store.log", "appendonly.aof", FOLDER)
"""What the service and its server create; Redis 6 has a file instead of the folder."""

_ENTER = 0o011
"""The mode bits that let other users enter a folder."""

_LINE = re.compile(
    r"file (appendonly\.aof\.(\d+)\.(base|incr)\.(?:aof|rdb)) seq \d+ type ([bhi])\Z"
)
_FILE = re.compile(r"appendonly\.aof\.(\d+)\.(base|incr)\.(?:aof|rdb)\Z")


def make_private(folder: Path) -> None:
    """Makes the files of earlier releases in `folder` private, and touches nothing else.

    It follows no links: if others can write there, a link could lead anywhere.
    """
    within = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in _OWN:
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


def damage(folder: Path) -> str:
    """What is wrong with the manifest of the data in `folder`, worded to follow its name; "" if
    nothing.

    Redis before version 7 writes one file, without a manifest. Files that a server is about to
    remove, or has begun to write, needn't be listed: they are older than the listed ones, or empty.
    """
    files = folder / FOLDER
    try:
        written = {each.name: each.stat().st_size for each in files.iterdir()}
    except FileNotFoundError:
        return ""
    filled = [found for name, size in written.items() if size and (found := _FILE.match(name))]
    if NAME not in written:
        return "is missing" if filled else ""
    lines = (files / NAME).read_text(errors="replace").splitlines()
    listed = [found for line in lines if (found := _LINE.match(line))]
    if len(listed) < len(lines) or not lines:
        return "is damaged"
    for found in listed:
        if found[1] not in written and found[4] != "h":
            return f"lists {found[1]}, which is missing"
    newest = {"base": -1, "incr": -1}
    for found in listed:
        newest[found[3]] = max(newest[found[3]], int(found[2]))
    for found in filled:
        number, kind = int(found[1]), found[2]
        if number > newest[kind] and (kind == "incr" or newest[kind] < 0):
            return f"doesn't list {found[0]}"
    return ""
