"""Counts each request and its response."""

from __future__ import annotations

import re
from functools import lru_cache
from http import HTTPMethod
from typing import Any, NamedTuple

from service.api.http.request_id import ROUTE, VARIANT
from service.metrics.declared import BATCH_RECEIVED, BATCH_SENT, REQUESTS
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


def route_of(environ: dict[str, Any]) -> Route:
    """The route that the app found for the request with this WSGI environment."""
    rule = environ.get(ROUTE)
    if rule is None:
        return _NO_ROUTE
    route = _route(rule)
    variant = environ.get(VARIANT)
    return route if variant is None else Route(route.path, variant)


def count(
    request: Request, method: str, route: Route, status: str, sent: int, seconds: float
) -> None:
    """Counts a request whose response took so many `seconds`; `sent` are the bytes of its body."""
    REQUESTS.observe(seconds, method, route.path, status)
    if request.is_batch and route.variant:
        BATCH_RECEIVED.add(request.received, route.variant)
        BATCH_SENT.add(sent, route.variant)


@lru_cache(1024)
def _route(rule: str) -> Route:
    variant = _VARIANT(rule)
    return Route(_VARIABLE.sub(r"{\1}", rule), variant[1] if variant else "")
