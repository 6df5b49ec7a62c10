"""The WSGI application."""

from __future__ import annotations

import time
from functools import partial

from service import page
from service.api import routes
from service.api.batch.batch import batches
from service.api.batch.queue import BatchQueue
from service.api.http import docs, health, languages, problem_pages, problems
from service.api.http.cors import Cors, CrossOriginFlask
from service.api.http.request_id import TracedFlask
from service.api.operations.registry import operations, play
from service.api.rate_limit import RateLimited
from service.api.sessions import views
from service.api.sessions.results import result_json
from service.contract.write import prepared
from service.sessions.service import SessionService
from service.sessions.store import embedded
from service.sessions.store.connect import Client, connect
from service.sessions.store.failures import Unusable
from service.sessions.store.redis_store import Store
from service.sessions.store.supervisor import NoServer
from service.settings import ON, Settings, parse_endpoint
from service.trusted_proxies import parse_proxies
from service.variants import variants


def create_app(settings: Settings | None = None) -> TracedFlask:
    """Creates the WSGI application. `settings` come from the environment if omitted."""
    settings = settings or Settings.from_environment()
    if settings.allow_origins:  # only who needs CORS pays for it
        cors = Cors(settings.allow_origins)
        app: TracedFlask = CrossOriginFlask(__name__, cors, static_folder=None)
    else:
        app = TracedFlask(__name__, static_folder=None)
    app.url_map.merge_slashes = False
    variants_by_id = variants(settings.variants)
    variant_list = list(variants_by_id.values())
    operation_list = operations(variant_list, settings)
    batch_list = batches(operation_list, settings)
    if settings.rate_limit:
        look_ups = [each for each in operation_list if each.evaluates and each.steps is None]
        unmeasured = frozenset(each.path for each in look_ups)
        streamed = frozenset(each.path for each in batch_list)
        proxies = parse_proxies(settings.trusted_proxies)
        app.inner = RateLimited(
            app.inner, settings.rate_limit, proxies, unmeasured, app.note_route, streamed
        )
    problems.register(app)
    problem_pages.register(app)
    languages.register(app, variant_list)
    queue = BatchQueue(lambda: app.requests)
    routes.register(app, variant_list, operation_list, batch_list, settings.max_body_bytes, queue)
    app.brief_paths = app.brief_paths.union(health.PATHS)
    store = Store(
        partial(_connected, settings), settings.wait_replicas, settings.feed, app.logger.warning
    )
    feed = partial(result_json, key=settings.result_key) if settings.feed else None
    _add_service(app, settings, store)
    sessions = SessionService(
        store,
        variants_by_id,
        settings.session_seconds,
        lambda: time.time_ns() // 1_000_000,
        settings.max_events,
        feed,
        partial(play, settings),
    )
    views.register(app, sessions, variant_list, operation_list, settings)
    with_page = settings.play == ON
    docs.register(app, partial(prepared, operation_list, batch_list, variant_list), with_page)
    if with_page:
        page.register(app, variant_list)
    return app


def _add_service(app: TracedFlask, settings: Settings, store: Store) -> None:
    """Adds health and metrics; these go to an app of their own if they have a port of their own."""
    health.register(app, settings.commit, store.check)
    read = partial(health.readings, settings, store.count)
    endpoint = parse_endpoint(settings.metrics)
    if endpoint.port:
        other = TracedFlask(__name__, static_folder=None)
        problems.register(other)
        health.register(other, settings.commit, store.check)
        health.register_metrics(other, endpoint.path, read)
        # Flask documents wrapping this method, which mypy can't know
        app.wsgi_app = health.on_port(app.wsgi_app, endpoint.port, other)  # type: ignore[method-assign,assignment]
    elif endpoint.path:
        health.register_metrics(app, endpoint.path, read)


def _connected(settings: Settings) -> Client:
    """A client of the store of sessions. Raises `Unusable` if there is no store."""
    try:
        return connect(embedded.url(settings))
    except NoServer as why:
        raise Unusable(f"can't be used: {why}") from None
