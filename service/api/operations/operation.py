"""What a kind of game declares for the API: operations, and the columns of a batch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from service.api.schemas import shapes
from service.api.schemas.fields import StrictField, Unparsed
from service.api.schemas.requests import Fields as RequestFields
from service.api.schemas.requests import RequestSchema, request_schema
from service.api.schemas.serializers import AnswerOf, Fields, Serializer
from service.api.schemas.shapes import Shape
from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Example, Variant
from service.rules.violations import InvalidInput, Violation

Answer = dict[str, Any]

State = Mapping[str, Any]
"""The state of a session, as far as a viewer may see it."""

Question = dict[str, Any] | None
"""The request that follows from a state, except house rules; None if there is none."""

EVALUATE = "evaluate"
"""The operation of every variant that evaluates one hand."""

ADVISE, CHOOSE, FORECAST, REVIEW = "advise", "choose", "forecast", "review"
"""The operations for one decision, also as a player takes it, for the end of a game, and for all of
its decisions.
"""

CachedLines = Callable[[Sequence[bytes | None]], Sequence[bytes | None]]
"""Returns for each line of a batch its response with a line feed, or None for a line that needs the
full operation.
"""


class Offered:
    """What can be asked of a variant: `POST /v1/variants/{variant}/{name}`."""

    variant: Variant
    name: str

    @property
    def path(self) -> str:
        """The path of the URL."""
        return f"/v1/variants/{self.variant.id}/{self.name}"

    @property
    def examples(self) -> Sequence[Example]:
        """The examples of requests."""
        return [each for each in self.variant.examples if each.operation == self.name]


def always(_: Mapping[str, Any]) -> bool:
    """Whatever the fields are."""
    return True


@dataclass(eq=False)
class Operation(Offered):
    """An operation that has one request and one response.

    Routes and contract are both made from this. `request` parses the `request_fields` and the house
    rules, `compute` returns the result for them, and `response` returns the `response_fields` of
    that. `check` raises the same errors as `compute` without computing it; None if there are none.
    Of lists in the fields `by_item` it gets the items that could be parsed, and None in the places
    of others. If computing takes long, `steps` returns the number of steps that a result took.
    `brief` returns whether the answer for these fields takes less than a millisecond; None if it
    never does. `cached_lines` makes what responds to lines of a batch that have nothing but dice.
    `waits` says whether it may have to wait for a table (503). `made_examples` are those of a
    variant that has none of its own.
    """

    variant: Variant
    name: str
    title: str
    description: str
    request_fields: RequestFields
    response_fields: Fields[Any]
    compute: Callable[[Mapping[str, Any]], Any]
    check: Callable[[Mapping[str, Any]], object] | None = None
    steps: Callable[[Any], int] | None = None
    by_item: Collection[str] = ()
    brief: Callable[[Mapping[str, Any]], bool] | None = None
    cached_lines: Callable[[Operation], CachedLines] | None = None
    waits: bool = False
    made_examples: Sequence[Example] = ()
    request: RequestSchema = field(init=False)
    response: AnswerOf[Any] = field(init=False)

    def __post_init__(self) -> None:
        name = self.name.capitalize()
        self.request = request_schema(self.variant, f"{name}Request", self.request_fields)
        self.response = AnswerOf(self.variant, f"{name}Answer", self.response_fields)

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return f"{self.variant.name}: {self.title}"

    @property
    def evaluates(self) -> bool:
        """Whether it evaluates a hand."""
        return self.name == EVALUATE

    @property
    def advises(self) -> bool:
        """Whether it gives advice, which may take hundreds of milliseconds."""
        return self.name in (ADVISE, CHOOSE, FORECAST, REVIEW)

    @property
    def examples(self) -> Sequence[Example]:
        """The examples of requests."""
        return super().examples or self.made_examples

    @cached_property
    def known_lines(self) -> CachedLines:
        """What responds to lines of a batch, without those that need the full operation."""
        make = self.cached_lines
        return make(self) if make else lambda lines: [None] * len(lines)

    def answer(self, given: Mapping[str, Any]) -> Answer:
        """The response to the parsed fields of a request. Raises `InvalidInput`."""
        return self.response(self.compute(given), given["house_rules"])

    def run(self, body: object) -> Answer:
        """The response to a decoded JSON body.

        Raises `InvalidInput` for a body that violates the schema or the rules. If it violates the
        schema, the rules' violations are those in the fields that could be parsed.
        """
        return self.answer(self.read(body))

    def read(self, body: object) -> Mapping[str, Any]:
        """Parses the fields of a decoded JSON body. Raises `InvalidInput` as `run` does."""
        try:
            given: Mapping[str, Any] = self.request.load(body)
        except Unparsed as error:
            raise InvalidInput(*error.violations, *self._broken_rules(error)) from None
        return given

    def _broken_rules(self, error: Unparsed) -> Sequence[Violation]:
        """The rules' violations in the fields that could be parsed.

        If the given house rules are invalid, the defaults apply, and what other house rules could
        allow is not a violation.
        """
        if self.check is None:
            return ()
        unread = {each.path[0] for each in error.violations if each.path}
        read = {
            name: value
            for name, value in error.read.items()
            if name not in unread or name in self.by_item
        }
        read.setdefault("house_rules", self.variant.default_rules)
        fields = self.request.fields.items()
        if any(field.required and name not in read for name, field in fields):
            return ()
        try:
            self.check(read)
        except InvalidInput as refused:
            return [each for each in refused.violations if unread.isdisjoint(each.rests_on)]
        return ()


@dataclass(frozen=True)
class BatchColumns:
    """The format of the hands of `variant` in a batch, and the columns of the response.

    `hand` is the JSON Schema of a hand in a request, and `answer` has the JSON Schema of each
    column by name.
    """

    variant: Ranking | CommunityRanking | ScoreCard
    hand: Mapping[str, Any]
    answer: Mapping[str, Shape]


@dataclass(frozen=True)
class SearchedColumns:
    """The format of the hands of `variant` in a batch where each hand takes a search.

    `field` parses a hand, and `columns` has what each column has of a result. `check` checks a
    parsed hand against house rules, and raises `InvalidInput`; it gets the path to the hand, which
    details may name. `evaluate` returns the result of a parsed hand under house rules; its `steps`
    are those of the search.
    """

    variant: Variant
    field: StrictField
    columns: Serializer[Any]
    check: Callable[[Any, Any, tuple[str | int, ...]], None]
    evaluate: Callable[[Any, Any], Any]

    @property
    def hand(self) -> Mapping[str, Any]:
        """The JSON Schema of a hand in a request."""
        return self.field.json_schema

    @property
    def answer(self) -> Mapping[str, Shape]:
        """The JSON Schema of each column by name."""
        properties: Mapping[str, Shape] = self.columns.schema["properties"]
        return {name: shapes.list_of(own) for name, own in properties.items()}
