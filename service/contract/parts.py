"""What the operations of the contract have in common: examples, responses, the problems of all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from marshmallow import Schema, ValidationError, fields
from werkzeug.http import HTTP_STATUS_CODES

from service.api.catalogue import Offered
from service.api.http.problems import MEDIA_TYPE as PROBLEM
from service.api.http.problems import unprocessable
from service.api.http.request_id import HEADER as REQUEST_ID
from service.api.schemas.shared import Answered, answer_part, nested
from service.rules.variant import Example, Variant
from service.rules.violations import InvalidInput

PROBLEMS = {
    HTTPStatus.BAD_REQUEST: "The body is not sound JSON: cut short, no UTF-8, a key twice, NaN.",
    HTTPStatus.NOT_ACCEPTABLE: "Accept rules out the media type of the answer.",
    HTTPStatus.REQUEST_TIMEOUT: "The body stalled, or came too slowly.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is over the limit of this server.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body is of another media type, or encoded.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "The body breaks the schema or the rules.",
}
"""The statuses that are problems; every POST can answer any of them."""


FAULT = answer_part(
    "Violation",
    {
        "pointer": Answered({"type": "string"}, "JSON pointer (RFC 6901)."),
        "detail": Answered({"type": "string"}, "What would be right there."),
    },
)

PROBLEM_SCHEMA = answer_part(
    "Problem",
    {
        "type": Answered({"type": "string", "format": "uri-reference"}),
        "title": Answered({"type": "string"}),
        "status": Answered({"type": "integer", "minimum": 400, "maximum": 599}),
        "detail": Answered({"type": "string"}, "What was wrong, in a sentence."),
        "instance": Answered({"type": "string"}, "The path that was asked for."),
        "errors": fields.List(
            nested(FAULT),
            metadata={"description": "Every violation of the body, with 422."},
        ),
    },
)

LINE_PROBLEM: type[Schema] = type(
    "LineProblem",
    (PROBLEM_SCHEMA,),
    {
        "line": Answered(
            {"type": "integer", "minimum": 1},
            "The number of the line; left out where the body itself broke off.",
            required=False,
        )
    },
)


def examples(offered: Offered) -> Mapping[str, Example]:
    """The worked requests of an operation by a name each, and one that breaks every schema."""
    own = [found for found in offered.variant.examples if found.operation == offered.name]
    unknown = Example(offered.name, "An unknown field, and nothing else", {"colour": "red"})
    return {
        "_".join(re.findall(r"[a-z0-9]+", example.summary.lower())): example
        for example in [*own, unknown]
    }


def worked(
    offered: Offered, answer: Callable[[Mapping[str, Any]], Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The worked requests of an operation, what `answer` says to each, and those it refuses."""
    requests: dict[str, Any] = {}
    answers: dict[str, Any] = {}
    refusals: dict[str, Any] = {}
    for name, example in examples(offered).items():
        try:
            answered = answer(example.request)
        except (ValidationError, InvalidInput) as error:
            refusals[name] = {
                "summary": example.summary,
                "value": unprocessable(error, offered.path),
                "x-request": example.request,
            }
        else:
            requests[name] = {"summary": example.summary, "value": example.request}
            answers[name] = {"summary": example.summary, "value": answered}
    return requests, answers, refusals


def post(
    offered: Offered,
    summary: str,
    description: str,
    request: Mapping[str, Any],
    answer: Mapping[str, Any],
    refusals: Mapping[str, Any],
) -> dict[str, Any]:
    """A POST: the content of its request and of its answer by media type, and its refusals."""
    refused = HTTPStatus.UNPROCESSABLE_ENTITY
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": refusals}
    return {
        "operationId": f"{offered.name}_{identifier(offered.variant)}",
        "tags": [offered.variant.id],
        "summary": summary,
        "description": description,
        "parameters": ["RequestId"],
        "requestBody": {"required": True, "content": request},
        "responses": {
            "200": response("The answer.", answer),
            **references(*(status for status in PROBLEMS if status != refused)),
            str(int(refused)): response(PROBLEMS[refused], {PROBLEM: problem}),
        },
    }


def identifier(variant: Variant[Any]) -> str:
    """The id of `variant` as a word in the ids of operations."""
    return variant.id.replace("-", "_")


def response_name(status: HTTPStatus) -> str:
    """The name of the shared response that is the problem of `status`."""
    return HTTP_STATUS_CODES[status].title().replace(" ", "")


def references(*statuses: HTTPStatus) -> dict[str, Any]:
    """Responses that are the shared problems of `statuses`."""
    return {
        str(int(status)): {"$ref": f"#/components/responses/{response_name(status)}"}
        for status in statuses
    }


def response(
    description: str,
    content: Mapping[str, Any],
    headers: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A response with its content, if any, and the headers that every response has."""
    own = {REQUEST_ID: {"$ref": "#/components/headers/RequestId"}, **(headers or {})}
    response = {"description": description, "headers": own}
    return {**response, "content": content} if content else response
