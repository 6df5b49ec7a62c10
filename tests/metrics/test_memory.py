"""The memory map: series of several processes, and slots that are used again."""

from __future__ import annotations

from service.metrics.memory import SLOT_BYTES, FreeSlots, Memory


def test_totals() -> None:
    """The cells of a series are added up over all slots, whatever the order in each."""
    memory = Memory(3, shared=False)
    first, second, _ = memory.slots
    first.cells[first.place(b"one", 1)] = 2.0
    first.cells[first.place(b"a longer key", 2) + 1] = 5.0
    second.cells[second.place(b"a longer key", 2)] = 1.0
    second.cells[second.place(b"one", 1)] = 3.0
    assert memory.totals() == {b"one": [5.0], b"a longer key": [1.0, 5.0]}


def test_series_are_found_again() -> None:
    """A process that takes over a slot goes on with the series that are there."""
    slot = Memory(1, shared=False).slots[0]
    places = {key: slot.place(key, 3) for key in (b"a", b"12345678", b"123456789")}
    assert {key: slot.place(key, 3) for key in places} == places
    assert list(slot.series()) == [(key, first, 3) for key, first in places.items()]


def test_full_slot() -> None:
    """What doesn't fit into a slot is left out, and disturbs nothing."""
    memory = Memory(2, shared=False)
    slot, neighbour = memory.slots
    neighbour.cells[neighbour.place(b"other", 1)] = 7.0
    most = SLOT_BYTES // 4096
    for number in range(most):
        first = slot.place(b"%04000d" % number, 60)
        slot.cells[first] = slot.cells[first + 59] = 1.0
    totals = memory.totals()
    assert totals.pop(b"other") == [7.0]
    assert most / 2 < len(totals) < most
    assert {(cells[0], sum(cells)) for cells in totals.values()} == {(1.0, 2.0)}


def test_free_slots() -> None:
    """The lowest free slot is given first, one that was given back included; then none."""
    free = FreeSlots(range(1, 4))
    assert [free.take() for _ in range(4)] == [1, 2, 3, None]
    free.give_back(3)
    free.give_back(1)
    assert [free.take() for _ in range(3)] == [1, 3, None]
