"""The contract of variants, by kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from service.api.schemas.shapes import Shape
from service.contract.kinds import community, layout, ranking, scorecard
from service.contract.kinds.shapes import Properties
from service.kinds.registry import ByKind


class KindInContract(Protocol):
    """What the module of a kind has.

    - `PHASES` names the phases of a game.
    - `ARROW_ANSWER` describes the columns that answer an Arrow stream; None if there are none.
    """

    PHASES: tuple[str, ...]
    ARROW_ANSWER: str | None

    def values(self, variant: Any) -> Mapping[str, Shape]:
        """The JSON Schema of each value that an action takes, by its name."""

    def die(self, variant: Any, action: str) -> Shape:
        """The JSON Schema of a die that `action` rolls."""

    def state(self, variant: Any) -> Properties:
        """The fields of a state that only this kind has."""

    def news(self, variant: Any) -> Properties:
        """The fields of an entry in the news."""


CONTRACT_KINDS = ByKind[KindInContract](
    __name__,
    ranking=ranking,
    community=community,
    scorecard=scorecard,
    layout=layout,
)
