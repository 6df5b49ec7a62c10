"""Counters, gauges and histograms, over all processes of a service. Adding takes a microsecond.

gunicorn's master makes a memory map that its workers share with it. Each process has a slot there,
and only that process writes to it. A slot consists of records, one for each series: its values and
its key. A scrape, in any process, adds up the slots. The threads of a process share a lock.

https://prometheus.io/docs/instrumenting/exposition_formats/ and OpenMetrics 1.0 are the formats.
"""

from __future__ import annotations

import mmap
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from heapq import heappop, heappush
from itertools import accumulate
from threading import Lock
from typing import Any, Final, Self

import orjson

Labels = tuple[str, ...]
"""The values of the labels of a series, in the order in which the instrument names them."""

LATENCY = (
    *(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05),
    *(0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0),
)
"""Bounds of the histograms in seconds: a request takes from half a millisecond to a long wait."""

KEY_BYTES = 240
"""The longest key. A route has an id of at most 64 characters."""

PROMETHEUS = "text/plain"
OPENMETRICS = "application/openmetrics-text"

CONTENT_TYPES = {
    PROMETHEUS: "text/plain; version=0.0.4; charset=utf-8",
    OPENMETRICS: "application/openmetrics-text; version=1.0.0; charset=utf-8",
}

_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})

_CELL = 8  # bytes of a number
_VALUES = len(LATENCY) + 2  # one for each bound, one above all bounds, and the sum
_RECORD = 1 + _VALUES + KEY_BYTES // _CELL  # the first one is the length of the key, 0 until then
_SERIES = 1_365
_SLOT = _SERIES * _RECORD
"""Cells of a slot, half a megabyte. A page takes memory only once it is used."""


class _Map:
    """A map that processes forked from this one use, too. This process adds to its `slot`."""

    def __init__(self, slots: int) -> None:
        self.data = memoryview(mmap.mmap(-1, slots * _SLOT * _CELL))
        self.cells: memoryview[float] = self.data.cast("d")
        self.free = list(range(1, slots))
        self.slot, self.lock = 0, Lock()

    def key(self, record: int) -> bytes:
        """The key of a record, empty if there is none yet."""
        begin = (record + 1 + _VALUES) * _CELL
        return bytes(self.data[begin : begin + int(self.cells[record])])

    def records(self, slot: int) -> Iterator[tuple[int, str, Labels]]:
        """The records of a slot, each with the name of its instrument and its labels."""
        for record in range(slot * _SLOT, (slot + 1) * _SLOT, _RECORD):
            if not (key := self.key(record)):
                return
            name, *labels = orjson.loads(key)
            yield record, name, tuple(labels)

    def place(self, key: bytes) -> int:
        """The first value of a series in the slot of this process, which is added if it is new.

        What doesn't fit shares the last record, which nobody reads.
        """
        *records, spare = range(self.slot * _SLOT, (self.slot + 1) * _SLOT, _RECORD)
        for record in records if len(key) <= KEY_BYTES else ():
            known = self.key(record)
            if not known:
                begin = (record + 1 + _VALUES) * _CELL
                self.data[begin : begin + len(key)] = key
                self.cells[record] = len(key)  # from now on, readers see it
            if known in (b"", key):
                return record + 1
        return spare + 1


_map = _Map(1)
INSTRUMENTS: Final[dict[str, Instrument]] = {}
"""Every instrument by its name, in the order of their declaration."""


class Instrument:
    """A metric, or its series with the `values` of the labels."""

    kind = ""
    width = 1
    values: Labels = ()
    _first = 0  # the place of its first value, 0 until it is used

    def __init__(self, name: str, meaning: str, labels: Labels = ()) -> None:
        self.name, self.meaning, self.labels = name, meaning, labels
        self.series: dict[Labels, Self] = {}
        INSTRUMENTS[name] = self

    def of(self, *values: str) -> Self:
        """The series with these values of the labels. It may be kept, also over a fork."""
        found = self.series.get(values)
        if found is None:
            found = copy(self)
            found.values = values
            found = self.series.setdefault(values, found)
        return found

    def _place(self) -> int:
        with _map.lock:
            self._first = _map.place(orjson.dumps([self.name, *self.values]))
        return self._first


class Counter(Instrument):
    """A number that only grows."""

    kind = "counter"

    def add(self, amount: float = 1) -> None:
        """Adds `amount`, which isn't negative."""
        first = self._first or self._place()
        with _map.lock:
            _map.cells[first] += amount


class Gauge(Instrument):
    """A number that rises and falls. It is the sum over all processes that live."""

    kind = "gauge"

    def set(self, value: float) -> None:
        """Sets what this process has."""
        _map.cells[self._first or self._place()] = value


