"""Time that passes while the service works."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from service.metrics.declared import ACTIONS
from service.rules.house_rules import read_rules
from service.sessions.action_request import ActionRequest
from service.sessions.idempotency import CreationKey
from service.sessions.service import MAX_ATTEMPTS, SessionService
from service.sessions.store.connect import connect
from service.sessions.store.failures import StoreUnavailable
from service.sessions.store.redis_store import Client, Store
from service.sessions.store.stored import Change
from service.sessions.view import CreatedSession, Crowded, Ended, Illegal, SessionView, Stale
from service.variants import variants
from tests.sessions import servers
from tests.sessions.counting import counted


class Clock:
    """A clock that advances by a millisecond whenever it is read."""

    def __init__(self) -> None:
        self.at = time.time_ns() // 1_000_000

    def __call__(self) -> int:
        """Milliseconds since 1970."""
        self.at += 1
        return self.at


@pytest.fixture
def client(socket_url: str) -> Iterator[Client]:
    """A client of a store."""
    with closing(connect(socket_url)) as made:
        yield made


def session_service_of(client: Client, clock: Clock) -> SessionService:
    """A process with its own clock."""
    return SessionService(Store(lambda: client), variants(), 60, clock)


def new(session_service: SessionService, key: CreationKey | None = None) -> CreatedSession:
    """A new session with turns of a second."""
    variant = variants()["dice-poker"]
    rules = read_rules(variant.house_rules, {"turn_seconds": 1})
    return session_service.create(
        variant, ["ann"], rules, typed_dice=False, client_seed="", key=key
    )


def roll(session_service: SessionService, made: CreatedSession, version: int | None) -> SessionView:
    """A roll for a version, None for any."""
    tags = None if version is None else frozenset([str(version)])
    request = ActionRequest.of({"action": "roll"}, made.table_token, tags)
    return session_service.act(made.view.terms.id, request)


def history(session_service: SessionService, made: CreatedSession) -> list[tuple[str, int]]:
    """Every event with its time."""
    _, events = session_service.history(made.view.terms.id, made.table_token)
    return [(event.steps[0].action, event.at) for event in events]


def test_a_turn_runs_out_while_an_action_is_computed(client: Client) -> None:
    """An action that begins in time counts: no history has it after the end of its turn."""
    clock = Clock()
    session_service = session_service_of(client, clock)
    made = new(session_service)
    ends = made.view.snapshot.state.deadline
    clock.at = ends - 2
    done = roll(session_service, made, 1)
    assert (done.snapshot.version, done.snapshot.at) == (2, ends - 1)
    clock.at = ends
    assert history(session_service, made) == [
        ("create", ends - 1000),
        ("roll", ends - 1),
        ("time_up", ends),
    ]


@pytest.mark.parametrize("asked", ["read", "history", "stale", "illegal"])
def test_a_turn_that_ran_out_is_stored_before_anyone_sees_it(client: Client, asked: str) -> None:
    """A client that sees that a turn ran out sees a stored version: a slower action that was in
    time gets Stale.
    """
    slow, punctual = Clock(), Clock()
    actor, reader = session_service_of(client, slow), session_service_of(client, punctual)
    made = new(actor)
    ends = made.view.snapshot.state.deadline
    slow.at, punctual.at = ends - 10, ends
    if asked == "read":
        assert reader.read(made.view.terms.id, made.table_token).snapshot.version == 2
    elif asked == "history":
        assert history(reader, made)[1:] == [("time_up", ends)]
    elif asked == "stale":
        with pytest.raises(Stale) as stale:
            roll(reader, made, 1)
        assert stale.value.view.snapshot.version == 2
    else:
        request = ActionRequest.of({"action": "fly"}, made.table_token)
        with pytest.raises(Illegal) as illegal:
            reader.act(made.view.terms.id, request)
        assert illegal.value.view.snapshot.version == 2
    with pytest.raises(Stale) as late:
        roll(actor, made, 1)
    assert late.value.view.snapshot.version == 2
    assert history(reader, made) == [("create", ends - 1000), ("time_up", ends)]


def test_an_action_after_the_end_of_its_turn(client: Client) -> None:
    """An action that comes too late is Stale, also in the process that has the session cached; the
    end of the turn is stored.
    """
    clock = Clock()
    session_service = session_service_of(client, clock)
    made = new(session_service)
    ends = made.view.snapshot.state.deadline
    clock.at = ends
    with pytest.raises(Stale) as late:
        roll(session_service, made, 1)
    assert late.value.view.snapshot.version == 2
    assert history(session_service, made) == [("create", ends - 1000), ("time_up", ends)]


def test_a_session_with_more_events_than_it_may_have(client: Client) -> None:
    """A session takes no action once it has `max_events`, or has more since that was lowered, also
    in a process that has it cached.
    """
    clock = Clock()
    made = new(session_service_of(client, clock))
    for most, versions in ((3, (1, 2, 3)), (2, (3,))):
        session_service = SessionService(
            Store(lambda: client), variants(), 60, clock, max_events=most
        )
        session_service.read(made.view.terms.id, made.table_token)
        *before, last = versions
        for version in before:
            assert roll(session_service, made, version).snapshot.version == version + 1
        with pytest.raises(Ended):
            roll(session_service, made, last)
    assert [action for action, _ in history(session_service_of(client, clock), made)] == [
        "create",
        "roll",
        "roll",
    ]


def test_the_clock_does_not_keep_a_session(client: Client) -> None:
    """A turn that runs out is not an action: the session still expires when it said it would."""
    clock = Clock()
    session_service = session_service_of(client, clock)
    made = new(session_service)
    clock.at += 3_500
    view = session_service.read(made.view.terms.id, made.table_token)
    assert (view.snapshot.version, view.expires_at) == (4, made.view.expires_at)
    key = f"dice:{{{made.view.terms.id}}}"
    before = time.time_ns() // 1_000_000
    left = client.execute_command("PTTL", key)
    assert 0 < left <= made.view.expires_at - before + 1
    acted = roll(session_service, made, 4)
    assert acted.expires_at == acted.snapshot.at + 60_000 > made.view.expires_at
    again = session_service_of(client, clock).read(made.view.terms.id, made.table_token)
    assert again.expires_at == acted.expires_at


def keyed(session_service: SessionService, made: CreatedSession, *versions: int) -> SessionView:
    """A roll for some versions, with a key."""
    tags = frozenset(map(str, versions))
    request = ActionRequest.of({"action": "roll"}, made.table_token, tags, "key")
    return session_service.act(made.view.terms.id, request)


@pytest.mark.parametrize("versions", [(1,), (1, 2), (2,)])
def test_an_action_is_answered_again_as_it_is_stored(
    client: Client, versions: tuple[int, ...]
) -> None:
    """A repeated action gets the version that it created, even if this process cached an older one
    and the turn has run out since.
    """
    clock = Clock()
    one, other = session_service_of(client, clock), session_service_of(client, clock)
    made = new(other)
    done = keyed(one, made, 1)
    clock.at = made.view.snapshot.state.deadline
    again = keyed(other, made, *versions)
    assert again == done
    assert (again.snapshot.version, again.snapshot.state.dice) == (2, done.snapshot.state.dice)
    assert [action for action, _ in history(one, made)] == ["create", "roll", "time_up"]
    assert keyed(other, made, *versions) == done


class Hurried(Store):
    """A store in which others are faster: each of `others` is called once, before a change."""

    def __init__(self, client: Client) -> None:
        super().__init__(lambda: client)
        self.others: list[Callable[[], object]] = []
        self.writes = 0

    def write(self, session_id: str, change: Change) -> bool:
        """Writes a change after one of the others."""
        self.writes += 1
        if self.others:
            self.others.pop()()
        return super().write(session_id, change)


def hurried(
    client: Client, count: int, asked: Client | None = None
) -> tuple[Clock, SessionService, Hurried, SessionService, CreatedSession]:
    """A process in whose session another, whose clock is slow, rolls faster `count` times.

    Its turn is over by its own clock all that time. It asks the store by `asked` (None: `client`).
    """
    clock, store = Clock(), Hurried(client if asked is None else asked)
    session_service = SessionService(store, variants(), 60, clock)
    slow = Clock()
    slow.at -= 10_000
    other = session_service_of(client, slow)
    variant = variants()["dice-poker"]
    rules = read_rules(variant.house_rules, {"turn_seconds": 1})
    made = other.create(
        variant, [f"p{n}" for n in range(10)], rules, typed_dice=False, client_seed=""
    )
    bodies = [{"action": "roll"}, {"action": "cross_out", "box": "ones"}]
    actions = [ActionRequest.of(body, made.table_token) for body in bodies]
    store.others = [
        partial(other.act, made.view.terms.id, actions[number % 2])
        for number in reversed(range(count))
    ]
    return clock, session_service, store, other, made


def test_a_read_among_others_ends(client: Client) -> None:
    """If others act before every attempt to catch up with the clock, `read` returns the stored
    version of the last of them.
    """
    _, session_service, store, other, made = hurried(client, MAX_ATTEMPTS + 1)
    view = session_service.read(made.view.terms.id, made.table_token)
    assert store.writes == MAX_ATTEMPTS
    assert view.snapshot.version == 1 + MAX_ATTEMPTS
    assert view == other.read(made.view.terms.id, made.table_token)
    assert len(history(other, made)) == 1 + MAX_ATTEMPTS


def test_a_read_among_some_others(client: Client) -> None:
    """If others stop in time, the end of the turn is stored and returned."""
    clock, session_service, store, _, made = hurried(client, MAX_ATTEMPTS - 1)
    view = session_service.read(made.view.terms.id, made.table_token)
    assert store.writes == MAX_ATTEMPTS
    assert view.snapshot.version > MAX_ATTEMPTS
    assert view.snapshot.state.deadline > clock.at - 1000
    assert [action for action, _ in history(session_service, made)][MAX_ATTEMPTS:] == [
        "time_up"
    ] * (view.snapshot.version - MAX_ATTEMPTS)


def test_an_action_among_others_ends(client: Client) -> None:
    """An action that others overtake in every attempt isn't performed, and raises Crowded."""
    _, session_service, store, other, made = hurried(client, MAX_ATTEMPTS + 1)
    with pytest.raises(Crowded):
        roll(session_service, made, None)
    assert store.writes == MAX_ATTEMPTS
    assert [action for action, _ in history(other, made)] == ["create"] + ["roll", "cross_out"] * 8


