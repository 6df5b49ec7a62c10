"""A session that was deleted, put back into the store for a moment."""

from __future__ import annotations

from redis import Redis


class DeletedSession:
    """A copy of all that the store at `url` keeps of one session, to be put back and forgotten."""

    def __init__(self, url: str) -> None:
        self._store: Redis = Redis.from_url(url)
        self._copied: dict[bytes, tuple[int, bytes]] = {}

    def copy(self, session: str) -> None:
        """Copies what is kept of `session`: each key with the time that it has left."""
        self._copied = {}
        for key in self._store.scan_iter(f"*{{{session}}}*"):
            kept = self._store.dump(key)
            if isinstance(kept, bytes):
                self._copied[key] = max(self._store.pttl(key), 0), kept

    def put_back(self) -> None:
        """Puts the copy where it was."""
        for key, (milliseconds, kept) in self._copied.items():
            self._store.restore(key, milliseconds, kept)

    def forget(self) -> None:
        """Deletes what was put back, if anything was."""
        if self._copied:
            self._store.delete(*self._copied)
            self._copied = {}
