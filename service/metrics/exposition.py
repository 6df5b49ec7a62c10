"""The metrics as text: Prometheus' format, or OpenMetrics.

https://prometheus.io/docs/instrumenting/exposition_formats/ and OpenMetrics 1.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from service.metrics.instruments import Histogram, Instrument, Labels, instruments, totals

PROMETHEUS = "text/plain"
OPENMETRICS = "application/openmetrics-text"

CONTENT_TYPES = {
    PROMETHEUS: "text/plain; version=0.0.4; charset=utf-8",
    OPENMETRICS: "application/openmetrics-text; version=1.0.0; charset=utf-8",
}

Read = Mapping[Instrument, Mapping[Labels, float]]
"""The values of each `Reading`, by labels."""

_TOTAL = "_total"
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})


def exposition(media_type: str, read: Read) -> bytes:
    """All metrics in the format of `media_type`, with what was `read` for this response."""
    openmetrics = media_type == OPENMETRICS
    lines = list(_lines(read, openmetrics=openmetrics))
    if openmetrics:
        lines.append("# EOF")
    return "".join(f"{line}\n" for line in lines).encode()


def _lines(read: Read, *, openmetrics: bool) -> Iterator[str]:
    counted = totals()
    for instrument in instruments():
        name, meaning = instrument.name, instrument.meaning.translate(_ESCAPES)
        family = name.removesuffix(_TOTAL) if openmetrics else name
        yield f"# HELP {family} {meaning if openmetrics else instrument.meaning}"
        yield f"# TYPE {family} {instrument.kind}"
        for labels, value in read.get(instrument, {}).items():
            yield _sample(name, instrument.labels, labels, value)
        for labels, cells in sorted(counted.get(name, {}).items()):
            if isinstance(instrument, Histogram):
                yield from _histogram(instrument, labels, cells)
            else:
                yield _sample(name, instrument.labels, labels, cells[0])


def _histogram(instrument: Histogram, labels: Labels, cells: Sequence[float]) -> Iterator[str]:
    """The buckets, each with those below it, their count and the sum.

    The count is that of the last bucket, which may have grown since the sum was read.
    """
    name, *counts, total = instrument.name, *cells
    bounds = [*(repr(float(bound)) for bound in instrument.bounds), "+Inf"]
    upto = list(accumulate(counts))
    for bound, count in zip(bounds, upto, strict=True):
        yield _sample(f"{name}_bucket", (*instrument.labels, "le"), (*labels, bound), count)
    yield _sample(f"{name}_sum", instrument.labels, labels, total)
    yield _sample(f"{name}_count", instrument.labels, labels, upto[-1])


def _sample(name: str, names: Labels, values: Labels, value: float) -> str:
    pairs = zip(names, values, strict=True)
    labels = ",".join(f'{label}="{text.translate(_ESCAPES)}"' for label, text in pairs)
    return f"{name}{{{labels}}} {value!r}" if labels else f"{name} {value!r}"
