"""`evaluate`, a request a line and an answer a line (NDJSON), while the lines still come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import orjson
from marshmallow import ValidationError

from service.api.batch import Batch
from service.api.incoming import cut
from service.api.operation import Answer
from service.api.problems import Problem, problem_body, unprocessable
from service.api.quick_lines import quick_lines
from service.dice.refusal import Refused
from service.sound_json import Unsound, decode

_PIECE = 1 << 16
"""Bytes of lines that are answered at a time, so that few answers are held."""

_LINE_WORK = 30
"""What a line with a search counts for beside it."""


def answers(batch: Batch, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The answers to the lines in `pieces`, a line each, those of a piece together.

    A line that can't be answered, or is too long, is answered with its problem, and the others go
    on. If the body itself breaks off, a last line says so.
    """
    lines = _Lines(batch)
    try:
        for whole in split(pieces, batch.limits.line_bytes):
            yield b"".join(lines.answers(whole))
    except Problem as problem:
        yield _line(problem_body(problem.status, problem.detail, batch.path))


def split(pieces: Iterable[bytes], most: int) -> Iterator[list[bytes | None]]:
    """The lines that end with each part of `pieces`; None for one of more than `most` bytes.

    No more than that is kept of a line. The last line needs no line feed.
    """
    begun: bytearray | None = bytearray()
    for piece in cut(pieces, _PIECE):
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
        self._quick = quick_lines(batch.evaluate)
        self._number = 0
        self._work = batch.limits.work

    def answers(self, lines: Sequence[bytes | None]) -> Iterator[bytes]:
        """The answer to each of `lines`, or its problem; None is a line that is too long."""
        for line, quick in zip(lines, self._quick(lines), strict=True):
            self._number += 1
            yield quick or self._answer(line)

    def _answer(self, line: bytes | None) -> bytes:
        try:
            if line is None:
                told = f"A line may hold at most {self._limits.line_bytes} bytes."
                raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, told)
            return _line(self._evaluate(decode(line)))
        except Unsound as error:
            told = f"The line is not valid JSON: {error}."
            return self._problem(Problem(HTTPStatus.BAD_REQUEST, told))
        except Problem as problem:
            return self._problem(problem)
        except (ValidationError, Refused) as error:
            return self._told(unprocessable(error, self._instance))

    def _evaluate(self, body: object) -> Answer:
        if self._operation.measured is None:
            return self._operation.run(body)
        if self._work <= 0:
            raise Problem(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"The searches of one request may take {self._limits.work} steps, which the lines "
                "before took; send this line and those after it in another request.",
            )
        self._work -= _LINE_WORK
        answer, work = self._operation.measured(self._operation.read(body))
        self._work -= work
        return answer

    def _problem(self, problem: Problem) -> bytes:
        return self._told(problem_body(problem.status, problem.detail, self._instance))

    def _told(self, body: Mapping[str, Any]) -> bytes:
        return _line({**body, "line": self._number})


def _line(answer: Mapping[str, Any]) -> bytes:
    return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)
