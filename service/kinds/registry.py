"""The games of the variants in steps, by kind: pure functions of a state and an action."""

from __future__ import annotations

from typing import Any, TypeVar

from service.engine.game import Game, GameTable
from service.kinds.community.game import CommunityGame
from service.kinds.layout.game import LayoutGame
from service.kinds.ranking.game import RankingGame
from service.kinds.scorecard.game import ScoreCardGame
from service.rules.variant import Variant

KIND_NAMES = ("ranking", "community", "scorecard", "layout")
"""The kinds of games: the names of their folders and modules, and the `kind` of their variants."""

T = TypeVar("T")


class ByKind(dict[str, T]):
    """What the module `registry` has for each kind of game."""

    def __init__(self, registry: str, **entries: T) -> None:
        """Raises `TypeError` naming each kind without an entry, and each entry of no kind."""
        for kind in KIND_NAMES:
            if kind not in entries:
                raise TypeError(f"{registry} has no line for the kind {kind!r}")
        for kind in entries:
            if kind not in KIND_NAMES:
                raise TypeError(
                    f"{registry} has a line for {kind!r}, which KIND_NAMES does not name"
                )
        super().__init__({kind: entries[kind] for kind in KIND_NAMES})
        self._registry = registry

    def of(self, variant: Variant) -> T:
        """The entry for the kind of `variant`."""
        return self[variant.kind]

    def __missing__(self, kind: str) -> T:
        """Raises `KeyError` that names the registry and the kind."""
        raise KeyError(f"{self._registry} has no line for the kind {kind!r}")


GAMES = ByKind[type[Game[Any, Any]]](
    __name__,
    ranking=RankingGame,
    community=CommunityGame,
    scorecard=ScoreCardGame,
    layout=LayoutGame,
)


def game_of(variant: Variant, table: GameTable) -> Game[Any, Any]:
    """The game of `variant` at `table`."""
    return GAMES.of(variant)(variant, table)
