"""Counts each request and its response."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPMethod
from typing import Any, NamedTuple

from service.api.http.request_id import ROUTE, VARIANT
from service.api.http.work import Work
from service.metrics.declared import BATCH_RECEIVED, BATCH_SENT, REQUESTS
from service.metrics.instruments import Distribution
from service.worker.request import Request

NONE = "none"
"""The route and the status of a request that has none."""

OTHER = "other"
"""Methods that are not standard ones."""

METHODS = {method.value for method in HTTPMethod}
_VARIABLE = re.compile(r"<(\w+)>")
_VARIANT = re.compile(r"/v1/variants/([^/]+)").match


class Route(NamedTuple):
    """A route: its path, with names in braces for what varies, and its variant, "" for none."""

    path: str
    variant: str = ""


REFUSED = Route("refused")
"""The route of requests that never reach the app."""

_NO_ROUTE = Route(NONE)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What many requests have in common: all of the values are few.

    `requests` counts them. Equal outcomes are mostly the same object.
    """

    method: str
    route: Route
    status: str
    requests: Distribution


def outcome_of(method: str, environ: dict[str, Any], status: str) -> Outcome:
    """The outcome of a request with this WSGI environment; `status` has its phrase."""
    known = method if method in METHODS else OTHER
    return _outcome(known, environ.get(ROUTE), environ.get(VARIANT), status)


def route_of(environ: dict[str, Any]) -> Route:
    """The route that the app found for the request with this WSGI environment."""
    return _route(environ.get(ROUTE), environ.get(VARIANT))


def refused(method: str, status: str) -> Outcome:
    """The outcome of a request that never reaches the app."""
    return _made(method if method in METHODS else OTHER, REFUSED, status)


def count(request: Request, outcome: Outcome, sent: int, seconds: float) -> None:
    """Counts a request whose response took so many `seconds`; `sent` are the bytes of its body."""
    outcome.requests.observe(seconds)
    if request.work is Work.BATCH and outcome.route.variant:
        BATCH_RECEIVED.of(outcome.route.variant).add(request.received)
        BATCH_SENT.of(outcome.route.variant).add(sent)


@lru_cache(1024)
def _outcome(method: str, rule: str | None, variant: str | None, status: str) -> Outcome:
    return _made(method, _route(rule, variant), status)


def _made(method: str, route: Route, status: str) -> Outcome:
    status = status[:3] if status[:1].isdigit() else NONE
    return Outcome(method, route, status, REQUESTS.of(method, route.path, status))


@lru_cache(1024)
def _route(rule: str | None, variant: str | None) -> Route:
    if rule is None:
        return _NO_ROUTE
    found = _VARIANT(rule)
    own = variant or (found[1] if found else "")
    return Route(_VARIABLE.sub(r"{\1}", rule), own)
