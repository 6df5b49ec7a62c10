"""Scrapes `/metrics` as Prometheus does, with the parsers of its client library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client.parser import text_string_to_metric_families

from tests.live import Service

OPENMETRICS = "application/openmetrics-text"

Samples = Mapping[tuple[str, frozenset[tuple[str, str]]], float]


def scraped(service: Service, path: str = "/metrics") -> Samples:
    """The value of each sample, by its name and labels."""
    reply = service.get(path)
    assert reply.status == 200
    families = text_string_to_metric_families(reply.body.decode())
    return samples(families)


def scraped_as_openmetrics(service: Service) -> Samples:
    """The same in the other format."""
    reply = service.get("/metrics", Accept=OPENMETRICS)
    assert reply.status == 200
    return samples(openmetrics.text_string_to_metric_families(reply.body.decode()))


def samples(families: Iterable[Metric]) -> Samples:
    """The value of each sample of `families`."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def value(found: Samples, name: str, **labels: str) -> float:
    """The value of a sample, 0 if there is none."""
    return found.get((name, frozenset(labels.items())), 0.0)
