"""What the service says if the store of sessions fails."""

from __future__ import annotations

from tests.api.causes import Said

NO_STORE = Said(
    "no-store",
    503,
    "No store",
    "The store of sessions can't be reached (Connection refused).",
    "Kein Speicher",
    "Der Speicher der Sitzungen ist nicht bereit: can't be reached (Connection refused).",
    {"message": "can't be reached (Connection refused)"},
)
AWAY = Said(
    "store-away",
    503,
    "Store away",
    "The store of sessions is unavailable. Try again.",
    "Speicher nicht erreichbar",
    "Der Speicher der Sitzungen ist nicht erreichbar. Versuche es noch einmal.",
)
NOTHING_DONE = Said(
    "store-away",
    503,
    "Store away",
    "The store of sessions is unavailable; nothing was done. Try again.",
    "Speicher nicht erreichbar",
    "Der Speicher der Sitzungen ist nicht erreichbar; es wurde nichts getan. Versuche es noch "
    "einmal.",
    {"changes": True},
)
UNUSABLE = Said(
    "store-unusable",
    503,
    "Store unusable",
    "The store of sessions can't be used; nothing was done. Whoever runs the service finds the "
    "reason in its log, and at /readyz?store.",
    "Speicher nicht benutzbar",
    "Der Speicher der Sitzungen ist nicht benutzbar; es wurde nichts getan. Wer den Dienst "
    "betreibt, findet den Grund im Log und unter /readyz?store.",
)
DAMAGED = Said(
    "session-damaged",
    503,
    "Session damaged",
    "The store of sessions has this session in a form that nobody can read; nothing was done. "
    "Whoever runs the service finds out more in its log.",
    "Sitzung beschädigt",
    "Der Speicher enthält diese Sitzung in einer Form, die niemand lesen kann; es wurde nichts "
    "getan. Wer den Dienst betreibt, erfährt mehr aus dem Log.",
)
NEWER_RELEASE = Said(
    "newer-release",
    409,
    "Newer release",
    "A newer release of the service wrote this session, and this one can't read it; use an "
    "up-to-date one.",
    "Neuere Version",
    "Eine neuere Version des Dienstes hat diese Sitzung geschrieben, und die laufende kann sie "
    "nicht lesen; verwende eine aktuelle.",
)
OLDER_RELEASE = Said(
    "older-release",
    409,
    "Older release",
    "An older release of the service wrote this session in a form that this one doesn't read any "
    "more; nothing was done.",
    "Ältere Version",
    "Eine ältere Version des Dienstes hat diese Sitzung in einer Form geschrieben, die die "
    "laufende nicht mehr liest; es wurde nichts getan.",
)
OUTCOME_UNKNOWN = Said(
    "outcome-unknown",
    503,
    "Outcome unknown",
    "The store of sessions doesn't answer; nobody knows whether the request was performed. Try "
    "again, with the same Idempotency-Key if the request has one.",
    "Ergebnis unbekannt",
    "Der Speicher der Sitzungen antwortet nicht; niemand weiß, ob die Anfrage ausgeführt wurde. "
    "Versuche es noch einmal, mit demselben Idempotency-Key, wenn die Anfrage einen hat.",
)
NOT_REPLICATED = Said(
    "not-replicated",
    503,
    "Not replicated",
    "The store of sessions has performed the request, but too few of its replicas have it yet, so "
    "it may still be lost. Try again, with the same Idempotency-Key if the request has one.",
    "Nicht repliziert",
    "Der Speicher der Sitzungen hat die Anfrage ausgeführt, aber zu wenige seiner Replikate haben "
    "sie schon, sodass sie noch verloren gehen kann. Versuche es noch einmal, mit demselben "
    "Idempotency-Key, wenn die Anfrage einen hat.",
)
