"""The store does the same on every real server: one on a socket or a port, Sentinel and Cluster."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import redis

from service.sessions.requests import new_id
from service.sessions.store.codec import digest
from service.sessions.store.connect import connect
from service.sessions.store.failures import ReplyLost, StoreUnavailable
from service.sessions.store.redis_store import Store
from service.sessions.store.scripts import SNAPSHOT_EVERY, Replay, Stored
from tests.live import free_port
from tests.sessions.servers import Direct, on_a_port, until
from tests.sessions.store.counting_proxy import DroppingProxy
from tests.sessions.store.stored import (
    HOUR,
    NOTHING,
    Kept,
    change,
    kept,
    keys_of,
    opened,
    soon,
    taken_key,
)

ANY_BYTES = bytes(range(256)) * 3


def test_new_session(store: Store, client: Direct) -> None:
    """A new session can be read with its terms and first event; no other session exists."""
    one, other = new_id(), new_id()
    first = change()
    assert store.write(one, first) is True
    assert store.read(one) == Stored(b"terms", 1, b"snapshot 1", None)
    assert store.events(one) == [b"event 1"]
    at = first.expires_at
    session = {b"v": b"1", b"s": b"snapshot 1", b"t": b"terms"}
    assert kept(client, one) == Kept(session, [b"event 1"], {}, (at, at, -2))
    assert (store.read(other), store.events(other)) == (None, [])
    assert kept(client, other) == NOTHING


def test_next_versions(store: Store) -> None:
    """Every change is a new version; terms stay, and events come in order, several too."""
    one = new_id()
    assert [store.write(one, change(before)) for before in range(30)] == [True] * 30
    assert store.write(one, change(30, version=32, events=[b"by the clock", b"then"])) is True
    assert store.read(one) == Stored(b"terms", 32, b"snapshot 31", None)
    events = [b"event %d" % number for number in range(1, 31)]
    assert store.events(one) == [*events, b"by the clock", b"then"]
    assert store.events(one, 2) == events[:2]
    assert store.events(one, 99) == [*events, b"by the clock", b"then"]


def test_terms_never_change(store: Store) -> None:
    """Terms in a later change are ignored."""
    one = new_id()
    store.write(one, change())
    assert store.write(one, change(1, terms=b"others")) is True
    assert store.read(one) == Stored(b"terms", 2, b"snapshot 2", None)


@pytest.mark.parametrize("before", [0, 1, 3, 99])
def test_stale(store: Store, client: Direct, before: int) -> None:
    """A change that expects another version changes nothing."""
    one = new_id()
    store.write(one, change())
    store.write(one, change(1, key=b"key", key_record=b"record"))
    then = kept(client, one)
    stale = change(before, key=b"other", key_record=b"other", expires_at=soon() + HOUR)
    assert store.write(one, stale) is False
    assert kept(client, one) == then


def test_another_history(store: Store, client: Direct) -> None:
    """A change that expects the version but another snapshot changes nothing."""
    one = new_id()
    store.write(one, change())
    then = kept(client, one)
    for expected_digest in ("", digest(b""), digest(b"snapshot 2"), digest(b"snapshot 1").upper()):
        other = change(1, expected_digest=expected_digest, key=b"key", key_record=b"record")
        assert store.write(one, other) is False
    assert kept(client, one) == then
    assert store.write(one, change(1)) is True


def test_change_of_no_session(store: Store, client: Direct) -> None:
    """A change of a session that doesn't exist creates none."""
    one = new_id()
    assert store.write(one, change(1, key=b"key", key_record=b"record")) is False
    assert kept(client, one) == NOTHING


def test_idempotency_key_is_remembered(store: Store, client: Direct) -> None:
    """An idempotency key that was used prevents a second change, and its record can be read."""
    one = new_id()
    store.write(one, change())
    store.write(one, change(1, key=b"key", key_record=b"record"))
    store.write(one, change(2, key=b"next", key_record=b"another"))
    then = kept(client, one)
    for before in (0, 1, 3, 9):
        again = change(before, key=b"key", key_record=b"other", expires_at=soon() + HOUR)
        assert store.write(one, again) is False
    assert kept(client, one) == then
    assert then.keys == {b"key": b"record", b"next": b"another"}
    assert store.read(one, b"key") == Stored(b"terms", 3, b"snapshot 3", b"record")
    assert store.read(one, b"next") == Stored(b"terms", 3, b"snapshot 3", b"another")
    assert store.read(one, b"unused") == Stored(b"terms", 3, b"snapshot 3", None)


