"""What sessions answer, as a token may see it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from service.api.sessions.requests import CLIENT, SERVER
from service.rules.house_rules import in_force
from service.sessions.fair import commitment
from service.sessions.session import Event, Step, Terms
from service.sessions.view import Made, Seen

Answer = dict[str, Any]

PATH = "/v1/sessions"


def made(session: Made) -> Answer:
    """A new session, with its tokens, which are told this once."""
    tokens = {"table": session.table_token, "players": session.player_tokens}
    return {**seen(session.seen), "tokens": tokens}


def seen(session: Seen) -> Answer:
    """A session as its viewer may see it."""
    terms, position = session.terms, session.position
    return {
        "id": terms.id,
        "version": position.version,
        **_agreed(terms, over=position.state.over),
        "state": terms.game.seen(position.state, session.viewer),
        "actions": legal(session),
        "created_at": written(terms.created_at),
        "expires_at": written(session.expires_at),
    }


def legal(session: Seen) -> list[Answer]:
    """Everything that can be done now, for whom, with bounds."""
    typed_dice = session.terms.seed is None
    moves = session.terms.game.legal(session.position.state)
    return [move.told(typed_dice=typed_dice) for move in moves]


def history(session: Seen, events: Iterable[Event]) -> Answer:
    """All that happened in a session, as its viewer may see it."""
    terms = session.terms
    return {
        "id": terms.id,
        "version": session.position.version,
        **_agreed(terms, over=session.position.state.over),
        "created_at": written(terms.created_at),
        "events": [
            {
                "version": version,
                "at": written(event.at),
                **_step(session, event.steps[0]),
                "then": [_step(session, step) for step in event.steps[1:]],
            }
            for version, event in enumerate(events, start=1)
        ],
    }


def written(at: int) -> str:
    """A time in milliseconds since 1970 as RFC 3339 has it, in UTC."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _agreed(terms: Terms, *, over: bool) -> Answer:
    """What was agreed at the start; the seed of the dice once the game is over."""
    agreed: Answer = {
        "variant": terms.variant.id,
        "players": terms.players,
        "house_rules": in_force(terms.rules),
        "dice": SERVER if terms.seed is not None else CLIENT,
    }
    if terms.seed is not None:
        agreed["fairness"] = {
            "commitment": commitment(terms.seed),
            "client_seed": terms.client_seed,
            "seed": terms.seed.hex() if over else None,
        }
    return agreed


def _step(session: Seen, step: Step) -> Answer:
    """One action of an event; dice that are hidden from the viewer are null."""
    told: Answer = {"player": step.player, "action": step.action, **step.values}
    if step.dice:
        hidden = step.action in session.terms.game.hidden and step.player != session.viewer
        told["dice"] = None if hidden else step.dice
    return {**told, "news": step.news}
