"""The manifest of the embedded store: the list of the files with its data.

The server reads it only when it starts. Without it, it starts empty and overwrites those files. So
a manifest that is missing or damaged has to be noticed before that.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = "appendonlydir"
NAME = "appendonly.aof.manifest"

_LINE = re.compile(
    r"file (appendonly\.aof\.(\d+)\.(base|incr)\.(?:aof|rdb)) seq \d+ type ([bhi])\Z"
)
_FILE = re.compile(r"appendonly\.aof\.(\d+)\.(base|incr)\.(?:aof|rdb)\Z")


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
