"""Where files of hands lie: on this machine, or in a store that Arrow has a file system for."""

from __future__ import annotations

import errno
import os
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeVar

import orjson
import pyarrow as pa
from pyarrow.fs import FileInfo, FileSelector, FileSystem, FileType, LocalFileSystem

from service.cli.command import CommandError, TryAgain

_OPTIONS = re.compile(r"\?(?=\w+=)")

_KEY = re.compile(r"[^/]*@|[^/@:]*:(?!\d+(/|$))[^@]*@")
"""A key and its secret, in which a slash may stand that should have been escaped."""

_AZURE_SECRET = re.compile(r"(?<=://)([^/@:]*)(?::(?!\d+(?:/|$))[^@]*)?@")
"""The same in `abfs://`, where a container or an account stands in place of the key."""

_WHERE = ("account_name", "blob_storage_authority", "endpoint_override", "host", "port")
"""The options of Arrow's file systems that say which of all stores of a kind it is."""

_LASTING = {
    errno.EACCES,
    errno.EEXIST,
    errno.EFBIG,
    errno.EINVAL,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
}
"""Errors of the system that stay until someone mends something; others, as of a disk, may pass."""

WrittenT = TypeVar("WrittenT")

State = tuple[int, int | None]
"""What differs once a file has changed: its bytes, and when it was changed, in nanoseconds since
1970. Stores may tell the fraction of the second only in lists, so theirs are whole seconds."""


@dataclass(frozen=True)
class Location:
    """A file or folder in one of Arrow's file systems; `shown` is what was typed, without any
    secret. What has no other error raises an `OSError`.
    """

    system: FileSystem
    path: str
    shown: str

    @classmethod
    def of(cls, text: str) -> Location:
        """The location that `text` names: a local path, or a URI such as `s3://bucket/rolls`.

        Raises `CommandError` for a URI that no file system knows.
        """
        if not text:
            raise CommandError("the name of a folder is empty")
        shown = without_secret(text)
        if "://" not in text:
            return cls(LocalFileSystem(), os.path.abspath(text), shown)
        try:
            system, path = FileSystem.from_uri(text)
        except (ValueError, OSError) as error:
            why = str(error).replace(text, shown)
            raise CommandError(f"{shown} can't be used: {' '.join(why.split())}") from None
        return cls(system, path.rstrip("/"), shown)

    def __truediv__(self, name: str) -> Location:
        return Location(self.system, f"{self.path}/{name}", f"{self.shown}/{name}")

    @property
    def local(self) -> bool:
        """Whether it is on this machine or a mounted folder, not in a store."""
        return isinstance(self.system, LocalFileSystem)

    def real(self) -> str:
        """Its path without links, to compare it: other machines may lack where links lead."""
        return os.path.realpath(self.path) if self.local else self.path

    def named(self) -> str:
        """The same text for the same location, however it was typed, and for no other; it has no
        secret. A store that settings of this machine name is in it, too.
        """
        if self.local:
            return self.path
        options = self.system.__reduce__()[1][0]  # what workers make the same file system from
        known = options if isinstance(options, dict) else {}
        where = "&".join(f"{name}={known[name]}" for name in _WHERE if known.get(name))
        return f"{self.system.type_name}://{self.path}{where and f'?{where}'}"

    def state(self, listed: FileInfo | None = None) -> State | None:
        """The state of this file, which may be `listed` already; None if there is none."""
        if self.local and listed is None:
            with suppress(FileNotFoundError):
                found = os.stat(self.path)
                return found.st_size, found.st_mtime_ns
            return None
        listed = listed or self.system.get_file_info(self.path)
        when: int | None = listed.mtime_ns
        if when is not None and not self.local:
            when -= when % 1_000_000_000
        return None if listed.type == FileType.NotFound else (listed.size, when)

    def listed(self, enters: Callable[[str], bool] = lambda _: True) -> dict[str, FileInfo]:
        """All files below this folder, by their path from here, and what else is there but folders:
        the types say what it is. A link to what is away isn't found; one to a folder that it lies
        in isn't followed. None if there is no folder.

        On this machine, only those folders are read which `enters` says, by their path from here.
        """
        if self.local:
            infos = self.system.get_file_info([*_below(self.path, "", enters, frozenset())])
        else:
            below = FileSelector(self.path, recursive=True, allow_not_found=True)
            infos = self.system.get_file_info(below)
        return {
            found.path.removeprefix(f"{self.path.rstrip('/')}/"): found
            for found in infos
            if found.type != FileType.Directory
        }

    def open(self, *, mapped: bool = False) -> pa.NativeFile:
        """Opens the file from its start. `mapped`, on this machine, reading it copies nothing; but
        if it is cut short meanwhile, the process dies.
        """
        if not self.local:
            return self.system.open_input_file(self.path)
        if mapped:
            return pa.memory_map(self.path)
        return pa.OSFile(os.fsencode(self.path))  # which may not be UTF-8

    def open_text(self) -> pa.NativeFile:
        """Opens a file of text as UTF-8, behind its byte order mark. One in UTF-16, as PowerShell
        redirects, is held whole.

        May also raise a `UnicodeDecodeError`.
        """
        opened = self.open()
        mark = opened.read(len(BOM_UTF8))
        if mark.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            with opened:
                return pa.BufferReader((mark + opened.read()).decode("utf-16").encode())
        if mark != BOM_UTF8:
            opened.seek(0)
        return opened

    def replace(
        self,
        temporary: Location,
        write: Callable[[IO[bytes]], WrittenT],
        when_whole: Callable[[int, WrittenT], object],
    ) -> WrittenT:
        """Lets `write` fill the file `temporary`, which then becomes this file, at once and whole.
        Returns what `write` does.

        On this machine, the disk has it before: it must outlast a power cut if its new name does.
        Just before that, `when_whole` gets the number of its bytes, and what `write` returned.
        Nothing is left of `temporary` after an error.
        """
        store, path = None if self.local else self.system, temporary.path
        try:
            with store.open_output_stream(path) if store else Path(path).open("xb") as file:
                written = write(file)
                size = file.tell()
                if not store:
                    file.flush()
                    os.fsync(file.fileno())
            when_whole(size, written)
            if store:
                store.move(path, self.path)
            else:
                os.replace(path, self.path)
            return written
        except BaseException:
            with suppress(OSError):
                (store.delete_file if store else os.unlink)(path)
            raise

    def remove(self) -> None:
        """Removes this file, or this folder with all that is in it, if there is one."""
        with suppress(FileNotFoundError):
            if self.system.get_file_info(self.path).type == FileType.Directory:
                self.system.delete_dir(self.path)
            else:
                self.system.delete_file(self.path)