def test_keys_are_of_their_session(store: Store) -> None:
    """The same idempotency key in two sessions counts as two keys."""
    one, other = new_id(), new_id()
    for session_id in (one, other):
        store.write(session_id, change())
    assert store.write(one, change(1, key=b"key", key_record=b"one")) is True
    assert store.write(other, change(1, key=b"key", key_record=b"other")) is True
    found = [store.read(session_id, b"key") for session_id in (one, other)]
    assert found == [Stored(b"terms", 2, b"snapshot 2", record) for record in (b"one", b"other")]


def test_any_bytes(store: Store) -> None:
    """Terms, snapshots, events, keys and records are kept byte by byte, however many they are."""
    one = new_id()
    long = ANY_BYTES * 1000
    store.write(one, change(terms=ANY_BYTES, snapshot=long, events=[ANY_BYTES, b"", long]))
    written = change(1, key=ANY_BYTES, key_record=b"\x00-1\r\n", snapshot=b"", events=[b"\xff"])
    assert store.write(one, replace(written, expected_digest=digest(long))) is True
    assert store.read(one, ANY_BYTES) == Stored(ANY_BYTES, 2, b"", b"\x00-1\r\n")
    assert store.events(one) == [ANY_BYTES, b"", long, b"\xff"]


def test_many_events_at_once(store: Store) -> None:
    """A change may have as many events as a long absence makes."""
    one = new_id()
    events = [b"event %d" % number for number in range(5000)]
    assert store.write(one, change(version=5000, events=events)) is True
    assert store.events(one) == events


def test_replay(store: Store) -> None:
    """A version is replayed from the last snapshot before it, from the start before there is one.

    The events may go on beyond it. Where the clock went past the version of a snapshot there is
    none: the one before does.
    """
    one, every = new_id(), SNAPSHOT_EVERY
    assert all(store.write(one, change(before)) for before in range(2 * every + 1))
    events = [b"event %d" % number for number in range(1, 2 * every + 2)]
    first = [store.replay(one, version) for version in (1, every - 1)]
    assert first == [Replay(0, None, events[:1]), Replay(0, None, events[: every - 1])]
    snapshot = b"snapshot %d" % every
    later = [store.replay(one, version) for version in (every, every + 1, 2 * every - 1)]
    assert later == [
        Replay(every, snapshot, []),
        Replay(every, snapshot, events[every : every + 1]),
        Replay(every, snapshot, events[every : 2 * every - 1]),
    ]
    assert store.replay(one, every + 1, 2 * every) == Replay(
        every, snapshot, events[every : 2 * every]
    )
    assert store.replay(one, 2 * every + 1).from_version == 2 * every
    passed = change(2 * every + 1, version=3 * every + 2, snapshot=b"snapshot", events=[b""] * 129)
    assert store.write(one, passed) is True
    replay = store.replay(one, 3 * every + 2)
    assert (replay.from_version, len(replay.events)) == (2 * every, every + 2)
    assert store.replay(new_id(), 7) == Replay(0, None, [])


def test_all_keys_expire(store: Store, client: Direct) -> None:
    """Every change sets the expiry of all three keys, to the millisecond."""
    one = new_id()
    for before in range(3):
        at = soon() + before
        written = change(before, key=b"key %d" % before, key_record=b"record", expires_at=at)
        assert store.write(one, written) is True
        assert kept(client, one).forgotten == (at, at, at)
        left = [client.execute_command("PTTL", key) for key in keys_of(one)]
        assert all(HOUR - 60_000 < milliseconds <= HOUR + 3 for milliseconds in left)


def test_expired(store: Store, client: Direct) -> None:
    """An expired session leaves nothing in Redis and can't be changed."""
    one = new_id()
    store.write(one, change())
    written = change(1, key=b"key", key_record=b"record", expires_at=soon() - HOUR + 20)
    assert store.write(one, written) is True
    until(lambda: store.read(one, b"key") is None, "the session expires")
    assert store.write(one, change(2)) is False
    assert kept(client, one) == NOTHING


def test_delete(store: Store, client: Direct) -> None:
    """A deleted session leaves nothing; a second deletion finds none."""
    one, other = new_id(), new_id()
    for session_id in (one, other):
        store.write(session_id, change(key=b"key", key_record=b"record"))
    assert store.delete(one) is True
    assert (store.read(one, b"key"), store.events(one)) == (None, [])
    assert kept(client, one) == NOTHING
    assert store.delete(one) is False
    assert store.read(other) == Stored(b"terms", 1, b"snapshot 1", None)


