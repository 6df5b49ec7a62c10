"""Sessions as JSON, as a token may see them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from service.api.sessions.moves import move_json
from service.api.sessions.requests import CLIENT, SERVER
from service.rules.house_rules import in_force
from service.sessions.fair import commitment
from service.sessions.session import Event, Step, Terms
from service.sessions.view import CreatedSession, SessionView

Answer = dict[str, Any]

PATH = "/v1/sessions"


def created_json(session: CreatedSession) -> Answer:
    """A new session with its tokens, which no other response has."""
    tokens = {"table": session.table_token, "players": session.player_tokens}
    return {**session_json(session.view), "tokens": tokens}


def session_json(session: SessionView) -> Answer:
    """A session as its viewer may see it."""
    terms, snapshot = session.terms, session.snapshot
    return {
        "id": terms.id,
        "version": snapshot.version,
        **_terms_json(terms, over=snapshot.state.over),
        "state": terms.game.view(snapshot.state, session.viewer),
        "actions": actions_json(session),
        "created_at": timestamp(terms.created_at),
        "expires_at": timestamp(session.expires_at),
    }


def actions_json(session: SessionView) -> list[Answer]:
    """Every legal action: its name, its player and the bounds of its values."""
    typed_dice = session.terms.seed is None
    moves = session.terms.game.legal_moves(session.snapshot.state)
    return [move_json(move, typed_dice=typed_dice) for move in moves]


def history_json(session: SessionView, events: Iterable[Event]) -> Answer:
    """The whole history of a session, as its viewer may see it."""
    terms = session.terms
    return {
        "id": terms.id,
        "version": session.snapshot.version,
        **_terms_json(terms, over=session.snapshot.state.over),
        "created_at": timestamp(terms.created_at),
        "events": [
            {
                "version": version,
                "at": timestamp(event.at),
                **_step_json(session, event.steps[0]),
                "then": [_step_json(session, step) for step in event.steps[1:]],
            }
            for version, event in enumerate(events, start=1)
        ],
    }


def timestamp(at: int) -> str:
    """A time in milliseconds since 1970, formatted by RFC 3339, in UTC."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _terms_json(terms: Terms, *, over: bool) -> Answer:
    """The terms of a session; the seed of the dice only when the game is over."""
    agreed: Answer = {
        "variant": terms.variant.id,
        "players": terms.players,
        "house_rules": in_force(terms.rules),
        "dice": SERVER if terms.seed is not None else CLIENT,
        "advice": terms.advice,
    }
    if terms.seed is not None:
        agreed["fairness"] = {
            "commitment": commitment(terms.seed),
            "client_seed": terms.client_seed,
            "seed": terms.seed.hex() if over else None,
        }
    return agreed


def _step_json(session: SessionView, step: Step) -> Answer:
    """One action of an event; dice that are hidden from the viewer are null."""
    step_json: Answer = {"player": step.player, "action": step.action, **step.values}
    if step.dice:
        hidden = step.action in session.terms.game.hidden and step.player != session.viewer
        step_json["dice"] = None if hidden else step.dice
    return {**step_json, "news": step.news}
