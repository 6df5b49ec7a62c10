"""NDJSON batches: each line is a request to an operation, and gets one line of the response."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from service.api.batch.batch import HAND_STEPS, MAX_STEPS, Batch
from service.api.http.causes import Cause
from service.api.http.languages import words
from service.api.http.problem_details import Problem
from service.api.http.problems import not_ready, unprocessable
from service.api.operations.operation import Operation
from service.metrics.declared import HANDS
from service.rules.violations import InvalidInput
from service.strict_json import InvalidJson, decode
from service.tables import NotReady

PIECE = 1 << 16
"""How many bytes of lines are processed at a time, which limits the responses in memory."""

MAX_FAILED = 1_000
"""The most lines of a request that may fail."""

NOT_READY_STEPS = 200
"""The steps of a line that can't be answered yet: to find that out takes about two milliseconds."""


def answers(batch: Batch, operation: Operation, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yields a response line for each line in `pieces`, sometimes several at a time.

    Lines are requests to `operation`, one of the `lines` of `batch`.

    An invalid or too long line gets its problem and the batch continues, until more than
    `MAX_FAILED` lines have failed or the search limit is used up: the problem of that line is the
    last one. If the body can't be decompressed, the last line is a problem without a line number.
    """
    lines = _Lines(batch, operation)
    try:
        for whole in split(pieces, batch.settings.max_body_bytes):
            yield from lines.answers(whole)
            if lines.ended:
                return
    except Problem as problem:
        yield _line(problem.body(batch.path, words()))


class _Ended(Problem):
    """The problem of a line that ends the batch."""


def split(pieces: Iterable[bytes], most: int) -> Iterator[list[bytes | None]]:
    """Yields the lines that end in each of `pieces`; None for a line of more than `most` bytes.

    No more than that is kept of a line. The last line needs no line feed.
    """
    begun: bytearray | None = bytearray()
    for piece in pieces:
        first, *others = piece.split(b"\n")
        if begun is not None:
            begun += first
            if len(begun) > most:
                begun = None
        if others:
            *whole, last = others
            yield [
                None if begun is None else bytes(begun),
                *(line if len(line) <= most else None for line in whole),
            ]
            begun = bytearray(last) if len(last) <= most else None
    if begun is None or begun:
        yield [None if begun is None else bytes(begun)]


class _Lines:
    """Responds to the lines of one request, and counts them."""

    def __init__(self, batch: Batch, operation: Operation) -> None:
        self._operation, self._batch = operation, batch
        self._number = 0
        self._failed = 0
        self._work = MAX_STEPS
        self.ended = False

    def answers(self, lines: Sequence[bytes | None]) -> Iterator[bytes]:
        """Yields the responses to `lines`, until the batch has `ended`; None is a too long line.

        Those of lines that need no operation come together.
        """
        numbered, failed = self._number, self._failed
        made: list[bytes] = []
        for line, known in zip(lines, self._operation.known_lines(lines), strict=True):
            self._number += 1
            if known:  # most lines: joined, they take a tenth less than one by one
                made.append(known)
                continue
            try:
                made.append(self._answer(line))
            except (Problem, InvalidInput) as error:
                made.append(self._refuse(error))
            yield b"".join(made)
            made.clear()
            if self.ended:
                break
        if self._operation.evaluates:
            evaluated = (self._number - numbered) - (self._failed - failed)
            HANDS.of(self._operation.variant.id).add(evaluated)
        yield b"".join(made)

    def _answer(self, line: bytes | None) -> bytes:
        """The response to `line`.

        Raises `Problem` or `InvalidInput`; `_Ended` if the batch ends with it.
        """
        if line is None:
            raise Cause.LINE_TOO_LARGE.problem(limit=self._batch.settings.max_body_bytes)
        try:
            body = decode(line)
        except InvalidJson as error:
            raise Cause.LINE_NOT_JSON.problem(message=str(error)) from None
        operation = self._operation
        given = operation.read(body)
        if operation.steps is None:
            return _line(operation.answer(given))
        if self._work <= 0:
            used_up = {"limit": MAX_STEPS, "count": self._number - 1}
            raise _Ended(Cause.LINES_TOO_MUCH_WORK, used_up)
        try:
            result = operation.compute(given)
        except NotReady as why:
            self._work -= HAND_STEPS + NOT_READY_STEPS
            raise not_ready(why) from None
        self._work -= HAND_STEPS + operation.steps(result)
        return _line(operation.response(result, given["house_rules"]))

    def _refuse(self, error: Problem | InvalidInput) -> bytes:
        """The problem of the latest line, which ends the batch after too many others."""
        self._failed += 1
        if self._failed > MAX_FAILED and not isinstance(error, _Ended):
            counts = {"limit": MAX_FAILED, "failed": self._failed, "count": self._number}
            error = _Ended(Cause.TOO_MANY_FAILED, counts)
        self.ended = isinstance(error, _Ended)
        if isinstance(error, Problem):
            body = error.body(self._batch.path, words())
        else:
            body = unprocessable(error, self._batch.path)
        return _line({**body, "line": self._number})


def _line(answer: Mapping[str, Any]) -> bytes:
    return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)
