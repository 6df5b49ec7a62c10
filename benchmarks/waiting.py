"""What a thousand devices that wait for their sessions cost others: the rate of `evaluate` beside
them, in the same two workers.

Two services alternate in short blocks: at one of them a thousand devices wait, in 250 sessions,
and ask again when their 20 seconds are over; at the other nobody does. The ratio is the median of
the ratios of neighbouring blocks. The first waits differ in length, so that they don't all end at
once. The devices are a process of their own; what it takes itself is printed, too, because it runs
on the same machine.
"""

from __future__ import annotations

import os
import random
import socket
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing import Process

from benchmarks.evaluate_over_http import plain, rate, request
from tests.api.sessions.playing import UNTIMED, make
from tests.faults.devices import Devices, wait_request, waiting_clients
from tests.live import Reply, Service, running
from tests.sessions.servers import until

SESSIONS = 250
DEVICES = 4
WAIT = 20
CONNECTIONS = 8
BLOCK = 1000
BLOCKS = 40

source = random.Random(3)

_TICKS = os.sysconf("SC_CLK_TCK")


def wait_again(port: int, first: Sequence[bytes], then: Sequence[bytes]) -> None:
    """Has all devices wait, and each again when its wait is over; never returns."""
    devices = Devices(port, first)

    def again(device: int, reply: Reply) -> None:
        if reply.status != 304:
            raise ValueError(f"not a wait that is over: {reply}")
        devices.ask(device, then[device])

    while True:
        devices.receive(60, again)


def processor_seconds(pids: Sequence[int]) -> float:
    """How long some processes have computed."""
    seconds = 0.0
    for pid in pids:
        with open(f"/proc/{pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) / _TICKS
    return seconds


def private(pids: Sequence[int]) -> int:
    """The memory that some processes share with no other, in KiB."""
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/smaps_rollup") as maps:
            total += sum(int(line.split()[1]) for line in maps if line.startswith("Private_"))
    return total


def share(pids: Sequence[int]) -> float:
    """The part of a core that some processes take, in the time of a wait."""
    before, began = processor_seconds(pids), time.monotonic()
    time.sleep(WAIT)
    return (processor_seconds(pids) - before) / (time.monotonic() - began)


@contextmanager
def waiting(service: Service) -> Iterator[Process]:
    """A process of `DEVICES` devices for each of `SESSIONS` sessions, all of which wait."""
    sessions = [
        make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED) for _ in range(SESSIONS)
    ] * DEVICES
    first = [wait_request(session, 1, source.randint(1, WAIT)) for session in sessions]
    then = [wait_request(session, 1, WAIT) for session in sessions]
    devices = Process(target=wait_again, args=(service.port, first, then), daemon=True)
    devices.start()
    try:
        until(lambda: waiting_clients(service) == SESSIONS * DEVICES, "all wait", 60)
        yield devices
        assert devices.is_alive()
    finally:
        devices.kill()
        devices.join()


def main() -> None:
    """Prints the rates and their ratio, and what the devices take."""
    print(f"evaluate beside {SESSIONS * DEVICES} devices that wait (median of {BLOCKS} blocks)")
    asks = [request("/v1/variants/poker-dice/evaluate", plain(5)) for _ in range(BLOCK)]
    with ExitStack() as stack:
        waited, alone = (stack.enter_context(running(WEB_CONCURRENCY="2")) for _ in range(2))
        memory = private(waited.workers())
        devices = stack.enter_context(waiting(waited))
        added = (private(waited.workers()) - memory) / (SESSIONS * DEVICES)
        print(f"memory          {added:6.1f} KiB a device")
        print(f"processor time  {share(waited.workers()):6.1%} of a core while nothing changes")
        print(f"of the devices  {share([devices.pid or 0]):6.1%}")
        connected = [
            [
                stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
                for _ in range(CONNECTIONS)
            ]
            for service in (waited, alone)
        ]
        for each in connected:
            rate(each, asks)
        pairs = [(rate(connected[0], asks), rate(connected[1], asks)) for _ in range(BLOCKS)]
    ratio = statistics.median(one / other for one, other in pairs)
    one, other = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    print(f"poker-dice      {one:6.0f}/s   without {other:6.0f}/s   ratio {ratio:.3f}")


if __name__ == "__main__":
    main()
