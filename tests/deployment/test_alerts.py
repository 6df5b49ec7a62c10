"""The alerts in Prometheus' own tool."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.metrics.test_monitoring import ALERTS, expressions

pytestmark = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="needs promtool: apt-get install prometheus"
)

REQUESTS = "dice_http_request_duration_seconds_count"
SESSIONS = '{instance="a",route="/v1/sessions/{session_id}",status="%s"}'

FIRES = {
    "DiceDown": {'up{job="dice-scoring",instance="a"}': "1 0 0 0 0 0"},
    "DiceErrors": {f'{REQUESTS}{{instance="a",route="/livez",status="500"}}': "_ _ 1 1 1 1 1 1 1"},
    "DiceSessionsUnavailable": {
        f"{REQUESTS}{SESSIONS % 200}": "0+600x20",
        f"{REQUESTS}{SESSIONS % 503}": "0+60x20",
    },
    "DiceStoreErrors": {
        'dice_store_errors_total{instance="a",command="read",error="not_asked"}': "0+1x20"
    },
    "DiceConnectionsMany": {
        'dice_connections{instance="a"}': "6145x20",
        'dice_connections_max{instance="a"}': "7680x20",
    },
    "DiceTablesFail": {
        'dice_advice_tables_total{instance="a",outcome="failed"}': "0 0 1 1 1 1 1 1 1"
    },
    "DiceLogUnread": {'dice_log_lines_lost_total{instance="a"}': "0+1x20"},
}
"""Series that make an alert fire within eight minutes."""

EVALUATE = "/v1/variants/{variant}/evaluate"
LATENCY = "dice_http_request_duration_seconds_bucket"
STORE = "dice_store_duration_seconds_bucket"

FIRES_LATER = {
    "DiceSlow": {
        f'{LATENCY}{{instance="a",route="{EVALUATE}",le="0.25"}}': "0+98x40",
        f'{LATENCY}{{instance="a",route="{EVALUATE}",le="1"}}': "0+100x40",
        f'{LATENCY}{{instance="a",route="{EVALUATE}",le="+Inf"}}': "0+100x40",
    },
    "DiceStoreSlow": {
        f'{STORE}{{instance="a",command="read",le="0.1"}}': "0+98x40",
        f'{STORE}{{instance="a",command="read",le="1"}}': "0+100x40",
        f'{STORE}{{instance="a",command="read",le="+Inf"}}': "0+100x40",
    },
    "DiceLimited": {
        f'{REQUESTS}{{instance="a",route="/livez",status="200"}}': "0+70x40",
        f'{REQUESTS}{{instance="a",route="/livez",status="429"}}': "0+30x40",
    },
}
"""Series that make an alert fire after ten minutes."""


def promtool(*arguments: str) -> str:
    """What promtool prints; fails if it does."""
    run = subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_rules_load() -> None:
    """Prometheus can load the rules."""
    assert "SUCCESS: 11 rules found" in promtool("check", "rules", str(ALERTS))


def check(series: dict[str, str], fires: dict[str, bool], alert: str, folder: Path) -> None:
    """Fails unless an alert fires exactly at those times, such as `8m`, for which it is True."""
    test = {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {
                "expr": f'count(ALERTS{{alertname="{alert}",alertstate="firing"}})',
                "eval_time": time,
                "exp_samples": [{"value": 1}] if expected else [],
            }
            for time, expected in fires.items()
        ],
    }
    file = folder / "test.yaml"
    file.write_text(yaml.dump({"rule_files": [str(ALERTS)], "tests": [test]}))
    assert "SUCCESS" in promtool("test", "rules", str(file))


@pytest.mark.parametrize("alert", FIRES)
def test_alert_fires(alert: str, tmp_path: Path) -> None:
    """An alert fires for what it is about, and not before."""
    check(FIRES[alert], {"0m": False, "8m": True}, alert, tmp_path)


def test_no_instance_is_found(tmp_path: Path) -> None:
    """Prometheus that finds no instance at all reports it."""
    check({'up{job="other",instance="a"}': "1x20"}, {"0m": False, "8m": True}, "DiceDown", tmp_path)


def test_the_first_line_that_is_lost(tmp_path: Path) -> None:
    """A single loss fires the alert: the series begins with 0."""
    lost = {'dice_log_lines_lost_total{instance="a"}': "0 0 0 5x17"}
    check(lost, {"2m": False, "6m": True, "12m": False}, "DiceLogUnread", tmp_path)


@pytest.mark.parametrize("alert", FIRES_LATER)
def test_alert_fires_later(alert: str, tmp_path: Path) -> None:
    """An alert about what may pass fires only once it has lasted for ten minutes."""
    check(FIRES_LATER[alert], {"0m": False, "8m": False, "20m": True}, alert, tmp_path)


@pytest.mark.parametrize("alert", FIRES_LATER)
def test_alert_is_silent(alert: str, tmp_path: Path) -> None:
    """If all is well for nearly all requests, none of these alerts fires."""
    well = {
        name: values.replace("98", "100").replace("+30x", "+10x")
        for name, values in FIRES_LATER[alert].items()
    }
    check(well, {"20m": False, "35m": False}, alert, tmp_path)


def test_workers_missing(tmp_path: Path) -> None:
    """Fewer workers than there should be are missing, for as long as nobody mends it; none is
    missing after a reload, when there were old and new ones for a moment.
    """
    series = {
        'dice_workers{instance="a"}': "2x10 4 2x700 1x2000",
        'dice_workers_wanted{instance="a"}': "2x2800",
    }
    fires = {"10m": False, "30m": False, "714m": False, "720m": True, "2700m": True}
    check(series, fires, "DiceWorkersMissing", tmp_path)


def test_fewer_workers_wanted(tmp_path: Path) -> None:
    """None is missing if the operator restarts the service with fewer workers."""
    series = {
        'dice_workers{instance="a"}': "4x100 2x100",
        'dice_workers_wanted{instance="a"}': "4x100 2x100",
    }
    check(series, {"90m": False, "110m": False, "150m": False}, "DiceWorkersMissing", tmp_path)


@pytest.mark.parametrize("route", ["advice", "review"])
def test_tables_that_are_made(route: str, tmp_path: Path) -> None:
    """Sessions work if only their advice or their reviews get 503, while a table is made."""
    asked = f'{{instance="a",route="/v1/sessions/{{session_id}}/{route}",status="503"}}'
    series = {f"{REQUESTS}{SESSIONS % 200}": "0+60x20", f"{REQUESTS}{asked}": "0+600x20"}
    check(series, {"8m": False, "15m": False}, "DiceSessionsUnavailable", tmp_path)


def test_a_single_failure_of_the_store(tmp_path: Path) -> None:
    """One lost reply is no alert; failures that go on for five minutes are."""
    series = 'dice_store_errors_total{instance="a",command="read",error="reply_lost"}'
    single = {"5m": False, "8m": False, "12m": False, "20m": False}
    check({series: "0x4 1x20"}, single, "DiceStoreErrors", tmp_path)
    check({series: "0x4 1+1x20"}, {"8m": False, "12m": True}, "DiceStoreErrors", tmp_path)


def test_the_dashboard_asks_what_prometheus_understands(tmp_path: Path) -> None:
    """Prometheus parses every expression of the dashboard, with values for Grafana's variables."""
    asked = [
        re.sub(r"\$__\w+", "5m", each).replace("$job", "dice-scoring").replace("$instance", "a")
        for each in expressions()
    ]
    recorded = [{"record": f"asked:{number}", "expr": each} for number, each in enumerate(asked)]
    file = tmp_path / "asked.yaml"
    file.write_text(yaml.dump({"groups": [{"name": "asked", "rules": recorded}]}))
    assert f"SUCCESS: {len(asked)} rules found" in promtool("check", "rules", str(file))