def test_each_action_is_counted_once(client: Client) -> None:
    """An action counts as performed, and its repetition as repeated; a refusal as neither."""
    session_service = session_service_of(client, Clock())
    made = new(session_service)
    with counted(ACTIONS) as counts:
        for _ in range(3):
            keyed(session_service, made, 1)
        roll(session_service, made, 2)
        with pytest.raises(Stale):
            roll(session_service, made, 1)
    assert counts == {("performed",): 2, ("repeated",): 2}


PAUSE = 360
"""Milliseconds that a client may wait for one reply, or two, but no request for three."""


class Paused:
    """A client of a server that takes `PAUSE` milliseconds to answer each command."""

    def __init__(self, client: Client, other: Client) -> None:
        self._client, self._other = client, other
        self.pubsub = client.pubsub

    def execute_command(self, *command: Any) -> Any:
        """Returns the reply to a command."""
        self._other.execute_command("CLIENT PAUSE", PAUSE, "ALL")
        return self._client.execute_command(*command)


@pytest.fixture
def clients(any_server: str, tmp_path: Path) -> Iterator[tuple[Client, Client]]:
    """A client, and a paused one of the same server. That looks often whether a pause is over."""
    with servers.on_a_port(any_server, tmp_path, hz="100") as url, ExitStack() as stack:
        one, two, three = (stack.enter_context(closing(connect(url))) for _ in range(3))
        yield one, Paused(two, three)


