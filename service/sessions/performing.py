"""Performs what clients request in a session: one action, or several of which all are legal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from service.engine.actions import LEAVE, Action
from service.rules.breaches import Breach
from service.rules.violations import InvalidInput, Violation
from service.sessions.computers import acts_itself, as_decided
from service.sessions.requests import ActionRequest, RequestedAction
from service.sessions.session import Draws, Event, Snapshot, apply_action
from service.sessions.take_back import TAKE_BACK, version_to
from service.sessions.view import Illegal, NotYourTurn, OtherPlayer, SessionView

Performed = tuple[SessionView, Sequence[Snapshot], Sequence[Event]]
"""The session before some actions, the snapshot after each of them and the moves of computers that
follow it, and all events."""


def perform(
    session: SessionView,
    request: ActionRequest,
    now: int,
    recall: Callable[[SessionView, int], Any],
    follow: Callable[[Snapshot], tuple[Snapshot, Sequence[Event]]],
) -> Performed:
    """Performs `request` at the time `now` in a session whose clock is caught up; `recall` is that
    of the repository. `follow` makes the moves of computers after each action.

    Raises `Stale` if the session is at another version, `Forbidden` if the token is another
    player's, and `Illegal` if the rules don't allow one of the actions.
    """
    request.versions.check(session)
    terms = session.terms
    alone = bool(terms.computers and terms.seed)
    most = 1 if alone else terms.game.most_actions
    if len(request.actions) > most:
        wrong = Breach.ONE_WITH_COMPUTERS()
        if not alone:
            wrong = Breach.NOT_A_LIST_BETWEEN(minimum=1, maximum=most, of="actions")
        raise Illegal(InvalidInput(Violation(("actions",), wrong)), session)
    if request.takes_back and len(request.actions) > 1:  # what that needs is stored
        back = [each for each in request.actions if each.action == TAKE_BACK.name]
        several = [Violation((*each.path, "action"), Breach.TAKE_BACK_ALONE()) for each in back]
        raise Illegal(InvalidInput(*several), session)
    snapshots, events = [session.snapshot], list[Event]()
    for place, requested in enumerate(request.actions, start=1):
        is_last = place == len(request.actions)
        at = replace(session, snapshot=snapshots[-1], digest="") if events else session
        try:
            player = _player(at, requested)
            action = Action(requested.action, player, now, requested.values, requested.dice)
            decided, why = None, None
            if acts_itself(terms, action):
                action, why = as_decided(terms, at.snapshot, action)
            if request.takes_back:
                decided = recall(at, version_to(terms, at.snapshot, action))
            after, event = apply_action(terms, at.snapshot, action, decided, why, may_draw=is_last)
        except Draws:
            path = request.actions[place].path
            raise Illegal(InvalidInput(Violation(path, Breach.AFTER_DICE())), session) from None
        except InvalidInput as refused:
            raise Illegal(refused.within(*requested.path), at) from None
        after, more = follow(after)
        snapshots.append(after)
        events += [event, *more]
    return session, snapshots[1:], events


def _player(session: SessionView, request: RequestedAction) -> str:
    """Who acts: the player that the request names; otherwise the viewer, or for the table the first
    player who can; "" once nobody can. The table must name who leaves, and takes back itself ("").

    Raises `Forbidden` if the token is another player's, `InvalidInput` if nobody has that name, or
    if it isn't the turn of the token's player any more.
    """
    terms, viewer, player = session.terms, session.viewer, request.player
    if player is None and request.action == LEAVE.name:
        if viewer is None:
            raise InvalidInput(Violation(("player",), Breach.MISSING()))
        player = viewer
    elif player is None and request.action == TAKE_BACK.name:
        player = viewer or ""
    elif player is None:
        able = terms.game.to_act(session.snapshot.state)
        if viewer is not None and able and viewer not in able:
            if request.path:  # the violation says at which of the actions
                detail = Breach.NOT_YOUR_TURN(action=request.action, allowed=able)
                raise InvalidInput(Violation((), detail))
            raise NotYourTurn(viewer, able)
        player = viewer or (able[0] if able else "")
    elif player not in terms.players:
        raise InvalidInput(Violation(("player",), Breach.NOT_ONE_OF(allowed=list(terms.players))))
    if viewer not in (None, player):
        raise OtherPlayer(viewer, player)
    return player
