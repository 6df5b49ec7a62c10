"""Games at random in which actions are taken back at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import orjson

from service.api.sessions.answers import actions_json, bound_schema
from service.engine.actions import LEAVE, Action, Move
from service.rules.violations import InvalidInput
from service.sessions.fair import FairDice
from service.sessions.session import Event, Snapshot, Terms, apply_action, catch_up, start
from service.sessions.take_back import TAKE_BACK, recall, ways_back
from service.sessions.view import SessionView
from tests.engine.random_play import picked

TABLE = ""
"""Who takes back in the name of nobody."""


def take_back(
    terms: Terms, snapshots: Sequence[Snapshot], events: Sequence[Event], player: str, to: int
) -> tuple[Snapshot, Event]:
    """The version that goes back to version `to`, a second after the last of `snapshots`.

    Raises `InvalidInput` if `player`, or the table, may not.
    """
    last = snapshots[-1]
    action = Action(TAKE_BACK.name, player, last.at + 1_000, {"to": to})
    known = isinstance(to, int) and 1 <= to < last.version
    recalled = recall(terms, snapshots[to - 1], events[to:]) if known else None
    return apply_action(terms, last, action, recalled)


class Played:
    """A game of `terms` that is played at random, with all its versions."""

    def __init__(self, terms: Terms, seed: int) -> None:
        self.terms = terms
        self.rng = Random(f"{terms.variant.id} {seed}")
        snapshot, event = start(terms)
        self.snapshots, self.events = [snapshot], [event]
        self.counts = Counter[str]()

    @property
    def last(self) -> Snapshot:
        """The current version."""
        return self.snapshots[-1]

    def add(self, snapshot: Snapshot, event: Event) -> None:
        """Adds the next version."""
        assert snapshot.version == len(self.snapshots) + 1
        self.snapshots.append(snapshot)
        self.events.append(event)
        self.counts[event.steps[0].action] += 1

    def act(self) -> None:
        """An action at random, or the clock's decision."""
        terms, rng = self.terms, self.rng
        now = self.last.at + rng.randrange(15_000)
        snapshot, by_clock = catch_up(terms, self.last, now)
        if by_clock:
            self.add(*catch_up(terms, self.last, self.last.state.deadline)[:1], by_clock[0])
            return
        moves = [move for move in terms.game.legal_moves(snapshot.state)]
        own = [move for move in moves if move.kind is not LEAVE]
        move = rng.choice(moves if rng.random() < 0.03 else own)
        self.add(*apply_action(terms, snapshot, self.action(move, now)))

    def action(self, move: Move, at: int) -> Action:
        """`move` with values at random; typed dice come from a source that rolls on for ever."""
        rng = self.rng
        values = {name: picked(rng, bound_schema(bound)) for name, bound in move.values.items()}
        dice = None
        if self.terms.seed is None and move.dice is not None:
            game, state = self.terms.game, self.last.state
            read = game.read_values(move, values)
            dice = game.chance(state, move, read).draw(rng.randrange)
        return Action(move.action, move.player, at, values, dice)

    def ways(self) -> Mapping[str | None, Any]:
        """Who may go back now, and to where."""
        return ways_back(self.terms, self.last)

    def go_back(self, player: str | None, to: int) -> None:
        """Goes back to version `to`, for `player` or the table (None)."""
        made = take_back(self.terms, self.snapshots, self.events, player or TABLE, to)
        self.add(*made)

    def seen(self, snapshot: Snapshot, viewer: str | None) -> dict[str, Any]:
        """What a token sees of a version, with the actions but those to take back."""
        view = SessionView(self.terms, snapshot, viewer, "")
        listed = [each for each in actions_json(view) if each["action"] != TAKE_BACK.name]
        return {"state": self.terms.game.view(snapshot.state, viewer), "actions": listed}


def bare(snapshot: Snapshot) -> bytes:
    """The state of a version as JSON, but for its news and its deadline."""
    return orjson.dumps(replace(snapshot.state, news=(), deadline=None))


__all__ = ["FairDice", "InvalidInput", "Played", "bare", "take_back"]
