"""Counters, gauges and histograms. Adding to one takes less than a microsecond.

The threads of a process share its slot. A lock keeps their additions apart.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Final, Generic, TypeVar

import orjson

from service.metrics.memory import FreeSlots, Memory

Labels = tuple[str, ...]
"""The values of the labels of a series, in the order in which the instrument names them."""


class _Process:
    """What the instruments of this process share."""

    def __init__(self) -> None:
        self.memory = Memory(1, shared=False)
        self.cells = self.memory.slots[0].cells
        self.number = 0
        self.free = FreeSlots(range(0))
        self.instruments: dict[str, Instrument] = {}
        self.series: list[Series] = []
        self.lock = Lock()

    def enter(self, number: int) -> None:
        """Adds to the slot with this number from now on."""
        self.number = number
        self.cells = self.memory.slots[number].cells
        self.lock = Lock()
        for series in self.series:
            series.first = 0


_process: Final = _Process()


class Series:
    """The values of an instrument for some labels, in `width` cells.

    `first` is the first of them in the slot of this process, 0 until it is used.
    """

    def __init__(self, name: str, labels: Labels, width: int = 1) -> None:
        self.labels, self.first = labels, 0
        self._key, self._width = orjson.dumps([name, *labels]), width
        _process.series.append(self)

    def place(self) -> int:
        """Finds the first cell in the slot of this process."""
        with _process.lock:
            self.first = _process.memory.slots[_process.number].place(self._key, self._width)
        return self.first


class Count(Series):
    """A number that only grows."""

    def add(self, amount: float = 1) -> None:
        """Adds `amount`, which isn't negative."""
        first = self.first or self.place()
        with _process.lock:
            _process.cells[first] += amount


class Level(Series):
    """A number that rises and falls."""

    def set(self, value: float) -> None:
        """Sets what this process has."""
        _process.cells[self.first or self.place()] = value


class Distribution(Series):
    """How often a value was at most each of the bounds of a histogram, and the sum of all values.

    There is a cell for each bound, one for values above all bounds, and one for the sum.
    """

    def __init__(self, histogram: Histogram, labels: Labels) -> None:
        super().__init__(histogram.name, labels, len(histogram.bounds) + 2)
        self._bounds, self._sum = histogram.bounds, len(histogram.bounds) + 1
        self._histogram = histogram

    def observe(self, value: float) -> None:
        """Counts `value`."""
        first = self.first or self.place()
        at = first + bisect_left(self._bounds, value)
        with _process.lock:
            cells = _process.cells
            cells[at] += 1.0
            cells[first + self._sum] += value
        if self._histogram.listener is not None:
            self._histogram.listener(value, self.labels)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Observes how long a `with` block takes, in seconds."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - began)


SeriesT = TypeVar("SeriesT", bound=Series)


class Instrument:
    """A metric: its name, what it means, and the names of its labels."""

    kind = ""

    def __init__(self, name: str, meaning: str, labels: Sequence[str] = ()) -> None:
        self.name, self.meaning, self.labels = name, meaning, tuple(labels)
        _process.instruments[name] = self


class Counted(Instrument, Generic[SeriesT]):
    """A metric with series in the memory of this process."""

    def __init__(self, name: str, meaning: str, labels: Sequence[str] = ()) -> None:
        super().__init__(name, meaning, labels)
        self._series: dict[Labels, SeriesT] = {}

    def of(self, *labels: str) -> SeriesT:
        """The series with these values of the labels. It may be kept, also over a fork."""
        return self._series.get(labels) or self._series.setdefault(labels, self._made(labels))

    def _made(self, labels: Labels) -> SeriesT:
        """A new series."""
        raise NotImplementedError


class Counter(Counted[Count]):
    """A number that only grows."""

    kind = "counter"

    def _made(self, labels: Labels) -> Count:
        return Count(self.name, labels)


class Gauge(Counted[Level]):
    """A number that rises and falls. It is the sum over all processes that live."""

    kind = "gauge"

    def _made(self, labels: Labels) -> Level:
        return Level(self.name, labels)


class Histogram(Counted[Distribution]):
    """How often a value was at most each of `bounds`, and the sum of all values.

    The `listener`, if there is one, gets each value and its labels.
    """

    kind = "histogram"

    def __init__(
        self, name: str, meaning: str, labels: Sequence[str] = (), *, bounds: Sequence[float]
    ) -> None:
        super().__init__(name, meaning, labels)
        self.bounds = tuple(bounds)
        self.listener: Callable[[float, Labels], None] | None = None

    def _made(self, labels: Labels) -> Distribution:
        return Distribution(self, labels)


class Reading(Instrument):
    """A metric whose values are only found out when somebody asks for them."""

    def __init__(
        self, name: str, meaning: str, labels: Sequence[str] = (), *, kind: str = "gauge"
    ) -> None:
        super().__init__(name, meaning, labels)
        self.kind = kind


def instruments() -> list[Instrument]:
    """Every instrument, in the order of their declaration."""
    return list(_process.instruments.values())


def totals() -> Mapping[str, Mapping[Labels, Sequence[float]]]:
    """The cells of each series of each instrument, by name and labels, over all processes."""
    found: dict[str, dict[Labels, Sequence[float]]] = {}
    for key, values in _process.memory.totals().items():
        name, *labels = orjson.loads(key)
        found.setdefault(name, {})[tuple(labels)] = values
    return found


def share(slots: int) -> None:
    """Makes a map that processes forked from this one share with it, with so many slots.

    gunicorn's master calls this before it forks, and keeps the first slot for itself.
    """
    _process.memory = Memory(slots, shared=True)
    _process.free = FreeSlots(range(1, slots))
    _process.enter(0)


def take_slot() -> int | None:
    """In the master, before a fork: the slot for the new process, None if there is none left."""
    return _process.free.take()


def enter_slot(number: int | None) -> None:
    """In a process that was just forked: adds to this slot from now on.

    Without a slot, what the process counts isn't seen. Counters without labels begin with 0, so
    that whoever asks sees their first increase.
    """
    if number is None:
        _process.memory = Memory(1, shared=False)
    _process.enter(number or 0)
    for each in _process.instruments.values():
        if isinstance(each, Counter) and not each.labels:
            each.of().add(0)


def leave_slot(number: int) -> None:
    """In the master, after the end of a process: another one may go on with its slot.

    Counters keep what the process has counted, so that they never go back. Its gauges become 0.
    """
    slot = _process.memory.slots[number]
    for key, first, _ in slot.series():
        if isinstance(_process.instruments.get(orjson.loads(key)[0]), Gauge):
            slot.cells[first] = 0.0
    _process.free.give_back(number)
