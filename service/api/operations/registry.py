"""The operations of every variant, by kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from service.advice.choosing import Choice, Chosen
from service.api.operations import community, layout, ranking, scorecard
from service.api.operations.operation import (
    BatchColumns,
    Operation,
    Question,
    SearchedColumns,
    State,
)
from service.api.schemas.fields import StrictField
from service.engine.game import GameTable
from service.kinds.registry import ByKind, game_of
from service.rules.breaches import Breach
from service.rules.variant import Variant, WrongDescription
from service.rules.violations import InvalidInput, Violation
from service.settings import Settings

BATCH = "batch"
"""The operation of every variant that evaluates many hands."""


class KindInApi(Protocol):
    """What the module of a kind has. `HAND_COUNTS` says how a hand counts, for the catalogue."""

    HAND_COUNTS: str

    def operations(self, variant: Any, settings: Settings, /) -> list[Operation]:
        """The operations of `variant`, except `batch`."""

    def question(self, variant: Any, state: State, viewer: str | None, /) -> Question:
        """The request to `advise` for the decision in a `state`, as `viewer` sees it. None if
        nobody decides on dice there that they see.
        """

    def forecast_question(self, variant: Any, state: State, viewer: str | None, /) -> Question:
        """The request to `forecast` in a `state`, as `viewer` sees it. None once the game is over.
        Who has left needn't be left out: they can't win.
        """

    def on_paper(self, variant: Any, /) -> StrictField:
        """What a player has in a game from paper, parsed into JSON (`Game.paper`)."""

    def can_play(
        self, settings: Settings, variant: Any, rules: Any, view: Mapping[str, Any], /
    ) -> bool:
        """Whether `play` can play a game that begins with this `view`. Raises `NotReady` while a
        table that it needs is still being made.
        """

    def play(self, settings: Settings, choice: Choice, /) -> Chosen:
        """What the service does for a player of a session."""

    def columns(self, variant: Any) -> BatchColumns | SearchedColumns:
        """The columns of a batch of `variant`."""


API_KINDS = ByKind[KindInApi](
    __name__, ranking=ranking, community=community, scorecard=scorecard, layout=layout
)


def operations(variants: Iterable[Variant], settings: Settings | None = None) -> list[Operation]:
    """All operations of `variants` except batches, in order; `settings` say where tables are.

    Raises `WrongDescription` for an example of an operation that its variant doesn't have. The
    rules can't check that, because they don't know the operations.
    """
    every: list[Operation] = []
    for variant in variants:
        own = API_KINDS.of(variant).operations(variant, settings or Settings())
        names = [*(operation.name for operation in own), BATCH]
        for example in variant.examples:
            if example.operation not in names:
                raise WrongDescription(
                    f"{variant.id}: examples: {example.operation!r} is not one of its operations: "
                    f"{', '.join(names)}"
                )
        every += own
    return every


def check_computers(settings: Settings, variant: Variant, table: GameTable) -> None:
    """Raises `InvalidInput` if computers can't play `variant` at `table`, and `NotReady` while they
    can't yet; also what the game there raises.
    """
    game = game_of(variant, table)
    view = game.view(game.start(0), None)
    if not API_KINDS.of(variant).can_play(settings, variant, table.rules, view):
        raise InvalidInput(Violation(("computers",), Breach.NO_COMPUTERS()))


def play(settings: Settings, choice: Choice) -> Chosen:
    """What the service does for a player of a session of any game."""
    return API_KINDS.of(choice.variant).play(settings, choice)