class Histogram(Instrument):
    """How often a value was at most each of the bounds in `LATENCY`, and the sum of all values.

    Each of `listeners` gets each value and its labels.
    """

    kind = "histogram"
    width = _VALUES

    def __init__(self, name: str, meaning: str, labels: Labels = ()) -> None:
        super().__init__(name, meaning, labels)
        self.listeners: list[Callable[[float, Labels], Any]] = []

    def observe(self, value: float) -> None:
        """Counts `value`."""
        first = self._first or self._place()
        at = first + bisect_left(LATENCY, value)
        with _map.lock:
            cells = _map.cells
            cells[at] += 1.0
            cells[first + _VALUES - 1] += value
        for listener in self.listeners:
            listener(value, self.values)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Observes how long a `with` block takes, in seconds."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - began)


def totals() -> Mapping[str, Mapping[Labels, list[float]]]:
    """The values of each series of each instrument, by name and labels, over all processes."""
    found: dict[str, dict[Labels, list[float]]] = {}
    for slot in range(len(_map.cells) // _SLOT):
        for record, name, labels in _map.records(slot):
            values = found.setdefault(name, {}).setdefault(labels, [0.0] * INSTRUMENTS[name].width)
            for number in range(len(values)):
                values[number] += _map.cells[record + 1 + number]
    return found


def share(slots: int) -> None:
    """Makes a map with so many slots. gunicorn's master calls this before it forks; it keeps the
    first one for itself.
    """
    global _map
    _map = _Map(slots)
    _enter(0)


def take_slot() -> int | None:
    """In the master, before a fork: the slot for the new process, None if there is none left."""
    return heappop(_map.free) if _map.free else None


def enter_slot(number: int | None) -> None:
    """In a process that was just forked: adds to this slot from now on.

    Without a slot, what the process counts isn't seen. Counters without labels begin with 0, so
    that whoever asks sees their first increase.
    """
    if number is None:
        share(1)
    _enter(number or 0)
    for each in INSTRUMENTS.values():
        if isinstance(each, Counter) and not each.labels:
            each.of().add(0)


def leave_slot(number: int) -> None:
    """In the master, after the end of a process: another one may go on with its slot.

    Counters keep what the process has counted, so that they never go back. Its gauges become 0.
    """
    for record, name, _ in _map.records(number):
        if isinstance(INSTRUMENTS[name], Gauge):
            _map.cells[record + 1] = 0.0
    heappush(_map.free, number)


def _enter(slot: int) -> None:
    _map.slot, _map.lock = slot, Lock()
    for instrument in INSTRUMENTS.values():
        for series in instrument.series.values():
            series._first = 0


Read = Mapping[Instrument, Mapping[Labels, float]]
"""The values of instruments that are only found out when somebody asks for them, by labels."""


def exposition(media_type: str, read: Read) -> bytes:
    """All metrics in the format of `media_type`, with what was `read` for this response."""
    openmetrics = media_type == OPENMETRICS
    end = ["# EOF"] if openmetrics else []
    return "".join(f"{line}\n" for line in (*_lines(read, openmetrics=openmetrics), *end)).encode()


def _lines(read: Read, *, openmetrics: bool) -> Iterator[str]:
    counted = totals()
    for each in INSTRUMENTS.values():
        family = each.name.removesuffix("_total") if openmetrics else each.name
        yield f"# HELP {family} {each.meaning.translate(_ESCAPES) if openmetrics else each.meaning}"
        yield f"# TYPE {family} {each.kind}"
        for labels, value in read.get(each, {}).items():
            yield _sample(each.name, each.labels, labels, value)
        for labels, values in sorted(counted.get(each.name, {}).items()):
            if isinstance(each, Histogram):
                yield from _histogram(each, labels, values)
            else:
                yield _sample(each.name, each.labels, labels, values[0])


def _histogram(histogram: Histogram, labels: Labels, values: Sequence[float]) -> Iterator[str]:
    """The buckets, each with those below it, their count and the sum.

    The count is that of the last bucket, which may have grown since the sum was read.
    """
    name, *counts, total = histogram.name, *values
    bounds = [*(repr(float(bound)) for bound in LATENCY), "+Inf"]
    upto = list(accumulate(counts))
    for bound, count in zip(bounds, upto, strict=True):
        yield _sample(f"{name}_bucket", (*histogram.labels, "le"), (*labels, bound), count)
    yield _sample(f"{name}_sum", histogram.labels, labels, total)
    yield _sample(f"{name}_count", histogram.labels, labels, upto[-1])


def _sample(name: str, names: Labels, values: Labels, value: float) -> str:
    pairs = zip(names, values, strict=True)
    labels = ",".join(f'{label}="{text.translate(_ESCAPES)}"' for label, text in pairs)
    return f"{name}{{{labels}}} {value!r}" if labels else f"{name} {value!r}"
