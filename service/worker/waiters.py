"""Connections in the order in which they came, and which of them has to make room."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.worker.connection import Connection

FAIR_SHARE = 16
"""A client that has more than this part of what all share, such as places to wait, makes room for
itself only."""


class Waiters:
    """Connections that wait, the longest waiting first, and those `of` each client.

    The client of which one was discarded last comes last.
    """

    def __init__(self) -> None:
        self._client: dict[Connection, str] = {}
        self.of: dict[str, dict[Connection, None]] = {}

    def __len__(self) -> int:
        return len(self._client)

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._client)

    def __contains__(self, connection: object) -> bool:
        return connection in self._client

    def add(self, connection: Connection, client: str) -> None:
        """Adds a connection of `client`."""
        self._client[connection] = client
        self.of.setdefault(client, {})[connection] = None

    def discard(self, connection: Connection) -> str | None:
        """Removes a connection, and returns its client; None if it isn't there."""
        client = self._client.pop(connection, None)
        if client is not None:
            own = self.of.pop(client)
            del own[connection]
            if own:
                self.of[client] = own
        return client

    def one_too_many(self, latest: Connection) -> Connection:
        """The one that must go on so that `latest`, which waits already, can wait.

        It is the one that has waited longest: of all, or of the client of `latest`, if that has
        more than its share. So who waits a thousand times ends its own waits, not those of others.
        """
        own = self.of[self._client[latest]]
        return next(iter(own if len(own) * FAIR_SHARE > len(self) else self._client))
