"""What the worker is told about this service."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from http import HTTPStatus

import orjson
from gunicorn.config import Config

from service import access_log, parent_death
from service.api.http import languages
from service.api.http.causes import Cause
from service.api.http.cors import Cors
from service.api.http.problem_details import MEDIA_TYPE
from service.api.http.request_id import HEADER, NOSNIFF, request_id
from service.api.http.work import Work
from service.metrics.declared import CONNECTIONS, CONNECTIONS_MAX, WAITING
from service.settings import Settings
from service.trusted_proxies import parse_proxies
from service.worker.hooks import Headers, Hooks, Kind
from service.worker.refusal import Refusal
from service.worker.request import HEAD_BYTES, Request

BATCH_THREADS = 32
"""How many batches have a thread at a time. One of them computes, in turn."""


def hooks_of(settings: Settings, app: object, cfg: Config) -> Hooks:
    """The hooks of a worker that serves `app`."""
    kinds: dict[Hashable, Kind] = {
        work: Kind(cfg.threads, settings.max_body_bytes) for work in Work
    }
    kinds[Work.BATCH] = Kind(BATCH_THREADS, settings.max_batch_bytes, large=True)
    return Hooks(
        work_of=getattr(app, "work_of", lambda *_: Work.ORDINARY),  # of an app of the benchmarks
        kinds=kinds,
        brief_paths=getattr(app, "brief_paths", ()),
        client_of=parse_proxies(settings.trusted_proxies).client,
        id_header=HEADER.upper(),
        request_id=request_id,
        line_bytes=cfg.limit_request_line or HEAD_BYTES,
        headers=cfg.limit_request_fields,
        header_bytes=cfg.limit_request_field_size or HEAD_BYTES,
        problem=partial(_problem, Cors(settings.allow_origins)),
        log_access=access_log.log_access,
        log_refusal=access_log.log_refusal,
        note=_note,
        parent=parent_death.read_end(),
    )


def _problem(cors: Cors, refusal: Refusal, request: Request) -> tuple[HTTPStatus, Headers, bytes]:
    """The response to a request that is refused: a problem like all others."""
    problem = Cause[refusal.cause.replace("-", "_").upper()].problem(**refusal.values)
    language = languages.preferred(request.header("ACCEPT-LANGUAGE"))
    headers = [("Content-Type", MEDIA_TYPE), (HEADER, request.id), NOSNIFF]
    headers += languages.headers(language)
    cors.add_to(headers, request.header("ORIGIN"))
    body = orjson.dumps(problem.body(request.instance, language))
    return problem.cause.status, headers, body


def _note(most: int, connections: int, waiting: int) -> None:
    CONNECTIONS_MAX.of().set(most)
    CONNECTIONS.of().set(connections)
    WAITING.of().set(waiting)
