"""Restores a deleted session for a moment."""

from __future__ import annotations

from redis import Redis


class DeletedSession:
    """A copy of one session in the store at `url`, to be restored and deleted."""

    def __init__(self, url: str) -> None:
        self._store: Redis = Redis.from_url(url)
        self._copied: dict[bytes, tuple[int, bytes]] = {}

    def copy(self, session: str) -> None:
        """Copies the stored `session`: each key with its time to live."""
        self._copied = {}
        for key in self._store.scan_iter(f"*{{{session}}}*"):
            kept = self._store.dump(key)
            if isinstance(kept, bytes):
                self._copied[key] = max(self._store.pttl(key), 0), kept

    def put_back(self) -> None:
        """Restores the copy; the mark that its id is taken was not deleted."""
        for key, (milliseconds, kept) in self._copied.items():
            self._store.restore(key, milliseconds, kept, replace=True)

    def forget(self) -> None:
        """Deletes what was restored, if anything."""
        if self._copied:
            self._store.delete(*self._copied)
            self._copied = {}
