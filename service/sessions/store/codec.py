"""Sessions as they are stored: deflated JSON, told apart by a version of its layout."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from hashlib import sha1
from typing import Any

import orjson

from service.rules.variant import Variant
from service.sessions.session import Event, Snapshot, Step, Terms
from service.sessions.store.dictionary import DICTIONARY

FORMAT_VERSION = 1
"""The version of what this module writes. A release that can't read what an older one wrote, or
whose writing an older one would misread, raises it; so does a game with its own `schema`."""


WINDOW, MEMORY = 12, 2
"""What zlib looks back on (4 KiB) and takes: so little that it begins at once."""


class NewerRelease(ValueError):
    """A session was written by a newer release, in a form that this one doesn't know."""


def encode_terms(terms: Terms) -> bytes:
    """The terms of a session as stored, apart from its id."""
    return _marked(
        {
            "variant": terms.variant.id,
            "players": terms.players,
            "rules": terms.rules,
            "seed": terms.seed.hex() if terms.seed else None,
            "client_seed": terms.client_seed,
            "tokens": terms.tokens,
            "created_at": terms.created_at,
            "seconds": terms.seconds,
        }
    )


def decode_terms(session_id: str, written: bytes, variants: Mapping[str, Variant[Any]]) -> Terms:
    """The terms of a session. Raises `NewerRelease` for what this release can't know."""
    stored = _unmarked(written)
    variant = variants.get(stored["variant"])
    if variant is None:
        raise NewerRelease(f"it is of the variant {stored['variant']}")
    if unknown := stored["rules"].keys() - variant.rule_names:
        raise NewerRelease(f"it has the house rules {', '.join(sorted(unknown))}")
    return Terms(
        id=session_id,
        variant=variant,
        players=tuple(stored["players"]),
        rules=variant.house_rules(**stored["rules"]),
        seed=bytes.fromhex(stored["seed"]) if stored["seed"] else None,
        client_seed=stored["client_seed"],
        tokens=tuple(stored["tokens"]),
        created_at=stored["created_at"],
        seconds=stored["seconds"],
    )


def encode_snapshot(terms: Terms, snapshot: Snapshot) -> bytes:
    """A snapshot as stored, apart from its version: with the version of its game's states.

    A newer release may act in a session that an older one made, so it stands here, not in the
    terms.
    """
    idle = snapshot.at - snapshot.acted_at
    return _marked((terms.game.schema, snapshot.at, idle, snapshot.drawn, snapshot.state))


def digest(written: bytes) -> str:
    """The SHA-1 of a snapshot as stored, in hex: what a script of Redis can compute, too.

    It tells snapshots of the same version apart that were written in different histories.
    """
    return sha1(written, usedforsecurity=False).hexdigest()


def decode_snapshot(terms: Terms, version: int, written: bytes) -> Snapshot:
    """A snapshot of the session of `terms`. Raises `NewerRelease` as `decode_terms` does."""
    schema, at, idle, drawn, state = _unmarked(written)
    if schema > terms.game.schema:
        raise NewerRelease(f"its states are of version {schema}")
    return Snapshot(version, at, at - idle, drawn, terms.game.restore(state))


def encode_event(terms: Terms, event: Event) -> bytes:
    """An event as stored: milliseconds since the session began, then its steps.

    A step is the place of its player (-1: nobody's), its action, values, dice, news and what was
    decided, without what is empty at its end: histories are most of what a session takes.
    """
    steps = []
    for step in event.steps:
        place = terms.players.index(step.player) if step.player is not None else -1
        parts: list[Any] = [
            place,
            step.action,
            step.values,
            step.dice,
            step.news,
            step.decided,
        ]
        while not parts[-1]:
            parts.pop()
        steps.append(parts)
    return packed((event.at - terms.created_at, *steps))


def decode_event(terms: Terms, written: bytes) -> Event:
    """An event of the session of `terms`."""
    since, *steps = unpacked(written)
    return Event(
        terms.created_at + since,
        tuple([_step(terms, *parts) for parts in steps]),
    )


def _marked(value: object) -> bytes:
    """`value` packed, after the layout as one byte: any release can read that, whatever follows."""
    return bytes([FORMAT_VERSION]) + packed(value)


def _unmarked(written: bytes) -> Any:
    """The value that `_marked` wrote. Raises `NewerRelease` for a newer layout."""
    if written[0] > FORMAT_VERSION:
        raise NewerRelease(f"it is stored in layout {written[0]}")
    return unpacked(written[1:])


def packed(value: object) -> bytes:
    """`value` as JSON, deflated: a short text alone takes half as much with a dictionary."""
    deflate = zlib.compressobj(
        zlib.Z_DEFAULT_COMPRESSION,
        zlib.DEFLATED,
        -WINDOW,
        MEMORY,
        zlib.Z_DEFAULT_STRATEGY,
        DICTIONARY,
    )
    return deflate.compress(orjson.dumps(value)) + deflate.flush()


def unpacked(written: bytes) -> Any:
    """The value that `packed` wrote."""
    inflate = zlib.decompressobj(-WINDOW, DICTIONARY)
    return orjson.loads(inflate.decompress(written) + inflate.flush())


def _step(
    terms: Terms,
    place: int,
    action: str,
    values: Mapping[str, Any] | None = None,
    dice: list[Any] | None = None,
    news: list[dict[str, Any]] | None = None,
    decided: Any = None,
) -> Step:
    player = terms.players[place] if place >= 0 else None
    return Step(player, action, values or {}, tuple(dice or ()), tuple(news or ()), decided)
