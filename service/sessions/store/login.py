"""Checks at startup whether the Redis of REDIS_URL accepts the service's user."""

from __future__ import annotations

from contextlib import closing

import redis
from redis.exceptions import AuthorizationError

from service.notices import notice
from service.sessions.store.connect import FAILURES, connect
from service.sessions.store.failures import StoreUnavailable
from service.sessions.store.redis_store import Store
from service.sessions.store.stored import Change
from service.sessions.tokens import new_id
from service.settings import Settings

_NO_CHANGE = Change(
    expected_version=1, expected_digest="", version=2, snapshot=b"", events=[], expires_at=0
)
"""A change of a session that doesn't exist. It needs the same permissions and changes nothing."""


def report_refusal(settings: Settings) -> None:
    """Prints one line if Redis refuses the service's user.

    Everything else works then, and sessions work once Redis accepts the user. An unreachable Redis
    is not reported, because it may start later. The line quotes nothing of the URL, which may have
    a password.
    """
    why = _refusal(settings.redis_url) if settings.redis_url else ""
    if why:
        notice(f"Sessions are off: {why}.", settings.log_format)


def _refusal(url: str) -> str:
    """Why Redis refuses the service, and what to do; "" if it doesn't, or is unreachable."""
    failure: BaseException | None = None
    try:
        with closing(connect(url)) as client:
            client.ping()  # a missing password is reported for short commands only
            Store(lambda: client).write(new_id(), _NO_CHANGE)
    except StoreUnavailable as error:
        failure = error
    except FAILURES as error:
        failure = error
    while failure is not None:
        if isinstance(failure, redis.AuthenticationError | AuthorizationError):
            return (
                "the Redis of REDIS_URL refuses its user or password; correct REDIS_URL, or the "
                "users of that Redis"
            )
        if isinstance(failure, redis.exceptions.NoPermissionError):
            return (
                "the Redis of REDIS_URL denies its user a permission that sessions need "
                f"({failure}); give it all commands, on the keys and channels dice:*"
            )
        failure = failure.__context__
    return ""
