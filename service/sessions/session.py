"""A session: a game with its players, house rules, dice, clock and history.

Everything here is a pure function of what is stored, the action and its time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from service.engine.actions import Action, News, Step
from service.engine.game import Game, GameTable
from service.kinds.registry import game_of
from service.rules.breaches import Breach
from service.rules.house_rules import HouseRules
from service.rules.reasons import Reason
from service.rules.variant import TIME_UP, Variant
from service.rules.violations import InvalidInput, Violation
from service.sessions import computers
from service.sessions.computers import CHOSE, Choose, Enough
from service.sessions.fair import FairDice
from service.sessions.take_back import NOBODYS, TAKE_BACK, LastAction, version_to

CREATE = "create"
"""The name of the first event of every session."""

MOST_TIME_UPS = 1_000
"""How often in a row the clock decides at once; later it waits until somebody looks."""


@dataclass(frozen=True)
class Terms:
    """What never changes after a session is created.

    `players` are in seating order. `seed` is the service's secret, None if the dice are typed in.
    `tokens` are the hashes of the table token and then of each player's. `created_at` is in
    milliseconds since 1970. The session expires after `seconds` without an action. `advice` says
    whether the service advises the players during the game. `paper` is that of `GameTable`.
    `computers` has the strength of each player for whom the service plays, by `choose`.
    """

    id: str
    variant: Variant
    players: tuple[str, ...]
    rules: HouseRules
    seed: bytes | None
    client_seed: str
    tokens: tuple[str, ...]
    created_at: int
    seconds: int
    advice: bool = False
    paper: tuple[Any, ...] = ()
    computers: Mapping[str, str] = field(default_factory=dict, hash=False)
    choose: Choose | None = field(default=None, compare=False, repr=False)

    @property
    def table(self) -> GameTable:
        """What the players agreed on."""
        return GameTable(self.players, self.rules, self.seed is None, self.paper)

    @cached_property
    def game(self) -> Game[Any, Any]:
        """The game. Raises `InvalidInput` for house rules that exclude each other."""
        return game_of(self.variant, self.table)

    @cached_property
    def tag_key(self) -> bytes:
        """The key of the session's entity tags: whoever can compute it has all tokens anyway.

        Without a key a client could try every pocket that another player may have until the tag
        matches.
        """
        return sha256("".join(self.tokens).encode()).digest()

    def viewer(self, token_hash: str) -> str | None:
        """The player who owns a token, None for the table. Raises `LookupError` if nobody does."""
        try:
            index = self.tokens.index(token_hash)
        except ValueError:
            raise LookupError("no token of this session") from None
        return self.players[index - 1] if index else None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One version of a session, created at `at` (milliseconds since 1970), with the game's state.

    `drawn` counts the draws of the service's dice so far. `acted_at` is the time of the last
    action: a turn that runs out doesn't keep a session from expiring. `last` says who may take it
    back (G3).
    """

    version: int
    at: int
    acted_at: int
    drawn: int
    state: Any
    last: LastAction = NOBODYS


@dataclass(frozen=True, slots=True)
class Event:
    """What led to one version: an action, and the forced moves after it."""

    at: int
    steps: tuple[Step, ...]


def start(terms: Terms) -> tuple[Snapshot, Event]:
    """The first version of a session, with the forced moves at its start."""
    state = terms.game.start(terms.created_at)
    at, step = terms.created_at, Step(None, CREATE, news=state.news)
    state, drawn, event = _play_forced(terms, state, at, [step], _dice_source(terms, 0))
    return Snapshot(1, at, at, drawn, state), event


def overdue(snapshot: Snapshot, now: int) -> bool:
    """Whether the time of the current turn is up by `now`."""
    deadline = snapshot.state.deadline
    return deadline is not None and deadline <= now


