"""Batches in JSON or Arrow of hands that are looked up: hands in, columns out.

NumPy takes a tenth of a second to import, so this module is imported by the first such batch.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
from numpy.typing import NDArray

from service.api.batch.batch import HOUSE_RULES, Batch, too_many
from service.api.http.causes import Cause
from service.api.schemas.serializers import changed_rules
from service.batch.json_hands import TooManyHands, read_hands
from service.batch.outcomes import Hands, Outcomes, outcomes_of, write_columns
from service.rules.violations import InvalidInput
from service.strict_json import InvalidJson, decode

if TYPE_CHECKING:
    from _typeshed import SupportsRead

    from service.batch.arrow.further import Beside

MAX_OTHER_BYTES = 1 << 16
"""The most bytes that a JSON body may have apart from its hands."""

Found = NDArray[np.uint16]
"""The outcome number of each hand."""


def from_json(
    batch: Batch, body: SupportsRead[bytes]
) -> Generator[None, None, tuple[Outcomes, Any, Found]]:
    """Parses a JSON `body` in steps: returns outcomes, house rules and the outcome number of each
    hand.

    Raises `Problem` 400 for invalid JSON and 413 for too many hands, and `InvalidInput` with every
    violation.
    """
    variant, sent, most = batch.variant, body.read(), batch.settings.max_batch_hands
    outcomes = outcomes_of(variant, variant.default_rules)
    try:
        given = yield from read_hands(sent, outcomes.dice, outcomes.sizes, most)
        others = None if given.rest is None else _parse_rest(given.rest, len(sent))
    except InvalidJson as error:
        raise Cause.NOT_JSON.problem(message=str(error)) from None
    except TooManyHands:
        raise too_many(most) from None
    found = outcomes.of(given.hands)
    refused = outcomes.refused(given.hands, found, "hands", known=given.violations)
    if refused and given.rest is None:
        raise refused
    try:
        rules = batch.request.load(others)[HOUSE_RULES]
    except InvalidInput as error:
        if refused is None:
            raise
        both = (*error.violations, *refused.violations)
        raise InvalidInput(*both, omitted=refused.omitted) from None
    if refused:
        raise refused
    asked = outcomes_of(variant, rules)
    return asked, rules, found if asked is outcomes else asked.of(given.hands)


def _parse_rest(rest: bytes, size: int) -> object:
    """Parses the fields other than the hands of a body of `size` bytes.

    Raises `InvalidJson`, and `Problem` 413 if they are too long.
    """
    if len(rest) > MAX_OTHER_BYTES:
        raise Cause.REST_TOO_LARGE.problem(limit=MAX_OTHER_BYTES)
    try:
        return decode(rest)
    except InvalidJson as error:
        if len(rest) == size or not error.where:
            raise
        # a position in the rest is not a position in the body
        raise InvalidJson(error.why, "a position outside the list of hands") from None


def to_json(outcomes: Outcomes, rules: Any, found: Found) -> Iterator[bytes]:
    """Yields the JSON response in parts."""
    head = orjson.dumps({"variant": outcomes.variant.id, "count": len(found)})
    changed = changed_rules(outcomes.variant, rules)
    yield head.removesuffix(b"}") + b","
    yield from write_columns(outcomes, found)
    yield b"," + orjson.dumps(changed).removeprefix(b"{") if changed else b"}"


def found_in(
    outcomes: Outcomes, batches: Iterable[tuple[Hands, Beside]]
) -> Iterator[tuple[Found, Beside]]:
    """Yields the outcome numbers of the hands in each of `batches` of an Arrow stream, and what is
    beside them.

    Raises `InvalidInput` for the first batch with an invalid hand.
    """
    first = 0
    for hands, beside in batches:
        found = outcomes.of(hands)
        if refused := outcomes.refused(hands, found, "dice", first):
            raise refused
        yield found, beside
        first += len(hands)


def gathered(batches: Iterable[Found], most: int) -> Found:
    """Joins `batches` into one array. Raises `Problem` 413 for more than `most` hands."""
    count = 0
    kept = [np.empty(0, np.uint16)]
    for found in batches:
        count += len(found)
        if count > most:
            raise too_many(most)
        if len(found):
            kept.append(found)
    return np.concatenate(kept)
