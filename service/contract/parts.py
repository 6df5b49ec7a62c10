"""The parts that the operations of all games share: examples, responses, problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.api.http.problem_details import Problem
from service.api.operations.operation import Offered
from service.api.schemas import shapes
from service.rules.variant import Variant
from service.rules.violations import InvalidInput

BODY_PROBLEMS = {
    status: f"Problem{status}"
    for status in ("400", "405", "406", "408", "413", "415", "422", "429")
}
"""The problems of every operation with a body of JSON."""

Examples = dict[str, Any]


def refusal(call: Callable[..., object], *arguments: Any) -> InvalidInput:
    """What `call` raises for `arguments` that no game allows."""
    try:
        call(*arguments)
    except InvalidInput as error:
        return error
    raise ValueError(f"{call.__qualname__} must refuse its example")


def example_answer(
    offered: Offered, answer: Callable[[Mapping[str, Any]], Any]
) -> tuple[Examples, Examples]:
    """The first example request of an operation that gets a response, and that response.

    A game from outside may have none: its requests are refused, or would have to wait.
    """
    for example in offered.examples:
        try:
            answered = answer(example.request)
        except (InvalidInput, Problem):
            continue
        return {example.name: {"value": example.request}}, {example.name: {"value": answered}}
    return {}, {}


def post(
    offered: Offered,
    tag: str,
    summary: str,
    description: str,
    request: Mapping[str, Any],
    answer: Mapping[str, Any],
    problems: Mapping[str, Any],
) -> dict[str, Any]:
    """A POST as the skeleton would have it: the content of its request and response by media type,
    and its problems by status.
    """
    return {
        "operationId": operation_id(offered.name, offered.variant),
        "tags": [tag],
        "summary": summary,
        "description": description,
        "parameters": ["RequestId", "AcceptLanguage"],
        "requestBody": {"required": True, "content": request},
        "responses": {"200": {"description": "The result.", "content": answer}, **problems},
    }


def operation_id(name: str, variant: Variant) -> str:
    """The id of the operation `name` of `variant`: `evaluateDicePoker`."""
    return f"{name}{shapes.component(variant, '')}"


def identifier(variant: Variant) -> str:
    """The id of `variant` as the name of an example."""
    return variant.id.replace("-", "_")