def catch_up(
    terms: Terms, snapshot: Snapshot, now: int, most: int | None = None, enough: Enough = bool
) -> tuple[Snapshot, list[Event]]:
    """The snapshot after every turn whose time was up by `now`, and every move of a computer.

    Each makes a version, until there are `most`, or it is `enough` for the computers. At a table
    that everybody has left alone, the clock makes one decision, `now`. A computer acts as soon as
    it is its turn: no time is up for it.
    """
    events, at = [], now
    while most is None or snapshot.version < most:
        decision = computers.decision(terms, snapshot) if terms.computers else None
        if decision is not None and not decision.awaits_dice:
            if enough():
                break
            snapshot, event = apply_action(terms, snapshot, decision.action(at), why=decision.news)
        elif overdue(snapshot, now):
            at = now if _left_alone(terms, snapshot) else snapshot.state.deadline
            snapshot, event = _time_out(terms, snapshot, at)
        else:
            break
        events.append(event)
    return snapshot, events


def _left_alone(terms: Terms, snapshot: Snapshot) -> bool:
    """Whether the clock has made all decisions for so long that nobody is at the table any more:
    from then on it waits for somebody to look.
    """
    idle: int = snapshot.state.deadline - snapshot.acted_at
    return idle > MOST_TIME_UPS * (terms.game.lasts or 0)


class Draws(Exception):
    """An action needs dice of the service, and may not draw any."""


class _NoDice(FairDice):
    """The dice of a session, of which none may be drawn."""

    def below(self, n: int) -> int:
        raise Draws(n)


def apply_action(
    terms: Terms,
    snapshot: Snapshot,
    action: Action,
    decided: Any = None,
    why: News | None = None,
    *,
    may_draw: bool = True,
) -> tuple[Snapshot, Event]:
    """Performs `action` and the moves that it forces; returns the next version.

    The snapshot must be caught up. A replay passes what was `decided` the first time, None for
    nothing; to take back always needs it, from `recall`. `why` is the news of a computer that acts;
    nobody can take that back, and it doesn't keep a session from expiring unless somebody types in
    its dice. Raises `InvalidInput` if the action isn't legal, and `Draws` if it would draw dice
    that it may not: before any is drawn, so that not even its time says anything of them.
    """
    if action.at < snapshot.at:  # the clock of this machine is behind another's
        action = replace(action, at=snapshot.at)
    if action.name == TAKE_BACK.name:
        return _go_back(terms, snapshot, action, decided)
    game, at = terms.game, action.at
    source = _dice_source(terms, snapshot.drawn, FairDice if may_draw else _NoDice)
    below = None if source is None else source.below
    state, step = game.take(snapshot.state, action, below, decided)
    if why is not None:
        step = replace(step, news=(why, *step.news))
        state = replace(state, news=step.news)
    state, drawn, event = _play_forced(terms, state, at, [step], source)
    if why is not None and action.dice is None:
        return Snapshot(snapshot.version + 1, at, snapshot.acted_at, drawn, state), event
    reveals = drawn > snapshot.drawn or game.reveals(snapshot.state, state)
    last = LastAction(snapshot.version, terms.players.index(action.player), reveals)
    return Snapshot(snapshot.version + 1, at, at, drawn, state, last), event


def _go_back(
    terms: Terms, snapshot: Snapshot, action: Action, recalled: Any
) -> tuple[Snapshot, Event]:
    """The version that goes back (G3) to what is `recalled`: its state, with a clock that starts
    again in full for the table, and for a player with the time that was left. No die is rolled
    again: the draws count on.

    A player may go back further only to before an own action: others acted before that, and the
    table has the last word.
    """
    to, player = version_to(terms, snapshot, action), action.player or None
    last = LastAction(**recalled["last"])
    if player is None or last.seat != terms.players.index(player):
        last = NOBODYS
    what, undone = TAKE_BACK.name, snapshot.version - to
    reason = Reason.TABLE_TAKES_BACK(to=to, undone=undone)
    whose: dict[str, Any] = {"to": to, "undone": undone, "whose": recalled["whose"]}
    if player is not None:
        reason = Reason.TAKES_BACK(player=player, to=to, undone=undone)
        whose = {"player": player, **whose}
    news = (terms.variant.news(what, what, reason, **whose),)
    state = terms.game.restore(recalled["state"])
    deadline = None if terms.game.lasts is None else action.at + terms.game.lasts
    if deadline is not None and player is not None:
        before, left = recalled["clock"]
        deadline = before if before == snapshot.state.deadline else action.at + left
    state = replace(state, news=news, deadline=None if state.over else deadline)
    after = Snapshot(snapshot.version + 1, action.at, action.at, snapshot.drawn, state, last)
    step = Step(player, action.name, {"to": to}, news=news, decided=recalled)
    return after, Event(action.at, (step,))


