"""Files of JSON that somebody has saved, in whatever encoding a shell has written them."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

from service.cli.command_error import CommandError


def read_saved(file: Path) -> bytes:
    """The text in `file` as UTF-8; `-` is standard input.

    PowerShell redirects into UTF-16, and saves with a byte order mark. Raises `CommandError` if it
    can't be read.
    """
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}") from None
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode()
        except UnicodeError:
            raise CommandError(f"{file} begins as UTF-16, but is not valid UTF-16") from None
    return data.removeprefix(BOM_UTF8)
