"""What docs/operations.md, Sizing, says of the memory that a service needs."""

from __future__ import annotations

from service.settings import Settings
from service.worker.fairness import MAX_LARGE_BYTES
from service.worker_hooks import BATCH_THREADS

WORKER_BYTES = 100_000_000
TAKEN_BATCH_BYTES = 5_000_000

_FACTORS = {"m": 1 << 20, "g": 1 << 30, "Mi": 1 << 20, "Gi": 1 << 30}


def size(written: str) -> int:
    """The bytes that `1g` of Compose or `1Gi` of Kubernetes are."""
    number = written.rstrip("".join(_FACTORS))
    return int(number) * _FACTORS[written.removeprefix(number)]


def needed(workers: int, max_batch_bytes: int = Settings.max_batch_bytes) -> int:
    """The memory that so many workers need, without `/tmp`."""
    return workers * (WORKER_BYTES + 4 * max_batch_bytes + BATCH_THREADS * TAKEN_BATCH_BYTES)


def needed_tmp(workers: int) -> int:
    """What so many workers need in `/tmp`."""
    return workers * MAX_LARGE_BYTES
