"""The games of the variants in steps, by kind: pure functions of a state and an action."""

from __future__ import annotations

from typing import Any

from service.engine.game import Game, Table
from service.kinds.community.game import CommunityGame
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.game import LayoutGame
from service.kinds.layout.variant import Layout
from service.kinds.ranking.game import RankingGame
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.game import ScoreCardGame
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Variant

KINDS: dict[type[Variant[Any]], type[Game[Any, Any]]] = {
    CommunityRanking: CommunityGame,
    Layout: LayoutGame,
    Ranking: RankingGame,
    ScoreCard: ScoreCardGame,
}
"""The game of each kind of variant."""


def game_of(variant: Variant[Any], table: Table) -> Game[Any, Any]:
    """The game of `variant` at `table`."""
    return KINDS[type(variant)](variant, table)
