"""Batches in the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

import orjson

from service.api.batch.batch import (
    ARROW,
    HOUSE_RULES,
    LINE_OPERATIONS,
    MAX_STEPS,
    NDJSON,
    OPERATION,
    Batch,
)
from service.api.batch.columns import from_json, to_json
from service.api.batch.queue import BatchQueue
from service.api.batch.searched import search
from service.api.http.bodies import JSON
from service.api.operations.operation import BatchColumns, SearchedColumns
from service.api.schemas import shapes
from service.api.schemas.requests import Object
from service.api.schemas.shapes import Shape
from service.contract.kinds import CONTRACT_KINDS
from service.contract.parts import BODY_PROBLEMS, Examples, example_answer, post
from service.rules.sentences import any_of

SEARCHES = (
    f"Not in Arrow. All searches for layouts may take {MAX_STEPS:,} steps, about 10 "
    "microseconds each; a typical turn takes 100, the hardest 10,000. A request in JSON beyond "
    "that gets a 413 that names the first hand; in lines, the 413 ends the batch. Send the rest in "
    "another request. A hand is the rolls of a turn, without a risk roll."
)

STREAM = {"type": "string", "format": "binary", "contentMediaType": ARROW}
"""The schema of an Arrow stream."""


def post_batch(batch: Batch) -> dict[str, Any]:
    """The operation `batch` of a variant, with all its media types."""
    requests, answers = _columns(batch)
    line_requests, line_answers = map(_lines, example_answer(batch.evaluate, batch.evaluate.run))
    operations = batch.lines.values()
    asked = _lines_of([each.request.json_schema for each in operations])
    answered = _lines_of([each.response.schema for each in operations], "LineProblem")
    request: dict[str, Any] = {
        JSON: {"schema": batch.request.json_schema, "examples": requests},
        NDJSON: {"schema": asked, "examples": line_requests},
    }
    answer: dict[str, Any] = {
        JSON: {"schema": batch.response, "examples": answers},
        NDJSON: {"schema": answered, "examples": line_answers},
    }
    text = SEARCHES
    problems: dict[str, Any] = {**BODY_PROBLEMS, "406": "BatchProblem406"}
    parameters: list[Any] = []
    if OPERATION in batch.parameters:
        asks = f"What lines ask for. Default: `{LINE_OPERATIONS[0]}`."
        named = shapes.named_enum("LineOperation", batch.lines)
        parameters.append(_parameter(OPERATION, asks, named))
    if isinstance(batch.columns, BatchColumns):
        request[ARROW] = answer[ARROW] = {"schema": STREAM}
        text = _arrow(batch.columns)
        problems |= {"413": "ArrowProblem413", "415": "ArrowProblem415"}
        field = batch.request.fields[HOUSE_RULES]
        assert isinstance(field, Object)
        rules = {"type": "string", "contentMediaType": JSON, "contentSchema": field.json_schema}
        parameters.append(_parameter(HOUSE_RULES, "As JSON; only for Arrow.", rules, example="{}"))
    else:
        allowed = list(batch.media_types)
        problems["415"] = {"causes": [{"wrong_media_type": {"allowed": allowed}}]}
    made = post(
        batch,
        "batches",
        f"{batch.variant.name}: evaluate many hands",
        text,
        request,
        answer,
        problems,
    )
    made["parameters"] += parameters
    return made


def _lines_of(schemas: Sequence[Shape], *others: str) -> dict[str, Any]:
    """A text of lines, each of one of `schemas`, or of the components `others`; as a list, clients
    would send a JSON array.
    """
    names = [*[schema["title"] for schema in schemas], *others]
    parts = [*schemas, *map(shapes.reference, others)]
    return {
        "type": "string",
        "description": f"Lines of JSON: {any_of(f'`{name}`' for name in names)}.",
        "contentMediaType": NDJSON,
        "contentSchema": {
            "type": "array",
            "items": parts[0] if len(parts) == 1 else {"anyOf": parts},
        },
    }


def _arrow(columns: BatchColumns) -> str:
    """Describes the Arrow streams of a variant."""
    dice, sizes = columns.variant.dice, any_of(columns.variant.hand_sizes)
    held, numbers = "uint8", f"faces from 1 to {dice.faces}"
    if dice.names:
        held, numbers = "utf8", f"faces: {' '.join(dice.names)}"
    if dice.suits:
        suits = ", ".join(suit.letter for suit in dice.suits)
        held, numbers = "uint8", f"`{dice.faces} * suit + face - 1`, the suits in the order {suits}"
    answer = CONTRACT_KINDS.of(columns.variant).arrow_answer
    return (
        f"In Arrow, `dice` is a fixed-size list of {sizes} {held} ({numbers}). The response has "
        f"{answer}."
    )


def _parameter(name: str, description: str, schema: Mapping[str, Any], **more: Any) -> Any:
    """An optional parameter of the query."""
    fixed = {"in": "query", "name": name, "required": False}
    return {**fixed, "description": description, "schema": schema, **more}


def _lines(examples: Examples) -> Examples:
    """The `examples`, each as a line."""
    return {
        name: {"value": f"{orjson.dumps(each['value']).decode()}\n"}
        for name, each in examples.items()
    }


def _columns(batch: Batch) -> tuple[Examples, Examples]:
    """The example request in JSON, and its response."""

    def answer(request: Mapping[str, Any]) -> Any:
        body, queue = orjson.dumps(request), BatchQueue(lambda: 0)
        if isinstance(batch.columns, SearchedColumns):
            return search(batch.columns, batch.request, body, queue)
        return orjson.loads(b"".join(to_json(*queue.result(from_json(batch, BytesIO(body))))))

    return example_answer(batch, answer)
