"""Saved sessions, the responses of `GET /v1/sessions/{id}/events`, as requests to `review`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.api.operations.advise.review import turns_of
from service.cli.command_error import CommandError

Asked = Mapping[str, Mapping[str, object]]
"""The requests to `review` of a game, by player."""


def is_session(body: Mapping[str, object]) -> bool:
    """Whether `body` is a saved session, and not a request."""
    return "events" in body


def game_of(body: Mapping[str, Any]) -> str:
    """The id of the game of a saved session. Raises `CommandError` if there is none."""
    variant = body.get("variant")
    if not isinstance(variant, str):
        raise CommandError("the file has events, but no variant")
    return variant


def requests_of(body: Mapping[str, Any], player: str | None) -> Asked:
    """The requests that review the turns of each player of a game with score cards.

    With `player`, only that one's. Raises `CommandError` if the file isn't what it should be.
    """
    try:
        players = [str(each) for each in body["players"]]
        turns = turns_of(players, body["events"])
        rules = dict(body["house_rules"])
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise CommandError(
            "the file is not what GET /v1/sessions/{id}/events returns for a game with score cards"
        ) from None
    if player is not None and player not in turns:
        raise CommandError(f"the players are {', '.join(players)}, not {player}")
    return {
        each: {"turns": played, "house_rules": rules}
        for each, played in turns.items()
        if player in (None, each)
    }
