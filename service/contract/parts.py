"""The parts that all operations of the contract share: examples, responses, problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from marshmallow import ValidationError

from service.api.catalogue import Offered
from service.api.http.problems import MEDIA_TYPE as PROBLEM
from service.api.http.problems import Problem, unprocessable
from service.api.http.request_id import HEADER as REQUEST_ID
from service.api.schemas import shapes
from service.api.schemas.shapes import Shape
from service.rules.variant import Example, Variant
from service.rules.violations import InvalidInput

REQUEST_ID_PARAMETER = {"$ref": "#/components/parameters/RequestId"}
IF_NONE_MATCH = {"$ref": "#/components/parameters/IfNoneMatch"}

REFUSED = "The body breaks the schema or the rules."
"""The description of a 422."""

_PROBLEM: Mapping[str, Shape] = {
    "type": Shape(type="string", format="uri-reference"),
    "title": shapes.TEXT,
    "status": Shape(type="integer", minimum=400, maximum=599),
    "detail": shapes.TEXT("What went wrong, in a sentence."),
    "instance": shapes.TEXT("The path of the request."),
    "errors": shapes.list_of(
        shapes.record(
            "Violation",
            {
                "pointer": shapes.TEXT("JSON pointer (RFC 6901)."),
                "detail": shapes.TEXT("What is wrong."),
            },
        )
    ).optional("Every violation; present if the status is 422."),
}

PROBLEM_SCHEMA = shapes.record("Problem", _PROBLEM)

LINE_PROBLEM = shapes.record(
    "LineProblem",
    {
        **_PROBLEM,
        "line": shapes.ORDINAL.optional(
            "The number of the line, from 1; missing if the body ended early."
        ),
    },
)


def examples(offered: Offered) -> Mapping[str, Example]:
    """The example requests of an operation by name, and one that violates every schema."""
    own = [example for example in offered.variant.examples if example.operation == offered.name]
    unknown = Example(offered.name, "An unknown field, and nothing else", {"colour": "red"})
    return {example.name: example for example in [*own, unknown]}


def example_answers(
    offered: Offered, answer: Callable[[Mapping[str, Any]], Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The example requests of an operation, their responses, and the problems of refused ones.

    Those of a game from outside that would have to wait for something are left out.
    """
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
            }
        except Problem:
            continue
        else:
            requests[name] = {"summary": example.summary, "value": example.request}
            answers[name] = {"summary": example.summary, "value": answered}
    return requests, answers, refusals


def post(
    offered: Offered,
    tag: str,
    summary: str,
    description: str,
    request: Mapping[str, Any],
    answer: Mapping[str, Any],
    refusals: Mapping[str, Any],
    problems: Mapping[str, Any],
) -> dict[str, Any]:
    """A POST: the content of its request and response by media type, the examples of refused
    bodies, and its other problems by status.
    """
    problem = {"schema": PROBLEM_SCHEMA, "examples": refusals}
    return {
        "operationId": operation_id(offered.name, offered.variant),
        "tags": [tag],
        "summary": summary,
        "description": description,
        "parameters": [REQUEST_ID_PARAMETER],
        "requestBody": {"required": True, "content": request},
        "responses": {
            "200": response("The result.", answer),
            **dict(sorted({**problems, "422": response(REFUSED, {PROBLEM: problem})}.items())),
        },
    }


def operation_id(name: str, variant: Variant) -> str:
    """The id of the operation `name` of `variant`: `evaluateDicePoker`."""
    return f"{name}{shapes.component(variant, '')}"


def identifier(variant: Variant) -> str:
    """The id of `variant` as the name of an example."""
    return variant.id.replace("-", "_")


def response(
    description: str,
    content: Mapping[str, Any],
    headers: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A response with its content, if any, and the headers of every response."""
    own = {REQUEST_ID: {"$ref": "#/components/headers/RequestId"}, **(headers or {})}
    response = {"description": description, "headers": own}
    return {**response, "content": content} if content else response
