"""An operation of a variant: what it is asked, what it answers, and how it gets there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from marshmallow import Schema, ValidationError

from service.api.schemas.shared import BodySchema
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation

Answer = dict[str, Any]

QuickLines = Callable[[Sequence[bytes | None]], Sequence[bytes | None]]
"""For each line of a batch its answer with a line feed, or None where it is not for here."""


def no_quick_lines(_: Operation) -> QuickLines:
    """No quick way: every line is left to the operation."""
    return lambda lines: [None] * len(lines)


@dataclass(frozen=True)
class Operation:
    """`POST /v1/variants/{variant}/{name}`.

    Routes and contract are both made from this: `request` reads the body, `answer` turns what it
    read into the answer that `response` describes. `check` raises what `answer` would, but computes
    no answer; None if the rules refuse nothing that `request` lets through. Where an answer takes
    long, `measured` also returns how many steps it took.
    `quick_lines` makes a quick way for the lines of a batch that hold nothing but dice.
    """

    variant: Variant[Any]
    name: str
    summary: str
    description: str
    request: BodySchema
    response: Schema
    answer: Callable[[Mapping[str, Any]], Answer]
    check: Callable[[Mapping[str, Any]], object] | None = None
    measured: Callable[[Mapping[str, Any]], tuple[Answer, int]] | None = None
    quick_lines: Callable[[Operation], QuickLines] = no_quick_lines

    @property
    def path(self) -> str:
        """The path of the URL."""
        return f"/v1/variants/{self.variant.id}/{self.name}"

    @cached_property
    def quick(self) -> QuickLines:
        """The quick way for lines of a batch; it remembers what it answered."""
        return self.quick_lines(self)

    def run(self, body: object) -> Answer:
        """The answer to a decoded JSON body.

        Raises `marshmallow.ValidationError` for a body that breaks the schema, with what breaks
        the rules in the fields that could be read, and `InvalidInput` for one that breaks the
        rules.
        """
        return self.answer(self.read(body))

    def read(self, body: object) -> Mapping[str, Any]:
        """The fields of a decoded JSON body. Raises `ValidationError` as `run` does."""
        try:
            given: Mapping[str, Any] = self.request.load(body)
        except ValidationError as error:
            broken = self._broken_rules(error)
            if broken:
                raise ValidationError([error.messages_dict, *broken]) from None
            raise
        return given

    def _broken_rules(self, error: ValidationError) -> Sequence[Violation]:
        """What the rules refuse in the fields of a body that nothing in `error` is about.

        If the house rules given are wrong, the defaults apply, and what others could allow is no
        violation.
        """
        if self.check is None:
            return ()
        unread = error.messages_dict
        valid = error.valid_data if isinstance(error.valid_data, dict) else {}
        read = {name: value for name, value in valid.items() if name not in unread}
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
