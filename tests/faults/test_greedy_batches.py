"""Expensive batches of little use: where they end, and that others are answered before them."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import random
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

import pytest

from tests.api.batch.batching import NDJSON, batch, head, post
from tests.live import Service, running
from tests.sessions.servers import until
from tests.worker import raw

MEBIBYTE = 2**20
CLIENTS = 20
CONNECTIONS = 8
ASKED = 25
"""How many rolls each connection evaluates."""

RANKS = "2346789JQKA"
FACES = [*(f"{rank}s" for rank in RANKS), "5h", "Th"]
"""A turn that takes a tenth of a second to search."""


def crosswords(count: int) -> bytes:
    """So many hard turns, each in another order."""
    source = random.Random(3)
    turns = [{"rolls": [source.sample(FACES, len(FACES))]} for _ in range(count)]
    return b"".join(json.dumps(turn).encode() + b"\n" for turn in turns)


GREEDY: dict[str, tuple[str, bytes, str]] = {
    "blank lines": ("poker-dice", gzip.compress(b"\n" * (64 * MEBIBYTE)), "gzip"),
    "no JSON": ("poker-dice", b"{\n" * (30 * MEBIBYTE), "identity"),
    "wrong dice": ("poker-dice", b'{"dice":[1,2,3,4,7]}\n' * (60 * MEBIBYTE // 21), "identity"),
    "crosswords": ("roll-a-royal", crosswords(600), "identity"),
    "right dice": ("poker-dice", b'{"dice":[1,2,3,4,6]}\n' * (20 * MEBIBYTE // 21), "identity"),
}
"""Variant, body and Content-Encoding."""


def processor_seconds(service: Service) -> float:
    """The CPU seconds that the workers of `service` have used."""
    ticks = 0
    for worker in service.workers():
        fields = Path(f"/proc/{worker}/stat").read_text().rpartition(") ")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("kind", GREEDY)
def test_what_a_batch_takes(kind: str) -> None:
    """A batch of little use ends early. What it took of a core is printed, not judged."""
    variant, body, encoding = GREEDY[kind]
    with running() as service:
        service.post(f"/v1/variants/{variant}/evaluate", {})
        before = processor_seconds(service)
        reply = post(service, body, NDJSON, batch(variant), Content_Encoding=encoding)
        taken = processor_seconds(service) - before
    print(f"{kind}: {taken:.2f} s of a core for {len(body) / MEBIBYTE:.2f} MB")
    lines = reply.body.splitlines()
    last = json.loads(lines[-1])
    if kind == "right dice":
        assert (len(lines), last["rank"]) == (body.count(b"\n"), "small_straight")
    else:
        assert last["detail"].startswith("The batch ends here")
        assert (last["line"], last["status"]) == (len(lines), 413 if kind == "crosswords" else 422)
        assert len(lines) < 20 if kind == "crosswords" else len(lines) == 1_001


EMPTY = {
    "lines in a chunk": (
        f"{NDJSON}\r\nTransfer-Encoding: chunked",
        b"1000000\r\n" + b"\r\n" * 2**23,
    ),
    "lines before a request": ("", b"\r\n" * 2**23),
    "members of a gzip": (
        f"{NDJSON}\r\nContent-Encoding: gzip\r\nContent-Length: {2**20 * 20}",
        gzip.compress(b"") * 2**20,
    ),
}
"""Headers from the media type on, none for no request, and 16 or 20 MiB that hold nothing."""


@pytest.mark.parametrize("kind", EMPTY)
def test_what_nothing_takes(kind: str) -> None:
    """Megabytes without content don't stay in memory, and others are answered meanwhile."""
    headers, body = EMPTY[kind]
    with running() as service:
        service.get("/livez")
        (worker,) = service.workers()
        before, at_first = processor_seconds(service), resident_bytes(worker)
        with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
            if headers:
                connection.sendall(head(headers, path=batch("poker-dice")))
            connection.sendall(body)
            while "gzip" in kind and connection.recv(1 << 16):
                pass
            assert service.get("/livez").status == 200
            taken = processor_seconds(service) - before
            grown = resident_bytes(worker) - at_first
    print(f"{kind}: {taken:.2f} s of a core and {grown / MEBIBYTE:.0f} MB for 16 or 20 MB")
    assert grown < 12 * MEBIBYTE


def resident_bytes(process: int) -> int:
    """The memory that a process uses."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def ask(port: int) -> list[float]:
    """Evaluates `ASKED` rolls one after another; the seconds of each."""
    times: list[float] = []
    with raw.connected(port) as client:
        for _ in range(ASKED):
            started = time.monotonic()
            client.send(raw.post())
            assert client.reply().status == 200
            times.append(time.monotonic() - started)
    return times


def asked(service: Service) -> list[float]:
    """The seconds of `ASKED` single requests over each of `CONNECTIONS`, sorted."""
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        each = pool.map(ask, [service.port] * CONNECTIONS)
        return sorted(seconds for times in each for seconds in times)


def send_on(port: int, request: bytes, answered: Synchronized[int]) -> None:
    """Sends `request` repeatedly over new connections, and reads all responses."""
    while True:
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", port), timeout=120) as connection,
        ):
            sender = threading.Thread(target=send, args=(connection, request))
            sender.start()
            while connection.recv(1 << 18):
                pass
            with answered:
                answered.value += 1
            sender.join()


def send(connection: socket.socket, request: bytes) -> None:
    """Sends `request`, as far as the service receives it."""
    with suppress(OSError):
        connection.sendall(request)


def flood(port: int, kind: str, answered: Synchronized[int]) -> None:
    """`CLIENTS` clients that send such batches again and again."""
    variant, body, encoding = GREEDY[kind]
    fields = [f"Content-Length: {len(body)}", f"Content-Encoding: {encoding}"]
    request = head(NDJSON, *fields, path=batch(variant)) + body
    clients = [
        threading.Thread(target=send_on, args=(port, request, answered)) for _ in range(CLIENTS)
    ]
    for client in clients:
        client.start()


@contextmanager
def flooded(service: Service, kind: str) -> Iterator[Synchronized[int]]:
    """A service to which greedy clients in another process send batches; how many were answered."""
    spawning = multiprocessing.get_context("spawn")
    answered: Synchronized[int] = spawning.Value("i")
    process = spawning.Process(target=flood, args=(service.port, kind, answered))
    process.start()
    try:
        until(lambda: answered.value > 0, "a batch is answered")
        yield answered
    finally:
        process.kill()
        process.join()


@pytest.mark.parametrize("kind", GREEDY)
def test_what_others_are_left(kind: str) -> None:
    """Beside twenty such clients, more single requests are answered than batches.

    If all batches computed at once, or one after the other before what came later, it would be the
    other way round (see `tests/api/batch/test_queue.py`). Times are printed, not judged.
    """
    with running(WEB_CONCURRENCY="2") as service:
        usual = asked(service)
        with flooded(service, kind) as batches:
            before = batches.value
            pressed = asked(service)
            answered = batches.value - before
    slow, slower = (times[len(times) * 99 // 100] * 1000 for times in (usual, pressed))
    print(
        f"{kind}: 99 in 100 within {slow:.0f} ms alone; beside {CLIENTS} clients {slower:.0f} ms, "
        f"and {answered} of their batches were answered before {len(pressed)} single requests"
    )
    assert answered < len(pressed)
