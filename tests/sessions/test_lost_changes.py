"""A store that comes back without its last changes, under processes that remember them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

import orjson
import pytest

from service.api.sessions import answers
from service.api.sessions.answers import bound_schema
from service.cli import verify
from service.sessions.view import CreatedSession, SessionView, Stale, Unknown
from service.variants.dice_poker import VARIANT as DICE_POKER
from tests.sessions.servers import Direct
from tests.sessions.serving import ROLL, Worker, new
from tests.sessions.store.stored import keys_of

CHANCE = {"action": "score", "box": "chance"}


def dumped(worker: Worker, made: CreatedSession) -> list[bytes | None]:
    """Everything that the store has of a session."""
    store: Direct = worker.client
    return [store.execute_command("DUMP", key) for key in keys_of(made.view.terms.id)]


def goes_back(worker: Worker, made: CreatedSession, then: list[bytes | None]) -> None:
    """Restores what the store had of the session."""
    store: Direct = worker.client
    for key, value in zip(keys_of(made.view.terms.id), then, strict=True):
        store.execute_command("DEL", key)
        if value is not None:
            store.execute_command("RESTORE", key, 0, value)


def act(
    worker: Worker, made: CreatedSession, tag: str, body: Mapping[str, Any] = ROLL
) -> SessionView:
    """Performs an action with the table token, a key, and `tag` as its condition."""
    return worker.act(made, tag, body, key=f"{tag} {body}")


def ends_verified(worker: Worker, made: CreatedSession) -> int:
    """Plays the game to its end and verifies its history; returns the number of events."""
    view = worker.session_service.read(made.view.terms.id, made.table_token)
    while not view.snapshot.state.over:
        move = view.terms.game.moves(view.snapshot.state)[-1]
        values = {name: bound_schema(bound)["enum"][0] for name, bound in move.values.items()}
        view = act(worker, made, view.tag, {"action": move.action, **values})
    view, events = worker.session_service.history(view.terms.id, made.table_token)
    verify.verified(verify.read(orjson.dumps(answers.history_json(view, events))))
    return len(events)


def test_a_version_that_was_lost_is_not_acted_in(workers: tuple[Worker, Worker]) -> None:
    """If the store lost a version and others created another with the same number, an action for
    the lost one is refused, and theirs stays.
    """
    one, other = workers
    made = new(one.session_service)
    rolled = act(one, made, "1")
    then = dumped(one, made)
    lost = act(one, made, rolled.tag, {"action": "roll", "keep": [0]})
    goes_back(one, made, then)
    stays = act(other, made, rolled.tag, {"action": "roll", "keep": [0, 1, 2, 3]})
    assert (lost.snapshot.version, stays.snapshot.version) == (3, 3)
    assert lost.tag != stays.tag
    with pytest.raises(Stale) as stale:
        act(one, made, lost.tag, CHANCE)
    assert (stale.value.view, stale.value.replaced) == (stays, True)
    assert one.session_service.read(made.view.terms.id, made.table_token) == stays
    assert ends_verified(one, made) == 28


def test_a_number_means_the_version_that_there_is(workers: tuple[Worker, Worker]) -> None:
    """An action for a version by its number applies to the stored version, not to the lost one that
    this process has cached.
    """
    one, other = workers
    made = new(one.session_service)
    rolled = act(one, made, "1")
    then = dumped(one, made)
    act(one, made, rolled.tag, {"action": "roll", "keep": [0]})
    goes_back(one, made, then)
    stays = act(other, made, rolled.tag, {"action": "roll", "keep": [0, 1, 2, 3]})
    scored = act(one, made, "3", CHANCE)
    assert scored.snapshot.version == 4
    assert scored.snapshot.state.news[0]["dice"] == list(stays.snapshot.state.dice)
    assert ends_verified(other, made) == 28


@pytest.mark.parametrize("tagged", [True, False])
def test_a_version_that_was_lost_has_not_come_yet(
    workers: tuple[Worker, Worker], tagged: bool
) -> None:
    """Until others act, a lost version counts as a later one; the process goes on from the stored
    one.
    """
    one, _ = workers
    made = new(one.session_service)
    rolled = act(one, made, "1")
    then = dumped(one, made)
    lost = act(one, made, rolled.tag)
    goes_back(one, made, then)
    with pytest.raises(Stale) as stale:
        act(one, made, lost.tag if tagged else "3", CHANCE)
    assert (stale.value.view, stale.value.to_come) == (rolled, True)
    again = act(one, made, "2", {"action": "score", "box": "ones"})
    assert again.snapshot.version == 3
    assert one.store.reads == 1, "what was read counts, though a newer version was remembered"
    assert ends_verified(one, made) == 27


def test_a_session_that_was_lost(workers: tuple[Worker, Worker]) -> None:
    """A session that the store lost is unknown, even if a process has cached it."""
    one, _ = workers
    made = new(one.session_service)
    rolled = act(one, made, "1")
    goes_back(one, made, [None] * 3)
    for _ in range(2):
        with pytest.raises(Unknown):
            act(one, made, rolled.tag)
    with pytest.raises(Unknown):
        one.session_service.read(made.view.terms.id, made.table_token)


@pytest.mark.parametrize("others", [None, {"action": "roll", "keep": [0]}, CHANCE])
def test_a_game_that_would_end_on_a_lost_version(
    socket_url: str, others: Mapping[str, Any] | None
) -> None:
    """An action that would end a game, but for a version that was lost, is refused, and the feed
    has nothing of it: neither if the store has fewer events now nor if it has others.
    """
    stream = f"feed {others}"
    one, other = Worker(socket_url, stream), Worker(socket_url, stream)
    with closing(one.client), closing(other.client):
        made = new(one.session_service)
        view = made.view
        for box in [each.id for each in DICE_POKER.boxes if each.id != "chance"]:
            rolled = act(one, made, view.tag)
            view = act(one, made, rolled.tag, {"action": "cross_out", "box": box})
        rolled = act(one, made, view.tag)
        then = dumped(one, made)
        lost = act(one, made, rolled.tag, {"action": "roll", "keep": [0, 1, 2, 3]})
        goes_back(one, made, then)
        stays = act(other, made, rolled.tag, others) if others else rolled
        with pytest.raises(Stale) as stale:
            act(one, made, lost.tag, CHANCE)
        assert (stale.value.view, stale.value.replaced) == (stays, others is not None)
        types = [entry[b"type"] for _, entry in one.client.xrange(stream)]
        assert types == [b"turn"] * 13 + [b"over"] * (others == CHANCE)
