"""Who begins a game of score cards, whose turn is next, and who wins."""

from __future__ import annotations

from random import Random

import orjson
import pytest

from service.api.sessions.answers import bound_schema
from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.scorecard.game import ScoreCardGame
from service.kinds.scorecard.state import ScoreCardState
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from service.variants.yahtzee_deluxe import VARIANT as YAHTZEE_DELUXE
from tests.engine.random_play import play
from tests.kinds.scorecard.scorecard_play import (
    POKER_BOXES,
    YAHTZEE_BOXES,
    act,
    listed,
    poker,
    shape,
    turn,
    violations,
    yahtzee,
)
from tests.problems import breach
from tests.reasons import said


def test_dice_poker_begins_with_the_first_player() -> None:
    """Thirteen rounds in the order listed, round by round; nobody throws first (D1, D13)."""
    game = poker(("cat", "ann", "ben"))
    state = game.start(0)
    order = []
    for box in POKER_BOXES:
        for _ in range(3):
            view = game.view(state, None)
            order.append((view["turn"]["round"], view["to_act"]))
            state = turn(game, state, [1, 2, 3, 4, 6], box)
    rounds = range(1, 14)
    assert order == [(number, [name]) for number in rounds for name in ("cat", "ann", "ben")]
    assert state.over
    assert violations(game, state, "roll", [1] * 5) == (
        breach(("action",), "can't be performed: the game is over"),
    )


def test_the_highest_throw_begins() -> None:
    """All throw six dice, equal highest throws again; then round the table from there (Y2)."""
    game = yahtzee(("ann", "ben", "cat"))
    state = game.start(0)
    throws = [{"action": "throw", "player": name, "dice": shape(6)} for name in game.table.players]
    assert listed(game, state) == throws
    assert all(move.forced for move in game.moves(state))
    assert game.view(state, "ann") == {
        "over": False,
        "winners": [],
        "news": [],
        "phase": "throwing",
        "to_act": ["ann", "ben", "cat"],
        "throws": {"ann": [], "ben": [], "cat": []},
        "cards": game.view(state, None)["cards"],
    }
    state = act(game, state, "throw", [6] * 6, player="cat")
    assert listed(game, state) == throws[:2]
    assert violations(game, state, "throw", [6] * 6, player="cat") == (
        breach(("player",), "can't throw now; only ann or ben can"),
    )
    assert violations(game, state, "throw", [6] * 5) == (
        breach(("dice",), "must hold 6 dice, not 5"),
    )
    state = act(game, state, "throw", [1] * 6)
    assert said(state.news) == ()
    state = act(game, state, "throw", [6] * 6)
    reason = "ben and cat tie for the highest throw, 36, and throw again (Y2)."
    again = {"what": "throw_again", "players": ["ben", "cat"], "reason": reason}
    assert said(state.news) == (again,)
    assert listed(game, state) == throws[1:]
    state = act(game, act(game, state, "throw", [1] * 6), "throw", [2] * 6)
    reason = "cat has the highest throw, 12, and begins (Y2)."
    assert said(state.news) == ({"what": "begins", "player": "cat", "reason": reason},)
    turns = []
    for box in YAHTZEE_BOXES[:2]:
        for _ in range(3):
            view = game.view(state, None)
            turns += view["to_act"]
            assert view["order"] == ["cat", "ann", "ben"]
            state = turn(game, state, [1, 2, 3, 4, 5, 6], box)
    assert turns == ["cat", "ann", "ben"] * 2


def test_one_player_throws_for_nothing() -> None:
    """Alone, a player begins at once, and plays fourteen turns (Y2, Y10)."""
    game = yahtzee()
    state = game.start(0)
    for box in YAHTZEE_BOXES:
        state = turn(game, state, [6] * 6, box)
    total = 36 + 20 + 30 + 40 + 60 + 36 + 36
    reason = f"A total of {total}, and nobody else to compare with."
    places = [{"place": 1, "players": ["ann"], "total": total, "reason": reason}]
    assert (state.winners, said(game.view(state, None))["places"]) == (("ann",), places)


@pytest.mark.parametrize(
    ("game", "clauses"),
    [
        (poker(("ann", "ben", "cat")), ("D6", "D6", "D1")),
        (yahtzee(("ann", "ben", "cat")), ("Y7", "Y11", "Y3")),
    ],
    ids=["D6", "Y7 Y11"],
)
@pytest.mark.parametrize("shared", [False, True])
def test_the_highest_total_wins(
    game: ScoreCardGame, clauses: tuple[str, str, str], shared: bool
) -> None:
    """All cards full, the highest total wins; equal ones share (D6, Y7, Y11)."""
    order, _, end = clauses
    count = game.variant.dice.count
    state = game.start(0)
    if state.starting:
        for number, name in ((6, "ann"), (2, "ben"), (1, "cat")):
            state = act(game, state, "throw", [number] * count, player=name)
    while not state.over:
        score = game.moves(act(game, state, "roll", [1] * count))[1]
        box = bound_schema(score.values["box"])["enum"][0]
        view = game.view(state, None)
        wins = view["to_act"] == ["ben"] or (shared and view["to_act"] == ["cat"])
        plays = box == "chance" and wins
        state = turn(game, state, [6] * count, box, "score" if plays else "cross_out")
    total = 6 * count
    low = "The lowest total here: 0."
    reason = f"A total of {total} is {total} more than 0 ({order})."
    if shared:
        winners, losers = ["ben", "cat"], ["ann"]
    else:
        winners, losers = ["ben"], ["ann", "cat"]
    places = [
        {"place": 1, "players": winners, "total": total, "reason": reason},
        {"place": 1 + len(winners), "players": losers, "total": 0, "reason": low},
    ]
    ended = {"what": "game_over", "winners": winners, "places": places}
    assert said(state.news[1:]) == ({**ended, "reason": f"All cards are full ({end})."},)
    assert state.winners == tuple(winners)
    assert said(game.view(state, "ann")) == {
        "over": True,
        "winners": winners,
        "news": said([*state.news]),
        "phase": "over",
        "to_act": [],
        "order": ["ann", "ben", "cat"],
        "places": places,
        "cards": game.view(state, None)["cards"],
    }
    assert (game.moves(state), state.deadline) == ((), None)


@pytest.mark.parametrize(
    ("variant", "rules"),
    [(DICE_POKER, DicePokerRules()), (YAHTZEE_DELUXE, HouseRules())],
    ids=["D13", "Y2"],
)
def test_a_hundred_players(variant: ScoreCard, rules: HouseRules) -> None:
    """A hundred players fill a hundred cards."""
    players = tuple(f"player {number}" for number in range(100))
    game = ScoreCardGame(variant, GameTable(players, rules))
    state = play(game, Random(100), lambda *_: None)
    assert state.turns == 100 * len(variant.boxes)
    assert game.restore(orjson.loads(orjson.dumps(state))) == state
    places = game.view(state, None)["places"]
    assert sorted(name for place in places for name in place["players"]) == sorted(players)
    assert tuple(places[0]["players"]) == state.winners


def test_states_are_compact() -> None:
    """Between any two actions of a game of four a state is well under a kilobyte of JSON."""

    def small(before: ScoreCardState, action: Action, after: ScoreCardState) -> None:
        assert after.over or len(orjson.dumps(after)) < 800, (before, action)

    for seed in range(20):
        rules = DicePokerRules(extra_five_bonus=100, joker=True)
        names = ("ann", "ben", "cat", "dan")
        assert play(ScoreCardGame(DICE_POKER, GameTable(names, rules)), Random(seed), small).over
