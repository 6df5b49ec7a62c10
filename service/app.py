"""The HTTP service, wired together."""

from __future__ import annotations

from functools import partial

from flask import Flask

from service.api import docs, problems, routes
from service.api.batch import Limits, batches
from service.api.contract import document
from service.api.operations import operations
from service.api.request_id import TracedFlask
from service.settings import Settings
from service.variants import variants


def create_app(settings: Settings | None = None) -> Flask:
    """The WSGI application; `settings` come from the environment if left out."""
    settings = settings or Settings.from_environment()
    app = TracedFlask(__name__, static_folder=None)
    app.url_map.merge_slashes = False
    found = list(variants().values())
    asked = operations(found)
    many = batches(asked, Limits.of(settings))
    problems.register(app)
    routes.register(app, found, asked, many, settings.max_body_bytes)
    docs.register(app, partial(document, asked, many, found))
    return app
