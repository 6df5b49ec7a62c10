"""An entry for a stream is added with its change, and never instead of it."""

from __future__ import annotations

from typing import Any

import pytest

from service.metrics.declared import STORE_ERRORS
from service.sessions.requests import new_id
from service.sessions.store import scripts
from service.sessions.store.failures import StoreFull, StoreUnavailable
from service.sessions.store.redis_store import Store
from service.sessions.store.scripts import CreationLimit
from tests.sessions.counting import counted
from tests.sessions.servers import Direct
from tests.sessions.store.stored import change, keys_of, opened, soon

ENTRY = ("type", "turn", "version", 1, "to_act", b'["\xc3\xa4nn"]')
STORED = {b"type": b"turn", b"version": b"1", b"to_act": b'["\xc3\xa4nn"]'}


def entries(alone: Direct) -> list[Any]:
    """All entries of the stream."""
    return [fields for _, fields in alone.xrange("games")]


def test_added_with_the_change(alone: Direct) -> None:
    """A change that is made adds its entry, a new session too, also one that a client may only
    create a few of; a change that isn't made adds none.
    """
    store = Store(lambda: alone, stream="games")
    one, limit = new_id(), CreationLimit("me", 600)
    assert store.write(one, change(entry=ENTRY, limit=limit, taken_until=soon())) is True
    assert store.write(one, change(1, entry=ENTRY, key=b"key", key_record=b"record")) is True
    assert store.events(one) == [b"event 1", b"event 2"]
    assert store.write(one, change(2)) is True
    assert entries(alone) == [STORED, STORED]
    for stale in (change(1, entry=ENTRY), change(entry=ENTRY), change(3, key=b"key", entry=ENTRY)):
        assert store.write(one, stale) is False
    assert entries(alone) == [STORED, STORED]


def test_capped(alone: Direct) -> None:
    """The stream keeps its last entries, and hardly more than it should."""
    store, one = Store(lambda: alone, stream="games"), new_id()
    with alone.pipeline() as many:
        for number in range(2 * scripts.STREAM_LENGTH):
            many.xadd("games", {"number": number})
        many.execute()
    assert store.write(one, change(entry=ENTRY)) is True
    assert scripts.STREAM_LENGTH <= alone.xlen("games") <= 1.1 * scripts.STREAM_LENGTH
    assert alone.xrevrange("games", count=1)[0][1] == STORED


def test_no_permission(alone: Direct) -> None:
    """A user who may use only the keys of sessions changes them; the entry is lost and counted, and
    the reason is logged once, and again if entries were taken in between.
    """
    url = "redis://player:pw@{host}:{port}".format(**alone.get_connection_kwargs())
    rules = ("on", ">pw", "~dice:*", "&dice:*", "+@all")
    alone.execute_command("ACL SETUSER", "player", *rules)
    lines: list[str] = []
    with opened(url) as player, counted(STORE_ERRORS) as errors:
        store, one = Store(lambda: player, stream="games", warn=lines.append), new_id()
        made = [store.write(one, change(before, entry=ENTRY)) for before in range(2)]
        assert store.check() == (
            "takes no entries for the feed: the key that FEED names is no stream, or its user may "
            "not use XADD and XTRIM on it"
        )
        alone.execute_command("ACL SETUSER", "player", "~games")
        made += [store.write(one, change(2, entry=ENTRY))]
        assert store.check() == ""
        alone.execute_command("ACL SETUSER", "player", "resetkeys", "~dice:*")
        made += [store.write(one, change(3, entry=ENTRY))]
    assert made == [True] * 4
    assert (errors["write", "no_entry"], entries(alone)) == (3, [STORED])
    assert len(lines) == 2
    assert lines[0] == lines[1]
    assert lines[0].startswith("The stream games of FEED refuses entries: ")


def test_no_memory(alone: Direct) -> None:
    """A server without memory refuses the change, and adds no entry: all or nothing."""
    store, one = Store(lambda: alone, stream="games"), new_id()
    assert store.write(one, change(entry=ENTRY)) is True
    alone.execute_command("CONFIG SET", "maxmemory", 1)
    with pytest.raises(StoreUnavailable):
        store.write(one, change(1, entry=ENTRY))
    with pytest.raises(StoreFull):
        store.write(new_id(), change(entry=ENTRY))
    alone.execute_command("CONFIG SET", "maxmemory", 0)
    assert (entries(alone), store.events(one)) == ([STORED], [b"event 1"])


class Recording(Direct):
    """A client that keeps what it is asked."""

    asked: list[Any]

    def ask(self, key: str, *commands: Any) -> list[Any]:
        """Asks as the service does."""
        self.asked.append((key, *commands))
        return super().ask(key, *commands)


def test_off(socket_url: str) -> None:
    """A change without an entry is the same command whether or not there is a stream: `WRITE`."""
    client, one, written = Recording(socket_url), new_id(), change()
    client.asked = []
    try:
        Store(lambda: client).write(one, written)
        Store(lambda: client, stream="games").write(one, written)
    finally:
        client.close()
    keys = keys_of(one)
    script = scripts.ADMIT + scripts.WRITE
    command = ("EVAL", script, 4, *keys, keys[0], *written.arguments(), 0)
    assert client.asked == [(keys[0], command)] * 2
