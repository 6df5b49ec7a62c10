"""Computers: players whose moves the service makes, knowing no more than their tokens show."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from service.advice.choosing import Choice, Chosen, Strength
from service.engine.actions import LEAVE, Action, Move, News
from service.rules.breaches import Breach
from service.rules.reasons import Reason
from service.rules.violations import InvalidInput, Violation
from service.sessions.take_back import TAKE_BACK

if TYPE_CHECKING:
    from service.sessions.session import Snapshot, Terms

CHOSE = "chose"
"""The news of why a computer acts as it does, the first of its event."""

MOST_SECONDS = 0.3
"""How long computers may play in one request. The next one goes on."""


Choose = Callable[[Choice], Chosen]
"""Returns what a computer does."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a computer does: one of its legal moves, with values, and the news of why.

    The players type in the dice of a `move` that `awaits_dice`, so the table has to act.
    """

    move: Move
    values: Mapping[str, object]
    news: News
    awaits_dice: bool

    def action(self, at: int) -> Action:
        """The action of the computer at a time."""
        return Action(self.move.action, self.move.player, at, self.values)


def decision(terms: Terms, snapshot: Snapshot) -> Decision | None:
    """What the next computer does; None if it is the turn of none.

    A computer draws from a source of its own, which its session's secret and the version determine:
    nobody can know its choice in advance, and two workers make the same one.
    """
    moves = [
        each for each in terms.game.known_moves(snapshot.state) if each.player in terms.computers
    ]
    if not moves:
        return None
    player = moves[0].player
    own = [each for each in moves if each.player == player]
    chosen = Chosen({"action": own[0].action}, Reason.ONLY_CHOICE.because())
    if len(own) > 1 or own[0].values:
        view = terms.game.view(snapshot.state, player)
        strength = Strength(terms.computers[player])
        assert terms.choose is not None, "who only replays has no moves to choose"
        source = _source(terms, snapshot)
        choice = Choice(terms.variant, terms.rules, view, own, strength, source)
        chosen = terms.choose(choice)
    move = next(each for each in own if each.action == chosen.action["action"])
    values = {name: value for name, value in chosen.action.items() if name != "action"}
    because = Reason.UNSAID.because() if terms.game.hidden else chosen.because
    news = {"what": CHOSE, "player": player, "because": because}
    return Decision(move, values, news, terms.seed is None and move.dice is not None)


def acts_itself(terms: Terms, action: Action) -> bool:
    """Whether a computer decides by itself about `action`: not to leave, and to take back."""
    return action.player in terms.computers and action.name not in (LEAVE.name, TAKE_BACK.name)


def as_decided(terms: Terms, snapshot: Snapshot, action: Action) -> tuple[Action, News]:
    """`action`, whose dice a client types in, with the values that the computer chose; and why.

    Raises `InvalidInput` for anything else that the computer decides.
    """
    made = decision(terms, snapshot)
    if made is not None and made.awaits_dice:
        chosen = replace(made.action(action.at), dice=action.dice)
        given = replace(action, values={**chosen.values, **action.values})
        if given == chosen:
            return chosen, made.news
    raise InvalidInput(Violation(("action",), Breach.COMPUTER_DECIDES(player=action.player)))


Enough = Callable[[], bool]
"""Whether the request of a client has taken long enough."""


def budget() -> Enough:
    """Whether computers have played for as long as they may in one request, which begins now."""
    end = time.monotonic() + MOST_SECONDS
    return lambda: time.monotonic() > end


def _source(terms: Terms, snapshot: Snapshot) -> Random:
    secret = terms.seed or terms.tag_key
    return Random(hmac.digest(secret, b"computer:%d" % snapshot.version, "sha256"))