def replay_event(terms: Terms, snapshot: Snapshot | None, event: Event) -> tuple[Snapshot, Event]:
    """Replays `event` after `snapshot` (None: it is the first event).

    Returns the next version, and the event as it would be stored now. The service's dice are rolled
    again from the seed, whatever dice the event has; what was decided is taken from the event, and
    so is what a computer chose. Raises `InvalidInput` if it isn't legal.
    """
    if snapshot is None:
        return start(terms)
    step = event.steps[0]
    if step.action == TIME_UP:
        late = overdue(snapshot, event.at) and _left_alone(terms, snapshot)
        if event.at != snapshot.state.deadline and not late:
            raise InvalidInput(Violation(("at",), Breach.TIME_NOT_UP()))
        return _time_out(terms, snapshot, event.at, [step.decided for step in event.steps])
    dice = step.dice if terms.seed is None and step.dice else None
    action = Action(step.action, step.player or "", event.at, step.values, dice)
    why = None
    if computers.acts_itself(terms, action):
        why = next(iter(step.news), None)
        if why is None or why["what"] != CHOSE:
            detail = Breach.COMPUTER_DECIDES(player=action.player)
            raise InvalidInput(Violation(("action",), detail))
    return apply_action(terms, snapshot, action, step.decided, why)


def replay(terms: Terms, events: Sequence[Event], snapshot: Snapshot | None = None) -> Snapshot:
    """The snapshot after `events`, which followed `snapshot` (None: they are the first ones)."""
    for event in events:
        snapshot, _ = replay_event(terms, snapshot, event)
    if snapshot is None:
        raise ValueError("a session has at least one event")
    return snapshot


def _time_out(
    terms: Terms, snapshot: Snapshot, at: int, decided: Sequence[Any] = ()
) -> tuple[Snapshot, Event]:
    """The version in which time was up, made `at` that time; a replay passes what was `decided`."""
    source = _dice_source(terms, snapshot.drawn)
    below = None if source is None else source.below
    state, steps = terms.game.time_up(snapshot.state, at, below, decided)
    state, drawn, event = _play_forced(terms, state, at, steps, source)
    return Snapshot(snapshot.version + 1, at, snapshot.acted_at, drawn, state), event


def _dice_source(terms: Terms, drawn: int, dice: type[FairDice] = FairDice) -> FairDice | None:
    """The service's dice, after the draws that were made already; None if dice are typed in."""
    return None if terms.seed is None else dice(terms.seed, terms.client_seed, drawn)


def _play_forced(
    terms: Terms, state: Any, at: int, steps: list[Step], source: FairDice | None
) -> tuple[Any, int, Event]:
    """`state` after the forced moves that follow `steps`, if the service rolls the dice; with the
    draws of its dice so far, and the event.

    The new state has the news of all steps: what ended a hand isn't lost when the next is dealt.
    """
    game = terms.game
    while source and (moves := game.known_moves(state)) and moves[0].forced:
        action = Action(moves[0].action, moves[0].player, at)
        state, step = game.take(state, action, source.below)
        steps.append(step)
    if len(steps) > 1:
        state = replace(state, news=tuple([news for each in steps for news in each.news]))
    return state, source.drawn if source else 0, Event(at, tuple(steps))
