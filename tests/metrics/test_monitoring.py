"""The alerts for Prometheus and the dashboard for Grafana, beside the metrics that there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from service.metrics.declared import declared
from service.metrics.instruments import Histogram
from tests.live import ROOT

ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yaml"
RUNBOOK = ROOT / "deploy" / "prometheus" / "README.md"
DASHBOARD = ROOT / "deploy" / "grafana" / "dashboard.json"

OF_THE_SCRAPE = {"job", "instance"}
"""The labels that Prometheus adds."""

_NAME = re.compile(r"\bdice_\w+")
_SELECTED = re.compile(r"\b(dice_\w+)\{(.*?)\}")
_LABEL = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*"')
_GROUPED = re.compile(r"\bby \((.*?)\)")


def samples() -> dict[str, set[str]]:
    """The names of all samples, with their labels."""
    found: dict[str, set[str]] = {}
    for each in declared():
        own = {*each.labels, *OF_THE_SCRAPE}
        if isinstance(each, Histogram):
            found |= {f"{each.name}_sum": own, f"{each.name}_count": own}
            found[f"{each.name}_bucket"] = own | {"le"}
        else:
            found[each.name] = own
    return found


def rules() -> list[dict[str, Any]]:
    """The alerts."""
    (group,) = yaml.safe_load(ALERTS.read_text())["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def panels() -> list[dict[str, Any]]:
    """The panels that show something."""
    all_panels = json.loads(DASHBOARD.read_text())["panels"]
    return [panel for panel in all_panels if panel["type"] != "row"]


def expressions() -> Iterator[str]:
    """Every expression of the two files."""
    yield from (rule["expr"] for rule in rules())
    yield from (target["expr"] for panel in panels() for target in panel["targets"])
    for variable in json.loads(DASHBOARD.read_text())["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["query"]["query"].replace("label_values(", "").rsplit(",", 1)[0]


@pytest.mark.parametrize("expression", list(expressions()))
def test_expressions(expression: str) -> None:
    """An expression names only samples that there are, and labels that they have."""
    known = samples()
    names = set(_NAME.findall(expression))
    assert names <= known.keys()
    for name, selectors in _SELECTED.findall(expression):
        assert set(_LABEL.findall(selectors)) <= known[name]
    of_all = set.union(*(known[name] for name in names)) if names else OF_THE_SCRAPE
    for labels in _GROUPED.findall(expression):
        assert set(labels.split(", ")) <= of_all
    assert expression.count("(") == expression.count(")")


def test_every_metric_is_shown() -> None:
    """The dashboard shows every metric."""
    shown = {
        name
        for panel in panels()
        for target in panel["targets"]
        for name in _NAME.findall(target["expr"])
    }
    kinds = {re.sub("_(bucket|count|sum)$", "", name) for name in shown}
    assert kinds == {each.name for each in declared()}


def test_panels() -> None:
    """Panels have different ids and titles, and none lies over another."""
    everything = json.loads(DASHBOARD.read_text())["panels"]
    assert len({panel["id"] for panel in everything}) == len(everything)
    assert len({panel["title"] for panel in everything}) == len(everything)
    cells = [
        (x, y)
        for panel in everything
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(set(cells)) == len(cells)
    assert max(x for x, _ in cells) < 24


def test_runbook() -> None:
    """The runbook has each alert, in the order of the rules."""
    runbook = RUNBOOK.read_text()
    named = re.findall(r"^## (Dice\w+)$", runbook, re.MULTILINE)
    assert named == [rule["alert"] for rule in rules()]
    (errors,) = (each.meaning for each in declared() if each.name == "dice_store_errors_total")
    for error in set(re.findall(r"`(\w+)`", errors)) - {"error", "WAIT_REPLICAS"}:
        assert f"\n| `{error}` | " in runbook
    for rule in rules():
        assert rule["labels"]["severity"] in ("critical", "warning", "info")
        assert rule["annotations"]["summary"].endswith(".")


def test_scrapes_on_kubernetes() -> None:
    """The job for Kubernetes keeps the pods of the Deployment, at their port for metrics."""
    page = RUNBOOK.read_text()
    (written,) = re.findall(
        r"```yaml\n(scrape_configs:(?:(?!```).)*kubernetes_sd.*?)```", page, re.DOTALL
    )
    (job,) = yaml.safe_load(written)["scrape_configs"]
    (kept,) = job["relabel_configs"]
    manifest = ROOT / "deploy" / "kustomize" / "base" / "deployment.yaml"
    pod = yaml.safe_load(manifest.read_text())["spec"]["template"]
    (container,) = pod["spec"]["containers"]
    labels = [
        f"__meta_kubernetes_pod_label_{re.sub('[^a-z]', '_', name)}"
        for name in pod["metadata"]["labels"]
    ]
    assert kept["source_labels"] == [*labels, "__meta_kubernetes_pod_container_port_name"]
    values = {(*pod["metadata"]["labels"].values(), port["name"]) for port in container["ports"]}
    (metrics,) = (each for each in values if re.fullmatch(kept["regex"], ";".join(each)))
    assert (job["job_name"], metrics[-1]) == ("dice-scoring", "metrics")
