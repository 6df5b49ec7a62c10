"""Where files of hands lie: on this machine, or in a store that Arrow has a file system for."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pyarrow as pa
from pyarrow.fs import FileInfo, FileSelector, FileSystem, FileType, LocalFileSystem

_OPTIONS = re.compile(r"\?(?=\w+=)")

_KEY = re.compile(r"[^/]*@|[^/@:]*:(?!\d+(/|$))[^@]*@")
"""A key and its secret, in which a slash may stand that should have been escaped."""

_AZURE_SECRET = re.compile(r"(?<=://)([^/@:]*)(?::(?!\d+(?:/|$))[^@]*)?@")
"""The same in `abfs://`, where a container or an account stands in place of the key."""

_WHERE = ("account_name", "blob_storage_authority", "endpoint_override", "host", "port")
"""The options of Arrow's file systems that say which of all stores of a kind it is."""


class File(ABC):
    """A file to read. Opening it may raise an `OSError`."""

    @property
    @abstractmethod
    def stored(self) -> bool:
        """Whether it is in a store."""

    @abstractmethod
    def open(self) -> pa.NativeFile:
        """Opens it from its start."""

    def mapped(self) -> pa.NativeFile:
        """Opens it so that reading copies nothing, where that is possible and safe: if a mapped
        file is cut short meanwhile, its reader dies.
        """
        return self.open()


@dataclass(frozen=True)
class LocalFile(File):
    """A file on this machine. Its path may have bytes that aren't UTF-8."""

    path: Path

    @property
    def stored(self) -> bool:
        """It isn't in a store."""
        return False

    def open(self) -> pa.NativeFile:
        """Opens it from its start."""
        return pa.OSFile(os.fsencode(self.path))


@dataclass(frozen=True)
class StoredFile(File):
    """A file in one of Arrow's file systems."""

    system: FileSystem
    path: str

    @property
    def stored(self) -> bool:
        """Whether it is in a store."""
        return not isinstance(self.system, LocalFileSystem)

    def open(self) -> pa.NativeFile:
        """Opens it from its start."""
        return self.system.open_input_file(self.path)

    def mapped(self) -> pa.NativeFile:
        """Maps it into memory: it is read by a worker, which is started again if it dies. One that
        is in a store is opened from its start.
        """
        return self.open() if self.stored else pa.memory_map(self.path)


@dataclass(frozen=True)
class TextFile(File):
    """A file of text, read as UTF-8. One in UTF-16, as PowerShell redirects, is held whole."""

    file: File

    @property
    def stored(self) -> bool:
        """Whether it is in a store."""
        return self.file.stored

    def open(self) -> pa.NativeFile:
        """Opens it from its start. May also raise a `UnicodeDecodeError`."""
        opened = self.file.open()
        mark = opened.read(2)
        opened.seek(0)
        if mark not in (BOM_UTF16_LE, BOM_UTF16_BE):
            return opened
        with opened:
            return pa.BufferReader(opened.read().decode("utf-16").encode())


