"""Sessions as this process last saw them."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from service.sessions.session import Position, Terms

KEPT = 512
"""How many sessions are remembered; each takes a few KiB."""


class Recent:
    """The sessions that were read or written last, each at the newest version that was seen.

    Others may have changed them since: what comes of this is a guess until the store confirms it.
    """

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, tuple[Terms, Position]] = OrderedDict()
        self._lock = Lock()

    def get(self, session_id: str) -> tuple[Terms, Position] | None:
        """The session as it was last seen, if it is remembered."""
        return self._sessions.get(session_id)

    def put(self, terms: Terms, position: Position) -> None:
        """Remembers a session at a version that the store has, unless a newer one is known."""
        with self._lock:
            known = self._sessions.pop(terms.id, None)
            if known is not None and known[1].version > position.version:
                position = known[1]
            self._sessions[terms.id] = terms, position
            if len(self._sessions) > KEPT:
                self._sessions.popitem(last=False)

    def forget(self, session_id: str) -> None:
        """Forgets a session that isn't as it was last seen."""
        with self._lock:
            self._sessions.pop(session_id, None)
