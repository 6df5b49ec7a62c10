"""An operation of a variant: its request, its response and its function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from marshmallow import ValidationError

from service.api.schemas.requests import BodySchema
from service.api.schemas.serializers import AnswerOf
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation

Answer = dict[str, Any]

EVALUATE = "evaluate"
"""The operation of every variant that evaluates one hand."""

ADVISE, REVIEW = "advise", "review"
"""The operations for one decision, and for all of a game."""

QuickLines = Callable[[Sequence[bytes | None]], Sequence[bytes | None]]
"""Returns for each line of a batch its response with a line feed, or None for a line that needs the
full operation.
"""


def no_quick_lines(_: Operation) -> QuickLines:
    """Leaves every line to the full operation."""
    return lambda lines: [None] * len(lines)


def always(_: Mapping[str, Any]) -> bool:
    """Whatever the fields are."""
    return True


@dataclass(frozen=True)
class Operation:
    """`POST /v1/variants/{variant}/{name}`.

    Routes and contract are both made from this. `request` parses the body, `compute` returns the
    result for the parsed fields, and `response` declares the response that is made of it. `check`
    raises the same errors as `compute` without computing it; None if there are none. Of lists in
    the fields `by_item` it gets the items that could be parsed, and None in the places of others.
    If computing takes long, `steps` returns the number of steps that a result took. `brief` returns
    whether the answer for these fields takes less than a millisecond; None if it never does.
    `quick_lines` makes a quick way for the lines of a batch that have nothing but dice. `waits`
    says whether it may have to wait for a table (503).
    """

    variant: Variant
    name: str
    summary: str
    description: str
    request: BodySchema
    response: AnswerOf[Any]
    compute: Callable[[Mapping[str, Any]], Any]
    check: Callable[[Mapping[str, Any]], object] | None = None
    steps: Callable[[Any], int] | None = None
    by_item: Collection[str] = ()
    brief: Callable[[Mapping[str, Any]], bool] | None = None
    quick_lines: Callable[[Operation], QuickLines] = no_quick_lines
    waits: bool = False

    @property
    def evaluates(self) -> bool:
        """Whether it evaluates a hand."""
        return self.name == EVALUATE

    @property
    def advises(self) -> bool:
        """Whether it gives advice, which may take hundreds of milliseconds."""
        return self.name in (ADVISE, REVIEW)

    @property
    def path(self) -> str:
        """The path of the URL."""
        return f"/v1/variants/{self.variant.id}/{self.name}"

    @cached_property
    def quick(self) -> QuickLines:
        """The quick way for lines of a batch; it caches responses."""
        return self.quick_lines(self)

    @property
    def measured(self) -> Callable[[Mapping[str, Any]], tuple[Answer, int]] | None:
        """Returns the response and the number of steps that it took; None if it takes few."""
        steps = self.steps
        if steps is None:
            return None

        def answer(given: Mapping[str, Any]) -> tuple[Answer, int]:
            result = self.compute(given)
            return self.response(result, given["house_rules"]), steps(result)

        return answer

    def answer(self, given: Mapping[str, Any]) -> Answer:
        """The response to the parsed fields of a request. Raises `InvalidInput`."""
        return self.response(self.compute(given), given["house_rules"])

    def run(self, body: object) -> Answer:
        """The response to a decoded JSON body.

        Raises `marshmallow.ValidationError` for a body that violates the schema, which includes the
        rules' violations in the fields that could be parsed, and `InvalidInput` for a body that
        only violates the rules.
        """
        return self.answer(self.read(body))

    def read(self, body: object) -> Mapping[str, Any]:
        """Parses the fields of a decoded JSON body. Raises `ValidationError` as `run` does."""
        try:
            given: Mapping[str, Any] = self.request.load(body)
        except ValidationError as error:
            broken = self._broken_rules(error)
            if broken:
                raise ValidationError([error.messages_dict, *broken]) from None
            raise
        return given

    def _broken_rules(self, error: ValidationError) -> Sequence[Violation]:
        """The rules' violations in the fields that could be parsed.

        If the given house rules are invalid, the defaults apply, and what other house rules could
        allow is not a violation.
        """
        if self.check is None:
            return ()
        unread = error.messages_dict
        valid = error.valid_data if isinstance(error.valid_data, dict) else {}
        read = {
            name: value
            for name, value in valid.items()
            if name not in unread or name in self.by_item
        }
        read.setdefault("house_rules", self.variant.default_rules)
        fields = self.request.fields.items()
        if any(field.required and name not in read for name, field in fields):
            return ()
        try:
            self.check(read)
        except InvalidInput as refused:
            return [
                violation
                for violation in refused.violations
                if unread.keys().isdisjoint(violation.rests_on)
            ]
        return ()
