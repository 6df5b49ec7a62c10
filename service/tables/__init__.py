"""Tables of solved score cards: made once for all workers, kept as files, and mapped into memory.

A table takes seconds to make, so no request waits for it. The first request that needs a table
starts a process that makes it (`prepare`), and gets `NotReady`, which says when to ask again. Only
one process at a time makes tables. A `lock` in the folder of the tables ensures that, for all
workers and all services with that folder.
"""

from __future__ import annotations


class NotReady(Exception):
    """There is no table yet; the message is a sentence that says why, without a full stop.

    Asking again makes sense after `retry_after` seconds.
    """

    def __init__(self, reason: str, retry_after: int) -> None:
        super().__init__(reason)
        self.reason, self.retry_after = reason, retry_after


class NotMade(NotReady):
    """The table couldn't be made; the service tries again when asked after `retry_after`."""
