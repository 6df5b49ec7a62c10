"""What the metrics of this process count."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from service.metrics.instruments import Counter, totals

Counts = dict[tuple[str, ...], float]


def _counts(counter: Counter) -> Counts:
    return {labels: total for labels, (total,) in totals().get(counter.name, {}).items()}


@contextmanager
def counted(counter: Counter) -> Iterator[Counts]:
    """What `counter` counts while this is open, by labels; to be read afterwards."""
    before, added = _counts(counter), Counts()
    yield added
    after = _counts(counter)
    added |= {labels: more for labels in after if (more := after[labels] - before.get(labels, 0))}
