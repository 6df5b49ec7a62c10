"""An operation of a variant: what it is asked, what it answers, and how it gets there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from marshmallow import Schema

from service.dice.variant import Variant

Answer = dict[str, Any]


@dataclass(frozen=True)
class Operation:
    """`POST /v1/variants/{variant}/{name}`.

    Routes and contract are both made from this: `request` reads the body, `answer` turns what it
    read into the answer that `response` describes.
    """

    variant: Variant[Any]
    name: str
    summary: str
    description: str
    request: Schema
    response: Schema
    answer: Callable[[Mapping[str, Any]], Answer]

    @property
    def path(self) -> str:
        """The path of the URL."""
        return f"/v1/variants/{self.variant.id}/{self.name}"

    def run(self, body: object) -> Answer:
        """The answer to a decoded JSON body.

        Raises `marshmallow.ValidationError` for a body that breaks the schema and
        `service.dice.refusal.Refused` for one that breaks the rules.
        """
        return self.answer(self.request.load(body))  # type: ignore[arg-type]
