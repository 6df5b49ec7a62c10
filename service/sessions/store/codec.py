"""The stored form of sessions: deflated JSON after one byte with the version of the format."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha1
from pathlib import Path
from typing import Any

import orjson

from service.engine.actions import Step
from service.rules.variant import Variant
from service.sessions.computers import Choose
from service.sessions.session import Event, Snapshot, Terms
from service.sessions.take_back import LastAction

FORMAT_VERSION = 3
"""The version of the stored format. Raise it if a release can't read what older ones wrote, or if
they would misread what it writes. A game has its own version for its states, `schema`: raise that
if the game gives a reason with a new code, which older releases can't say."""

OLDEST_FORMAT = 3
"""The oldest format that this release reads."""

WINDOW, MEMORY = 12, 2
"""The parameters of zlib: a window of 4 KiB and little memory, so that it starts fast."""

DICTIONARY = Path(__file__).with_name(f"format-{FORMAT_VERSION}.dictionary").read_bytes()
"""The dictionary with which zlib compresses what is stored. It is part of the format: changing it
changes `FORMAT_VERSION`. It consists of pieces of real events, states and terms, by kind of game.
They and their order were chosen by a random search for the fewest bytes of games played at random,
all games alike."""

# Copied for each value: to set the dictionary takes longer than to deflate most values.
_DEFLATE = zlib.compressobj(wbits=-WINDOW, memLevel=MEMORY, zdict=DICTIONARY)
_INFLATE = zlib.decompressobj(-WINDOW, DICTIONARY)


class NewerRelease(ValueError):
    """A newer release wrote the session in a form that this one doesn't know."""


class OlderRelease(ValueError):
    """An older release wrote the session in a form that this one doesn't read any more."""


class Damaged(ValueError):
    """What the store has isn't what any release wrote. It has no checksum, so that some damage
    can't be found: Redis has checksums for its files.
    """


@contextmanager
def _reading() -> Iterator[None]:
    """Raises `Damaged` for any error but those of other releases."""
    try:
        yield
    except (NewerRelease, OlderRelease, Damaged):
        raise
    except Exception as error:
        raise Damaged(f"it can't be read ({type(error).__name__}: {error})") from error


def encode_terms(terms: Terms) -> bytes:
    """The terms of a session as stored, without its id.

    `advice`, `paper` and `computers` are only stored if there are any.
    """
    return _versioned(
        {
            "variant": terms.variant.id,
            "players": terms.players,
            "rules": terms.rules,
            "seed": terms.seed.hex() if terms.seed else None,
            "client_seed": terms.client_seed,
            "tokens": terms.tokens,
            "created_at": terms.created_at,
            "seconds": terms.seconds,
            **({"advice": True} if terms.advice else {}),
            **({"paper": terms.paper} if terms.paper else {}),
            **({"computers": terms.computers} if terms.computers else {}),
        }
    )


@_reading()
def decode_terms(
    session_id: str, data: bytes, variants: Mapping[str, Variant], choose: Choose | None = None
) -> Terms:
    """The terms of a session. Raises `NewerRelease` for what this release doesn't know, and
    `Damaged` for what none wrote, as all decoders here do.
    """
    stored = _unversioned(data)
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
        advice=stored.get("advice", False),
        paper=tuple(stored.get("paper", ())),
        computers=stored.get("computers", {}),
        choose=choose,
    )


def encode_snapshot(terms: Terms, snapshot: Snapshot) -> bytes:
    """A snapshot as stored, without its number, but with the `schema` of the game's states.

    The schema isn't in the terms because a newer release may act in a session of an older one.
    """
    idle = snapshot.at - snapshot.acted_at
    last = snapshot.last
    kept = [last.to, last.seat, last.reveals] if last.seat is not None else []
    return _versioned((terms.game.schema, snapshot.at, idle, snapshot.drawn, snapshot.state, kept))


def digest(data: bytes) -> str:
    """The SHA-1 of a stored snapshot, in hex, which a Redis script can compute too.

    It distinguishes snapshots that have the same version in different histories.
    """
    return sha1(data, usedforsecurity=False).hexdigest()


@_reading()
def decode_snapshot(terms: Terms, version: int, data: bytes) -> Snapshot:
    """A snapshot of the session of `terms`. Raises `NewerRelease` as `decode_terms` does."""
    schema, *parts = _unversioned(data)
    if schema > terms.game.schema:
        raise NewerRelease(f"its states are of version {schema}")
    at, idle, drawn, state, last = parts
    return Snapshot(version, at, at - idle, drawn, terms.game.restore(state), LastAction(*last))


def encode_event(terms: Terms, event: Event) -> bytes:
    """An event as stored: milliseconds since the session was created, then its steps.

    A step is the index of its player (-1 for nobody), its action, values, dice, news and what was
    decided. Empty parts at the end are left out: most of a session's memory is its history.
    """
    steps = []
    for step in event.steps:
        index = terms.players.index(step.player) if step.player is not None else -1
        parts: list[Any] = [index, step.action, step.values, step.dice, step.news, step.decided]
        while not parts[-1]:
            parts.pop()
        steps.append(parts)
    return pack((event.at - terms.created_at, *steps))


@_reading()
def decode_event(terms: Terms, data: bytes) -> Event:
    """An event of the session of `terms`."""
    since, *steps = unpack(data)
    return Event(terms.created_at + since, tuple([_step(terms, *parts) for parts in steps]))


def _versioned(value: object) -> bytes:
    """`value` packed, after the format version as one byte, which every release can read."""
    return bytes([FORMAT_VERSION]) + pack(value)


def _unversioned(data: bytes) -> Any:
    """The value that `_versioned` encoded. Raises `NewerRelease` or `OlderRelease` for a format
    that this release doesn't read.
    """
    if data[0] > FORMAT_VERSION:
        raise NewerRelease(f"it is stored in format {data[0]}")
    if 0 < data[0] < OLDEST_FORMAT:
        raise OlderRelease(f"it is stored in format {data[0]}")
    return unpack(data[1:])


def pack(value: object) -> bytes:
    """`value` as JSON, deflated with a dictionary, which halves the size of short texts."""
    deflate = _DEFLATE.copy()
    return deflate.compress(orjson.dumps(value)) + deflate.flush()


def unpack(data: bytes) -> Any:
    """The value that `pack` encoded."""
    inflate = _INFLATE.copy()
    return orjson.loads(inflate.decompress(data) + inflate.flush())


def _step(
    terms: Terms,
    index: int,
    action: str,
    values: Mapping[str, Any] | None = None,
    dice: list[Any] | None = None,
    news: list[dict[str, Any]] | None = None,
    decided: Any = None,
) -> Step:
    player = terms.players[index] if index >= 0 else None
    return Step(player, action, values or {}, tuple(dice or ()), tuple(news or ()), decided)
