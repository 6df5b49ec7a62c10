"""Counters, gauges and histograms. Adding to one takes less than a microsecond.

The threads of a process share its slot. A lock keeps their additions apart.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock

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
        self.lock = Lock()

    def enter(self, number: int) -> None:
        """Adds to the slot with this number from now on."""
        self.number = number
        self.cells = self.memory.slots[number].cells
        self.lock = Lock()
        for instrument in self.instruments.values():
            instrument.first.clear()


_process = _Process()


class Instrument:
    """A metric: its name, what it means, and the names of its labels.

    `first` has the first cell of each series in the slot of this process.
    """

    kind = ""

    def __init__(self, name: str, meaning: str, labels: Sequence[str] = ()) -> None:
        self.name, self.meaning, self.labels = name, meaning, tuple(labels)
        self.first: dict[Labels, int] = {}
        _process.instruments[name] = self

    @property
    def width(self) -> int:
        """How many cells a series takes."""
        return 1

    def _place(self, labels: Labels) -> int:
        """The first cell of a series that this process hasn't used yet."""
        key = orjson.dumps([self.name, *labels])
        with _process.lock:
            first = _process.memory.slots[_process.number].place(key, self.width)
            self.first[labels] = first
        return first


class Counter(Instrument):
    """A number that only grows."""

    kind = "counter"

    def add(self, amount: float = 1, *labels: str) -> None:
        """Adds `amount`, which isn't negative."""
        first = self.first.get(labels) or self._place(labels)
        with _process.lock:
            _process.cells[first] += amount


class Gauge(Instrument):
    """A number that rises and falls. It is the sum over all processes that live."""

    kind = "gauge"

    @contextmanager
    def held(self, *labels: str) -> Iterator[None]:
        """Counts one more during the `with` block."""
        self._change(1, labels)
        try:
            yield
        finally:
            self._change(-1, labels)

    def set(self, value: float, *labels: str) -> None:
        """Sets what this process has."""
        first = self.first.get(labels) or self._place(labels)
        _process.cells[first] = value

    def _change(self, amount: int, labels: Labels) -> None:
        first = self.first.get(labels) or self._place(labels)
        with _process.lock:
            _process.cells[first] += amount


class Histogram(Instrument):
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

    @property
    def width(self) -> int:
        """A cell for each bound, one for values above all bounds, and one for the sum."""
        return len(self.bounds) + 2

    def observe(self, value: float, *labels: str) -> None:
        """Counts `value`."""
        first = self.first.get(labels) or self._place(labels)
        at = first + bisect_left(self.bounds, value)
        total = first + len(self.bounds) + 1
        with _process.lock:
            _process.cells[at] += 1
            _process.cells[total] += value
        if self.listener is not None:
            self.listener(value, labels)

    def timed(self, *labels: str) -> Timed:
        """A context that observes how long its block takes."""
        return Timed(self, labels)


class Timed:
    """Observes how long a `with` block takes, in seconds."""

    def __init__(self, histogram: Histogram, labels: Labels) -> None:
        self._histogram, self._labels = histogram, labels

    def __enter__(self) -> None:
        self._began = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._histogram.observe(time.perf_counter() - self._began, *self._labels)


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

    Without a slot, what the process counts isn't seen.
    """
    if number is None:
        _process.memory = Memory(1, shared=False)
    _process.enter(number or 0)


def leave_slot(number: int) -> None:
    """In the master, after the end of a process: another one may go on with its slot.

    Counters keep what the process has counted, so that they never go back. Its gauges become 0.
    """
    slot = _process.memory.slots[number]
    for key, first, _ in slot.series():
        if isinstance(_process.instruments.get(orjson.loads(key)[0]), Gauge):
            slot.cells[first] = 0.0
    _process.free.give_back(number)
