"""What the contract says of variants, by kind."""

from __future__ import annotations

from typing import Any, Protocol

from marshmallow import Schema

from service.api.schemas.shared import Fields
from service.contract.kinds import community, layout, ranking, scorecard
from service.kinds.by_kind import ByKind


class KindInContract(Protocol):
    """What the module of a kind has.

    `HAND_COUNTS` says how a hand counts, for the catalogue; `ENTRY_SCHEMA` is the schema of
    `GET /v1/variants/{variant}`; a game is in one of `PHASES`. `ARROW_ANSWER` says what answers an
    Arrow stream of hands, None where a batch has no columns.
    """

    HAND_COUNTS: str
    ENTRY_SCHEMA: type[Schema]
    PHASES: tuple[str, ...]
    ARROW_ANSWER: str | None

    def state(self, variant: Any) -> Fields:
        """What the state of a game holds beside what all states do."""

    def news(self, variant: Any) -> Fields:
        """What an entry in the news holds."""


KINDS = ByKind[KindInContract](
    __name__,
    ranking=ranking,
    community=community,
    scorecard=scorecard,
    layout=layout,
)
