"""If Redis refuses or can't respond, `StoreUnavailable` is raised, and nothing is half done."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from service.sessions.requests import new_id
from service.sessions.store.connect import connect
from service.sessions.store.failures import StoreFull, StoreUnavailable
from service.sessions.store.redis_store import Store
from service.sessions.store.scripts import Stored
from tests.live import free_port
from tests.sessions import servers
from tests.sessions.servers import Direct
from tests.sessions.store.proxied import proxied
from tests.sessions.store.stored import change, kept, keys_of, opened, soon, taken_key


@pytest.fixture(params=["packaged", "debian"])
def binary(request: pytest.FixtureRequest) -> str:
    """Either server in turn."""
    path: str = request.getfixturevalue(request.param)
    return path


def refuses(store: Store, client: Direct, session_id: str) -> None:
    """Fails unless changes of the session at version 2 and new ones are refused and leave nothing.

    `client` is where to look for what was left.
    """
    then = kept(client, session_id)
    with pytest.raises(StoreUnavailable):
        store.write(session_id, change(2, key=b"new", key_record=b"record"))
    assert kept(client, session_id) == then
    one = new_id()
    for until in (0, soon()):
        with pytest.raises((StoreUnavailable, StoreFull)):
            store.write(one, change(key=b"new", key_record=b"record", taken_until=until))
        assert client.execute_command("EXISTS", *keys_of(one), taken_key(one)) == 0


def played(store: Store) -> str:
    """The id of a session at version 2."""
    session_id = new_id()
    assert store.write(session_id, change()) is True
    assert store.write(session_id, change(1, key=b"key", key_record=b"record")) is True
    return session_id


def test_no_memory(binary: str, tmp_path: Path) -> None:
    """A server without memory changes nothing, and can still be read and freed."""
    with (
        servers.on_a_port(binary, tmp_path, **{"maxmemory-policy": "noeviction"}) as url,
        opened(url) as client,
    ):
        store = Store(lambda: client)
        one, other = played(store), played(store)
        client.execute_command("CONFIG SET", "maxmemory", 1)
        refuses(store, client, one)
        assert store.read(one, b"key") == Stored(b"terms", 2, b"snapshot 2", b"record")
        assert store.events(one) == [b"event 1", b"event 2"]
        assert store.delete(other) is True
        client.execute_command("CONFIG SET", "maxmemory", 0)
        assert store.write(one, change(2)) is True


@pytest.mark.fault
def test_replica(binary: str, tmp_path: Path) -> None:
    """A replica that is only read changes and deletes nothing, and can be read."""
    with servers.on_a_port(binary, tmp_path / "master") as master_url, opened(master_url) as master:
        one = played(Store(lambda: master))
        place = f"127.0.0.1 {master_url.rpartition(':')[2]}"
        with (
            servers.on_a_port(binary, tmp_path / "replica", replicaof=place) as url,
            opened(url) as client,
        ):
            store = Store(lambda: client)
            found = Stored(b"terms", 2, b"snapshot 2", b"record")
            servers.until(lambda: store.read(one, b"key") == found, "the replica has the session")
            refuses(store, client, one)
            then = kept(client, one)
            with pytest.raises(StoreUnavailable):
                store.delete(one)
            assert kept(client, one) == then
            assert store.events(one) == [b"event 1", b"event 2"]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_key_of_another_type(store: Store, client: Direct, place: int) -> None:
    """A key of another type is left alone, and so are the others of its session."""
    one = played(store)
    keys = keys_of(one)
    client.execute_command("DEL", keys[place])
    client.execute_command("SET", keys[place], "a text")
    then = [client.execute_command("DUMP", key) for key in keys]
    for written in (change(2), change(2, key=b"new", key_record=b"record")):
        with pytest.raises(StoreUnavailable):
            store.write(one, written)
    assert [client.execute_command("DUMP", key) for key in keys] == then
    assert store.delete(one) is True


def test_mark_of_another_type(store: Store, client: Direct) -> None:
    """If the key of the mark is of another type, no session is created."""
    one = new_id()
    client.execute_command("SET", taken_key(one), "a text")
    with pytest.raises(StoreUnavailable):
        store.write(one, change(taken_until=soon()))
    assert client.execute_command("EXISTS", *keys_of(one)) == 0
    assert client.execute_command("GET", taken_key(one)) == b"a text"


def asked_in_every_way(store: Store, session_id: str) -> list[Callable[[], object]]:
    """Every operation of the store."""
    return [
        lambda: store.read(session_id, b"key"),
        lambda: store.write(session_id, change(2)),
        lambda: store.events(session_id),
        lambda: store.delete(session_id),
    ]


@pytest.mark.fault
@pytest.mark.parametrize("kind", ["server", "sentinel", "cluster"])
def test_gone_and_back(kind: str, any_server: str, tmp_path: Path) -> None:
    """While the server can't be reached, all operations fail; afterwards they work again."""
    with proxied(kind, any_server, tmp_path) as (proxy, through):
        store = Store(partial(connect, through))
        never_used = Store(partial(connect, through))
        one = played(store)
        proxy.close()
        for each in (store, never_used):
            for ask in asked_in_every_way(each, one):
                with pytest.raises(StoreUnavailable):
                    ask()
        proxy.open()
        for each in (store, never_used):
            servers.until(partial(reads, each, one), "the store answers again")
        assert store.write(one, change(2)) is True
        assert never_used.write(one, change(3)) is True


def reads(store: Store, session_id: str) -> bool:
    """Whether the session can be read, at version 2 still."""
    try:
        return store.read(session_id) == Stored(b"terms", 2, b"snapshot 2", None)
    except StoreUnavailable:
        return False


def test_restarted(binary: str, tmp_path: Path) -> None:
    """A server that writes to disk has its sessions again after a restart."""
    options = {"port": str(free_port()), "bind": "127.0.0.1", "appendonly": "yes"}
    url = f"redis://127.0.0.1:{options['port']}"
    store = Store(partial(connect, url))
    with servers.process(binary, tmp_path, options):
        servers.until(partial(servers.answers, url), "the server answers")
        one = played(store)
        with opened(url) as client:
            then = kept(client, one)
    for ask in asked_in_every_way(store, one):
        with pytest.raises(StoreUnavailable):
            ask()
    with servers.process(binary, tmp_path, options), opened(url) as client:
        servers.until(partial(servers.answers, url), "the server answers again")
        assert kept(client, one) == then
        assert store.write(one, change(2)) is True
