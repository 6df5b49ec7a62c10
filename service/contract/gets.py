"""GET operations of the contract, with or without an ETag."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.api.http.bodies import JSON
from service.api.schemas.shapes import Shape
from service.contract.parts import IF_NONE_MATCH, REQUEST_ID_PARAMETER, response
from service.contract.problems import not_acceptable, problem_responses
from service.contract.tags import CATALOGUE, SERVICE


def catalogue_get(
    path: str,
    name: str,
    summary: str,
    result: str,
    schema: Shape,
    examples: Mapping[str, Any],
) -> dict[str, Any]:
    """A GET of the catalogue, with its own response schema, an ETag, and 304."""
    media: dict[str, Any] = {"schema": schema}
    if examples:
        media["examples"] = {key: {"value": value} for key, value in examples.items()}
    return conditional(
        {**plain_get(path, name, summary, result, {JSON: media}), "tags": [CATALOGUE]}
    )


def plain_get(
    path: str, name: str, summary: str, result: str, content: Mapping[str, Any]
) -> dict[str, Any]:
    """The GET of `path`; `result` describes the response."""
    return {
        "operationId": name,
        "tags": [SERVICE],
        "summary": summary,
        "parameters": [REQUEST_ID_PARAMETER],
        "responses": {
            "200": response(result, content),
            **problem_responses(path, [not_acceptable(*content)]),
        },
    }


def conditional(get: dict[str, Any]) -> dict[str, Any]:
    """`get` with ETag, If-None-Match and 304."""
    etag = {"ETag": {"$ref": "#/components/headers/ETag"}}
    responses = dict(get["responses"])
    answer = responses.pop("200")
    return {
        **get,
        "parameters": [*get["parameters"], IF_NONE_MATCH],
        "responses": {
            "200": {**answer, "headers": {**answer["headers"], **etag}},
            "304": response("The client's copy is current.", {}, etag),
            **responses,
        },
    }
