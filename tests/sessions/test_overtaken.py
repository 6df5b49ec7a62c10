"""Requests that others overtake, again and again."""

from __future__ import annotations

import pytest

from service.sessions.service import MAX_ATTEMPTS
from service.sessions.view import Crowded
from tests.sessions.servers import Direct
from tests.sessions.serving import act, history, hurried


def test_a_read_among_others_ends(client: Direct) -> None:
    """If others act before every attempt to catch up with the clock, `read` returns the stored
    version of the last of them.
    """
    _, session_service, store, other, made = hurried(client, MAX_ATTEMPTS + 1)
    view = session_service.read(made.view.terms.id, made.table_token)
    assert store.writes == MAX_ATTEMPTS
    assert view.snapshot.version == 1 + MAX_ATTEMPTS
    assert view == other.read(made.view.terms.id, made.table_token)
    assert len(history(other, made)) == 1 + MAX_ATTEMPTS


def test_a_read_among_some_others(client: Direct) -> None:
    """If others stop in time, the end of the turn is stored and returned."""
    clock, session_service, store, _, made = hurried(client, MAX_ATTEMPTS - 1)
    view = session_service.read(made.view.terms.id, made.table_token)
    assert store.writes == MAX_ATTEMPTS
    assert view.snapshot.version > MAX_ATTEMPTS
    assert view.snapshot.state.deadline > clock.at - 1000
    assert [action for action, _ in history(session_service, made)][MAX_ATTEMPTS:] == [
        "time_up"
    ] * (view.snapshot.version - MAX_ATTEMPTS)


def test_an_action_among_others_ends(client: Direct) -> None:
    """An action that others overtake in every attempt isn't performed, and raises Crowded."""
    _, session_service, store, other, made = hurried(client, MAX_ATTEMPTS + 1)
    with pytest.raises(Crowded):
        act(session_service, made)
    assert store.writes == MAX_ATTEMPTS
    assert [action for action, _ in history(other, made)] == ["create"] + ["roll", "cross_out"] * 8
