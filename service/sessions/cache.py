"""A cache of the sessions that this process read or wrote last."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from service.sessions.view import SessionView

KEPT = 512
"""How many sessions are cached; each takes a few KiB."""


class Recent:
    """The sessions that were read or written last, as they were then.

    Other processes may have changed them since, so a result that is based on them is a guess until
    the store confirms it. The entry put last counts, even if its version is lower: a store that
    lost its last changes is at an older version.
    """

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, SessionView] = OrderedDict()
        self._lock = Lock()

    def get(self, session_id: str) -> SessionView | None:
        """The cached session, whoever it was read for; None if there is none."""
        return self._sessions.get(session_id)

    def put(self, session: SessionView) -> None:
        """Caches a session as the store has it."""
        with self._lock:
            self._sessions[session.terms.id] = session
            self._sessions.move_to_end(session.terms.id)
            if len(self._sessions) > KEPT:
                self._sessions.popitem(last=False)

    def forget(self, session_id: str) -> None:
        """Removes a session that may have changed."""
        with self._lock:
            self._sessions.pop(session_id, None)
