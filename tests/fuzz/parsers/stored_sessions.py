"""What the store has of sessions, damaged: it is read, or refused as damaged or of a newer release.

The store has no checksums, so damage that leaves a valid form can't be found.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice

import orjson

from service.sessions.session import Terms
from service.sessions.store import codec
from service.sessions.store.codec import Damaged, NewerRelease
from service.variants import variants
from tests.sessions.sample_sessions import sample_terms, steps

DEFLATED = 0
"""The input is what the store has; otherwise, it is the JSON in it."""

DICTIONARY = (
    *b"null [] {} [[ -1 1e9 true 99999999999999999999".split(),
    *b'"variant": "players": "rules": "seed": "tokens": "created_at": "ann" "roll" ""'.split(),
)


@cache
def _terms() -> list[Terms]:
    return [sample_terms(variant) for variant in variants()]


def seeds() -> Iterator[bytes]:
    """The game, what of a session it is and its form as a byte each; then what the store has."""
    for game, terms in enumerate(_terms()):
        parts = [(0, codec.encode_terms(terms))]
        for snapshot, events in islice(steps(terms, 1), 4):
            parts.append((1, codec.encode_snapshot(terms, snapshot)))
            parts += [(2, codec.encode_event(terms, event)) for event in events]
        for what, data in parts:
            yield bytes((game, what, DEFLATED)) + data
            inner = data if what == 2 else data[1:]
            yield bytes((game, what, 1)) + orjson.dumps(codec.unpack(inner))


def check(data: bytes) -> None:
    """Reads a part of a session."""
    if len(data) < 3:
        return
    terms = _terms()[data[0] % len(_terms())]
    what, form, stored = data[1] % 3, data[2], data[3:]
    if form != DEFLATED:
        try:
            packed = codec.pack(orjson.loads(stored))
        except orjson.JSONDecodeError:
            return
        stored = packed if what == 2 else bytes([codec.FORMAT_VERSION]) + packed
    with suppress(Damaged, NewerRelease):
        if what == 0:
            codec.decode_terms(terms.id, stored, variants())
        elif what == 1:
            codec.decode_snapshot(terms, 1, stored)
        else:
            codec.decode_event(terms, stored)