@dataclass(frozen=True)
class Place:
    """A folder in one of Arrow's file systems; `shown` is what was typed, without any secret."""

    system: FileSystem
    path: str
    shown: str

    @classmethod
    def of(cls, text: str) -> Place:
        """The place that `text` names: a local path, or a URI such as `s3://bucket/rolls`.

        Raises a `ValueError` or `OSError` for a URI that no file system knows.
        """
        if "://" in text:
            system, path = FileSystem.from_uri(text)
            return cls(system, path.rstrip("/"), without_secret(text))
        return cls(LocalFileSystem(), os.path.abspath(text), without_secret(text))

    def __truediv__(self, name: str) -> Place:
        return Place(self.system, f"{self.path}/{name}", f"{self.shown}/{name}")

    def real(self) -> str:
        """Its path without links, to compare it: other machines may lack where links lead."""
        local = isinstance(self.system, LocalFileSystem)
        return os.path.realpath(self.path) if local else self.path

    def named(self) -> str:
        """The same text for the same place, however it was typed, and for no other; it has no
        secret. A store that settings of this machine name is in it, too.
        """
        if isinstance(self.system, LocalFileSystem):
            return self.path
        options = self.system.__reduce__()[1][0]  # what workers make the same file system from
        known = options if isinstance(options, dict) else {}
        where = "&".join(f"{name}={known[name]}" for name in _WHERE if known.get(name))
        return f"{self.system.type_name}://{self.path}{where and f'?{where}'}"

    def changed(self, file: FileInfo) -> int | None:
        """When a file of this folder was changed, in nanoseconds since 1970, if that is known.

        Stores may tell the fraction of the second only in lists, so theirs are whole seconds.
        """
        when: int | None = file.mtime_ns
        if when is None or isinstance(self.system, LocalFileSystem):
            return when
        return when - when % 1_000_000_000

    def files(self) -> dict[str, FileInfo]:
        """All files below this folder, by their path from here; none if it doesn't exist.

        A link to a folder that it lies in isn't followed.
        """
        listed = self.listed()
        return {name: found for name, found in listed.items() if found.type == FileType.File}

    def listed(self, enters: Callable[[str], bool] = lambda _: True) -> dict[str, FileInfo]:
        """The `files`, and what else is listed there but folders: the types say what it is. A link
        to what is away isn't found. On this machine, only those folders are read which `enters`
        says, by their path from here.
        """
        if isinstance(self.system, LocalFileSystem):
            paths = [*_below(self.path, "", enters, frozenset())]
            infos = self.system.get_file_info(paths)
        else:
            below = FileSelector(self.path, recursive=True, allow_not_found=True)
            infos = self.system.get_file_info(below)
        return {
            found.path.removeprefix(f"{self.path.rstrip('/')}/"): found
            for found in infos
            if found.type != FileType.Directory
        }

    def exists(self) -> bool:
        """Whether there is a file or folder here."""
        return bool(self.system.get_file_info(self.path).type != FileType.NotFound)

    def read(self) -> bytes:
        """The bytes of this file."""
        with self.system.open_input_stream(self.path) as file:
            content: bytes = file.read()
        return content

    def replace(
        self,
        temporary: Place,
        write: Callable[[IO[bytes]], object],
        when_whole: Callable[[int], None] | None = None,
    ) -> None:
        """Lets `write` fill the file `temporary`, which then becomes this file, at once and whole.

        Just before that, `when_whole` is called with the bytes of the file, how many there are.
        Nothing is left of `temporary` after an error.
        """
        for place in (temporary, self):
            self.system.create_dir(os.path.dirname(place.path), recursive=True)
        try:
            with self.system.open_output_stream(temporary.path) as file:
                write(file)
                size = file.tell()
            if isinstance(self.system, LocalFileSystem):
                _keep(temporary.path)
            if when_whole:
                when_whole(size)
            self.system.move(temporary.path, self.path)
        except BaseException:
            with suppress(OSError):
                self.system.delete_file(temporary.path)
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


def _below(
    folder: str, prefix: str, enters: Callable[[str], bool], above: frozenset[str]
) -> Iterator[str]:
    """The paths of all files below a folder on this machine, which lies in the folders `above`. The
    path from where the search began, with a slash, is its `prefix`.
    """
    real = os.path.realpath(folder)
    if real in above:
        return
    with _named_folder(folder), os.scandir(folder) as entries:
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
def _named_folder(folder: str) -> Iterator[None]:
    """Names the folder in the error if it can't be read. One that is gone has nothing in it."""
    try:
        yield
    except FileNotFoundError:
        pass
    except OSError as error:
        if error.filename != folder:
            raise
        raise OSError(error.errno, f"{folder}: {error.strerror}") from None


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


def _keep(path: str) -> None:
    """Waits until the disk has the file: it must outlast a power cut if its new name does."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
