"""Batches over HTTP: media types, encodings and streamed responses."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from itertools import chain
from logging import Logger
from typing import TYPE_CHECKING, Any

from flask import Response, current_app, request

from service.api.batch.batch import ARROW, HOUSE_RULES, NDJSON, OPERATION, Batch
from service.api.batch.ndjson import PIECE, answers
from service.api.batch.queue import BatchQueue, in_stretches
from service.api.batch.searched import search
from service.api.http.bodies import JSON, Body, acceptable, check_length, json_response, sent_as
from service.api.http.causes import Cause
from service.api.http.languages import words
from service.api.http.problem_details import Problem
from service.api.http.request_id import ENVIRON
from service.api.operations.operation import Operation, SearchedColumns
from service.metrics.declared import HANDS
from service.operator_log import escaped
from service.rules.breaches import Breach
from service.rules.violations import InvalidInput, Violation
from service.strict_json import InvalidJson, decode

if TYPE_CHECKING:
    from service.api.batch.columns import Found
    from service.batch.arrow.further import Beside, Further
    from service.batch.outcomes import Outcomes

_BEGINNING = 1 << 20
"""How many bytes of an Arrow response are computed before it begins. An error before that becomes a
problem.
"""


def view(batch: Batch, queue: BatchQueue) -> Callable[[], Response]:
    """The view of `batch`, which computes in the turns of `queue`."""

    def respond() -> Response:
        queue.count_batch()
        media_type = sent_as(*batch.media_types)
        answered = acceptable(*_answers(batch, media_type))
        rules = _query_rules()
        if rules != {} and media_type != ARROW:
            detail = Breach.ONLY_IN_BODY(media_type=ARROW, other_type=media_type)
            raise InvalidInput(Violation((HOUSE_RULES,), detail))
        operation = _operation(batch, media_type)
        if media_type == NDJSON:
            pieces = _decoded(batch.settings.max_batch_bytes).pieces(PIECE)
            words()  # before the headers are sent; lines are computed only then
            lines = in_stretches(answers(batch, operation, pieces))
            in_context = partial(copy_context().run, next, lines, None)  # whatever the thread
            parts = queue.parts(iter(in_context, None))
            return Response(map(b"".join, parts), content_type=NDJSON)
        if isinstance(batch.columns, SearchedColumns):
            body = _decoded(batch.settings.max_body_bytes).read()
            found = search(batch.columns, batch.request, body, queue)
            HANDS.of(batch.variant.id).add(found["count"])
            return json_response(found)
        return _columns(batch, media_type, rules, answered, queue)

    return respond


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
        headers = {"Accept-Encoding": "gzip, identity"}
        raise Cause.UNKNOWN_ENCODING.problem(headers, sent=encoding)
    return Body(request.stream, limit, is_gzip=encoding.endswith("gzip"))


def _query_rules() -> object:
    """The house rules in the query as decoded JSON, an empty object if there are none, or null."""
    given = request.args.get(HOUSE_RULES)
    try:
        rules = None if given is None else decode(given.encode())
    except InvalidJson as error:
        raise InvalidInput(Violation((HOUSE_RULES,), Breach.NOT_JSON(message=str(error)))) from None
    return {} if rules is None else rules


def _operation(batch: Batch, media_type: str) -> Operation:
    """The operation that lines ask for, as the query names it."""
    name = request.args.get(OPERATION)
    if name is None:
        return batch.evaluate
    if media_type != NDJSON:
        raise InvalidInput(Violation((OPERATION,), Breach.ONLY_FOR(media_type=NDJSON)))
    if name not in batch.lines:
        raise InvalidInput(Violation((OPERATION,), Breach.NOT_ONE_OF(allowed=[*batch.lines])))
    return batch.lines[name]


def _columns(
    batch: Batch, media_type: str, rules: object, answered: str, queue: BatchQueue
) -> Response:
    """The response to a JSON or Arrow batch; `rules` are those in the query."""
    from service.api.batch.columns import from_json, gathered, to_json

    body = _decoded(batch.settings.max_batch_bytes)
    if media_type == JSON:
        outcomes, in_force, all_found = queue.result(from_json(batch, body))
        HANDS.of(batch.variant.id).add(len(all_found))
    else:
        in_force = batch.request.load({"hands": [], HOUSE_RULES: rules})[HOUSE_RULES]
        outcomes, further, found = _read_arrow(batch, in_force, body)
    if answered == JSON:
        if media_type != JSON:
            all_found = gathered(
                queue.parts(part for part, _ in found), batch.settings.max_batch_hands
            )
        stretches = in_stretches(to_json(outcomes, in_force, all_found))
        return Response(map(b"".join, queue.parts(stretches)), content_type=JSON)
    from service.batch.arrow.answers import write_batches, write_beside

    if media_type == JSON:
        parts = write_batches(outcomes, [all_found])
    elif further.fields:
        parts = write_beside(outcomes, further, found)
    else:
        parts = write_batches(outcomes, (part for part, _ in found))
    parts = _begin(queue.parts(parts))
    parts = _or_broken_off(parts, current_app.logger, request.environ[ENVIRON])
    return Response(parts, content_type=ARROW)


def _read_arrow(
    batch: Batch, rules: Any, body: Body
) -> tuple[Outcomes, Further, Iterator[tuple[Found, Beside]]]:
    """The outcomes under `rules`, the columns of an Arrow stream beside the dice, and the outcomes
    of its hands with what is beside them, a record batch at a time.
    """
    from service.api.batch.columns import found_in
    from service.batch.arrow.hands import HandStream
    from service.batch.outcomes import outcomes_of

    outcomes = outcomes_of(batch.variant, rules)
    with _unbroken():
        stream = HandStream(body, outcomes)

    def found() -> Iterator[tuple[Found, Beside]]:
        with _unbroken():
            for part, beside in found_in(outcomes, stream.batches()):
                HANDS.of(batch.variant.id).add(len(part))
                yield part, beside

    return outcomes, stream.further, found()


@contextmanager
def _unbroken() -> Iterator[None]:
    """Raises `Problem` 400 for an Arrow stream that is broken."""
    from service.batch.arrow.messages import BrokenStream

    try:
        yield
    except BrokenStream as error:
        raise Cause.NOT_ARROW.problem(message=str(error)) from None


def _begin(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Returns `parts` after computing the first `_BEGINNING` bytes, or all if there are fewer.

    An error in these bytes is raised here, and can still become a problem.
    """
    begun = []
    size = 0
    for part in parts:
        begun.append(part)
        size += len(part)
        if size >= _BEGINNING:
            break
    return chain(begun, parts)


def _or_broken_off(parts: Iterator[bytes], log: Logger, request_id: str) -> Iterator[bytes]:
    """Yields `parts`; an error closes the connection, because the response has already begun."""
    try:
        yield from parts
    except (Problem, InvalidInput) as error:
        why = escaped(str(error))[1:-1]
        log.warning("request %s: answer broken off: %s", request_id, why)
        raise BrokenPipeError(errno.EPIPE, "the answer was broken off") from None
