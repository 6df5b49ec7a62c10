"""The HTTP service, wired together."""

from __future__ import annotations

import time
from functools import partial

from flask import Flask

from service.api import routes
from service.api.batch.batch import Limits, batches
from service.api.batch.share import Share
from service.api.http import docs, problems
from service.api.http.request_id import TracedFlask
from service.api.operations.registry import operations
from service.api.sessions import views
from service.contract.prepared import contract
from service.sessions.service import SessionService
from service.sessions.store import embedded
from service.sessions.store.connect import connect
from service.sessions.store.redis_store import Client, Store, StoreUnavailable
from service.settings import Settings
from service.variants import variants


def create_app(settings: Settings | None = None) -> Flask:
    """The WSGI application; `settings` come from the environment if left out."""
    settings = settings or Settings.from_environment()
    app = TracedFlask(__name__, static_folder=None)
    app.url_map.merge_slashes = False
    playable = variants(settings.variants)
    found = list(playable.values())
    asked = operations(found)
    many = batches(asked, Limits.of(settings))
    problems.register(app)
    share = Share(lambda: app.requests)
    routes.register(app, found, asked, many, settings.max_body_bytes, share)
    store = Store(partial(_connected, settings))
    sessions = SessionService(store, playable, settings.session_seconds, _now)
    views.register(app, sessions, found, settings.max_body_bytes, settings.max_waits)
    docs.register(app, contract(asked, many, found))
    return app


def _connected(settings: Settings) -> Client:
    """The store of sessions. Raises `StoreUnavailable` where the service has none."""
    url = embedded.url(settings)
    if not url:
        raise StoreUnavailable("there is no REDIS_URL, and no server of the service's own")
    return connect(url)


def _now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
