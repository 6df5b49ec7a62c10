"""What the service does with actions that come late, come again, or are too many."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.api.operations.registry import play
from service.engine.game import GameTable
from service.kinds.layout.played import Played
from service.kinds.layout.variant import Layout
from service.metrics.declared import ACTIONS
from service.rules.house_rules import read_rules
from service.sessions.service import SessionService
from service.sessions.store.connect import connect
from service.sessions.store.redis_store import Store
from service.sessions.view import Ended, Illegal, SessionView, Stale, Unknown
from service.settings import Settings
from service.variants import variants
from service.variants.dice_poker import VARIANT as DICE_POKER
from tests.sessions import servers
from tests.sessions.counting import counted
from tests.sessions.servers import Direct
from tests.sessions.serving import (
    ROLL,
    Clock,
    Watched,
    Worker,
    act,
    history,
    new,
    now,
    session_service_of,
)
from tests.sessions.store.counting_proxy import DroppingProxy

CARDS = [*["As", "Ks", "Qs", "Js", "Ts", "2h", "3d", "4c", "5s", "6h", "7d", "8c", "9c"]]
"""A roll without blanks."""


def test_a_turn_runs_out_while_an_action_is_computed(client: Direct) -> None:
    """An action that begins in time counts: no history has it after the end of its turn."""
    clock = Clock()
    session_service = session_service_of(client, clock)
    made = new(session_service, turn_seconds=1)
    ends = made.view.snapshot.state.deadline
    clock.at = ends - 2
    done = act(session_service, made, 1)
    assert (done.snapshot.version, done.snapshot.at) == (2, ends - 1)
    clock.at = ends
    assert history(session_service, made) == [
        ("create", ends - 1000),
        ("roll", ends - 1),
        ("time_up", ends),
    ]


@pytest.mark.parametrize("asked", ["read", "history", "stale", "illegal", "cached"])
def test_a_turn_that_ran_out_is_stored_before_anyone_sees_it(client: Direct, asked: str) -> None:
    """A client that sees that a turn ran out sees a stored version: a slower action that was in
    time gets Stale. So does one that comes too late to the process that has the session cached.
    """
    slow, punctual = Clock(), Clock()
    actor, reader = session_service_of(client, slow), session_service_of(client, punctual)
    made = new(actor, turn_seconds=1)
    ends = made.view.snapshot.state.deadline
    slow.at, punctual.at = ends - 10, ends
    if asked == "read":
        assert reader.read(made.view.terms.id, made.table_token).snapshot.version == 2
    elif asked == "history":
        assert history(reader, made)[1:] == [("time_up", ends)]
    elif asked == "stale":
        with pytest.raises(Stale) as stale:
            act(reader, made, 1)
        assert stale.value.view.snapshot.version == 2
    elif asked == "cached":
        slow.at = ends
    else:
        with pytest.raises(Illegal) as illegal:
            act(reader, made, body={"action": "fly"})
        assert illegal.value.view.snapshot.version == 2
    with pytest.raises(Stale) as late:
        act(actor, made, 1)
    assert late.value.view.snapshot.version == 2
    assert history(reader, made) == [("create", ends - 1000), ("time_up", ends)]


def test_a_session_with_more_events_than_it_may_have(client: Direct) -> None:
    """A session takes no action once it has `max_events`, or has more since that was lowered, also
    in a process that has it cached.
    """
    clock = Clock()
    usual, lowered = (session_service_of(client, clock, most) for most in (3, 2))
    made = new(usual, turn_seconds=1)
    act(usual, made, 1)
    act(usual, made, 2)
    lowered.read(made.view.terms.id, made.table_token)
    for session_service in (usual, lowered):
        with pytest.raises(Ended):
            act(session_service, made, 3)
    assert [action for action, _ in history(usual, made)] == ["create", "roll", "roll"]


def test_a_full_session_that_is_gone(workers: tuple[Worker, Worker]) -> None:
    """A list of too many actions for a session that another process has deleted isn't refused for
    their number: the session in the cache is only a guess.
    """
    one, other = workers
    made = new(one.session_service, turn_seconds=1)
    limited = session_service_of(one.client, Clock(), max_events=3)
    act(limited, made, 1)
    other.session_service.delete(made.view.terms.id, made.table_token)
    with pytest.raises(Unknown):
        act(limited, made, 2, body={"actions": [{"action": "score", "box": "chance"}, ROLL]})


def test_a_store_that_fails_before_computers_play(any_server: str, tmp_path: Path) -> None:
    """Once a session is stored, its creator gets the tokens, whatever happens to the first moves of
    its computers. They play when somebody looks.
    """
    variant = variants()["roll-a-royal"]
    choose = partial(play, Settings())
    with servers.on_a_port(any_server, tmp_path) as url, ExitStack() as stack:
        change_of_the_first_version = b"\r\n$1\r\n1\r\n$40\r\n"
        proxy = DroppingProxy(change_of_the_first_version)
        stack.callback(proxy.close)
        proxy.upstream = int(url.rpartition(":")[2])
        store = Store(lambda: connect(f"redis://127.0.0.1:{proxy.port}"))
        session_service = SessionService(store, variants(), 60, now, choose=choose)
        table = GameTable(("robo",), variant.house_rules())
        made = session_service.create(variant, table, client_seed="", computers={"robo": "best"})
        assert (made.view.snapshot.version, proxy.lost) == (1, 1)
        seen = session_service.read(made.view.terms.id, made.table_token)
        assert seen.snapshot.version > 1


def test_the_clock_does_not_keep_a_session(client: Direct) -> None:
    """A turn that runs out is not an action: the session still expires when it said it would."""
    clock = Clock()
    session_service = session_service_of(client, clock)
    made = new(session_service, turn_seconds=1)
    clock.at += 3_500
    view = session_service.read(made.view.terms.id, made.table_token)
    assert (view.snapshot.version, view.expires_at) == (4, made.view.expires_at)
    key = f"dice:{{{made.view.terms.id}}}"
    before = time.time_ns() // 1_000_000
    left = client.execute_command("PTTL", key)
    assert 0 < left <= made.view.expires_at - before + 1
    acted = act(session_service, made, 4)
    assert acted.expires_at == acted.snapshot.at + 60_000 > made.view.expires_at
    again = session_service_of(client, clock).read(made.view.terms.id, made.table_token)
    assert again.expires_at == acted.expires_at


@pytest.mark.parametrize("versions", [(1,), (1, 2), (2,)])
def test_an_action_is_answered_again_as_it_is_stored(
    client: Direct, versions: tuple[int, ...]
) -> None:
    """A repeated action gets the version that it created, even if this process cached an older one
    and the turn has run out since.
    """
    clock = Clock()
    one, other = session_service_of(client, clock), session_service_of(client, clock)
    made = new(other, turn_seconds=1)
    done = act(one, made, 1, key="key")
    clock.at = made.view.snapshot.state.deadline
    again = act(other, made, *versions, key="key")
    assert again == done
    assert (again.snapshot.version, again.snapshot.state.dice) == (2, done.snapshot.state.dice)
    assert [action for action, _ in history(one, made)] == ["create", "roll", "time_up"]
    assert act(other, made, *versions, key="key") == done


def test_each_action_is_counted_once(client: Direct) -> None:
    """An action counts as performed, and its repetition as repeated; a refusal as neither."""
    session_service = session_service_of(client, Clock())
    made = new(session_service, turn_seconds=1)
    with counted(ACTIONS) as counts:
        for _ in range(3):
            act(session_service, made, 1, key="key")
        act(session_service, made, 2)
        with pytest.raises(Stale):
            act(session_service, made, 1)
    assert counts == {("performed",): 2, ("repeated",): 2}


class Searching(Layout):
    """A layout game that counts its searches."""

    searches = 0

    def evaluate(self, *given: Any) -> Played:
        """The best layout."""
        Searching.searches += 1
        return super().evaluate(*given)


def test_searches_are_not_repeated(client: Direct) -> None:
    """A repeated action is answered as at first by a process that knows nothing of its session, and
    no layout is searched for again.
    """
    known = variants()["roll-a-royal"]
    variant = Searching(**{each.name: getattr(known, each.name) for each in fields(known)})
    first, other = [
        SessionService(Store(lambda: client), {variant.id: variant}, 60, now) for _ in range(2)
    ]
    rules = read_rules(variant.house_rules, {"turns": 3, "opening": "none"})
    made = first.create(variant, GameTable(("ann",), rules, typed_dice=True), client_seed="")

    def bank(session_service: SessionService, turn: int, *versions: int) -> object:
        body = {"action": "bank"}
        view = act(session_service, made, *versions, body=body, key=f"bank-{turn}")
        return orjson.dumps(view.snapshot), view.tag

    done = []
    for turn in range(3):
        for body in ({"action": "roll", "dice": CARDS}, {"action": "lay"}):
            act(first, made, body=body)
        done.append(bank(first, turn))
    searches = Searching.searches
    assert searches >= 3
    assert [bank(other, turn, 1) for turn in range(3)] == done
    assert Searching.searches == searches


def test_a_list_keeps_the_snapshots_that_it_passes(client: Direct) -> None:
    """A list of actions is one write, and keeps the snapshot of a version that it passes, so that
    no long history is replayed. If a session can't have all its events, it gets none of them.
    """
    store = Watched(client)
    session_service = SessionService(store, variants(), 60, now, max_events=150)
    players = [f"player {seat}" for seat in range(10)]
    made = new(session_service, players=players, typed_dice=True)
    rolled = {"action": "roll", "dice": [1, 2, 3, 4, 6]}
    actions = [
        action
        for box in DICE_POKER.boxes[:8]
        for _ in players
        for action in (rolled, {"action": "cross_out", "box": box.id})
    ]
    done: list[SessionView] = []
    for part in (actions[:100], actions[100:140]):
        repeated = partial(act, session_service, made, body={"actions": part}, key=str(len(done)))
        done.append(repeated())
    assert [view.snapshot.version for view in done] == [101, 141]
    assert store.writes == 3
    replay = store.replay(made.view.terms.id, 140)
    assert (replay.from_version, len(replay.events)) == (128, 12)
    assert repeated() == done[1]
    with pytest.raises(Ended):
        act(session_service, made, body={"actions": actions[140:]})
    assert session_service.read(made.view.terms.id, made.table_token) == done[1]
