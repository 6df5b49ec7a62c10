"""Every metric of the service. The table in docs/operations.md has a row for each.

Labels have few values: routes are templates, and nothing that a client makes up is a label.
"""

from __future__ import annotations

from service.metrics.instruments import INSTRUMENTS, Counter, Gauge, Histogram, Instrument

REQUESTS = Histogram(
    "dice_http_request_duration_seconds",
    "Time from the arrival of a whole request until its response was made. `route` is the path "
    "with placeholders, `none` for an unknown path, `refused` for a request that was refused "
    "before that. `status` is `none` if the client left first.",
    ("method", "route", "status"),
)
HANDS = Counter("dice_hands_evaluated_total", "Hands of `evaluate` and `batch`.", ("variant",))
BATCH_RECEIVED = Counter(
    "dice_batch_received_bytes_total",
    "Bytes in the bodies of batches, as they were sent.",
    ("variant",),
)
BATCH_SENT = Counter(
    "dice_batch_sent_bytes_total", "Bytes in the responses to batches.", ("variant",)
)
SOLVER = Histogram(
    "dice_solver_duration_seconds",
    "Time of a search for the best layout of a turn, or of all turns that `rank` compares, outside "
    "sessions.",
    ("variant",),
)
UNPROVEN = Counter(
    "dice_solver_unproven_total",
    "Layouts that are not proven to be the best: the search reached its limit.",
    ("variant",),
)
TABLES = Counter(
    "dice_advice_tables_total",
    "Tables for advice that were made in the folder of this service, or failed; a restart keeps "
    "the number.",
    ("outcome",),
)
ACTIONS = Counter(
    "dice_session_actions_total",
    "Actions in sessions. `outcome` is `performed`, `repeated` (its idempotency key was used "
    "before), or why it was refused: `illegal`, `stale`, `forbidden`, `unknown`, `key_reused`, "
    "`newer_release`, `older_release`, `crowded`, `ended`, `store_full`, `store_unavailable` or "
    "`invalid`; `failed` is an unexpected error (500).",
    ("outcome",),
)
SESSIONS = Gauge(
    "dice_sessions",
    "Sessions in the store; beyond some thousand, an estimate. It is missing while the store is "
    "away.",
)
STORE = Histogram(
    "dice_store_duration_seconds",
    "Time until the store replied to a command or failed.",
    ("command",),
)
STORE_ERRORS = Counter(
    "dice_store_errors_total",
    "Commands that the store refused or didn't reply to. `error` is `unavailable` (nothing was "
    "done), `reply_lost` (nobody knows whether the change was made), `not_replicated` (made, but "
    "on too few replicas), `full` (the room that is left is for other sessions), `no_entry` (made, "
    "but the stream of the feed refused its entry), or `not_asked` (it hadn't replied before).",
    ("command", "error"),
)
CONNECTIONS = Gauge("dice_connections", "Open connections of clients.")
CONNECTIONS_MAX = Gauge("dice_connections_max", "Connections that the workers accept.")
WAITING = Gauge("dice_waiting_clients", "Clients that wait for a session to change.")
LINES_LOST = Counter(
    "dice_log_lines_lost_total",
    "Lines of the JSON logs that were lost, because nobody read them or a disk was full.",
)
WORKERS = Gauge("dice_workers", "Worker processes.")
WORKERS_WANTED = Gauge(
    "dice_workers_wanted",
    "Worker processes that there should be: `WEB_CONCURRENCY`, unless a signal has changed it.",
)
BUILD = Gauge(
    "dice_build_info", "1; its labels are the release and the commit.", ("version", "commit")
)


def declared() -> list[Instrument]:
    """Every metric, in order."""
    return list(INSTRUMENTS.values())
