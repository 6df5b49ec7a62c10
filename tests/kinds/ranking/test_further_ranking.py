"""Beat it or bust with another variant: three dice, one roll, no house rules and no steps."""

from __future__ import annotations

from random import Random

import pytest

from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.ranking.game import RankingGame
from service.kinds.ranking.state import RankingState
from service.kinds.ranking.variant import Contender
from service.rules.house_rules import HouseRules
from service.rules.reasons import spoken
from service.rules.violations import InvalidInput
from tests.engine.random_play import play
from tests.reasons import said
from tests.trial_games import pair_and_point
from tests.trial_games.three_dice import VARIANT as THREE_DICE


def test_the_only_roll_is_the_last() -> None:
    """With one roll a turn a hand stands at once; reasons cite no clause that isn't named."""
    game = RankingGame(THREE_DICE, GameTable(("ann", "ben"), HouseRules(), typed_dice=True))
    state = game.start(0)
    for player, action, values, dice in (
        ("ann", "ante", {"amount": 1}, None),
        ("ben", "meet", {}, None),
        ("ann", "roll", {}, [2, 2, 3]),
        ("ann", "raise", {"amount": 4}, None),
        ("ben", "meet", {}, None),
        ("ben", "roll", {}, [6, 5, 4]),
    ):
        state, _ = game.play(state, Action(action, player, 0, values, dice))
    assert said(state.news) == (
        {
            "what": "busts",
            "player": "ben",
            "dice": [6, 5, 4],
            "rank": "nothing",
            "strength": 20,
            "reason": "Not enough: nothing against pair.",
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
    """A random game goes on until one player has all the chips."""
    players = tuple("abcdefghi"[:count])
    game = RankingGame(THREE_DICE, GameTable(players, HouseRules()))

    def watch(before: RankingState, action: Action, after: RankingState) -> None:
        pot = game.view(after, action.player)["pot"]
        assert sum(after.stacks) + pot == 100 * count
        assert before is not after

    last = play(game, Random(count), watch, most=1_000_000)
    assert sorted(last.stacks) == [0] * (count - 1) + [100 * count]
    assert last.winners == (players[last.stacks.index(100 * count)],)


def test_alone_it_is_over_at_once() -> None:
    """A single player has all the chips to begin with."""
    game = RankingGame(THREE_DICE, GameTable(("ann",), HouseRules()))
    state = game.start(0)
    assert (state.over, state.winners, game.moves(state)) == (True, ("ann",), ())
    assert said(state.news) == (
        {"what": "game_over", "winners": ["ann"], "reason": "One player has all the chips."},
    )


def test_what_ranks_compare() -> None:
    """A rank compares the other dice, only the dice that make it, or nothing."""
    rolls = {
        "ann": (5, 5, 2),
        "ben": (1, 1, 4),
        "cat": (6, 6, 2),
        "dan": (3, 1, 2),
        "eve": (4, 4, 4),
        "fay": (5, 6, 4),
        "gus": (4, 6, 5),
        "hal": (2, 2, 2),
    }
    players = [Contender(name, dice) for name, dice in rolls.items()]
    places = pair_and_point.VARIANT.rank(players, pair_and_point.VARIANT.default_rules)
    assert [
        ([player.id for player in place.entries], spoken(place.because)) for place in places
    ] == [
        (["fay", "gus"], "High run beats triple (Q1)."),
        (["eve"], "Same rank, triple: the three decides, 4 over 2 (Q2)."),
        (["hal"], "Triple beats pair (Q1)."),
        (["ben"], "Same rank, pair: the other die decides, 4 over 2 (Q2)."),
        (["ann", "cat"], "Pair beats low run (Q2)."),
        (["dan"], "The lowest hand here: low run."),
    ]


def test_a_rank_that_moves() -> None:
    """Under a house rule a rank is above another, by the clause of that house rule."""
    variant = pair_and_point.VARIANT
    players = [Contender("ann", (4, 5, 6)), Contender("ben", (1, 2, 3))]
    rules = pair_and_point.PairAndPointRules(low_run_wins=True)
    places = variant.rank(players, rules)
    assert [
        ([player.id for player in place.entries], spoken(place.because)) for place in places
    ] == [(["ben"], "Low run beats high run (Q4)."), (["ann"], "The lowest hand here: high run.")]
    strengths = {
        dice: [variant.evaluate(dice, given).strength for given in (variant.default_rules, rules)]
        for dice in ((1, 2, 3), (4, 5, 6), (1, 1, 2))
    }
    assert strengths == {(1, 2, 3): [2, 15], (4, 5, 6): [15, 14], (1, 1, 2): [4, 3]}


def test_a_roll_that_does_not_count_has_no_place() -> None:
    """Players with a roll that is to be rolled again can't be ranked; each is named."""
    players = [
        Contender("ann", (1, 2, 4)),
        Contender("ben", (1, 1, 3)),
        Contender("cat", (2, 4, 6)),
    ]
    with pytest.raises(InvalidInput) as refused:
        pair_and_point.VARIANT.rank(players, pair_and_point.VARIANT.default_rules)
    assert str(refused.value) == (
        "players/0/dice must be rolled again: nothing doesn't count (Q3); "
        "players/2/dice must be rolled again: nothing doesn't count (Q3)"
    )


def test_a_roll_that_does_not_count_is_rolled_again() -> None:
    """All dice are rolled again until they count, and this doesn't use up a roll of the turn."""
    variant = pair_and_point.VARIANT
    game = RankingGame(variant, GameTable(("ann", "ben"), variant.default_rules, typed_dice=True))
    state, _ = game.play(game.start(0), Action("ante", "ann", 0, {"amount": 1}))
    state, _ = game.play(state, Action("meet", "ben", 0))
    for _ in range(2):
        state, _ = game.play(state, Action("roll", "ann", 0, {}, [6, 2, 1]))
        assert said(state.news) == (
            {
                "what": "rolls_again",
                "player": "ann",
                "dice": [6, 2, 1],
                "rank": "nothing",
                "strength": 1,
                "reason": "Nothing doesn't count (Q3).",
            },
        )
        assert (state.rolls, game.view(state, None)["turn"]["dice"]) == (0, [])
        assert [(move.action, move.player, move.forced) for move in game.moves(state)] == [
            ("roll", "ann", True)
        ]
    state, _ = game.play(state, Action("roll", "ann", 0, {}, [6, 6, 1]))
    assert (state.phase, state.best) == ("betting", (6, 6, 1))
