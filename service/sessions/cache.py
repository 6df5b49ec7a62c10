"""Sessions as this process last saw them."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from service.sessions.view import SessionView

KEPT = 512
"""How many sessions are remembered; each takes a few KiB."""


class Recent:
    """The sessions that were read or written last, each as it was then.

    Others may have changed them since: what comes of this is a guess until the store confirms it.
    The last one counts, not the newest version: a store that lost its last changes is at an older
    version than it was.
    """

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, SessionView] = OrderedDict()
        self._lock = Lock()

    def get(self, session_id: str) -> SessionView | None:
        """The session as it was last seen, by anyone, if it is remembered."""
        return self._sessions.get(session_id)

    def put(self, session: SessionView) -> None:
        """Remembers a session as the store has it."""
        with self._lock:
            self._sessions[session.terms.id] = session
            self._sessions.move_to_end(session.terms.id)
            if len(self._sessions) > KEPT:
                self._sessions.popitem(last=False)

    def forget(self, session_id: str) -> None:
        """Forgets a session that isn't as it was last seen."""
        with self._lock:
            self._sessions.pop(session_id, None)
