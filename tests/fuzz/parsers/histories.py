"""Saved sessions for `dice-scoring verify` and `review`: each is read, or refused in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache

import orjson

from service.api.operations.operation import Operation
from service.api.sessions import answers
from service.cli.command import CommandError
from service.cli.request import find_operation
from service.cli.review import game_of, requests_of
from service.cli.verify import Unverifiable, Wrong, read, verified
from service.rules.violations import InvalidInput
from service.sessions.view import SessionView
from service.strict_json import InvalidJson, decode
from service.variants import variants
from tests.sessions.sample_sessions import played, sample_terms

MOST_BYTES = 16_000
"""The longest history to begin with: that of longer games is cut after its first events."""

DICTIONARY = (
    *b"null [] {} true 1e9 -1 99999999999999999999".split(),
    *b'"players": "events": "then": "news": "dice": "fairness": "seed": "commitment":'.split(),
    *b'"client_seed": "house_rules": "version": "at": "action": "variant": "player":'.split(),
    *b'"client" "" "2026-01-01T00:00:00Z" "9999-12-31T23:59:59+23:59" "ann"'.split(),
)


def seeds() -> Iterator[bytes]:
    """A whole game of each variant, or its beginning."""
    for variant in variants():
        terms = sample_terms(variant)
        end, events = played(terms, seed=2)
        whole = answers.history_json(SessionView(terms, end, None, ""), events)
        for some in (len(events), 12, 3):
            history = orjson.dumps({**whole, "events": whole["events"][:some]})
            if len(history) <= MOST_BYTES:
                yield history


@cache
def _review(variant: str) -> Operation:
    return find_operation(variant, "review")


def check(data: bytes) -> None:
    """Verifies a history, and makes the requests that review it."""
    with suppress(Unverifiable, Wrong):
        verified(read(data))
    try:
        body = decode(data)
    except InvalidJson:
        return
    if isinstance(body, dict) and "events" in body:
        try:
            review = _review(game_of(body))
            for request in requests_of(body, None).values():
                review.read(request)
        except (CommandError, InvalidInput):
            return
