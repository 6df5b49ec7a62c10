"""How a store fails, what is wrong with it then, in words for the operator, and the circuit breaker
that has requests fail at once while it is silent.
"""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Callable
from threading import Lock

import redis
from redis.exceptions import AuthorizationError, MovedError, NoPermissionError
from redis.sentinel import MasterNotFoundError

from service.sessions.store.connect import NotSent, never_ran


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


class StoreFull(Exception):
    """The store keeps the room that is left for other sessions; nothing was done."""


class TooManySessions(Exception):
    """A client may create no session for the next `seconds`."""

    def __init__(self, quota: int, seconds: int) -> None:
        super().__init__(f"no more than {quota} sessions an hour")
        self.quota, self.seconds = quota, seconds


MAX_FAILURES = 3
"""After so many requests in a row that waited in vain, the breaker opens."""

SLOW_SECONDS = 0.1
"""A failure that took at least so long counts. A store that refuses, or can't be connected to, says
so at once: there is no wait to save, and asking it again is how its return is noticed."""

PROBE_SECONDS = 0.5
"""How long after such a failure the next request may ask, while the breaker is open."""

_TLS = "rediss:// is for a port with TLS, redis:// for one without"

_CLOSES = f"closes connections without an answer; {_TLS}"
_USER = "refuses its user or password; correct REDIS_URL, or the users of that Redis"

_IN_SCRIPT = "ACL failure in script"
"""What a server replies if a script runs a command that its user may not run."""

_WRONG_ADDRESS = ("cluster support disabled", "unknown command", "DB index is out of range")
"""In the replies of a server that REDIS_URL takes for something else."""


def failure_of(error: Exception, *, changes: bool) -> StoreUnavailable:
    """What to raise if Redis fails: no connection, a timeout, no memory, no master, no permission.

    It is `ReplyLost` if the command `changes` something, and may have run.
    """
    reason = error.__cause__ if isinstance(error, NotSent) and error.__cause__ else error
    why = f"{type(reason).__name__}: {reason}"
    if changes and not never_ran(error):
        return ReplyLost(why)
    _, lasts = cause_of(error)
    return (Unusable if lasts else StoreUnavailable)(why)


def cause_of(error: BaseException | None) -> tuple[str, bool]:
    """Why the store fails, worded to follow its name, and whether that lasts until somebody changes
    something. `error` is one of `FAILURES`, or what it was raised from.

    It names no host, user or password, since anybody may read it at `/readyz?store`.
    """
    while error is not None:
        if found := _known(error):
            return found
        error = error.__cause__ or error.__context__
    return "doesn't answer", False


def _known(error: BaseException) -> tuple[str, bool] | None:
    """The same if `error` alone says it."""
    text = str(error)
    match error:
        case redis.AuthenticationError() | AuthorizationError():
            return _USER, True
        case redis.ResponseError() if "unauthenticated" in text:  # a long command without a login
            return _USER, True
        case redis.ResponseError() if isinstance(error, NoPermissionError) or _IN_SCRIPT in text:
            denied = re.sub(r"\bUser \S+ has", "it has", text)
            return (
                f"denies its user a permission that sessions need ({denied}); give it all "
                "commands, on the keys and channels dice:*"
            ), True
        case MovedError():
            return "is a node of a cluster; use redis+cluster:// in REDIS_URL", True
        case redis.ReadOnlyError():
            return "is a read-only replica; name its master in REDIS_URL", False
        case redis.BusyLoadingError():
            return "is still loading its data", False
        case redis.ResponseError() if text.startswith("MISCONF"):
            return "can't write to its disk, so it refuses changes; its log says why", False
        case MasterNotFoundError():
            return "has no master that any of its sentinels names", False
        case redis.ResponseError():
            lasting = any(each in text for each in _WRONG_ADDRESS)
            return f"refuses what sessions need ({text})", lasting
        case redis.InvalidResponse():
            return f"doesn't answer as a Redis does; {_TLS}", False
        case ssl.SSLCertVerificationError():
            why = error.verify_message.split(",")[0]  # the rest may name the host
            return f"has a certificate that isn't trusted ({why}); see ssl_ca_certs", True
        case ssl.SSLError():
            return f"fails to agree on TLS ({error.reason}); {_TLS}", False
        case TimeoutError() if "handshake" in text:
            return f"doesn't answer TLS in time; {_TLS}", False
        case redis.TimeoutError():
            return None if error.__context__ else ("doesn't answer in time", False)
        case TimeoutError():
            return "doesn't answer in time", False
        case socket.gaierror():
            return f"has a host name that can't be looked up ({error.strerror})", False
        case ConnectionResetError():
            return _CLOSES, False
        case redis.ConnectionError() if text.startswith("Connection closed"):
            return _CLOSES, False
        case OSError():
            return f"can't be reached ({error.strerror or error})", False
    return None


class Breaker:
    """Keeps requests from waiting for a store that doesn't answer; each worker has its own.

    After `MAX_FAILURES` it is open: `asks` returns False at once. One request at a time may still
    ask, every `PROBE_SECONDS`. An answer, even a refusal, closes it. `now` is a clock in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._failures = 0
        self._next_probe = 0.0
        self._lock = Lock()

    def asks(self) -> bool:
        """Whether a request may ask the store now; then call `answered` or `failed` at its end."""
        if self._failures < MAX_FAILURES:
            return True
        with self._lock:
            if self._now() < self._next_probe:
                return False
            self._next_probe = float("inf")  # nobody else asks until this one has ended
            return True

    def answered(self) -> None:
        """Notes that the store has answered."""
        if self._failures:
            with self._lock:
                self._failures = 0

    def failed(self, seconds: float) -> None:
        """Notes that a request to the store failed without an answer, after `seconds`."""
        with self._lock:
            self._failures = self._failures + 1 if seconds >= SLOW_SECONDS else 0
            self._next_probe = self._now() + PROBE_SECONDS
