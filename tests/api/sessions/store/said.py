"""What the service says if the store of sessions fails."""

from __future__ import annotations

from tests.api.causes import Said

NO_STORE = Said("no-store", 503, "The store of sessions can't be reached (Connection refused).")
AWAY = Said("store-away", 503, "The store of sessions is unavailable. Try again.")
NOTHING_DONE = Said(
    "store-away", 503, "The store of sessions is unavailable; nothing was done. Try again."
)
UNUSABLE = Said(
    "store-unusable",
    503,
    "The store of sessions can't be used; nothing was done. Whoever runs the service finds the "
    "reason in its log, and at /readyz?store.",
)
DAMAGED = Said(
    "session-damaged",
    503,
    "The store of sessions has this session in a form that nobody can read; nothing was done. "
    "Whoever runs the service finds out more in its log.",
)
NEWER_RELEASE = Said(
    "newer-release",
    409,
    "A newer release of the service wrote this session, and this one can't read it; use an "
    "up-to-date one.",
)
OLDER_RELEASE = Said(
    "older-release",
    409,
    "An older release of the service wrote this session in a form that this one doesn't read any "
    "more; nothing was done.",
)
OUTCOME_UNKNOWN = Said(
    "outcome-unknown",
    503,
    "The store of sessions doesn't answer; nobody knows whether the request was performed. Try "
    "again, with the same Idempotency-Key if the request has one.",
)
NOT_REPLICATED = Said(
    "not-replicated",
    503,
    "The store of sessions has performed the request, but too few of its replicas have it yet, so "
    "it may still be lost. Try again, with the same Idempotency-Key if the request has one.",
)