def split_options(text: str) -> tuple[str, str]:
    """A path and ``, or a URI without its options and these, which begin like `?region=`.

    Another question mark belongs to a glob.
    """
    found = _OPTIONS.search(text) if "://" in text else None
    return (text[: found.start()], text[found.start() :]) if found else (text, "")


def without_secret(text: str) -> str:
    """What messages call a path or URI: a URI without its options and without key and secret."""
    if "://" not in text:
        return text.rstrip("/") or "/"
    if text.startswith(("abfs://", "abfss://")):
        shown = _AZURE_SECRET.sub(lambda key: key[1] and f"{key[1]}@", split_options(text)[0], 1)
        return shown.rstrip("/")
    scheme, _, rest = split_options(text)[0].partition("://")
    key = _KEY.match(rest)
    return f"{scheme}://{rest[key.end() :] if key else rest}".rstrip("/")


def _below(
    folder: str, prefix: str, enters: Callable[[str], bool], above: frozenset[str]
) -> Iterator[str]:
    """The paths of all files below a folder on this machine, which lies in the folders `above`. The
    path from where the search began, with a slash, is its `prefix`.
    """
    real = os.path.realpath(folder)
    try:
        entries = [*os.scandir(folder)] if real not in above else []
    except FileNotFoundError:
        return
    except OSError as error:
        raise OSError(error.errno, f"{folder}: {error.strerror}") from None
    for entry in entries:
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            if enters(name):
                yield from _below(entry.path, f"{name}/", enters, above | {real})
            continue
        try:
            entry.path.encode()
        except UnicodeEncodeError:
            raise UnicodeError(f"the name of {entry.path} isn't UTF-8") from None
        yield entry.path


@contextmanager
def command_errors(what: str, *, parsing: bool = False) -> Iterator[None]:
    """Turns errors of files and formats into a `CommandError` of one line; those that may pass into
    `TryAgain`.

    Errors of stores have no number. Neither have those of a file that isn't what its format says,
    so with `parsing`, it is one of these.
    """
    kind = CommandError
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        lasts = parsing if error.errno is None else error.errno in _LASTING
        kind = CommandError if lasts else TryAgain
    except (pa.ArrowException, orjson.JSONEncodeError, UnicodeError, RecursionError) as error:
        why = str(error)
    else:
        return
    raise kind(f"{what}: {' '.join(why.split())}")
