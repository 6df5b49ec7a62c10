"""How the batches of a worker take turns."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from service.api.batch.queue import BatchQueue


def test_one_computes_at_a_time() -> None:
    """Of ten simultaneous batches, only one computes at a time; each yields all its parts."""
    queue = BatchQueue(lambda: 0)
    computing: list[int] = []
    most: list[int] = []
    got: dict[int, list[int]] = {}

    def made(batch: int) -> Iterator[int]:
        for part in range(50):
            computing.append(batch)
            most.append(len(computing))
            sum(range(1_000))
            computing.remove(batch)
            yield part

    def answer(batch: int) -> None:
        got[batch] = list(queue.parts(made(batch)))

    threads = [threading.Thread(target=answer, args=(batch,)) for batch in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert set(most) == {1}
    assert got == {batch: list(range(50)) for batch in range(10)}


def test_a_turn_is_given_back_between_parts() -> None:
    """Other batches compute while a part is sent."""
    queue = BatchQueue(lambda: 0)
    others: list[bytes] = []
    for part in queue.parts([b"a", b"b"]):
        with queue.turn():
            others.append(part.upper())
    assert others == [b"A", b"B"]


def test_a_turn_is_given_back_after_a_violation() -> None:
    """An error in a turn is raised and ends the turn."""
    queue = BatchQueue(lambda: 0)

    def broken() -> Iterator[bytes]:
        yield b"a"
        raise ValueError("broken off")

    parts = queue.parts(broken())
    assert next(parts) == b"a"
    with pytest.raises(ValueError, match="broken off"):
        next(parts)
    with queue.turn():
        pass


def test_batches_rest_while_others_ask() -> None:
    """A batch rests after a turn if other requests arrived meanwhile."""
    requests = 1
    rests: list[float] = []
    queue = BatchQueue(lambda: requests, rests.append)
    queue.count_batch()
    list(queue.parts(range(3)))
    assert rests == []
    requests += 1
    list(queue.parts(range(3)))
    assert len(rests) == 1
    requests += 1
    queue.count_batch()
    list(queue.parts(range(3)))
    assert len(rests) == 1