def slow_read(service: SessionService, made: CreatedSession) -> None:
    """Reads the session."""
    service.read(made.view.terms.id, made.table_token)


def slow_delete(service: SessionService, made: CreatedSession) -> None:
    """Deletes the session."""
    service.delete(made.view.terms.id, made.table_token)


def slow_history(service: SessionService, made: CreatedSession) -> None:
    """Reads the history of the session."""
    service.history(made.view.terms.id, made.table_token)


def slow_roll(service: SessionService, made: CreatedSession) -> None:
    """Rolls in the session, whatever its version."""
    roll(service, made, None)


@pytest.mark.parametrize(
    ("ask", "others"), [(slow_read, 1), (slow_history, 0), (slow_roll, 0), (slow_delete, 0)]
)
def test_a_slow_store(
    clients: tuple[Client, Client],
    ask: Callable[[SessionService, CreatedSession], None],
    others: int,
) -> None:
    """However often a request has to ask a store that is slow, it gives up after a second: here it
    reads a session, has to store that its turn ran out, and needs a third reply.
    """
    client, paused = clients
    _, session_service, store, _, made = hurried(client, others, paused)
    with pytest.raises(StoreUnavailable, match=r"^(TimeoutError|OutOfTime): "):
        ask(session_service, made)
    assert store.writes >= 1, "two replies came in time"


def test_a_slow_store_and_a_repeated_creation(clients: tuple[Client, Client]) -> None:
    """So it is if a session was created before: the store refuses the id, then has the session, and
    then what it was at first.
    """
    client, paused = clients
    key = CreationKey.of("key", {})
    first, slow = session_service_of(client, Clock()), session_service_of(paused, Clock())
    made = new(first, key)
    roll(first, made, 1)
    with pytest.raises(StoreUnavailable, match=r"^(TimeoutError|OutOfTime): "):
        new(slow, key)
    assert new(first, key) == made
