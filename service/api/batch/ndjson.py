"""`evaluate`, a request a line and an answer a line (NDJSON)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import orjson
from marshmallow import ValidationError

from service.api.batch.batch import Batch
from service.api.http.problems import Problem, problem_body, unprocessable
from service.api.operations.operation import Answer
from service.rules.violations import InvalidInput
from service.strict_json import InvalidJson, decode

PIECE = 1 << 16
"""Bytes of lines that are answered at a time, so that few answers are held."""

_STRETCH = 0.005
"""Seconds after which the answers made so far are handed on."""

_LINE_STEPS = 40
"""What a line with a search counts for beside it, in steps."""

MAX_FAILED = 1_000
"""The most lines of a request that can't be answered."""


def answers(batch: Batch, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The answers to the lines in `pieces`, a line each, some of them together.

    A line that can't be answered, or is too long, is answered with its problem, and the others go
    on. Where more than `MAX_FAILED` lines fail, or the searches take more work than they may, the
    batch ends with the problem of that line. If the body can't be inflated, a last line says so.
    """
    lines = _Lines(batch)
    try:
        for whole in split(pieces, batch.limits.line_bytes):
            yield from lines.answers(whole)
            if lines.ended:
                return
    except Problem as problem:
        yield _line(problem_body(problem.status, problem.detail, batch.path))


class _Ended(Problem):
    """The problem of a line with which the batch ends."""


def split(pieces: Iterable[bytes], most: int) -> Iterator[list[bytes | None]]:
    """The lines that end with each part of `pieces`; None for one of more than `most` bytes.

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
    """Answers the lines of one request, and counts them."""

    def __init__(self, batch: Batch) -> None:
        self._operation, self._limits, self._instance = batch.evaluate, batch.limits, batch.path
        self._quick = batch.evaluate.quick
        self._number = 0
        self._failed = 0
        self._work = batch.limits.work
        self.ended = False

    def answers(self, lines: Sequence[bytes | None]) -> Iterator[bytes]:
        """The answers to `lines`, or their problems; None is a line that is too long.

        What is made within `_STRETCH` comes together. With `ended` no further line is answered.
        """
        made: list[bytes] = []
        until = time.monotonic() + _STRETCH
        for line, quick in zip(lines, self._quick(lines), strict=True):
            self._number += 1
            if quick:
                made.append(quick)
                continue
            try:
                made.append(self._answer(line))
            except _Ended as end:
                made.append(self._numbered(end))
                self.ended = True
                break
            if time.monotonic() > until:
                yield b"".join(made)
                made.clear()
                until = time.monotonic() + _STRETCH
        yield b"".join(made)

    def _answer(self, line: bytes | None) -> bytes:
        """The answer to `line`, or its problem. Raises `_Ended` where the batch ends with it."""
        try:
            return self._answered(line)
        except _Ended:
            raise
        except (Problem, ValidationError, InvalidInput) as error:
            self._failed += 1
            if self._failed > MAX_FAILED:
                detail = (
                    f"The batch ends here: {self._failed} of the {self._number} lines read can't "
                    f"be answered, and a request may hold {MAX_FAILED} such lines. Correct them, "
                    "and send this line and those after it in another request."
                )
                raise _Ended(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from None
            if isinstance(error, Problem):
                return self._numbered(error)
            return _line({**unprocessable(error, self._instance), "line": self._number})

    def _answered(self, line: bytes | None) -> bytes:
        """The answer to `line`. Raises `Problem`, `ValidationError` or `InvalidInput`."""
        try:
            if line is None:
                detail = f"A line may hold at most {self._limits.line_bytes} bytes."
                raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)
            return _line(self._evaluate(decode(line)))
        except InvalidJson as error:
            detail = f"The line is not valid JSON: {error}."
            raise Problem(HTTPStatus.BAD_REQUEST, detail) from None

    def _evaluate(self, body: object) -> Answer:
        if self._operation.measured is None:
            return self._operation.run(body)
        given = self._operation.read(body)
        if self._work <= 0:
            raise _Ended(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"The batch ends here, after {self._number - 1} lines: the searches of one request "
                f"may take {self._limits.work} steps, which those lines took. Send this line and "
                "those after it in another request.",
            )
        answer, steps = self._operation.measured(given)
        self._work -= _LINE_STEPS + steps
        return answer

    def _numbered(self, problem: Problem) -> bytes:
        """`problem` as the answer to the line that was read last."""
        body = problem_body(problem.status, problem.detail, self._instance)
        return _line({**body, "line": self._number})


def _line(answer: Mapping[str, Any]) -> bytes:
    return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)
