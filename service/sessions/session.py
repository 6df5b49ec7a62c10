"""A session: a game as its players agreed on it, with the dice, the clock and the history of it.

Everything here is a pure function of what is stored, what is asked and the time it is asked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from service.engine.chance import Rolled
from service.engine.game import TIME_UP, Action, Game, News, Table
from service.kinds.registry import game_of
from service.rules.house_rules import HouseRules
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation
from service.sessions.fair import FairDice

CREATE = "create"
"""The name of the first event of every session."""


@dataclass(frozen=True)
class Terms:
    """What is agreed when a session is made, and never changes.

    `players` in the order they sit. `seed` is the service's secret, None where the dice are typed
    in. `tokens` are the hashes of the table's token and then of each player's. `created_at` is in
    milliseconds since 1970; after `seconds` without an action the session is gone.
    """

    id: str
    variant: Variant[Any]
    players: tuple[str, ...]
    rules: HouseRules
    seed: bytes | None
    client_seed: str
    tokens: tuple[str, ...]
    created_at: int
    seconds: int

    @cached_property
    def game(self) -> Game[Any, Any]:
        """The game that is played. Raises `InvalidInput` for house rules that exclude each
        other.
        """
        table = Table(self.players, self.rules, typed_dice=self.seed is None)
        return game_of(self.variant, table)

    @cached_property
    def tag_key(self) -> bytes:
        """The key of the session's entity tags. Whoever knows it has all tokens, and sees all.

        Without a key a client could try every pocket that another player may have, until the
        digest of the snapshot came out.
        """
        return sha256("".join(self.tokens).encode()).digest()

    def viewer(self, token_hash: str) -> str | None:
        """The player whose token it is, None for the table's. Raises LookupError for no token."""
        try:
            index = self.tokens.index(token_hash)
        except ValueError:
            raise LookupError("no token of this session") from None
        return self.players[index - 1] if index else None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How far a session has come: version `version` was made at `at`, with `drawn` draws so far.

    Somebody acted last at `acted_at`: what the clock does keeps no session from being forgotten.
    """

    version: int
    at: int
    acted_at: int
    drawn: int
    state: Any


@dataclass(frozen=True, slots=True)
class Step:
    """One action of an event: whose, what it said, what it rolled, and what followed.

    `decided` is what `Game.decided` says of it, as JSON: to be taken when it is replayed.
    """

    player: str | None
    action: str
    values: Mapping[str, Any] = field(default_factory=dict)
    dice: Rolled = ()
    news: tuple[News, ...] = ()
    decided: Any = None


@dataclass(frozen=True, slots=True)
class Event:
    """What made one version: an action, and after it those that the game forces."""

    at: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """An action as someone asks for it: for whom (None: not said), values, and typed dice."""

    action: str
    player: str | None
    values: Mapping[str, object]
    dice: object = None


def start(terms: Terms) -> tuple[Snapshot, Event]:
    """The first version of a session, with what the game forces at its start."""
    state = terms.game.start(terms.created_at)
    first = Step(None, CREATE, news=state.news)
    snapshot = Snapshot(1, terms.created_at, terms.created_at, 0, state)
    return _settled(terms, snapshot, first, _source(terms, snapshot))


def catch_up(terms: Terms, snapshot: Snapshot, now: int) -> tuple[Snapshot, list[Event]]:
    """The snapshot once the clock has done what it has to by `now`, each time a version (D14)."""
    events = []
    while overdue(snapshot, now):
        snapshot, event = _timed_out(terms, snapshot, snapshot.state.deadline)
        events.append(event)
    return snapshot, events


def overdue(snapshot: Snapshot, now: int) -> bool:
    """Whether the clock of a turn has run out by `now` (D14)."""
    deadline = snapshot.state.deadline
    return deadline is not None and deadline <= now


def apply_action(
    terms: Terms, snapshot: Snapshot, request: ActionRequest, now: int, decided: Any = None
) -> tuple[Snapshot, Event]:
    """The next version, in which what is wished is done.

    The snapshot must be caught up. `decided` is what the event of this action says that was
    decided in it, None where it is done for the first time. Raises `InvalidInput` for what isn't
    legal; nothing has changed.
    """
    game = terms.game
    now = max(now, snapshot.at)  # clocks of several machines: time never runs back
    player = request.player or ""
    action = Action(request.action, player, now, request.values)
    prepared = game.prepare(snapshot.state, action)
    dice, source = request.dice, _source(terms, snapshot)
    if source is not None:
        if dice is not None:
            raise InvalidInput(
                Violation(("dice",), "must be left out: the service rolls in this session")
            )
        if prepared.chance is not None:
            dice = prepared.chance.draw(source.below)
    state = game.finish(snapshot.state, prepared, dice, now, decided)
    step = Step(
        player, request.action, request.values, _rolled(dice), state.news, game.decided(state)
    )
    after = Snapshot(snapshot.version + 1, now, now, snapshot.drawn, state)
    return _settled(terms, after, step, source)


def replay_event(terms: Terms, snapshot: Snapshot | None, event: Event) -> tuple[Snapshot, Event]:
    """What comes of doing in `snapshot` (None: before the first version) what `event` tells.

    Dice of the service are rolled again from its seed, whatever dice the event tells. What the
    event says that was decided isn't decided again. Raises `InvalidInput` where it isn't legal.
    """
    chosen = event.steps[0]
    if snapshot is None:
        return start(terms)
    if chosen.action == TIME_UP:
        if event.at != snapshot.state.deadline:
            raise InvalidInput(Violation(("at",), "must be when the clock ran out"))
        return _timed_out(terms, snapshot, event.at)
    dice = list(chosen.dice) if terms.seed is None and chosen.dice else None
    request = ActionRequest(chosen.action, chosen.player, chosen.values, dice)
    return apply_action(terms, snapshot, request, event.at, chosen.decided)


def replay(terms: Terms, events: Sequence[Event], snapshot: Snapshot | None = None) -> Snapshot:
    """The snapshot after `events`, which followed `snapshot` (None: they are the first ones)."""
    for event in events:
        snapshot, _ = replay_event(terms, snapshot, event)
    if snapshot is None:
        raise ValueError("a session has at least one event")
    return snapshot


def _timed_out(terms: Terms, snapshot: Snapshot, at: int) -> tuple[Snapshot, Event]:
    state = terms.game.time_up(snapshot.state)
    step = Step(None, TIME_UP, news=state.news)
    after = replace(snapshot, version=snapshot.version + 1, at=at, state=state)
    return _settled(terms, after, step, _source(terms, after))


def _source(terms: Terms, snapshot: Snapshot) -> FairDice | None:
    """Where the service's dice come from, after those that were drawn; None if it rolls none."""
    if terms.seed is None:
        return None
    return FairDice(terms.seed, terms.client_seed, snapshot.drawn)


def _settled(
    terms: Terms, snapshot: Snapshot, step: Step, source: FairDice | None
) -> tuple[Snapshot, Event]:
    """`snapshot` after all that the game forces, if the service rolls the dice, from `source`.

    The news of its state are those of all steps: what ended a hand isn't lost when the next one
    is dealt.
    """
    steps = [step]
    game, state, at = terms.game, snapshot.state, snapshot.at
    drawn = snapshot.drawn
    if source is not None:
        while (moves := game.legal_moves(state)) and moves[0].forced:
            forced = moves[0]
            prepared = game.prepare(state, Action(forced.action, forced.player, at))
            dice = prepared.chance.draw(source.below) if prepared.chance else None
            state = game.finish(state, prepared, dice, at)
            steps.append(Step(forced.player, forced.action, {}, _rolled(dice), state.news))
        drawn = source.drawn
        if len(steps) > 1:
            state = replace(state, news=tuple([news for each in steps for news in each.news]))
    return replace(snapshot, drawn=drawn, state=state), Event(at, tuple(steps))


def _rolled(dice: object) -> Rolled:
    return tuple(dice) if isinstance(dice, list | tuple) else ()