def test_a_lost_answer_to_a_deletion(any_server: str, tmp_path: Path) -> None:
    """If the reply to a deletion is lost, nobody knows whether it was made, and the error says so;
    here it was.
    """
    proxy = DroppingProxy(b"DEL")
    with on_a_port(any_server, tmp_path) as url, closing(proxy):
        proxy.upstream = int(url.rpartition(":")[2])
        with opened(f"redis://127.0.0.1:{proxy.port}") as through, opened(url) as client:
            one, store = new_id(), Store(lambda: through)
            assert store.write(one, change()) is True
            with pytest.raises(ReplyLost, match=r"^ConnectionError: Connection closed by server"):
                store.delete(one)
            assert (proxy.lost, kept(client, one)) == (1, NOTHING)


def test_taken_id(store: Store, client: Direct) -> None:
    """A new session can mark its id as taken, to the millisecond; changes leave the mark alone."""
    one, at = new_id(), soon() + HOUR
    assert store.write(one, change(key=b"key", key_record=b"record", taken_until=at)) is True
    assert store.read(one, b"key") == Stored(b"terms", 1, b"snapshot 1", b"record")
    mark = partial(client.execute_command, "HGETALL", taken_key(one))
    assert mark() == {b"v": b"1"}
    assert store.write(one, change(1)) is True
    assert mark() == {b"v": b"1"}
    assert client.execute_command("PEXPIRETIME", taken_key(one)) == at


def test_taken_id_is_not_used_again(store: Store, client: Direct) -> None:
    """No other session takes an id that is marked, even if its session is gone."""
    one = new_id()
    first = change(key=b"key", key_record=b"record", taken_until=soon())
    assert store.write(one, first) is True
    then = kept(client, one)
    again = replace(first, terms=b"others", key_record=b"other", taken_until=soon() + HOUR)
    for other in (again, replace(again, key=b"", key_record=b"")):
        assert store.write(one, other) is False
        assert kept(client, one) == then
    assert store.delete(one) is True
    assert client.execute_command("PEXPIRETIME", taken_key(one)) == first.taken_until
    assert store.write(one, again) is False
    assert (kept(client, one), store.read(one, b"key")) == (NOTHING, None)
    assert client.execute_command("PEXPIRETIME", taken_key(one)) == first.taken_until


def test_id_is_free_again(store: Store) -> None:
    """An id can be used again once its session and its mark have expired."""
    one, soon_over = new_id(), soon() - HOUR + 20
    first = change(taken_until=soon_over, expires_at=soon_over)
    assert store.write(one, first) is True
    second = change(taken_until=soon())
    until(lambda: store.write(one, second), "the mark expires")
    assert store.write(one, second) is False


def test_session_outlives_the_mark(store: Store, client: Direct) -> None:
    """An id can't be used again while its session exists, even if its mark has expired."""
    one = new_id()
    first = change(key=b"key", key_record=b"record", taken_until=soon() - HOUR + 20)
    assert store.write(one, first) is True
    marked = partial(client.execute_command, "EXISTS", taken_key(one))
    until(lambda: not marked(), "the mark expires")
    then = kept(client, one)
    assert store.write(one, replace(first, taken_until=soon(), key_record=b"other")) is False
    assert (kept(client, one), marked()) == (then, 0)


def test_one_slot_for_a_session(cluster_url: str) -> None:
    """The keys of a session are in one slot of a cluster, and sessions are spread over slots."""
    with opened(cluster_url) as client:
        slot = partial(client.execute_command, "CLUSTER KEYSLOT")
        ids = [new_id() for _ in range(100)]
        slots = [{slot(key) for key in (*keys_of(one), taken_key(one))} for one in ids]
    assert [len(of_one) for of_one in slots] == [1] * 100
    assert len(set.union(*slots)) > 50


def test_check(store: Store, store_url: str) -> None:
    """A store that can be read is well; one that refuses to run scripts isn't."""
    store.check()
    refusing = Store(lambda: Refusing(store_url))
    with pytest.raises(StoreUnavailable, match=r"^ConnectionError: gone$"):
        refusing.check()


def test_no_cluster_to_subscribe_at() -> None:
    """Without a node of its cluster, the store says that it can't be reached."""
    lost = Store(lambda: connect(f"redis+cluster://127.0.0.1:{free_port()}"))
    with pytest.raises(StoreUnavailable):
        lost.subscriber()


class Refusing(Direct):
    """A client whose connection is lost."""

    def ask(self, *_: object) -> list[object]:
        """Raises what redis-py raises then."""
        raise redis.ConnectionError("gone")
