"""Counters, gauges and histograms: threads, and processes that end and begin."""

from __future__ import annotations

import sys
from threading import Thread

from service.metrics.declared import HANDS, REQUESTS, declared
from service.metrics.instruments import LATENCY, totals
from tests.cli.commands import ran, said


def test_threads() -> None:
    """Additions of several threads are all counted."""
    labels = ("threads",)

    def add() -> None:
        for _ in range(20_000):
            HANDS.of(*labels).add()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [Thread(target=add) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert totals()[HANDS.name][labels] == [80_000]


def test_buckets() -> None:
    """A value counts in the bucket of the least bound that isn't below it."""
    labels = ("GET", "/buckets", "200")
    for seconds in (0.0, LATENCY[0], LATENCY[1], LATENCY[-1], LATENCY[-1] + 1):
        REQUESTS.of(*labels).observe(seconds)
    *buckets, total = totals()[REQUESTS.name][labels]
    assert buckets == [2, 1, *[0] * (len(LATENCY) - 3), 1, 1]
    assert total == LATENCY[0] + LATENCY[1] + 2 * LATENCY[-1] + 1


PROCESSES = """
import os
from service.metrics import instruments
from service.metrics.declared import CONNECTIONS, HANDS

def process(amount, ends):
    slot = instruments.take_slot()
    pid = os.fork()
    if not pid:
        instruments.enter_slot(slot)
        HANDS.of("dice-poker").add(amount)
        CONNECTIONS.of().set(amount)
        os._exit(0)
    os.waitpid(pid, 0)
    if ends and slot is not None:
        instruments.leave_slot(slot)
    return slot

instruments.share(3)
HANDS.of("dice-poker").add()
slots = [process(10, True), process(20, False), process(40, True), process(80, False)]
slots.append(process(160, True))
print(slots, dict(instruments.totals()))
"""


def test_processes() -> None:
    """Counters keep what ended processes have counted, and gauges forget it; slots are used again.
    A counter without labels begins with 0.

    A process without a slot works, and isn't counted.
    """
    found = {
        "dice_hands_evaluated_total": {("dice-poker",): [151.0]},
        "dice_log_lines_lost_total": {(): [0.0]},
        "dice_connections": {(): [100.0]},
    }
    assert said(ran(program=PROCESSES)) == (0, f"{[1, 1, 2, 2, None]} {found}\n", "")


FULL = """
import os
from service.metrics import instruments
from service.metrics.declared import CONNECTIONS, HANDS

instruments.share(2)
HANDS.of("dice-poker").add(7)
slot = instruments.take_slot()
pid = os.fork()
if not pid:
    instruments.enter_slot(slot)
    for labels in ("a" * 1000, *map(str, range(2000))):
        HANDS.of(labels).add()
    CONNECTIONS.of().set(3)
    os._exit(0)
os.waitpid(pid, 0)
found = dict(instruments.totals()["dice_hands_evaluated_total"])
print(found.pop(("dice-poker",)), 1000 < len(found) < 2000, set(map(tuple, found.values())))
"""


def test_full_slot() -> None:
    """What doesn't fit into the slot of a process is left out, and disturbs nothing."""
    assert said(ran(program=FULL)) == (0, "[7.0] True {(1.0,)}\n", "")


def test_declarations() -> None:
    """Names follow Prometheus' rules: the unit of a duration, and `_total` of a counter."""
    for each in declared():
        assert each.name.startswith("dice_")
        assert each.name.endswith("_total") == (each.kind == "counter")
        assert ("duration" in each.name) == each.name.endswith("_seconds")
        assert each.meaning.endswith(".")
