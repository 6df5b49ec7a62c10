"""A memory map with a slot for each process: its series, each a name with labels and its values."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from heapq import heapify, heappop, heappush

SLOT_BYTES = 1 << 19
"""The length of a slot: room for thousands of series. A page takes memory only once it is used."""

_CELL = 8
_SPARE_CELLS = 64  # no series takes more
"""Cells at the end of a slot. What no longer fits is added there, and never read."""

_HEADER = struct.Struct("=II")


class Slot:
    """The series of one process. That process alone changes it; others may read it meanwhile.

    `cells` are the values of all series, as numbers.
    """

    def __init__(self, data: memoryview) -> None:
        self._bytes = data
        self.cells: memoryview[float] = data.cast("d")
        self._end = len(self.cells) - _SPARE_CELLS

    @property
    def _used(self) -> int:
        """How many cells are taken; the first one holds this number."""
        return int(self.cells[0]) or 1

    def place(self, key: bytes, count: int) -> int:
        """The first of the `count` cells of the series `key`, which is added if it is new.

        If the slot is full, these are spare cells that nobody reads.
        """
        for known, first, cells in self.series():
            if known == key and cells == count:
                return first
        at = self._used
        first = at + 1 + -(-len(key) // _CELL)
        if first + count > self._end:
            return self._end
        self._bytes[(at + 1) * _CELL : (at + 1) * _CELL + len(key)] = key
        for cell in range(first, first + count):
            self.cells[cell] = 0.0
        _HEADER.pack_into(self._bytes, at * _CELL, len(key), count)
        self.cells[0] = float(first + count)  # from now on, readers see it
        return first

    def series(self) -> Iterator[tuple[bytes, int, int]]:
        """Each series: its key, its first cell and the number of its cells."""
        at, used = 1, self._used
        while at < used:
            length, count = _HEADER.unpack_from(self._bytes, at * _CELL)
            key = bytes(self._bytes[(at + 1) * _CELL : (at + 1) * _CELL + length])
            first = at + 1 + -(-length // _CELL)
            yield key, first, count
            at = first + count


class Memory:
    """A map with `slots`; processes forked from this one use the same map if it is `shared`."""

    def __init__(self, slots: int, *, shared: bool) -> None:
        flags = mmap.MAP_ANONYMOUS | (mmap.MAP_SHARED if shared else mmap.MAP_PRIVATE)
        data = memoryview(mmap.mmap(-1, slots * SLOT_BYTES, flags=flags))
        self.slots = [
            Slot(data[at : at + SLOT_BYTES]) for at in range(0, slots * SLOT_BYTES, SLOT_BYTES)
        ]

    def totals(self) -> dict[bytes, list[float]]:
        """The values of each series, added up over all slots."""
        totals: dict[bytes, list[float]] = {}
        for slot in self.slots:
            for key, first, count in slot.series():
                values = list(slot.cells[first : first + count])
                known = totals.get(key)
                if known is not None:
                    values = [a + b for a, b in zip(known, values, strict=True)]
                totals[key] = values
        return totals


class FreeSlots:
    """The numbers of slots that no process has; gunicorn's master gives them to its workers."""

    def __init__(self, numbers: range) -> None:
        self._free = list(numbers)
        heapify(self._free)

    def take(self) -> int | None:
        """The lowest number that is free, None if none is."""
        return heappop(self._free) if self._free else None

    def give_back(self, number: int) -> None:
        """Frees the slot of a process that has ended."""
        heappush(self._free, number)
