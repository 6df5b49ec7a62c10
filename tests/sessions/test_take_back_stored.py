"""Taking back in stored sessions (G3): what it asks the store, two devices, and the clock."""

from __future__ import annotations

from typing import Any

import pytest

from service.sessions.service import SessionService
from service.sessions.store import codec
from service.sessions.store.redis_store import Store
from service.sessions.view import CreatedSession, Stale
from service.variants import variants
from tests.sessions.serving import Clock, Worker, act, new, session_service_of
from tests.sessions.taking_back import bare

TYPED = {"action": "roll", "dice": [6, 5, 4, 3, 2]}


def typed(service: SessionService, seconds: int | None = None) -> CreatedSession:
    """A game of dice-poker with typed dice."""
    return new(service, players=("ann", "ben"), typed_dice=True, turn_seconds=seconds)


def test_what_it_asks(workers: tuple[Worker, Worker]) -> None:
    """To take back reads the session and how it came to the version, whoever has it cached; no
    other action asks the store more because it may be taken back.
    """
    one, _ = workers
    made = typed(one.session_service)
    for version in range(1, 4):
        one.act(made, version, TYPED)
    store = one.store
    assert (store.reads, store.replays, store.writes) == (0, 0, 4)
    assert one.act(made, 4, {"action": "take_back", "to": 2}).snapshot.version == 5
    assert (store.reads, store.replays, store.writes) == (1, 1, 5)
    one.act(made, 5, TYPED)
    assert (store.reads, store.replays, store.writes) == (1, 1, 6)


def test_two_devices(workers: tuple[Worker, Worker]) -> None:
    """Of two who act at once one is refused, and a device that had cached what was taken back
    notices that.
    """
    one, other = workers
    made = typed(one.session_service)
    one.act(made, 1, TYPED)
    other.act(made, 2, {"action": "take_back", "to": 1})
    with pytest.raises(Stale) as stale:
        one.act(made, 2, {"action": "score", "box": "chance"})
    assert stale.value.view.snapshot.version == 3
    first, store = one.act(made, 3, TYPED), one.store
    store.before_write = [lambda: other.act(made, 4, {"action": "take_back", "to": 3})]
    with pytest.raises(Stale):
        one.act(made, 4, {"action": "take_back", "to": 1})
    again = one.act(made, 5, {"action": "take_back", "to": 4})
    assert bare(again.snapshot) == bare(first.snapshot)


def test_the_clock_ran_out(client: Any) -> None:
    """What the clock decided meanwhile comes first; then the table takes that back, too."""
    clock = Clock()
    service = session_service_of(client, clock)
    made = typed(service, 30)
    rolled = act(service, made, 1, body=TYPED)
    clock.at += 31_000
    back = {"action": "take_back", "to": 2}
    with pytest.raises(Stale) as stale:
        act(service, made, 2, body={"action": "take_back", "to": 1})
    assert stale.value.view.snapshot.version == 3
    again = act(service, made, 3, body=back)
    assert bare(again.snapshot) == bare(rolled.snapshot)
    assert again.snapshot.state.deadline == again.snapshot.at + 30_000
    events = service.history(made.view.terms.id, made.table_token)[1]
    assert [event.steps[0].action for event in events] == ["create", "roll", "time_up", "take_back"]


def test_what_it_stores(client: Any) -> None:
    """Twenty times back and forth stores twenty events more, each smaller than a kilobyte."""
    store = Store(lambda: client)
    service = SessionService(store, variants(), 60, Clock())
    made = typed(service)
    act(service, made, 1, body=TYPED)
    act(service, made, 2, body={"action": "score", "box": "chance"})
    for version in range(3, 23):
        act(service, made, version, body={"action": "take_back", "to": 2 - version % 2})
    events = store.events(made.view.terms.id)
    assert len(events) == 23
    assert max(map(len, events)) < 1_000
    assert codec.decode_event(made.view.terms, events[-1]).steps[0].values == {"to": 2}
