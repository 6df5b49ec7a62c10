"""The parts that the operations of all games share: examples, responses, problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from marshmallow import ValidationError

from service.api.catalogue import Offered
from service.api.http.problem_details import MEDIA_TYPE as PROBLEM
from service.api.http.problem_details import Problem
from service.api.http.problems import unprocessable
from service.api.schemas import shapes
from service.rules.variant import Example, Variant
from service.rules.violations import InvalidInput

BODY_PROBLEMS = {
    status: f"Problem{status}" for status in ("400", "405", "406", "408", "413", "415", "429")
}
"""The problems of every operation with a body of JSON; what breaks the schema is apart."""


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
    """A POST as the skeleton would have it: the content of its request and response by media type,
    the examples of refused bodies, and its other problems by status.
    """
    refused = {
        "description": "The body breaks the schema or the rules.",
        "content": {PROBLEM: {"schema": "Problem", "examples": refusals}},
    }
    return {
        "operationId": operation_id(offered.name, offered.variant),
        "tags": [tag],
        "summary": summary,
        "description": description,
        "parameters": ["RequestId", "AcceptLanguage"],
        "requestBody": {"required": True, "content": request},
        "responses": {
            "200": {"description": "The result.", "content": answer},
            **problems,
            "422": refused,
        },
    }


def operation_id(name: str, variant: Variant) -> str:
    """The id of the operation `name` of `variant`: `evaluateDicePoker`."""
    return f"{name}{shapes.component(variant, '')}"


def identifier(variant: Variant) -> str:
    """The id of `variant` as the name of an example."""
    return variant.id.replace("-", "_")
