"""Batches over HTTP: hands per second beside what reading and ranking cost without a server.

One gunicorn worker on one core, this program on another. Whatever is compared takes turns in one
run; ratios are medians. Memory is the worker's own peak, as the kernel counts it.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import socket
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import eval7
import msgspec
import numpy as np
import orjson
import pyarrow as pa
from numpy.typing import NDArray

from service.api.batch.batch import ARROW, NDJSON
from service.api.http.bodies import JSON
from service.batch import rank_hands
from service.variants import variants
from tests.live import Service, running

MILLION = 1_000_000
SOME = 300_000
ARROW_HANDS = 10_000_000
RUNS = 5
BATCH = 1 << 16
EVALUATED = 1500

source = np.random.default_rng(4)


def rolls(count: int, dice: int) -> NDArray[np.uint8]:
    """Random rolls of plain dice."""
    return source.integers(1, 7, (count, dice)).astype(np.uint8)


def tables(count: int) -> NDArray[np.uint8]:
    """Random codes of seven suited dice out of twenty."""
    suits = np.argsort(source.random((count, 20), dtype=np.float32), axis=1)[:, :7] // 5
    return (6 * suits + source.integers(0, 6, (count, 7))).astype(np.uint8)


@contextmanager
def serving(**settings: str) -> Iterator[Service]:
    """A service whose workers share one core; this program takes the other."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:1])
    with running(MAX_BATCH_BYTES=str(2**40), **settings) as service:
        os.sched_setaffinity(0, cores[1:] or cores)
        try:
            yield service
        finally:
            os.sched_setaffinity(0, cores)


