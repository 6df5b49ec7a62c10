"""Files that end with a seal, which shows whether they are complete and undamaged.

The seal has the key of the table, the length of what comes before, and a checksum of it. A file
that is cut short, damaged or of another release doesn't match its seal, and counts as missing.
"""

from __future__ import annotations

import mmap
import os
import stat
import struct
import zlib
from pathlib import Path

_SEAL = struct.Struct("<16s64sQI")
_MAGIC = b"dice table, 1"


def seal(path: Path, key: str) -> None:
    """Seals the file and waits until it is on the disk."""
    with path.open("r+b") as file:
        length, checksum = _checked(file.fileno(), file.seek(0, os.SEEK_END))
        file.write(_SEAL.pack(_MAGIC, key.encode(), length, checksum))
        file.flush()
        os.fsync(file.fileno())


def is_whole(path: Path, key: str) -> bool:
    """Whether the file is there and safe from others, is no link, and has the seal of `key`."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        status = os.fstat(file)
        length = status.st_size - _SEAL.size
        if not stat.S_ISREG(status.st_mode) or length < 0:
            return False
        if status.st_uid not in (os.geteuid(), 0) or status.st_mode & 0o022:
            return False
        found = os.pread(file, _SEAL.size, length)
        return found == _SEAL.pack(_MAGIC, key.encode(), *_checked(file, length))
    except OSError:  # it can't be read
        return False
    finally:
        os.close(file)


def _checked(file: int, length: int) -> tuple[int, int]:
    """The length and the checksum of the first `length` bytes."""
    if not length:
        return 0, 0
    with mmap.mmap(file, length, prot=mmap.PROT_READ) as content:
        return length, zlib.crc32(content)
