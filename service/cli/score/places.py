"""Where files of hands lie: on this machine, or in a store that Arrow has a file system for."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyarrow.fs import FileSystem


class File(ABC):
    """A file to read. Opening it may raise an `OSError`."""

    @abstractmethod
    def open(self) -> pa.NativeFile:
        """Opens it from its start."""

    @abstractmethod
    def mapped(self) -> pa.NativeFile:
        """Opens it so that reading copies nothing, where that is possible."""


@dataclass(frozen=True)
class LocalFile(File):
    """A file on this machine. Its path may have bytes that aren't UTF-8."""

    path: Path

    def open(self) -> pa.NativeFile:
        """Opens it from its start."""
        return pa.OSFile(os.fsencode(self.path))

    def mapped(self) -> pa.NativeFile:
        """Maps it into memory."""
        return pa.memory_map(os.fsencode(self.path))


@dataclass(frozen=True)
class StoredFile(File):
    """A file in one of Arrow's file systems."""

    system: FileSystem
    path: str

    def open(self) -> pa.NativeFile:
        """Opens it from its start."""
        return self.system.open_input_file(self.path)

    def mapped(self) -> pa.NativeFile:
        """Opens it from its start: a store can't be mapped."""
        return self.open()
