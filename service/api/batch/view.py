"""Batches over HTTP: media types, encodings and streamed responses."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from logging import Logger
from typing import Any

from flask import Response, current_app, request

from service.api.batch.batch import (
    ARROW,
    HOUSE_RULES,
    NDJSON,
    OPERATION,
    Batch,
    BatchLimits,
    ColumnsInJson,
)
from service.api.batch.ndjson import PIECE, answers
from service.api.batch.searched import searched
from service.api.batch.share import Share
from service.api.http.bodies import JSON, Body, acceptable, check_length, json_response
from service.api.http.causes import Cause
from service.api.http.problems import Problem
from service.api.http.request_id import ENVIRON
from service.api.operations.columns import SearchedColumns
from service.api.operations.operation import Operation
from service.metrics.declared import HANDS
from service.operator_log import escaped
from service.rules.sentences import any_of
from service.rules.violations import InvalidInput, Violation
from service.strict_json import InvalidJson, decode

_SETTLED = 1 << 20
"""How many bytes of an Arrow response are computed before it begins. An error before that becomes a
problem.
"""


def view(batch: Batch, share: Share) -> Callable[[], Response]:
    """The view of `batch`, which computes in the turns of `share`."""

    def respond() -> Response:
        share.batch()
        media_type = _media_type(batch)
        answered = acceptable(*_answers(batch, media_type))
        rules = _query_rules()
        if rules != {} and media_type != ARROW:
            detail = f"is only for {ARROW}; with {media_type}, put the house rules in the body"
            raise InvalidInput(Violation((HOUSE_RULES,), detail))
        operation = _operation(batch, media_type)
        columns = batch.columns.columns
        if media_type == JSON and isinstance(columns, SearchedColumns):
            text = _decoded(batch.limits.line_bytes).read()
            found = searched(columns, batch.columns.request, text, share)
            HANDS.of(batch.variant.id).add(found["count"])
            return json_response(found)
        body = _decoded(batch.limits.body_bytes)
        if media_type == NDJSON:
            return _streamed(share.parts(answers(batch, operation, body.pieces(PIECE))), NDJSON)
        if media_type == JSON:
            return _from_json(batch.columns, batch.limits, body, answered, share)
        return _from_arrow(batch.columns, batch.limits, rules, body, answered, share)

    return respond


def _media_type(batch: Batch) -> str:
    """The media type of the request. Raises `Problem` 415 for an unsupported one."""
    media_type = request.mimetype
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if media_type not in batch.media_types or charset not in ("utf-8", "utf8"):
        given = request.headers.get("Content-Type", "missing")
        taken = any_of(batch.media_types)
        accepted = {"Accept": ", ".join(batch.media_types)}
        raise Cause.NOT_TYPED.problem(accepted, wanted=f"{taken}, text in UTF-8", sent=given)
    return media_type


def _answers(batch: Batch, media_type: str) -> list[str]:
    """The possible media types of the response to a request of `media_type`, the same one first."""
    if media_type == NDJSON:
        return [NDJSON]
    columns = [JSON, ARROW] if ARROW in batch.media_types else [JSON]
    return sorted(columns, key=lambda other: other != media_type)


def _decoded(limit: int) -> Body:
    """The body, decompressed as its Content-Encoding says, of at most `limit` bytes.

    Raises `Problem` 413 for a longer one, 415 for an unknown encoding.
    """
    check_length(request.environ, limit)
    encoding = request.headers.get("Content-Encoding", "").lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise Problem(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"The body must be uncompressed or a gzip; Content-Encoding is {encoding}.",
            {"Accept-Encoding": "gzip, identity"},
        )
    return Body(request.stream, limit, is_gzip=encoding.endswith("gzip"))


def _from_json(
    columns: ColumnsInJson, limits: BatchLimits, body: Body, answered: str, share: Share
) -> Response:
    from service.api.batch.columns import from_json, to_json

    with share.turn():
        outcomes, rules, found = from_json(
            columns.variant, columns.request, body.read(), limits.hands
        )
    HANDS.of(columns.variant.id).add(len(found))
    if answered == JSON:
        return _streamed(share.parts(to_json(outcomes, rules, found)), JSON)
    from service.batch.arrow.answers import write_batches

    return _streamed(share.parts(write_batches(outcomes, [found])), ARROW)


def _from_arrow(
    columns: ColumnsInJson,
    limits: BatchLimits,
    given_rules: object,
    body: Body,
    answered: str,
    share: Share,
) -> Response:
    from service.api.batch.columns import found_in, gathered, settled, to_json
    from service.batch.arrow.answers import write_batches
    from service.batch.arrow.hands import read_batches
    from service.batch.arrow.messages import BrokenStream
    from service.batch.outcomes import outcomes_of

    rules = columns.request.load({"hands": [], HOUSE_RULES: given_rules})[HOUSE_RULES]
    outcomes = outcomes_of(columns.variant, rules)
    found = found_in(outcomes, read_batches(body, outcomes.dice, outcomes.sizes), "dice")

    def evaluated() -> Iterator[Any]:
        try:
            for part in found:
                HANDS.of(columns.variant.id).add(len(part))
                yield part
        except BrokenStream as error:
            detail = f"The body is not an Arrow stream of hands: {error}."
            raise Problem(HTTPStatus.BAD_REQUEST, detail) from None

    if answered == JSON:
        with share.turn():
            all_found = gathered(evaluated(), limits.hands)
        return _streamed(share.parts(to_json(outcomes, rules, all_found)), JSON)
    parts = settled(share.parts(write_batches(outcomes, evaluated())), _SETTLED)
    parts = _or_broken_off(parts, current_app.logger, request.environ[ENVIRON])
    return _streamed(parts, ARROW)


def _or_broken_off(parts: Iterator[bytes], log: Logger, request_id: str) -> Iterator[bytes]:
    """Yields `parts`; an error closes the connection, because the response has already begun."""
    try:
        yield from parts
    except (Problem, InvalidInput) as error:
        why = escaped(str(error))[1:-1]
        log.warning("request %s: answer broken off: %s", request_id, why)
        raise BrokenPipeError(errno.EPIPE, "the answer was broken off") from None


def _query_rules() -> object:
    """The house rules in the query as decoded JSON, an empty object if there are none, or null."""
    given = request.args.getlist(HOUSE_RULES)
    if len(given) > 1:
        raise InvalidInput(Violation((HOUSE_RULES,), "must be given once"))
    try:
        rules = decode(given[0].encode()) if given else None
    except InvalidJson as error:
        raise InvalidInput(Violation((HOUSE_RULES,), f"must be valid JSON: {error}")) from None
    return {} if rules is None else rules


def _operation(batch: Batch, media_type: str) -> Operation:
    """The operation that lines ask for, as the query names it."""
    names = request.args.getlist(OPERATION)
    if not names:
        return batch.evaluate
    detail = ""
    if media_type != NDJSON:
        detail = f"is only for {NDJSON}"
    elif len(names) > 1:
        detail = "must be given once"
    elif names[0] not in batch.lines:
        detail = f"must be {any_of(batch.lines)}"
    if detail:
        raise InvalidInput(Violation((OPERATION,), detail))
    return batch.lines[names[0]]


def _streamed(parts: Iterable[bytes], media_type: str) -> Response:
    return Response(parts, content_type=media_type)
