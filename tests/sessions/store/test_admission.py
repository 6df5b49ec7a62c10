"""Which new sessions every kind of store takes."""

from __future__ import annotations

from uuid import uuid4

import pytest

from service.sessions.requests import new_id
from service.sessions.store.failures import StoreFull, TooManySessions
from service.sessions.store.redis_store import Store
from service.sessions.store.scripts import GROWN, LONG, CreationLimit
from tests.sessions.servers import Direct
from tests.sessions.store.stored import NOTHING, change, kept, soon


def test_limit_of_a_client(store: Store, client: Direct) -> None:
    """A client creates so many sessions; a further one leaves nothing, and others aren't counted.
    Changes of a session are never limited.
    """
    limit = CreationLimit(uuid4().hex, 2)
    first, second, third = new_id(), new_id(), new_id()
    assert store.write(first, change(limit=limit)) is True
    assert store.write(second, change(limit=limit, taken_until=soon())) is True
    for until in (0, soon()):
        with pytest.raises(TooManySessions) as refused:
            store.write(third, change(limit=limit, taken_until=until))
        assert 1790 < refused.value.seconds <= 1800
        assert kept(client, third) == NOTHING
    assert store.write(first, change(1)) is True
    assert store.write(third, change(limit=CreationLimit(uuid4().hex, 2))) is True
    assert 0 < client.execute_command("PTTL", limit.key) <= 3_600_000


@pytest.mark.parametrize(("counts", "seconds"), [(3, 3 * 900), (30, 3600)])
def test_a_session_that_counts_as_several(
    store: Store, client: Direct, counts: int, seconds: int
) -> None:
    """A session that is kept longer counts as several, but never as more than there are in an hour,
    so that it can be created at all.
    """
    name = uuid4().hex
    limit, several = CreationLimit(name, 4), CreationLimit(name, 4, counts)
    assert store.write(new_id(), change(limit=several)) is True
    with pytest.raises(TooManySessions) as refused:
        store.write(new_id(), change(limit=several))
    assert seconds - 900 * (4 - min(counts, 4)) - 10 < refused.value.seconds <= seconds
    assert 1_000 * (seconds - 10) < client.execute_command("PTTL", limit.key) <= 1_000 * seconds
    if counts < 4:
        assert store.write(new_id(), change(limit=limit)) is True
    with pytest.raises(TooManySessions):
        store.write(new_id(), change(limit=limit))


def test_clocks_apart(store: Store, client: Direct) -> None:
    """After the store's clock has been set back, a client waits no longer than for a full limit."""
    limit = CreationLimit(uuid4().hex, 1)
    client.execute_command("HSET", limit.key, "f", 9_999_999_999_999)
    with pytest.raises(TooManySessions) as refused:
        store.write(new_id(), change(limit=limit))
    assert refused.value.seconds == 3600


def test_sessions_that_will_grow(alone: Direct) -> None:
    """A session is refused if those that are there won't leave a quarter of the memory once they
    are played, though two thirds of it suffice today. Those that are there go on.
    """
    store, session_id = Store(lambda: alone), new_id()
    assert store.write(session_id, change()) is True
    others = [f"other {number}" for number in range(1_000)]
    alone.execute_command("MSET", *(word for other in others for word in (other, "")))
    most = alone.execute_command("INFO", "memory")["used_memory"] * 3 // 2
    assert GROWN * len(others) > 0.75 * most
    alone.execute_command("CONFIG", "SET", "maxmemory", most)
    with pytest.raises(StoreFull):
        store.write(new_id(), change())
    assert store.write(session_id, change(1)) is True
    alone.execute_command("DEL", *others)
    assert store.write(new_id(), change()) is True


def test_long_sessions(alone: Direct) -> None:
    """When nine tenths of the memory are used, a session of a thousand events takes no further
    ones and stays as it is. Shorter ones go on, and so does that one once there is room.
    """
    store = Store(lambda: alone)
    long, short = new_id(), new_id()
    for session_id, events in ((long, LONG), (short, LONG - 1)):
        assert store.write(session_id, change(events=[b"event"] * events)) is True
    before = kept(alone, long)
    memory = alone.execute_command("INFO", "memory")
    alone.execute_command("CONFIG", "SET", "maxmemory", memory["used_memory"] * 100 // 95)
    with pytest.raises(StoreFull):
        store.write(long, change(1, key=b"key", key_record=b"record"))
    assert kept(alone, long) == before
    assert store.write(short, change(1)) is True
    alone.execute_command("CONFIG", "SET", "maxmemory", memory["used_memory"] * 2)
    assert store.write(long, change(1)) is True
