"""Performs action requests: pure functions, which write to no store."""

from __future__ import annotations

from dataclasses import dataclass

from service.engine.game import Action
from service.rules.violations import InvalidInput, Violation
from service.sessions.action_request import ActionRequest
from service.sessions.session import Event, Snapshot, apply_action
from service.sessions.view import Forbidden, Illegal, SessionView


@dataclass(frozen=True, slots=True)
class Performed:
    """An action in the session `before`: the snapshot after it, and its event."""

    before: SessionView
    after: Snapshot
    event: Event


def perform(session: SessionView, request: ActionRequest, now: int) -> Performed:
    """Performs `request` at the time `now` in a session whose clock is caught up.

    Raises `Stale` if the session is at another version, `Forbidden` if the token is another
    player's, and `Illegal` if the rules don't allow the action.
    """
    request.versions.check(session)
    try:
        player = _player(session, request)
        action = Action(request.action, player, now, request.values, request.dice)
        after, event = apply_action(session.terms, session.snapshot, action)
    except InvalidInput as refused:
        raise Illegal(refused, session) from None
    return Performed(session, after, event)


def _player(session: SessionView, request: ActionRequest) -> str:
    """Who acts: the player that the request names; otherwise the viewer if they can act, or else
    the first player who can; "" once nobody can.

    Raises `Forbidden` if the token is another player's, `InvalidInput` if nobody has that name.
    """
    terms, viewer, player = session.terms, session.viewer, request.player
    if player is None:
        able = [move.player for move in terms.game.legal_moves(session.snapshot.state)]
        player = (viewer or "") if viewer in able or not able else able[0]
    elif player not in terms.players:
        raise InvalidInput(Violation(("player",), f"must be one of {', '.join(terms.players)}"))
    if viewer not in (None, player):
        raise Forbidden(f"the token belongs to {viewer}, but the action is for {player}")
    return player
