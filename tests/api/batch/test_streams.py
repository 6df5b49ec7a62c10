"""Batches as streams: clients that read late or never, aborted responses, constant memory."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from service.batch import rank_hands
from tests.api.batch.batching import (
    ANSWER,
    ARROW,
    BODIES,
    CHUNKED,
    GOOD,
    NDJSON,
    SMALL,
    arrow,
    batch,
    head,
    parsed,
    post,
    stream,
    unchunked,
)
from tests.api.operations.posting import violations
from tests.live import JSON, Service, running

LINE = GOOD + b"\n"
LIVEZ = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
CARD = batch("dice-poker")


@contextmanager
def connected(service: Service, buffered: int = 0) -> Iterator[socket.socket]:
    """A connection to the service; `buffered` limits the bytes in transit in either direction."""
    with socket.socket() as raw:
        raw.settimeout(60)
        if buffered:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffered)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffered)
        raw.connect(("127.0.0.1", service.port))
        yield raw


def until_closed(raw: socket.socket) -> bytes:
    """All bytes until the connection is closed, in order or not."""
    received = bytearray()
    with suppress(ConnectionResetError):
        while part := raw.recv(65536):
            received += part
    return bytes(received)


def rolls(batches: int, each: int) -> list[np.ndarray[tuple[int, int], np.dtype[np.uint8]]]:
    """Random rolls of five dice, the same in every run."""
    source = np.random.default_rng(batches)
    return [source.integers(1, 7, (each, 5), np.uint8) for _ in range(batches)]


def sized(media_type: str, body: bytes, path: str, *fields: str) -> bytes:
    """A whole request with its Content-Length."""
    return head(media_type, f"Content-Length: {len(body)}", *fields, path=path) + body


def test_lines_after_a_pause(service: Service) -> None:
    """Lines get responses once all have arrived, in however many parts."""
    with connected(service) as raw:
        raw.sendall(head(NDJSON, CHUNKED))
        for _ in range(3):
            raw.sendall(b"%x\r\n%s\r\n" % (len(LINE), LINE))
        raw.settimeout(0.3)
        with pytest.raises(TimeoutError):
            raw.recv(1)
        raw.settimeout(60)
        raw.sendall(b"0\r\n\r\n")
        reply = parsed(until_closed(raw))
    assert (reply.status, reply.headers["Content-Type"]) == (200, NDJSON)
    assert reply.body == ANSWER * 3


def test_lines_sent_before_any_is_read(service: Service) -> None:
    """A client that reads only after it has sent everything gets everything, beyond any buffer."""
    count = 60_000
    body = LINE.rjust(400) * count
    with connected(service, buffered=65536) as raw:
        raw.sendall(sized(NDJSON, body, batch("poker-dice")))
        reply = parsed(until_closed(raw))
    assert (reply.status, len(reply.body)) == (200, len(ANSWER) * count)
    assert reply.body == ANSWER * count


def test_batches_sent_before_any_is_read(service: Service) -> None:
    """The same holds for an Arrow stream of several record batches."""
    source = np.random.default_rng(7)
    suits = source.permuted(np.tile(np.repeat(range(4), 5), (50_000, 1)), axis=1)[:, :7]
    hands = (suits * 6 + source.integers(0, 6, suits.shape)).astype(np.uint8)
    dice = pa.FixedSizeListArray.from_arrays(pa.array(hands.ravel()), 7)
    body = stream([{"dice": dice}] * 60)
    with connected(service, buffered=65536) as raw:
        raw.sendall(sized(ARROW, body, batch("texas-holdem-dice")))
        reply = parsed(until_closed(raw))
    assert (reply.status, reply.headers["Content-Type"]) == (200, ARROW)
    table = pa.ipc.open_stream(reply.body).read_all()
    expected = rank_hands("texas-holdem-dice", hands)
    ranks = table.column("rank").combine_chunks()
    assert ranks.dictionary.to_pylist() == list(expected.words)
    assert np.array_equal(ranks.indices.to_numpy(), np.tile(expected.rank, 60))
    assert np.array_equal(table.column("strength").to_numpy(), np.tile(expected.strength, 60))


@pytest.mark.fault
def test_a_client_that_never_reads() -> None:
    """If a client never reads, the connection is closed, and the response stays incomplete."""
    with running(ACCESS_LOG="-") as service, connected(service, buffered=65536) as raw:
        raw.sendall(sized(NDJSON, LINE * 200_000, batch("poker-dice")))
        service.output.wait_for("/batch HTTP/1.1")
        _, _, rest = until_closed(raw).partition(b"\r\n\r\n")
        assert rest.count(ANSWER) < 200_000
        assert not rest.endswith(b"\r\n0\r\n\r\n")


def test_a_bad_batch_once_the_answer_has_begun(service: Service) -> None:
    """An error after the first MiB of an Arrow response is logged and cuts the response off."""
    given = rolls(60, 10_000)
    given[59][7, 3] = 9
    body = stream(
        {"dice": pa.FixedSizeListArray.from_arrays(pa.array(each.ravel()), 5)} for each in given
    )
    with connected(service, buffered=65536) as raw:
        raw.sendall(sized(ARROW, body, CARD, "X-Request-ID: cut-off-60"))
        answer, _, rest = until_closed(raw).partition(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")
    begun, ended = unchunked(rest)
    assert (len(begun) > 2**20, ended) == (True, False)
    service.output.wait_for(
        "request cut-off-60: answer broken off: dice/590007/3 must be between 1 and 6"
    )
    assert post(service, arrow(SMALL), ARROW).status == 200


def test_a_bad_batch_before_the_answer_has_begun(service: Service) -> None:
    """An error before the first MiB of an Arrow response is a problem."""
    given = [each.tolist() for each in rolls(3, 1000)]
    given[2][7][3] = 9
    reply = post(service, arrow(*given), ARROW, CARD)
    assert violations(reply, CARD) == [("/dice/2007/3", "must be between 1 and 6")]


@pytest.mark.parametrize(
    ("media_type", "body", "status"),
    [
        *((media_type, body, 200) for media_type, body in BODIES.items()),
        (JSON, b'{"hands": [[1,2', 400),
        (ARROW, arrow(SMALL) + b"x" * 99, 400),
    ],
)
def test_the_next_request_of_a_connection(
    service: Service, media_type: str, body: bytes, status: int
) -> None:
    """A request right after a batch on the same connection gets its response."""
    sent = sized(media_type, body, batch("poker-dice"))
    received = service.send(sent.replace(b"Connection: close\r\n", b"") + LIVEZ)
    first, second = map(parsed, re.split(rb"(?=HTTP/1\.1 )", received)[1:])
    assert (second.status, second.json) == (200, {"status": "ok"})
    assert first.status == status
    assert status == 400 or first.body == post(service, body, media_type).body


def worker_of(service: Service) -> Path:
    """The folder in /proc of the only worker of a service that has responded."""
    assert service.get("/livez").status == 200
    (worker,) = service.workers()
    return Path(f"/proc/{worker}")


def peak(worker: Path, work: Callable[[], None]) -> tuple[int, int]:
    """The peak memory of a worker before and during `work`, in bytes."""

    def most() -> int:
        found = re.search(r"VmHWM:\s+(\d+) kB", (worker / "status").read_text())
        assert found
        return int(found[1]) * 1024

    (worker / "clear_refs").write_text("5")
    before = most()
    work()
    return before, most()


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


@on_linux
@pytest.mark.proof
def test_memory_of_lines() -> None:
    """Many times as many lines take no more memory, however the client reads."""
    lines = 200_000
    with running() as service:
        worker = worker_of(service)

        def answered(count: int) -> None:
            with connected(service, buffered=65536) as raw:
                raw.sendall(sized(NDJSON, LINE * count, batch("poker-dice")))
                assert parsed(until_closed(raw)).body == ANSWER * count

        answered(2_000)
        _, few = peak(worker, lambda: answered(2_000))
        _, many = peak(worker, lambda: answered(lines))
    assert many - few < lines * 150  # the bytes of their answers


@on_linux
@pytest.mark.proof
def test_memory_of_many_hands() -> None:
    """Many hands in JSON take less memory than six times their body."""
    hands = 1_000_000
    body = b'{"hands":[' + b",".join([b"[1,2,3,4,6]"] * hands) + b"]}"

    def answered(service: Service, sent: bytes, count: int) -> None:
        reply = post(service, sent)
        assert (reply.status, reply.json["count"]) == (200, count)
        assert reply.json["strength"] == [175] * count

    with running() as service:
        worker = worker_of(service)
        answered(service, b'{"hands":[[1,2,3,4,6]]}', 1)
        before, most = peak(worker, lambda: answered(service, body, hands))
    assert most - before < 6 * len(body)
