"""Taking back (G3): who may go back to which version of a session, and what stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson

from service.engine.actions import Action, ActionKind, Move, Value
from service.engine.parameters import Whole
from service.rules.breaches import Breach
from service.rules.variant import TAKE_BACK as TAKEN_BACK
from service.rules.violations import InvalidInput, Violation

if TYPE_CHECKING:
    from service.sessions.session import Event, Snapshot, Terms

TAKE_BACK = ActionKind(
    TAKEN_BACK,
    "goes back to an earlier version; what was done since is undone",
    {"to": Value(Whole, "the version to go back to")},
)
"""The action that every session has (G3). It is of the session, not of the game."""


@dataclass(frozen=True, slots=True)
class LastAction:
    """What a session knows of its last action, so that nobody reads the history to list who may
    take it back.

    `to` is the version before it. `seat` is that of its player; None if no player may take it back:
    the session has just begun, or the clock or the table has changed it since. If it `reveals` dice
    that nobody could know before it, of the service or hidden ones, only the table may, and only
    with typed dice.
    """

    to: int = 0
    seat: int | None = None
    reveals: bool = False


NOBODYS = LastAction()
"""A last action that no player may take back."""


def ways_back(terms: Terms, snapshot: Snapshot) -> Mapping[str | None, Whole]:
    """The versions to which each player may go back, and the table (None); others may not."""
    last, typed, ways = snapshot.last, terms.seed is None, dict[str | None, Whole]()
    published = not typed and snapshot.state.over  # the seed: the rest would be known dice
    if last.seat is not None and not last.reveals and not published:
        only = Whole(last.to, last.to)
        ways = {terms.players[last.seat]: only, None: only}
    if typed and snapshot.version > 1:
        ways[None] = Whole(1, snapshot.version - 1)
    return ways


def version_to(terms: Terms, snapshot: Snapshot, action: Action) -> int:
    """The version to which `action` goes back; its player is "" for the table.

    Raises `InvalidInput` if that isn't allowed.
    """
    if action.dice is not None:
        raise InvalidInput(Violation(("dice",), Breach.ROLLS_NO_DICE(action=action.name)))
    ways = ways_back(terms, snapshot)
    way = ways.get(action.player or None)
    if way is None:
        raise InvalidInput(_no_way(terms, snapshot, ways))
    move = Move(TAKE_BACK, action.player, {"to": way})
    to: int = terms.game.read_values(move, action.values)["to"]
    return to


def _no_way(terms: Terms, snapshot: Snapshot, ways: Mapping[str | None, Whole]) -> Violation:
    """Why whoever isn't in `ways` can't go back."""
    path = ("action",)
    if terms.seed is not None and snapshot.state.over:
        return Violation(path, Breach.GAME_OVER())
    if snapshot.last.reveals:
        return Violation(path, Breach.DICE_SHOWN())
    players = [player for player in ways if player is not None]
    if players:
        detail = Breach.NOT_YOUR_TURN(action=TAKE_BACK.name, allowed=players)
        return Violation(("player",), detail)
    return Violation(path, Breach.NOTHING_TO_TAKE_BACK())


def versions_in_force(backs: Sequence[int | None]) -> list[int]:
    """The versions of a session whose events nobody took back, in order.

    `backs` has the version to which each of its events goes back, None for all others.
    """
    found, version = list[int](), len(backs)
    while version > 0:
        to = backs[version - 1]
        if to is None:
            found.append(version)
        version = version - 1 if to is None else min(to, version - 1)
    return found[::-1]


def recall(terms: Terms, earlier: Snapshot, undone: Sequence[Event]) -> dict[str, Any]:
    """What the event of going back to `earlier` remembers, as JSON: the state, its last action, the
    clock and what was left of it, and whose actions are `undone`, those of the events since.

    It is stored, so that a replay needs no event before the last snapshot.
    """
    acted = {event.steps[0].player for event in undone}
    deadline = earlier.state.deadline
    remembered = {
        "whose": [player for player in terms.players if player in acted],
        "last": earlier.last,
        "clock": deadline and (deadline, deadline - min(each.at for each in undone)),
        "state": replace(earlier.state, deadline=None, news=()),
    }
    made: dict[str, Any] = orjson.loads(orjson.dumps(remembered))
    return made
