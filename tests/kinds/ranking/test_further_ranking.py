"""Beat it or bust with another variant: three dice, one roll, no house rules and no steps."""

from __future__ import annotations

from random import Random

import orjson
import pytest

from service.engine.game import Action, Table
from service.kinds.ranking.game import STARTING_CHIPS, RankingGame
from service.kinds.ranking.hand_table import Rank, TieBreak
from service.kinds.ranking.state import RankingState
from service.kinds.ranking.variant import Ranking
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules
from service.rules.patterns import Alike, AnyDice
from tests.engine.random_play import play

THREE_DICE = Ranking(
    id="three-dice",
    name="Three dice",
    summary="Three dice: triples beat pairs.",
    dice=Dice(count=3),
    rolls=1,
    players=(2, 9),
    house_rules=HouseRules,
    clauses={"T1": "Triples beat pairs.", "T2": "Higher numbers win."},
    hand_size=3,
    ranks=(
        Rank("triple", Alike((3,)), "three alike", "T1"),
        Rank("pair", Alike((2,)), "two alike", "T1"),
        Rank("nothing", AnyDice(), "any dice", "T1"),
    ),
    tie_breaks=(TieBreak("numbers", "Higher numbers win.", "T2"),),
    tied="equal hands tie (T2).",
    examples=(),
)


def test_the_only_roll_is_the_last() -> None:
    """With one roll a turn a hand stands at once; reasons cite no clause that isn't named."""
    game = RankingGame(THREE_DICE, Table(("ann", "ben"), HouseRules(), typed_dice=True))
    state = game.start(0)
    for player, action, values, dice in (
        ("ann", "ante", {"amount": 1}, None),
        ("ann", "roll", {}, [2, 2, 3]),
        ("ann", "raise", {"amount": 4}, None),
        ("ben", "meet", {}, None),
        ("ben", "roll", {}, [6, 5, 4]),
    ):
        state = game.apply(state, Action(action, player, 0, values, dice))
    assert state.news == (
        {
            "what": "busts",
            "player": "ben",
            "dice": [6, 5, 4],
            "rank": "nothing",
            "strength": 20,
            "reason": "Nothing doesn't beat pair.",
        },
        {
            "what": "collects",
            "player": "ann",
            "amount": 10,
            "dice": [2, 2, 3],
            "rank": "pair",
            "strength": 27,
            "reason": "The highest hand takes the pot.",
        },
        {
            "what": "round_begins",
            "round": 2,
            "player": "ann",
            "reason": "The winner of the pot begins the next round.",
        },
    )
    assert state.stacks == (105, 95)


@pytest.mark.parametrize(
    "count", [2, 3, 4, *(pytest.param(n, marks=pytest.mark.proof) for n in range(5, 10))]
)
def test_whole_games(count: int) -> None:
    """A random game goes on until one player has all the chips; its states come back from JSON."""
    players = tuple("abcdefghi"[:count])
    game = RankingGame(THREE_DICE, Table(players, HouseRules()))

    def watch(before: RankingState, action: Action, after: RankingState) -> None:
        assert game.restore(orjson.loads(orjson.dumps(after))) == after
        pot = game.view(after, action.player)["pot"]
        assert sum(after.stacks) + pot == STARTING_CHIPS * count
        assert before is not after

    last = play(game, Random(count), watch, most=1_000_000)
    assert sorted(last.stacks) == [0] * (count - 1) + [STARTING_CHIPS * count]
    assert last.winners == (players[last.stacks.index(STARTING_CHIPS * count)],)


def test_alone_it_is_over_at_once() -> None:
    """A single player has all the chips to begin with."""
    game = RankingGame(THREE_DICE, Table(("ann",), HouseRules()))
    state = game.start(0)
    assert (state.over, state.winners, game.moves(state)) == (True, ("ann",), ())
    assert state.news == (
        {"what": "game_over", "winners": ["ann"], "reason": "One player has all the chips."},
    )
