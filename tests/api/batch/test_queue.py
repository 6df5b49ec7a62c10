"""How the batches of a worker take turns."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest
from flask import Flask

from service.api.batch.batch import batches
from service.api.batch.queue import BatchQueue
from service.api.batch.view import view
from service.api.http.request_id import ENVIRON
from service.api.operations.registry import operations
from service.settings import Settings
from service.variants import poker_dice
from tests.api.batch.batching import ARROW, SMALL, arrow, columns_of
from tests.live import JSON


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


UNLIKE_THE_FIRST = b'{"hands":[' + b"[1,2,3,4,6],[1.0,2,3,4,6]," * 50_000 + b"[6,6,6,6,6]]}"
EMPTY = arrow(*[[]] * 500, SMALL)


@pytest.mark.parametrize(
    ("media_type", "accepted", "body", "count", "least"),
    [
        (JSON, JSON, UNLIKE_THE_FIRST, 100_001, 3),
        (ARROW, JSON, EMPTY, 2, 500),
        (ARROW, ARROW, EMPTY, 2, 500),
    ],
)
def test_a_large_batch_takes_many_turns(
    media_type: str, accepted: str, body: bytes, count: int, least: int
) -> None:
    """No batch keeps the others waiting until all of its body is read: hands that are
    written in several ways are read in turns, and so are record batches without any hands.
    """
    turns = 0

    def requests() -> int:
        """What the queue asks for at the end of each turn."""
        nonlocal turns
        turns += 1
        return 1

    queue, app = BatchQueue(requests), Flask(__name__)
    operations_of_game = operations([poker_dice.VARIANT])
    (offered,) = batches(operations_of_game, Settings())
    with app.test_request_context(
        offered.path,
        method="POST",
        data=body,
        content_type=media_type,
        headers={"Accept": accepted},
        environ_overrides={ENVIRON: "many-turns"},
    ):
        response = view(offered, queue)()
        assert turns > least
        answer = response.get_data()
    columns = json.loads(answer) if accepted == JSON else columns_of(answer)
    assert len(columns["strength"]) == count
