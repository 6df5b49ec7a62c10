"""One subscription to the store for all sessions that the clients of this process wait for."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread

from redis.connection import AbstractConnection

from service.sessions.store.failures import StoreUnavailable

TICK_SECONDS = 1.0
"""How often the subscription is tidied; after as long without a message, the store is pinged."""

SILENT_SECONDS = 2.0
"""How long after a ping without a reply or a message the connection counts as lost."""


class SessionWatch:
    """Calls `wake` when a session may have changed, until it is closed.

    It first does so once it is certain to notice every change from then on: read the session
    then, and nothing is missed. `wake` also is called if changes may have been missed, and if
    `check` has an error to raise. It is called by another thread, or by the one that opens the
    watch, and must not block.
    """

    def __init__(self, peers: set[SessionWatch], wake: Callable[[], None]) -> None:
        self._peers, self.wake = peers, wake
        self.failure: Exception | None = None
        peers.add(self)

    def check(self) -> None:
        """Raises `StoreUnavailable` if the store can't be subscribed to."""
        if self.failure is not None:
            raise StoreUnavailable(f"no subscription: {self.failure}") from self.failure

    def close(self) -> None:
        """Ends the watch; never blocks."""
        self._peers.discard(self)


class _Channel:
    """Those who watch one channel, whether the store has been asked for its messages, and whether
    it has confirmed that.
    """

    def __init__(self) -> None:
        self.watches: set[SessionWatch] = set()
        self.asked = self.live = False


class Subscription:
    """The channels that are watched, over one connection with one thread that uses it.

    `connect` makes the connection. Both are made for the first watch, so in the process that uses
    them, and the connection is closed when nothing has been watched for a while. A channel stays
    subscribed for a moment after its last watch, since clients that have seen a change wait for the
    next one.

    Other threads never use the connection: OpenSSL can't write to a TLS connection that another
    thread reads. They ring a bell, which the thread waits for beside the store.
    """

    def __init__(self, connect: Callable[[], AbstractConnection]) -> None:
        self._connect = connect
        self._lock = Lock()
        self._channels: dict[str, _Channel] = {}
        self._connection: AbstractConnection | None = None
        self._thread: Thread | None = None
        self._bell_heard: socket.socket
        self._bell: socket.socket
        self._confirmed = False  # whether the store has replied on this connection
        self._heard = self._tidied = 0.0
        self._pinged: float | None = None  # when, if nothing was heard since

    def watch(self, name: str, wake: Callable[[], None]) -> SessionWatch:
        """Watches the channel `name`."""
        with self._lock:
            if self._thread is None:
                self._bell_heard, self._bell = socket.socketpair()
                self._bell_heard.setblocking(False)
                self._bell.setblocking(False)
                thread = Thread(target=self._run, daemon=True)
                thread.start()  # if the system has none to spare, the next watch tries again
                self._thread = thread
            channel = self._channels.get(name)
            if channel is None:
                channel = self._channels[name] = _Channel()
            watch, live = SessionWatch(channel.watches, wake), channel.live
            if not channel.asked:
                with suppress(BlockingIOError):  # it has been rung often enough
                    self._bell.send(b"\0")
        if live:
            wake()
        return watch

    def join(self, name: str, wake: Callable[[], None]) -> SessionWatch | None:
        """Watches the channel `name` if the store has confirmed a subscription to it, else None.

        Changes are noticed from now on, so `wake` isn't called before the first.
        """
        with self._lock:
            channel = self._channels.get(name)
            if channel is None or not channel.live:
                return None
            return SessionWatch(channel.watches, wake)

    def _run(self) -> None:
        while True:
            try:
                if self._channels:
                    self._receive(self._subscribed())
                else:
                    self._wait(None)
            except Exception as error:  # whatever it is, those who wait have to know
                self._lose(None if self._confirmed else error)

    def _subscribed(self) -> AbstractConnection:
        """The connection, subscribed to the channels that are new, or to all if it is."""
        with self._lock:
            added = [name for name, each in self._channels.items() if not each.asked]
            for name in added:
                self._channels[name].asked = True
        if self._connection is None:
            self._connection = self._connect()
            self._heard = self._tidied = time.monotonic()
            self._pinged = None
        if added:
            self._connection.send_command("SUBSCRIBE", *added)
        return self._connection

    def _receive(self, connection: AbstractConnection) -> None:
        """Waits for a message and wakes those that it concerns. Raises if the store is silent."""
        if connection.can_read(timeout=0):  # this also looks at what TLS has decrypted
            kind, name, *_ = connection.read_response()
            self._heard, self._pinged, self._confirmed = time.monotonic(), None, True
            watches: list[SessionWatch] = []
            with self._lock:
                channel = self._channels.get(name.decode()) if name else None
                if channel is not None and kind in (b"message", b"subscribe"):
                    channel.live = channel.live or kind == b"subscribe"
                    watches = [*channel.watches]
            for watch in watches:
                watch.wake()
        else:
            self._wait(connection)
        if time.monotonic() - self._tidied >= TICK_SECONDS:
            self._tidy(connection)

    def _wait(self, connection: AbstractConnection | None) -> None:
        """Waits until the bell rings or, for a moment, there is something to read."""
        poll = select.poll()  # `select` takes no descriptor above 1,023
        poll.register(self._bell_heard, select.POLLIN)
        if connection is not None and (own := connection._get_socket()) is not None:
            poll.register(own, select.POLLIN)
        poll.poll(None if connection is None else TICK_SECONDS * 1000)
        with suppress(BlockingIOError):
            self._bell_heard.recv(4096)

    def _tidy(self, connection: AbstractConnection) -> None:
        """Gives up the channels that nobody watches, or the connection if there is no other. Pings
        a store that says nothing, and raises if that doesn't help.
        """
        self._tidied = now = time.monotonic()
        with self._lock:
            unwatched = self._drop_unwatched()
            if not self._channels:
                self._close()
                return
        if unwatched:
            connection.send_command("UNSUBSCRIBE", *unwatched)
        silent = self._pinged is not None and now - self._pinged >= SILENT_SECONDS
        if silent and not connection.can_read(timeout=0):  # or this process itself was stopped
            raise TimeoutError("the store is silent")
        if self._pinged is None and now - self._heard >= TICK_SECONDS:
            connection.send_command("PING")
            self._pinged = now

    def _drop_unwatched(self) -> list[str]:
        """Forgets the channels that nobody watches, and returns their names."""
        unwatched = [name for name, each in self._channels.items() if not each.watches]
        for name in unwatched:
            del self._channels[name]
        return unwatched

    def _lose(self, failure: Exception | None) -> None:
        """Wakes everybody: the connection is lost or, if there is a `failure`, can't be used.

        After a failure nothing is watched any more, so that the next watch tries again.
        """
        with self._lock:
            self._close()
            self._drop_unwatched()
            # copied, because watches are closed without the lock
            watches = [watch for each in self._channels.values() for watch in [*each.watches]]
            for each in self._channels.values():
                each.asked = each.live = False
            if failure is not None:
                self._channels.clear()
                for watch in watches:
                    watch.failure = failure
        for watch in watches:
            watch.wake()

    def _close(self) -> None:
        if self._connection is not None:
            with suppress(Exception):  # it is given up in any case
                self._connection.disconnect()
            self._connection = None
            self._confirmed = False
