"""Batches in JSON of hands that each take a search: hands in, columns out, without NumPy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from service.api.batch.batch import HAND_STEPS, HOUSE_RULES, MAX_HANDS, MAX_STEPS, too_many
from service.api.batch.queue import BatchQueue, in_stretches
from service.api.http.causes import Cause
from service.api.operations.operation import Answer, SearchedColumns
from service.api.schemas.requests import RequestSchema
from service.api.schemas.serializers import changed_rules
from service.rules.violations import MAX_CHECKED, InvalidInput, Violation, gathering
from service.strict_json import InvalidJson, decode


def search(
    columns: SearchedColumns, request: RequestSchema, body: bytes, queue: BatchQueue
) -> Answer:
    """The response to a JSON `body` where each hand takes a search, computed in turns of `queue`.

    Raises `Problem` 400 for invalid JSON and 413 for too many hands or too long searches, and
    `InvalidInput` with an error for each of the first 100 invalid hands.
    """
    with queue.turn():
        try:
            hands, rules = _read(columns, request, decode(body))
        except InvalidJson as error:
            raise Cause.NOT_JSON.problem(message=str(error)) from None
    stretches = queue.parts(in_stretches(_rows(columns, hands, rules)))
    rows = [row for stretch in stretches for row in stretch]
    return {
        "variant": columns.variant.id,
        "count": len(rows),
        **{name: [row[name] for row in rows] for name in columns.answer},
        **changed_rules(columns.variant, rules),
    }


def _read(columns: SearchedColumns, request: RequestSchema, body: object) -> tuple[list[Any], Any]:
    """Parses the hands and the house rules of a decoded `body`."""
    given = body.get("hands") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(given, list):
        loaded = request.load(body)
        raise AssertionError(f"the schema allows {loaded!r}")
    if len(given) > MAX_HANDS:
        raise too_many(MAX_HANDS)
    wrong: list[Violation] = []
    rules = None
    with gathering(wrong):
        rules = request.load({**body, "hands": []})[HOUSE_RULES]
    hands: list[Any] = []
    violations: list[Violation] = []
    for index, hand in enumerate(given):
        path = ("hands", index)
        try:
            read = columns.field.read(hand)
        except InvalidInput as refused:
            violations.append(refused.violations[0].within(*path))
            continue
        hands.append(read)
        try:
            if rules is not None:
                columns.check(read, rules, path)
        except InvalidInput as refused:
            violations.append(refused.violations[0])
    reported = violations[:MAX_CHECKED]
    if wrong or violations:
        raise InvalidInput(*wrong, *reported, omitted=len(violations) - len(reported))
    return hands, rules


def _rows(columns: SearchedColumns, hands: Sequence[Any], rules: Any) -> Iterator[Answer]:
    """Yields the values of each hand by column.

    Raises `Problem` 413 if the searches take too many steps.
    """
    left = MAX_STEPS
    for index, hand in enumerate(hands):
        if left <= 0:
            raise Cause.TOO_MUCH_WORK.problem(limit=MAX_STEPS, count=index, other=f"/hands/{index}")
        result = columns.evaluate(hand, rules)
        left -= HAND_STEPS + result.steps
        yield columns.columns.write(result)
