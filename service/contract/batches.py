"""Batches in the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from service.api.batch import ndjson
from service.api.batch.batch import (
    ARROW,
    HOUSE_RULES,
    LINE_OPERATIONS,
    MAX_HANDS,
    NDJSON,
    OPERATION,
    Batch,
    BatchLimits,
)
from service.api.batch.columns import from_json, to_json
from service.api.batch.queue import BatchQueue
from service.api.batch.searched import search
from service.api.http.bodies import JSON
from service.api.operations.operation import BatchColumns, SearchedColumns
from service.api.schemas import shapes
from service.api.schemas.fields import Object
from service.api.schemas.shapes import Shape
from service.batch.arrow.further import MAX_ROWS
from service.contract.kinds import CONTRACT_KINDS
from service.contract.parts import BODY_PROBLEMS, example_answers, examples, post
from service.rules.sentences import any_of

LINES = (
    f"`{NDJSON}`: each line is a request to `evaluate`, or to the operation that the query "
    f"parameter `{OPERATION}` names, with its own house rules. It gets one line of the response, "
    "in the same order. An invalid line gets a problem with its number as "
    f"`line`, and the batch continues. After {ndjson.MAX_FAILED:,} such lines, the next one gets "
    "a 422 and ends the batch: that problem is the last line of the response. If a gzip is corrupt "
    "or too large when decompressed, the last line of the response is a problem without `line`. "
    "The response begins once the whole body has arrived."
)

SEARCHES = (
    "Each hand takes a search for layouts. All searches of one request may take "
    f"{BatchLimits.work:,} steps in total, about 10 microseconds each. A typical turn takes about "
    "100 steps, the hardest about 10,000. A request in JSON that takes more gets a 413, which "
    "names the first hand beyond the limit. The first line beyond the limit gets a 413 and ends "
    "the batch: that problem is the last line of the response. Send this line and those after it "
    "in another request."
)

MAX_TURNS = (
    f"In `{JSON}`, a request has at most {MAX_HANDS:,} hands. A hand is the rolls of a turn, "
    "without a risk roll."
)

FORMATS = (
    f"`{JSON}`: all hands at once; the response has a column for each result. If one hand is "
    "invalid, the whole request is refused, and the problem names the first 100 invalid hands."
)

STREAM = {"type": "string", "format": "binary", "contentMediaType": ARROW}
"""The schema of an Arrow stream."""

BODIES = "Any body may be compressed, with Content-Encoding: gzip."


def post_batch(batch: Batch) -> dict[str, Any]:
    """The operation `batch` of a variant, with all its media types."""
    searches = isinstance(batch.columns, SearchedColumns)
    requests, answers, refusals = _columns(batch)
    line_requests, line_answers = _lines(batch)
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
    texts = [FORMATS, MAX_TURNS, LINES, SEARCHES] if searches else [FORMATS, LINES]
    problems = {
        **BODY_PROBLEMS,
        "406": {"causes": [{"not_acceptable": {"offered": [NDJSON]}}]},
        "415": {"causes": [{"wrong_media_type": {"allowed": list(batch.media_types)}}]},
    }
    parameters: list[Any] = []
    if OPERATION in batch.parameters:
        parameters.append(_operation(batch))
    if isinstance(batch.columns, BatchColumns):
        request[ARROW] = answer[ARROW] = {"schema": STREAM}
        texts.append(_arrow(batch.columns))
        problems["413"] = {"causes": ["rest_too_large"]}
        parameters.append(_house_rules(batch))
    made = post(
        batch,
        "batches",
        f"{batch.variant.name}: evaluate many hands",
        "\n\n".join([*texts, BODIES]) + "\n",
        request,
        answer,
        refusals,
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
        "description": f"Each line is JSON: {any_of(f'`{name}`' for name in names)}.",
        "contentMediaType": NDJSON,
        "contentSchema": {
            "type": "array",
            "items": parts[0] if len(parts) == 1 else {"anyOf": parts},
        },
    }


def _arrow(columns: BatchColumns) -> str:
    """Describes the Arrow streams of a variant."""
    dice = columns.dice
    sizes = any_of(columns.sizes)
    held, numbers = "uint8", f"faces from 1 to {dice.faces}"
    if dice.names:
        held, numbers = "utf8", f"faces: {' '.join(dice.names)}"
    if dice.suits:
        suits = ", ".join(suit.letter for suit in dice.suits)
        held, numbers = "uint8", f"`{dice.faces} * suit + face - 1`, the suits in the order {suits}"
    answer = CONTRACT_KINDS.of(columns.variant).arrow_answer
    return (
        f"`{ARROW}`: record batches with a column `dice`, a fixed-size list of {sizes} {held} "
        f"({numbers}), without nulls or compression. The response is record batches with {answer}. "
        "If there are further columns, it has them first, in record batches of the same rows: at "
        f"most {MAX_ROWS:,} each. Their types may be any but unions and run-end encoded ones. "
        "House rules go into the query parameter `house_rules`. The response begins once a MiB of "
        "it, or all of it, is ready. An error before that is a problem; an error after that closes "
        "the connection before the end of the stream. "
        f"Accept chooses the format of the response: a request in `{JSON}` can get Arrow, "
        "and a request in Arrow can get JSON."
    )


def _operation(batch: Batch) -> dict[str, Any]:
    """The query parameter that names the operation of lines."""
    return {
        "in": "query",
        "name": OPERATION,
        "required": False,
        "description": f"What the lines ask for, by default `{LINE_OPERATIONS[0]}`; for `{NDJSON}` "
        "only.",
        "schema": shapes.named_enum("LineOperation", batch.lines),
    }


def _house_rules(batch: Batch) -> dict[str, Any]:
    """The query parameter with the house rules of an Arrow stream."""
    field = batch.request.fields[HOUSE_RULES]
    assert isinstance(field, Object)
    return {
        "in": "query",
        "name": HOUSE_RULES,
        "required": False,
        "description": f"The house rules for all hands, as JSON; for `{ARROW}` only.",
        "schema": {
            "type": "string",
            "contentMediaType": JSON,
            "contentSchema": field.json_schema,
        },
        "example": "{}",
    }


def _lines(batch: Batch) -> tuple[dict[str, Any], dict[str, Any]]:
    """An invalid line and the shortest example of `evaluate` as a request, and the response."""
    *_, invalid = examples(batch.evaluate).values()
    requests, _, _ = example_answers(batch.evaluate, batch.evaluate.run)
    valid = sorted([orjson.dumps(each["value"]) for each in requests.values()], key=len)
    request = b"\n".join([orjson.dumps(invalid.request), *valid[:1]])
    answer = b"".join(ndjson.answers(batch, batch.evaluate, [request]))
    summary = "An invalid line before a valid one"
    return (
        {"lines": {"summary": summary, "value": request.decode()}},
        {"lines": {"summary": summary, "value": answer.decode()}},
    )


def _columns(batch: Batch) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The example requests in JSON, their responses, and the problems of refused ones."""

    def answer(request: Mapping[str, Any]) -> Any:
        body = orjson.dumps(request)
        if isinstance(batch.columns, SearchedColumns):
            return search(batch.columns, batch.request, body, BatchQueue(lambda: 0))
        return orjson.loads(b"".join(to_json(*from_json(batch, body))))

    return example_answers(batch, answer)
