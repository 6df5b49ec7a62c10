"""The stored form of sessions can be read again; that of a newer release is reported."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import orjson
import pytest

from service.engine.actions import Step
from service.rules.reasons import Reason
from service.rules.sentences import names_in
from service.sessions.session import Event
from service.sessions.store import codec
from service.sessions.store.codec import DICTIONARY, Damaged, NewerRelease, OlderRelease
from service.variants import variants
from tests.sessions.sample_sessions import CREATED_AT, sample_terms, steps

FORMATS = {3: "a318ed7162ab487e61aec6a48e14a8514227416acbfb82a9b22a4140e88a217d"}
"""The SHA-256 of the dictionary of each format: with another, nothing written can be read."""

REASONS = {3: "277d04b5a88e7b79b0f2f1dc1f30ffda6b3b6442bfb234b5721f6c78e4226c8c"}
"""The SHA-256 of the codes of reasons with their values, of each format."""


MOST_STEPS = 500
"""Most games are shorter; without house rules that shorten it, one for chips may take thousands."""


@pytest.mark.general
@pytest.mark.parametrize("typed_dice", [False, True])
def test_terms_come_back(variant: str, typed_dice: bool) -> None:
    """Terms are read as they were written."""
    terms = sample_terms(variant, typed_dice=typed_dice)
    assert codec.decode_terms(terms.id, codec.encode_terms(terms), variants()) == terms


@pytest.mark.general
def test_positions_and_events_come_back(variant: str) -> None:
    """The snapshots and events of random games are read as they were written."""
    terms = sample_terms(variant)
    for seed in range(3):
        for snapshot, events in islice(steps(terms, seed), MOST_STEPS):
            written = codec.encode_snapshot(terms, snapshot)
            read = codec.decode_snapshot(terms, snapshot.version, written)
            assert orjson.dumps(read) == orjson.dumps(snapshot)
            assert codec.encode_snapshot(terms, read) == written
            for event in events:
                back = codec.decode_event(terms, codec.encode_event(terms, event))
                assert orjson.dumps(back) == orjson.dumps(event)


def test_an_event_of_nobody_comes_back() -> None:
    """A step of the clock has no player; what is empty is left out and comes back."""
    terms = sample_terms("dice-poker")
    event = Event(CREATED_AT + 7, (Step(None, "time_up"), Step("cay", "roll", {}, (1, 2))))
    written = codec.encode_event(terms, event)
    assert codec.unpack(written) == [7, [-1, "time_up"], [2, "roll", {}, [1, 2]]]
    assert codec.decode_event(terms, written) == event


@pytest.mark.parametrize("changed", [{"variant": "chess"}, {"rules": {"wild_ones": True}}])
def test_terms_of_a_newer_release(changed: dict[str, Any]) -> None:
    """A variant or a house rule that only a newer release knows raises NewerRelease."""
    terms = sample_terms("dice-poker")
    stored = {**codec.unpack(codec.encode_terms(terms)[1:]), **changed}
    with pytest.raises(NewerRelease):
        codec.decode_terms(terms.id, bytes([codec.FORMAT_VERSION]) + codec.pack(stored), variants())


def test_terms_from_before_there_was_advice() -> None:
    """Sessions that were stored without a word about advice give none."""
    terms = sample_terms("dice-poker")
    stored = codec.unpack(codec.encode_terms(replace(terms, advice=True))[1:])
    del stored["advice"]
    written = bytes([codec.FORMAT_VERSION]) + codec.pack(stored)
    assert codec.decode_terms(terms.id, written, variants()) == replace(terms, advice=False)


OLDER, NEWER = b"\1", bytes([codec.FORMAT_VERSION + 1])


@pytest.mark.parametrize(
    ("stored", "error", "said"),
    [
        *[(stored, Damaged, None) for stored in (b"", b"\0", b"\3damaged")],
        (OLDER + codec.pack([]), OlderRelease, "^it is stored in format 1$"),
        (NEWER + b"deflated by other means", NewerRelease, None),
    ],
)
def test_what_cannot_be_read(stored: bytes, error: type[Exception], said: str | None) -> None:
    """What no release wrote is damaged, whatever it is that can't be read. A format that is no
    longer read is refused as that of an older release, and a newer one as such, though nothing
    after it can be read.
    """
    terms = sample_terms("dice-poker")
    with pytest.raises(error, match=said):
        codec.decode_terms(terms.id, stored, variants())
    with pytest.raises(error, match=said):
        codec.decode_snapshot(terms, 1, stored)


def test_states_of_a_newer_release() -> None:
    """A state that a newer release stored in an older session raises NewerRelease."""
    terms = sample_terms("dice-poker")
    stored = bytes([codec.FORMAT_VERSION]) + codec.pack([terms.game.schema + 1, 0, 0, 0, {}])
    with pytest.raises(NewerRelease):
        codec.decode_snapshot(terms, 1, stored)


def test_the_dictionary_belongs_to_the_format() -> None:
    """The dictionary is that of FORMAT_VERSION; a changed one is a new version, listed here."""
    assert hashlib.sha256(DICTIONARY).hexdigest() == FORMATS[codec.FORMAT_VERSION]
    assert len(DICTIONARY) < 2**codec.WINDOW


def test_the_reasons_belong_to_the_format() -> None:
    """What is stored has reasons of all these codes. One that goes, or gets other values, makes a
    new format. A new one needs a new `schema` of its games, or older releases that serve beside
    this one would fail to say it.
    """
    codes = {reason.code: sorted(names_in(reason.value)) for reason in Reason}
    digest = hashlib.sha256(orjson.dumps(codes, option=orjson.OPT_SORT_KEYS)).hexdigest()
    assert digest == REASONS[codec.FORMAT_VERSION]


def test_what_is_stored_is_deflated_with_the_dictionary() -> None:
    """Any zlib reads it: raw deflate, with the dictionary set beforehand."""
    terms = replace(sample_terms("poker-dice"), client_seed="Glück 🎲")
    inflate = zlib.decompressobj(-15, DICTIONARY)
    stored = orjson.loads(inflate.decompress(codec.encode_terms(terms)[1:]))
    assert stored == {
        "variant": "poker-dice",
        "players": ["ann", "ben", "cay"],
        "rules": {
            "pairs_rank": False,
            "starting_chips": 100,
            "stakes": "smallest_stack",
            "rounds": 3,
            "turn_seconds": None,
        },
        "seed": bytes(range(32)).hex(),
        "client_seed": "Glück 🎲",
        "tokens": list(terms.tokens),
        "created_at": CREATED_AT,
        "seconds": 3600,
    }


def test_a_window_of_four_kibibytes_reads_what_is_stored() -> None:
    """Releases that share a store inflate with a window of 12 bits: nothing may refer further back.

    A text of 6,000 characters that comes twice would be referred to with a larger window. It is
    read byte by byte, because zlib looks further back in what one call returns.
    """
    text = "".join(Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=6_000))
    inflate = zlib.decompressobj(-12, DICTIONARY)
    read = b"".join([inflate.decompress(bytes([byte])) for byte in codec.pack([text, text])])
    assert orjson.loads(read) == [text, text]
