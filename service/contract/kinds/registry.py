"""The contract of variants, by kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from marshmallow import Schema

from service.api.schemas.shared import Fields
from service.contract.kinds import community, layout, ranking, scorecard
from service.contract.kinds.shapes import Shape
from service.engine.parameters import Bound
from service.kinds.registry import ByKind


class KindInContract(Protocol):
    """What the module of a kind has.

    - `HAND_COUNTS` says how a hand counts, for the catalogue.
    - `BOUNDS` has the schema of the bounds of a value in a legal action, by the class of bounds.
    - `PHASES` names the phases of a game.
    - `ARROW_ANSWER` describes the columns that answer an Arrow stream; None if there are none.
    """

    HAND_COUNTS: str
    BOUNDS: Mapping[type[Bound], Shape]
    PHASES: tuple[str, ...]
    ARROW_ANSWER: str | None

    def entry(self, variant: Any) -> type[Schema]:
        """The schema of `GET /v1/variants/{variant}`; variants may share it."""

    def values(self, variant: Any) -> Mapping[str, Shape]:
        """The JSON Schema of each value that an action takes, by its name."""

    def die(self, variant: Any, action: str) -> Shape:
        """The JSON Schema of a die that `action` rolls."""

    def state(self, variant: Any) -> Fields:
        """The fields of a state that only this kind has."""

    def news(self, variant: Any) -> Fields:
        """The fields of an entry in the news."""


CONTRACT_KINDS = ByKind[KindInContract](
    __name__,
    ranking=ranking,
    community=community,
    scorecard=scorecard,
    layout=layout,
)
