"""Tables of solved score cards: made once for all workers, kept as files, and mapped into memory.

A table takes seconds to make, so no request waits for it. The first request that needs a table
starts a process that makes it (`prepare`), and gets `NotReady`, which says when to ask again. Only
one process at a time makes tables. A `lock` in the folder of the tables ensures that, for all
workers and all services with that folder.
"""

from __future__ import annotations

from enum import unique

from service.rules.sentences import Sentence, Wording


@unique
class NotYet(Wording):
    """Why there is no table yet."""

    NOT_BEGUN = "it hasn't been begun"
    BEGUN = "it has just been begun"
    PARTLY_DONE = "{percent}% of it is done"
    STALLED = "{percent}% of it is done, and there has been no progress for {age} seconds"
    WAITING = "it has to wait for another one, of which {percent}% is done"
    FAILED = "{failure}"


class NotReady(Exception):
    """There is no table yet, and why; asking again makes sense after `retry_after` seconds."""

    def __init__(self, reason: Sentence, retry_after: int) -> None:
        super().__init__(reason)
        self.reason, self.retry_after = reason, retry_after


class NotMade(NotReady):
    """The table couldn't be made; the service tries again when asked after `retry_after`."""

    def __init__(self, failure: str, retry_after: int) -> None:
        super().__init__(NotYet.FAILED(failure=failure), retry_after)
