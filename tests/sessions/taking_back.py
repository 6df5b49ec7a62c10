"""Games at random in which actions are taken back at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import orjson

from service.api.sessions.answers import actions_json
from service.engine.actions import LEAVE, Action, Move
from service.engine.parameters import Whole
from service.sessions.session import Event, Snapshot, Terms, apply_action, catch_up, overdue, start
from service.sessions.take_back import TAKE_BACK, recall, ways_back
from service.sessions.view import SessionView
from tests.engine.random_play import action_of


def bare(snapshot: Snapshot) -> bytes:
    """The state of a version as JSON, but for its news and its deadline."""
    return orjson.dumps(replace(snapshot.state, news=(), deadline=None))


class Played:
    """A game of `terms` that is played at random, with all its versions."""

    def __init__(self, terms: Terms, seed: int) -> None:
        self.terms = terms
        self.rng = Random(f"{terms.variant.id} {seed}")
        self.counts = Counter[str]()
        self.snapshots: list[Snapshot] = []
        self.events: list[Event] = []
        self._add(*start(terms))

    @property
    def last(self) -> Snapshot:
        """The current version."""
        return self.snapshots[-1]

    @property
    def ways(self) -> Mapping[str | None, Whole]:
        """Who may go back now, and to which versions."""
        return ways_back(self.terms, self.last)

    def act(self, at: int | None = None) -> None:
        """An action at random, or the clock's decision, at the time `at` (None: at random)."""
        rng = self.rng
        now = self.last.at + rng.randrange(15_000) if at is None else at
        if overdue(self.last, now):
            snapshot, events = catch_up(self.terms, self.last, self.last.state.deadline)
            self._add(snapshot, events[0])
            return
        moves = self.terms.game.legal_moves(self.last.state)
        own = [move for move in moves if move.kind is not LEAVE]
        self.take(rng.choice(moves if rng.random() < 0.03 else own), now)

    def take(self, move: Move, at: int) -> None:
        """`move` with values, and dice if they are typed in, at random."""
        game, action = self.terms.game, action_of(self.rng, move, at)
        if self.terms.seed is None and move.dice is not None:
            read = game.read_values(move, action.values)
            rolled = game.chance(self.last.state, move, read).draw(self.rng.randrange)
            action = replace(action, dice=rolled)
        self.do(action)

    def do(self, action: Action) -> None:
        """Performs any action but to take back. Raises `InvalidInput` if it isn't legal."""
        self._add(*apply_action(self.terms, self.last, action))

    def go_back(self, player: str | None, to: Any, dice: object = None) -> None:
        """Goes back to version `to` after a second, for `player` or the table (None).

        Raises `InvalidInput` if that isn't allowed.
        """
        action = Action(TAKE_BACK.name, player or "", self.last.at + 1_000, {"to": to}, dice)
        known = isinstance(to, int) and 1 <= to < self.last.version
        recalled = recall(self.terms, self.snapshots[to - 1], self.events[to:]) if known else None
        self._add(*apply_action(self.terms, self.last, action, recalled))

    def seen(self, snapshot: Snapshot, viewer: str | None) -> Any:
        """What a token sees of a version, but the news and what can be taken back, without time."""
        view = SessionView(self.terms, snapshot, viewer, "")
        state = {**self.terms.game.view(snapshot.state, viewer), "news": None}
        return state, [each for each in actions_json(view) if each["action"] != TAKE_BACK.name]

    def _add(self, snapshot: Snapshot, event: Event) -> None:
        self.snapshots.append(snapshot)
        self.events.append(event)
        self.counts[event.steps[0].action] += 1
        assert snapshot.version == len(self.snapshots) == len(self.events)
