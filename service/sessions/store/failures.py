"""How a store fails."""

from __future__ import annotations

from service.sessions.store.connect import never_ran


class StoreUnavailable(Exception):
    """Redis can't be reached, or refuses the command; nothing was done."""


class NotAsked(StoreUnavailable):
    """Redis hasn't answered lately, so it wasn't asked."""


class ReplyLost(StoreUnavailable):
    """A change was sent, but no reply came; nobody knows whether it was made."""


class NotReplicated(StoreUnavailable):
    """A change was made, but too few replicas have it yet; a failover may lose it."""


WORDS = {StoreUnavailable: "unavailable", ReplyLost: "reply_lost"}
"""What metrics call the failures that `failure_of` returns."""


def failure_of(error: Exception, *, changes: bool) -> StoreUnavailable:
    """What to raise if Redis fails: no connection, a timeout, no memory, no master, no permission.

    It is `ReplyLost` if the command `changes` something, and may have run.
    """
    why = f"{type(error).__name__}: {error}"
    return (ReplyLost if changes and not never_ran(error) else StoreUnavailable)(why)
