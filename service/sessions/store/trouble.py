"""Checks at startup whether sessions will work with the Redis of REDIS_URL."""

from __future__ import annotations

from service.operator_log import notice
from service.sessions.store.causes import cause_of
from service.sessions.store.connect import connect
from service.sessions.store.failures import StoreUnavailable
from service.sessions.store.redis_store import Store
from service.settings import Settings


def report_trouble(settings: Settings) -> None:
    """Prints one line if there is a REDIS_URL, and sessions don't work or may get lost.

    Everything else works then, and sessions work as soon as Redis does. The line quotes nothing of
    the URL, which may have a password.
    """
    if not settings.redis_url:
        return
    try:
        warning = Store(lambda: connect(settings.redis_url), settings.wait_replicas).check()
    except StoreUnavailable as error:
        why, lasts = cause_of(error.__cause__)
        now = "" if lasts else " for now"
        notice(f"Sessions are off{now}: the Redis of REDIS_URL {why}.", settings.log_format)
        return
    if warning:
        notice(f"The Redis of REDIS_URL {warning}.", settings.log_format)
