"""A quick way for lines of a batch that have nothing but a roll, which are most lines.

The response is that of the operation, encoded once for each roll. All other lines (with a house
rule, an unknown field, an impossible die) are left to the operation.

It pays: a line takes 7 to 8 microseconds of the processor instead of 44 to 55 with the operation,
for which the check of the request by its schema is most of the work.
"""

from __future__ import annotations

import orjson
from marshmallow import ValidationError

from service.api.operations.operation import Operation, QuickLines
from service.rules.dice import Face
from service.rules.violations import InvalidInput

_DICE = {"dice"}


def quick_rolls(operation: Operation) -> QuickLines:
    """The quick way for `operation`, an `evaluate` of plain dice in any order."""
    known: dict[tuple[Face, ...], bytes | None] = {}
    dice = operation.variant.dice
    kinds = {str} if dice.names else {int}
    quotes = 2 + (2 * dice.count if dice.names else 0)

    def quick(line: bytes | None) -> bytes | None:
        # With so many quotes there is one key: orjson would take the last of equal keys.
        if line is None or line.count(b'"') != quotes:
            return None
        try:
            body = orjson.loads(line)
        except orjson.JSONDecodeError:
            return None
        if type(body) is not dict or body.keys() != _DICE:
            return None
        faces = body["dice"]
        if type(faces) is not list or set(map(type, faces)) != kinds:
            return None
        roll = tuple(sorted(faces))
        try:
            return known[roll]
        except KeyError:
            answer = _encode(operation, body)
            if answer is not None:
                known[roll] = answer
            return answer

    return lambda lines: [*map(quick, lines)]


def _encode(operation: Operation, body: object) -> bytes | None:
    """Returns the response to `body` as a line, None if it is refused."""
    try:
        answer = operation.run(body)
    except (ValidationError, InvalidInput):
        return None
    return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)
