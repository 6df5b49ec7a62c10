"""How a store fails."""

from __future__ import annotations

from service.sessions.store.causes import cause_of
from service.sessions.store.connect import never_ran


class StoreUnavailable(Exception):
    """Redis can't be reached, or refuses the command; nothing was done."""


class Unusable(StoreUnavailable):
    """The store fails, or there is none, until somebody changes something; nothing was done."""


class NotAsked(StoreUnavailable):
    """Redis hasn't answered lately, so it wasn't asked."""


class ReplyLost(StoreUnavailable):
    """A change was sent, but no reply came; nobody knows whether it was made."""


class NotReplicated(StoreUnavailable):
    """A change was made, but too few replicas have it yet; a failover may lose it."""


WORDS = {StoreUnavailable: "unavailable", Unusable: "unavailable", ReplyLost: "reply_lost"}
"""What metrics call the failures that `failure_of` returns."""


def failure_of(error: Exception, *, changes: bool) -> StoreUnavailable:
    """What to raise if Redis fails: no connection, a timeout, no memory, no master, no permission.

    It is `ReplyLost` if the command `changes` something, and may have run.
    """
    why = f"{type(error).__name__}: {error}"
    if changes and not never_ran(error):
        return ReplyLost(why)
    _, lasts = cause_of(error)
    return (Unusable if lasts else StoreUnavailable)(why)
