"""A history has what a game decided, and a replay doesn't decide it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson
import pytest

from service.engine.actions import Action
from service.sessions.session import Event, Snapshot, Terms, apply_action, replay, start
from service.sessions.store import codec
from service.sessions.store.codec import NewerRelease
from service.variants.roll_a_royal import VARIANT
from tests.kinds.layout.layout_table import CROSSED, SPADES
from tests.sessions.sample_sessions import CREATED_AT, sample_terms
from tests.variants.test_roll_a_royal import ROYAL

ROLLS: list[tuple[str, dict[str, Any], list[str] | None]] = [("roll", {}, roll) for roll in ROYAL]
BEST = [*ROLLS, ("lay", {}, None), ("bank", {}, None)]
OWN = [*ROLLS, ("lay", {"layout": CROSSED}, None), ("risk", {}, [2])]
SUPER_ROYAL: list[tuple[str, dict[str, Any], list[str] | None]] = [("roll", {}, SPADES)]
WHOLE = [*BEST, *OWN, *SUPER_ROYAL]
"""A turn with the best layout, one with the player's own layout, and a super royal."""

LATER = replace(
    VARIANT,
    hands=replace(
        VARIANT.hands,
        royal_flush=replace(VARIANT.hands.royal_flush, points=500, further=0),
        straight_flush=replace(VARIANT.hands.straight_flush, points=500, further=0),
        three_of_a_kind=replace(VARIANT.hands.three_of_a_kind, points=200),
        pair=replace(VARIANT.hands.pair, points=200),
    ),
)
"""The game of a later release, which finds other layouts to be the best."""


def terms_of_one() -> Terms:
    """The terms of a session with one player, who types in the dice."""
    return replace(sample_terms("roll-a-royal", typed_dice=True, turns=3), players=("ann",))


def played(
    terms: Terms, actions: Sequence[tuple[str, dict[str, Any], Any]]
) -> tuple[list[Snapshot], list[Event]]:
    """Every snapshot of a game, and its history as read from the store."""
    snapshot, event = start(terms)
    snapshots, events = [snapshot], [event]
    for name, values, dice in actions:
        action = Action(name, "ann", CREATED_AT, values, dice)
        snapshot, event = apply_action(terms, snapshot, action)
        snapshots.append(snapshot)
        events.append(event)
    stored = [codec.encode_event(terms, event) for event in events]
    return snapshots, [codec.decode_event(terms, written) for written in stored]


def test_a_later_release_replays_what_was_decided() -> None:
    """Layouts that the service found, compared or counted stay the same even if a later release
    would find others: all its snapshots are equal.
    """
    terms = terms_of_one()
    snapshots, events = played(terms, WHOLE)
    assert snapshots[-1].state.winners == ("ann",)
    later = replace(terms, variant=LATER)
    assert played(later, WHOLE)[0][-1].state.totals != snapshots[-1].state.totals
    for version, snapshot in enumerate(snapshots, start=1):
        again = replay(later, events[:version])
        assert orjson.dumps(again) == orjson.dumps(snapshot)


def test_what_is_recorded() -> None:
    """An action that decides something is stored with the decision; others store nothing more."""
    terms = terms_of_one()
    snapshots, events = played(terms, BEST)
    assert [event.steps[0].decided is not None for event in events] == [
        event.steps[0].action == "lay" for event in events
    ]
    laid = events[len(ROLLS) + 1].steps[0].decided
    assert orjson.dumps(laid) == orjson.dumps(snapshots[len(ROLLS) + 1].state.laid)


def test_histories_of_the_release_before() -> None:
    """Events and snapshots of schema 1, which have no decisions, can be read: a replay decides
    again.
    """
    terms = terms_of_one()
    snapshots, events = played(terms, WHOLE)
    before = [
        Event(event.at, tuple([replace(step, decided=None) for step in event.steps]))
        for event in events
    ]
    assert all(len(codec.unpack(codec.encode_event(terms, each))[1]) <= 5 for each in before)
    assert orjson.dumps(replay(terms, before)) == orjson.dumps(snapshots[-1])
    written = codec.encode_snapshot(terms, snapshots[-1])
    schema, *rest = codec.unpack(written[1:])
    assert schema == terms.game.schema == 2
    old = written[:1] + codec.pack([1, *rest])
    read = codec.decode_snapshot(terms, snapshots[-1].version, old)
    assert orjson.dumps(read) == orjson.dumps(snapshots[-1])
    with pytest.raises(NewerRelease):
        codec.decode_snapshot(terms, 1, written[:1] + codec.pack([3, *rest]))
