"""The games of the variants in steps, by kind: pure functions of a state and an action."""

from __future__ import annotations

from typing import Any

from service.dice.community import CommunityRanking
from service.dice.layout import Layout
from service.dice.ranking import Ranking
from service.dice.scorecard import ScoreCard
from service.dice.variant import Variant
from service.games.community_game import CommunityGame
from service.games.game import Game, Table
from service.games.layout_game import LayoutGame
from service.games.ranking_game import RankingGame
from service.games.scorecard_game import ScoreCardGame

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
