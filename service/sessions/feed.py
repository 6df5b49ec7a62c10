"""What a backend learns of sessions without asking: whose turn it is, and how games came out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import ne
from typing import Any

import orjson

from service.sessions.result import Result
from service.sessions.session import Event, Snapshot, Terms
from service.sessions.take_back import TAKE_BACK

TURN, OVER = "turn", "over"
"""The types of entries."""

ResultJson = Callable[[Result], Mapping[str, Any]]
"""Writes the result of a game that is over."""


def has_news(
    terms: Terms, before: Snapshot, snapshots: Sequence[Snapshot], events: Sequence[Event]
) -> bool:
    """Whether, at one of the `snapshots` after `before`, others can act, a turn, hand or round has
    ended, or the game has. A new session has news, and so has one in which something was taken
    back: a game that is over may have another result.

    Only the last version that the clock made in a row has a snapshot; each of them ended a turn.
    """
    if not before.version or len(events) > len(snapshots):
        return True
    if events[0].steps[0].action == TAKE_BACK.name:
        return True
    game = terms.game
    turns = [
        (each.state.over, game.ended(each.state), game.to_act(each.state))
        for each in (before, *snapshots)
    ]
    return any(map(ne, turns, turns[1:]))


def entry_of(
    terms: Terms, snapshot: Snapshot, result: Mapping[str, Any] | None
) -> tuple[bytes | str | int, ...]:
    """Fields and values of the entry for `snapshot`, with the `result` if the game is over. It has
    nothing that a player of the session may not see.
    """
    to_act = terms.game.to_act(snapshot.state)
    return (
        *("type", OVER if snapshot.state.over else TURN),
        *("id", terms.id),
        *("variant", terms.variant.id),
        *("version", snapshot.version),
        *("to_act", orjson.dumps(to_act)),
        *(() if result is None else ("result", orjson.dumps(result))),
    )