def peak_megabytes(worker: int) -> float:
    """The most memory that `worker` had at any time."""
    status = Path(f"/proc/{worker}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def forget_peak(worker: int) -> None:
    """Resets the peak."""
    Path(f"/proc/{worker}/clear_refs").write_text("5")


def ask(service: Service, variant: str, media_type: str, body: bytes) -> tuple[float, int]:
    """Seconds from the first byte sent to the last received, and how many those were."""
    head = (
        f"POST /v1/variants/{variant}/batch HTTP/1.1\r\nHost: localhost\r\n"
        f"Content-Type: {media_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        started = time.perf_counter()
        sender = threading.Thread(target=send, args=(connection, head.encode(), body))
        sender.start()
        received = drain(connection)
        seconds = time.perf_counter() - started
        sender.join()
    return seconds, received


def drain(connection: socket.socket) -> int:
    """Reads one answer in chunks, and returns its bytes."""
    buffer = memoryview(bytearray(1 << 18))
    received = size = connection.recv_into(buffer)
    begin, end = bytes(buffer[:15]), bytes(buffer[max(size - 7, 0) : size])
    while size and end != b"\r\n0\r\n\r\n":
        size = connection.recv_into(buffer)
        end = (end + buffer[max(size - 7, 0) : size])[-7:]
        received += size
    if begin != b"HTTP/1.1 200 OK" or not size:
        raise ValueError(f"{begin!r}, ended by {end!r}")
    return received


def send(connection: socket.socket, *parts: bytes) -> None:
    """Sends all of `parts`."""
    for part in parts:
        connection.sendall(part)


def arrow(hands: NDArray[np.uint8]) -> bytes:
    """`hands` as an Arrow stream."""
    size = hands.shape[1]
    schema = pa.schema([("dice", pa.list_(pa.uint8(), size))])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as stream:
        for start in range(0, len(hands), BATCH):
            dice = pa.array(hands[start : start + BATCH].ravel())
            lists = pa.FixedSizeListArray.from_arrays(dice, size)
            stream.write_batch(pa.record_batch([lists], schema=schema))
    data: bytes = sink.getvalue().to_pybytes()
    return data


def lines(variant: str, count: int) -> bytes:
    """Random requests of `evaluate`, a line each."""
    if variant == "texas-holdem-dice":
        notation = np.array([f'"{n}{s}"' for s in "rbwy" for n in range(1, 7)])
        made = [
            f'{{"pocket":[{",".join(hand[:2])}],"community":[{",".join(hand[2:])}]}}'
            for hand in notation[tables(count)].tolist()
        ]
    else:
        size = variants()[variant].dice.count
        made = [f'{{"dice":{hand}}}'.replace(" ", "") for hand in rolls(count, size).tolist()]
    return "\n".join(made).encode()


Roll = Annotated[
    list[Annotated[int, msgspec.Meta(ge=1, le=6)]], msgspec.Meta(min_length=5, max_length=5)
]
"""A roll of `poker-dice`, every die checked while it is parsed."""


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def eval7_seconds(hands: int) -> float:
    """How long eval7, called from Python, takes for so many hands that are its cards already."""
    deck = eval7.Deck().cards
    prebuilt = [random.sample(deck, 5) for _ in range(hands)]

    def loop() -> None:
        for hand in prebuilt:
            eval7.evaluate(hand)

    return timed(loop)


def json_rates(service: Service) -> None:
    """A million hands as JSON, beside eval7's loop and typed parsing."""
    hands = rolls(MILLION, 5)
    body = orjson.dumps({"hands": hands.tolist()})
    decoder = msgspec.json.Decoder(dict[str, list[Roll]])
    ranked = rank_hands("poker-dice", hands)
    columns = {"rank": ranked.ranks(), "strength": ranked.strength.tolist()}

    def typed() -> None:
        decoder.decode(body)
        orjson.dumps(columns)

    ask(service, "poker-dice", JSON, body)
    found = [
        (ask(service, "poker-dice", JSON, body)[0], eval7_seconds(MILLION), timed(typed))
        for _ in range(RUNS)
    ]
    own, peer, alone = (statistics.median(times) for times in zip(*found, strict=True))
    faster = statistics.median(times[1] / times[0] for times in found)
    slower = statistics.median(times[0] / times[2] for times in found)
    print(
        f"JSON, a million poker-dice: {1 / own:.1f} M hands/s; eval7, prebuilt, "
        f"{1 / peer:.1f} M/s: {faster:.1f} times; typed parsing and writing alone {alone:.2f} s: "
        f"{slower:.2f} of it"
    )
    worker = service.workers()[0]
    forget_peak(worker)
    before = peak_megabytes(worker)
    ask(service, "poker-dice", JSON, body)
    more = (peak_megabytes(worker) - before) * 2**20 / len(body)
    print(f"JSON, worker's memory beyond {before:.0f} MB: {more:.1f} times the body")


def arrow_rates(service: Service) -> None:
    """Arrow streams, in million hands per second."""
    made = {
        "poker-dice": rolls(ARROW_HANDS, 5),
        "dice-poker": rolls(ARROW_HANDS, 5),
        "yahtzee-deluxe": rolls(ARROW_HANDS, 6),
        "texas-holdem-dice": tables(MILLION),
    }
    for variant, hands in made.items():
        body = arrow(hands)
        ask(service, variant, ARROW, body)
        found = [(*ask(service, variant, ARROW, body), eval7_seconds(SOME)) for _ in range(RUNS)]
        rates = sorted(len(hands) / seconds / 1e6 for seconds, _, _ in found)
        faster = statistics.median(
            len(hands) / seconds / (SOME / peer) for seconds, _, peer in found
        )
        size = found[0][1] / len(hands)
        print(
            f"Arrow, {variant}: {statistics.median(rates):.1f} M hands/s ({rates[0]:.1f} to "
            f"{rates[-1]:.1f}), {faster:.0f} times eval7's loop; {size:.0f} bytes back each"
        )


def line_rates(service: Service) -> None:
    """NDJSON, in thousand lines per second, and what memory a long request takes."""
    for variant in ("poker-dice", "dice-poker", "yahtzee-deluxe", "texas-holdem-dice"):
        body = lines(variant, 200_000)
        ask(service, variant, NDJSON, body)
        rates = [0.2 / ask(service, variant, NDJSON, body)[0] for _ in range(RUNS)]
        print(f"NDJSON, {variant}: {statistics.median(rates) * 1000:.0f} thousand lines/s")
    few, many = lines("poker-dice", 10_000), lines("poker-dice", 2_000_000)
    peaks = []
    worker = service.workers()[0]
    for body in (few, many):
        forget_peak(worker)
        ask(service, "poker-dice", NDJSON, body)
        peaks.append(peak_megabytes(worker))
    print(
        f"NDJSON, worker's peak: {peaks[0]:.0f} MB with 10,000 lines, "
        f"{peaks[1]:.0f} MB with 2,000,000"
    )


def worker_of(connection: socket.socket, pids: list[int]) -> int:
    """Which of the processes `pids` holds the other end of `connection`."""
    ours, theirs = (
        f"{side[1]:04X}" for side in (connection.getsockname(), connection.getpeername())
    )
    for row in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = row.split()
        if fields[1].endswith(f":{theirs}") and fields[2].endswith(f":{ours}"):
            wanted = f"socket:[{fields[9]}]"
            for pid in pids:
                held = [os.readlink(path) for path in Path(f"/proc/{pid}/fd").iterdir()]
                if wanted in held:
                    return pid
    raise LookupError("nobody holds the other end")


def connected(service: Service, pids: list[int]) -> dict[int, socket.socket]:
    """A connection to each of the workers `pids`."""
    found: dict[int, socket.socket] = {}
    while len(found) < len(pids):
        connection = socket.create_connection(("127.0.0.1", service.port))
        evaluate(connection)
        if found.setdefault(worker_of(connection, pids), connection) is not connection:
            connection.close()
    return found


def evaluate(connection: socket.socket) -> float:
    """Seconds for one `evaluate`."""
    body = b'{"dice":[1,2,3,4,6]}'
    head = b"POST /v1/variants/poker-dice/evaluate HTTP/1.1\r\nHost: localhost\r\n"
    length = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    started = time.perf_counter()
    connection.sendall(head + length + body)
    answer = b""
    while not answer.endswith(b"}"):
        answer += connection.recv(65536)
    return time.perf_counter() - started


def chew(connection: socket.socket, body: bytes, begun: Any, enough: Any) -> None:
    """Requests a million hands repeatedly, until it is stopped."""
    head = b"POST /v1/variants/poker-dice/batch HTTP/1.1\r\nHost: localhost\r\n"
    length = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    while not enough.is_set():
        send(connection, head, length, body)
        begun.set()
        drain(connection)


def patience() -> None:
    """How long single requests take while the other worker answers a million hands."""
    body = orjson.dumps({"hands": rolls(MILLION, 5).tolist()})
    times: dict[bool, list[float]] = {False: [], True: []}
    with running(WEB_CONCURRENCY="2") as service:
        while len(pids := service.workers()) < 2:
            service.get("/livez")
        busy, other = connected(service, pids).values()
        for _ in range(RUNS):
            times[False] += [evaluate(other) for _ in range(EVALUATED)]
            begun, enough = multiprocessing.Event(), multiprocessing.Event()
            chewing = multiprocessing.Process(target=chew, args=(busy, body, begun, enough))
            chewing.start()
            begun.wait()
            times[True] += [evaluate(other) for _ in range(EVALUATED)]
            enough.set()
            chewing.join()
    idle, pressed = (
        statistics.quantiles(times[which], n=100)[98] * 1000 for which in (False, True)
    )
    print(
        f"evaluate while the other worker answers a million hands: p99 {pressed:.1f} ms, "
        f"idle {idle:.1f} ms: {pressed / idle:.1f} times"
    )


def main() -> None:
    """Prints all figures, or those named."""
    parts: dict[str, Callable[[Service], Any]] = {
        "json": json_rates,
        "arrow": arrow_rates,
        "lines": line_rates,
    }
    for name in sys.argv[1:] or [*parts, "patience"]:
        if name == "patience":
            patience()
        else:
            with serving() as service:
                parts[name](service)


if __name__ == "__main__":
    main()
