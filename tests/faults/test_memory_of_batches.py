"""What a worker keeps of its memory after many large batches at once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.live import JSON, running

HANDS = 500_000
AT_ONCE = 16
MOST = 60.0
"""MB that a worker may keep. It keeps up to 48 if something small lies above free memory, and no
more after further batches; with an arena of malloc for each thread it kept 170."""


def megabytes(pid: int) -> float:
    """The memory of a process that isn't a file's."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Anonymous:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise AssertionError("smaps_rollup has no Anonymous")


def test_memory_is_given_back() -> None:
    """After 16 large batches at once, a worker is hardly larger than after the first one."""
    body = json.dumps({"hands": [[1, 2, 3, 4, 6], [5, 5, 5, 2, 2]] * (HANDS // 2)}).encode()
    with running(WEB_CONCURRENCY="1") as service:

        def batch(_: int) -> int:
            path = "/v1/variants/poker-dice/batch"
            return service.ask("POST", path, body, {"Content-Type": JSON}).status

        (worker,) = service.workers()
        assert batch(0) == 200
        before = megabytes(worker)
        with ThreadPoolExecutor(AT_ONCE) as clients:
            assert {*clients.map(batch, range(AT_ONCE))} == {200}
        kept = megabytes(worker) - before
        print(f"{AT_ONCE} batches of {HANDS} hands at once: the worker keeps {kept:.1f} MB more")
        assert kept < MOST
