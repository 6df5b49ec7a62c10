"""The games of the variants in steps, by kind: pure functions of a state and an action."""

from __future__ import annotations

from typing import Any

from service.engine.game import Game, GameTable
from service.kinds.by_kind import ByKind
from service.kinds.community.game import CommunityGame
from service.kinds.layout.game import LayoutGame
from service.kinds.ranking.game import RankingGame
from service.kinds.scorecard.game import ScoreCardGame
from service.rules.variant import Variant

GAMES = ByKind[type[Game[Any, Any]]](
    __name__,
    ranking=RankingGame,
    community=CommunityGame,
    scorecard=ScoreCardGame,
    layout=LayoutGame,
)


def game_of(variant: Variant[Any], table: GameTable) -> Game[Any, Any]:
    """The game of `variant` at `table`."""
    return GAMES.of(variant)(variant, table)
