"""The paths of the service itself: health, metrics, the contract, and pages."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from service import __version__
from service.api.http.bodies import JSON
from service.api.http.docs import YAML
from service.api.schemas import shapes
from service.contract.gets import conditional, plain_get
from service.contract.parts import REQUEST_ID_PARAMETER, response
from service.contract.problems import NO_STORE, problem_responses
from service.contract.tags import SERVICE
from service.metrics.instruments import CONTENT_TYPES
from service.settings import METRICS_PATH as METRICS

_STATUS = shapes.record(
    "Status",
    {
        "status": shapes.constant("ok"),
        "version": shapes.TEXT.optional(),
        "commit": shapes.TEXT.optional(),
        "warning": shapes.TEXT.optional("Why sessions may be lost, or can only be read."),
    },
)

_WITH_STORE = {
    "in": "query",
    "name": "store",
    "schema": {"type": "string"},
    "description": "If given, the store of sessions has to respond, too.",
}

_NOT_READY = {HTTPStatus.SERVICE_UNAVAILABLE: "The store is unavailable."}


def service_paths() -> dict[str, Any]:
    """The paths that aren't about a variant or a session."""
    live = _health("getLivez", "/livez", "the process responds", {})
    release = {"version": __version__}
    ready = _health("getReadyz", "/readyz", "the process is ready for requests", release)
    ready["parameters"].append(_WITH_STORE)
    ready["responses"] |= problem_responses("/readyz", [NO_STORE], _NOT_READY)
    media = {media_type: {"schema": shapes.TEXT} for media_type in CONTENT_TYPES}
    counted = plain_get(METRICS, "getMetrics", "Get the metrics", "The metrics.", media)
    del counted["responses"]["406"]
    made = {"/": _go_to_docs(), "/livez": live, "/readyz": ready, METRICS: counted}
    for form, media_type in (("json", JSON), ("yaml", YAML)):
        path = f"/openapi.{form}"
        get = plain_get(
            path,
            f"getOpenapi{form.capitalize()}",
            f"Get this contract as {form.upper()}",
            "This contract.",
            {media_type: {"schema": {"type": "object"} if media_type == JSON else {}}},
        )
        made[path] = conditional(get)
    html = {"text/html": {"schema": shapes.TEXT}}
    for path, name, summary, result in (
        ("/docs", "getDocs", "Show this contract as a page", "This contract as a page."),
        ("/play", "getPlay", "Play in a browser", "A page to play on."),
    ):
        made[path] = conditional(plain_get(path, name, summary, result, html))
    return {path: {"get": get} for path, get in made.items()}


def _health(name: str, path: str, fact: str, release: dict[str, str]) -> dict[str, Any]:
    result = f"{fact[0].upper()}{fact[1:]}."
    media = {
        "schema": _STATUS,
        "examples": {"ok": {"value": {"status": "ok", **release}}},
    }
    return plain_get(path, name, f"Check that {fact}", result, {JSON: media})


def _go_to_docs() -> dict[str, Any]:
    """The path that people try first; it accepts whatever they accept."""
    location = {"schema": {"type": "string"}, "description": "The path of the page, relative."}
    found = response(
        "Browsers find `/play` there, other clients `/docs`.", {}, {"Location": location}
    )
    return {
        "operationId": "goToDocs",
        "tags": [SERVICE],
        "summary": "Go to a page",
        "parameters": [REQUEST_ID_PARAMETER],
        "responses": {"302": found, **problem_responses("/", [])},
    }
