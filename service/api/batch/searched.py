"""Batches in JSON of hands that each take a search: hands in, columns out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any

from marshmallow import ValidationError

from service.api.batch.batch import HAND_STEPS, HOUSE_RULES, MAX_HANDS, STRETCH, BatchLimits
from service.api.batch.share import Share
from service.api.http.causes import Cause
from service.api.http.problems import Problem
from service.api.operations.columns import SearchedColumns
from service.api.operations.operation import Answer
from service.api.schemas.requests import BodySchema
from service.api.schemas.serializers import changed_rules
from service.rules.violations import MAX_CHECKED, InvalidInput, Violation
from service.strict_json import InvalidJson, decode


def searched(columns: SearchedColumns, request: BodySchema, body: bytes, share: Share) -> Answer:
    """The response to a JSON `body`, computed in the turns of `share`.

    Raises `Problem` 400 for invalid JSON and 413 for too many hands or too long searches, and
    `ValidationError` or `InvalidInput` with an error for each of the first 100 invalid hands.
    """
    with share.turn():
        try:
            hands, rules = _read(columns, request, decode(body))
        except InvalidJson as error:
            raise Cause.NOT_JSON.problem(why=error) from None
    found = share.parts(_rows(columns, hands, rules))
    rows = [row for stretch in found for row in stretch]
    return {
        "variant": columns.variant.id,
        "count": len(rows),
        **{name: [row[name] for row in rows] for name in columns.answer},
        **changed_rules(columns.variant, rules),
    }


def _read(columns: SearchedColumns, request: BodySchema, body: object) -> tuple[list[Any], Any]:
    """Parses the hands and the house rules of a decoded `body`."""
    given = body.get("hands") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(given, list):
        loaded = request.load(body)
        raise AssertionError(f"the schema allows {loaded!r}")
    if len(given) > MAX_HANDS:
        detail = f"One request may hold at most {MAX_HANDS} hands."
        raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)
    wrong: ValidationError | None = None
    rules = None
    try:
        rules = request.load({**body, "hands": []})[HOUSE_RULES]
    except ValidationError as error:
        wrong = error
    hands: list[Any] = []
    violations: list[Violation] = []
    for index, hand in enumerate(given):
        path = ("hands", index)
        try:
            hands.append(columns.read(hand, path))
            if rules is not None:
                columns.check(hands[-1], rules, path)
        except InvalidInput as refused:
            violations.append(refused.violations[0])
    reported = violations[:MAX_CHECKED]
    if wrong:
        raise ValidationError([wrong.messages_dict, *reported]) from None
    if violations:
        raise InvalidInput(*reported, omitted=len(violations) - len(reported))
    return hands, rules


def _rows(columns: SearchedColumns, hands: Sequence[Any], rules: Any) -> Iterator[list[Answer]]:
    """Yields the values of each hand by column, those of some milliseconds at a time.

    Raises `Problem` 413 if the searches take too many steps.
    """
    left = BatchLimits.work
    rows: list[Answer] = []
    until = time.monotonic() + STRETCH
    for index, hand in enumerate(hands):
        if left <= 0:
            raise Problem(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"The searches of one request may take {BatchLimits.work} steps, and those of the "
                f"first {index} hands used them up. Send these hands in one request, and those "
                f"from /hands/{index} on in another.",
            )
        result, steps = columns.evaluate(hand, rules)
        left -= HAND_STEPS + steps
        rows.append(columns.columns.write(result))
        if time.monotonic() > until:
            yield rows
            rows = []
            until = time.monotonic() + STRETCH
    yield rows
