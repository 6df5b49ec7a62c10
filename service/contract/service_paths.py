"""The paths of the service itself: health, metrics, the contract, and pages."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from apispec import APISpec

from service import __version__
from service.api.http.bodies import JSON
from service.api.http.docs import YAML
from service.api.schemas.shared import AnswerField, answer_part
from service.contract.gets import conditional, plain_get
from service.contract.parts import response
from service.contract.problems import NO_STORE, problem_responses
from service.contract.tags import SERVICE
from service.metrics.exposition import CONTENT_TYPES
from service.metrics.place import PATH as METRICS

STATUS_SCHEMA = answer_part(
    "Status",
    {
        "status": AnswerField({"type": "string", "const": "ok"}),
        "version": AnswerField({"type": "string"}, required=False),
        "commit": AnswerField({"type": "string"}, required=False),
        "warning": AnswerField(
            {"type": "string"}, "Why sessions may be lost, or can only be read.", required=False
        ),
    },
)

_WITH_STORE = {
    "in": "query",
    "name": "store",
    "schema": {"type": "string"},
    "description": "If given, the store of sessions has to respond, too.",
}

_NOT_READY = {HTTPStatus.SERVICE_UNAVAILABLE: "The store is unavailable."}


def declare(spec: APISpec) -> None:
    """Adds the paths that aren't about a variant or a session."""
    spec.path("/", operations={"get": _go_to_docs()})
    responds, is_ready = "the process responds", "the process is ready for requests"
    live = _health("getLivez", "/livez", responds, {})
    spec.path("/livez", operations={"get": live})
    ready = _health("getReadyz", "/readyz", is_ready, {"version": __version__})
    ready["parameters"].append(_WITH_STORE)
    ready["responses"] |= problem_responses("/readyz", [NO_STORE], _NOT_READY)
    spec.path("/readyz", operations={"get": ready})
    media = {media_type: {"schema": {"type": "string"}} for media_type in CONTENT_TYPES}
    counted = plain_get(METRICS, "getMetrics", "Get the metrics", "The metrics.", media)
    del counted["responses"]["406"]
    spec.path(METRICS, operations={"get": counted})
    for form, media_type in (("json", JSON), ("yaml", YAML)):
        path = f"/openapi.{form}"
        get = plain_get(
            path,
            f"getOpenapi{form.capitalize()}",
            f"Get this contract as {form.upper()}",
            "This contract.",
            {media_type: {"schema": {"type": "object"} if media_type == JSON else {}}},
        )
        spec.path(path, operations={"get": conditional(get)})
    html = {"text/html": {"schema": {"type": "string"}}}
    docs = plain_get(
        "/docs", "getDocs", "Show this contract as a page", "This contract as a page.", html
    )
    spec.path("/docs", operations={"get": conditional(docs)})
    play = plain_get("/play", "getPlay", "Play in a browser", "A page to play on.", html)
    spec.path("/play", operations={"get": conditional(play)})


def _health(name: str, path: str, fact: str, release: dict[str, str]) -> dict[str, Any]:
    result = f"{fact[0].upper()}{fact[1:]}."
    media = {
        "schema": {"$ref": "#/components/schemas/Status"},
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
        "parameters": ["RequestId"],
        "responses": {"302": found, **problem_responses("/", [])},
    }
