"""Every metric of the service. The table in docs/operations.md has a row for each.

Labels have few values: routes are templates, and nothing that a client makes up is a label.
"""

from __future__ import annotations

from service.metrics.instruments import (
    Counter,
    Gauge,
    Histogram,
    Instrument,
    Reading,
    instruments,
)

LATENCY = (
    *(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05),
    *(0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0),
)
"""Bounds of the histograms in seconds: a request takes from half a millisecond to a long wait."""

REQUESTS = Histogram(
    "dice_http_request_duration_seconds",
    "Time from the arrival of a whole request until its response was made. `route` is the path "
    "with placeholders, `none` if there is nothing at the path, `refused` if the request was "
    "refused before that. `status` is `none` if the client left first.",
    ("method", "route", "status"),
    bounds=LATENCY,
)
HANDS = Counter(
    "dice_hands_evaluated_total",
    "Hands of `evaluate` and `batch`.",
    ("variant",),
)
BATCH_RECEIVED = Counter(
    "dice_batch_received_bytes_total",
    "Bytes in the bodies of batches, as they were sent.",
    ("variant",),
)
BATCH_SENT = Counter(
    "dice_batch_sent_bytes_total",
    "Bytes in the responses to batches.",
    ("variant",),
)
SOLVER = Histogram(
    "dice_solver_duration_seconds",
    "Time of a search for the best layout of a turn, or of all turns that `rank` compares. Those "
    "in sessions are left out.",
    ("variant",),
    bounds=LATENCY,
)
UNPROVEN = Counter(
    "dice_solver_unproven_total",
    "Layouts that are not proven to be the best, because the search reached its limit.",
    ("variant",),
)
TABLES = Reading(
    "dice_advice_tables_total",
    "Tables for advice that were made in the folder of this service, or failed. The folder keeps "
    "the number when the service restarts.",
    ("outcome",),
    kind="counter",
)
ACTIONS = Counter(
    "dice_session_actions_total",
    "Actions in sessions. `outcome` is `performed`, `repeated` (its idempotency key was used "
    "before), or why it was refused: `illegal`, `stale`, `forbidden`, `unknown`, `key_reused`, "
    "`newer_release`, `crowded`, `ended`, `store_unavailable` or `invalid`.",
    ("outcome",),
)
SESSIONS = Reading(
    "dice_sessions",
    "Sessions in the store; beyond some thousand, an estimate. It is missing while the store is "
    "away.",
)
STORE = Histogram(
    "dice_store_duration_seconds",
    "Time until the store replied to a command or failed.",
    ("command",),
    bounds=LATENCY,
)
STORE_ERRORS = Counter(
    "dice_store_errors_total",
    "Commands that the store refused or didn't reply to. `error` is `unavailable` if nothing was "
    "done, `reply_lost` if nobody knows whether the change was made, `not_replicated` if it was "
    "made, but too few replicas have it (`WAIT_REPLICAS`), `full` if the store keeps the room that "
    "is left for other sessions, and `not_asked` if it wasn't asked because it hadn't replied "
    "before.",
    ("command", "error"),
)
CONNECTIONS = Gauge("dice_connections", "Open connections of clients.")
CONNECTIONS_MAX = Gauge("dice_connections_max", "How many connections the workers accept.")
WAITING = Gauge("dice_waiting_clients", "Clients that wait for a session to change.")
LINES_LOST = Counter(
    "dice_log_lines_lost_total",
    "Lines of the JSON logs that weren't written because nobody read them.",
)
WORKERS = Gauge("dice_workers", "Worker processes.")
WORKERS_WANTED = Gauge(
    "dice_workers_wanted",
    "How many worker processes there should be: `WEB_CONCURRENCY`, unless a signal has changed it.",
)
BUILD = Reading(
    "dice_build_info", "1; its labels are the release and the commit.", ("version", "commit")
)


def declared() -> list[Instrument]:
    """Every metric, in order."""
    return instruments()
