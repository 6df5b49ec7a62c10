"""The metrics as text: Prometheus' format, or OpenMetrics.

https://prometheus.io/docs/instrumenting/exposition_formats/ and OpenMetrics 1.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from service.metrics.declared import declared
from service.metrics.instruments import LATENCY, Histogram, Instrument, Labels, totals

PROMETHEUS = "text/plain"
OPENMETRICS = "application/openmetrics-text"

CONTENT_TYPES = {
    PROMETHEUS: "text/plain; version=0.0.4; charset=utf-8",
    OPENMETRICS: "application/openmetrics-text; version=1.0.0; charset=utf-8",
}

Read = Mapping[Instrument, Mapping[Labels, float]]
"""The values of instruments that are only found out when somebody asks for them, by labels."""

_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})


def exposition(media_type: str, read: Read) -> bytes:
    """All metrics in the format of `media_type`, with what was `read` for this response."""
    openmetrics = media_type == OPENMETRICS
    end = ["# EOF"] if openmetrics else []
    return "".join(f"{line}\n" for line in (*_lines(read, openmetrics=openmetrics), *end)).encode()


def _lines(read: Read, *, openmetrics: bool) -> Iterator[str]:
    counted = totals()
    for each in declared():
        family = each.name.removesuffix("_total") if openmetrics else each.name
        yield f"# HELP {family} {each.meaning.translate(_ESCAPES) if openmetrics else each.meaning}"
        yield f"# TYPE {family} {each.kind}"
        for labels, value in read.get(each, {}).items():
            yield _sample(each.name, each.labels, labels, value)
        for labels, values in sorted(counted.get(each.name, {}).items()):
            if isinstance(each, Histogram):
                yield from _histogram(each, labels, values)
            else:
                yield _sample(each.name, each.labels, labels, values[0])


def _histogram(histogram: Histogram, labels: Labels, values: Sequence[float]) -> Iterator[str]:
    """The buckets, each with those below it, their count and the sum.

    The count is that of the last bucket, which may have grown since the sum was read.
    """
    name, *counts, total = histogram.name, *values
    bounds = [*(repr(float(bound)) for bound in LATENCY), "+Inf"]
    upto = list(accumulate(counts))
    for bound, count in zip(bounds, upto, strict=True):
        yield _sample(f"{name}_bucket", (*histogram.labels, "le"), (*labels, bound), count)
    yield _sample(f"{name}_sum", histogram.labels, labels, total)
    yield _sample(f"{name}_count", histogram.labels, labels, upto[-1])


def _sample(name: str, names: Labels, values: Labels, value: float) -> str:
    pairs = zip(names, values, strict=True)
    labels = ",".join(f'{label}="{text.translate(_ESCAPES)}"' for label, text in pairs)
    return f"{name}{{{labels}}} {value!r}" if labels else f"{name} {value!r}"
