"""House rules of score cards: who begins, which way play goes, and when a zero is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.scorecard.game import ScoreCardGame
from service.kinds.scorecard.state import ScoreCardState
from service.rules.house_rules import for_typed_dice
from service.variants.dice_poker import DicePokerRules
from service.variants.yahtzee_deluxe import VARIANT as YAHTZEE_DELUXE
from service.variants.yahtzee_deluxe import YahtzeeDeluxeRules
from tests.engine.clocked import timed_out
from tests.kinds.scorecard.scorecard_play import (
    ONE,
    POKER_BOXES,
    YAHTZEE_BOXES,
    act,
    listed,
    poker,
    shape,
    turn,
    turn_to_begin,
    violations,
)
from tests.problems import breach
from tests.reasons import said

THREE = ("ann", "ben", "cat")
STRICT = DicePokerRules(zero_only_if_nothing_fits=True, turn_seconds=None)


def deluxe(**rules: Any) -> ScoreCardGame:
    """A game of Yahtzee Deluxe for three, whose dice are typed in."""
    table = GameTable(THREE, YahtzeeDeluxeRules(**rules), typed_dice=True)
    return ScoreCardGame(YAHTZEE_DELUXE, table)


def turns(game: ScoreCardGame, state: ScoreCardState, *boxes: str) -> list[str]:
    """Whose turns follow one another, with one box for each."""
    order = []
    for box in boxes:
        order += game.view(state, None)["to_act"]
        state = turn(game, state, [1, 2, 3, 4, 5, 6], box)
    return order


@pytest.mark.parametrize(
    ("direction", "order"),
    [("clockwise", ["ben", "cat", "ann"]), ("counter_clockwise", ["ben", "ann", "cat"])],
)
def test_direction(direction: str, order: list[str]) -> None:
    """Play goes the agreed way round from the player who begins, round after round (Y2, Y13)."""
    game = deluxe(direction=direction)
    state = game.start(0)
    for dice in ([1] * 6, [6] * 6, [2] * 6):
        state = act(game, state, "throw", dice)
    assert game.view(state, None)["order"] == order
    boxes = ("ones",) * 3 + ("twos",) * 3 + ("threes",)
    assert turns(game, state, *boxes) == [*order, *order, "ben"]
    assert game.view(turn(game, state, [1] * 6, "ones"), None)["turn"]["round"] == 1


def test_one_die_begins() -> None:
    """With one die to begin, everyone throws one, and those who tie throw one again (Y2, Y13)."""
    game = deluxe(starting_throw="one_die")
    state = game.start(0)
    assert listed(game, state) == [
        {"action": "throw", "player": name, "dice": shape(1)} for name in THREE
    ]
    assert violations(game, state, "throw", [6] * 6) == (
        breach(("dice",), "must hold 1 die, not 6"),
    )
    for die in (5, 5, 2):
        state = act(game, state, "throw", [die])
    assert said(state.news) == (
        {
            "what": "throw_again",
            "players": ["ann", "ben"],
            "reason": "ann and ben tie for the highest throw, 5, and throw again (Y2).",
        },
    )
    for die in (1, 6):
        state = act(game, state, "throw", [die])
    view = game.view(state, None)
    assert (view["order"], view["to_act"]) == (["ben", "cat", "ann"], ["ben"])
    assert listed(game, state) == turn_to_begin("ben", 6, YAHTZEE_BOXES, 60)


def test_one_die_is_drawn() -> None:
    """The service draws one die for a throw, and all dice for the first roll (Y13)."""
    game = deluxe(starting_throw="one_die")
    state = game.start(0)
    for name in THREE:
        state, dice = game.play(state, Action("throw", name, 0), lambda faces: faces - 1)
        assert dice == (6,)


def test_dice_poker_may_begin_with_a_throw() -> None:
    """Under throw_to_begin the highest throw of all dice begins (D17)."""
    game = poker(("ann", "ben"), DicePokerRules(throw_to_begin=True, turn_seconds=None))
    state = game.start(0)
    assert listed(game, state) == [
        {"action": "throw", "player": name, "dice": shape(5)} for name in ("ann", "ben")
    ]
    state = act(game, act(game, state, "throw", [1, 1, 1, 1, 6]), "throw", [6, 5, 1, 1, 1])
    assert said(state.news) == (
        {
            "what": "begins",
            "player": "ben",
            "reason": "ben has the highest throw, 14, and begins (D17).",
        },
    )
    assert game.view(state, None)["order"] == ["ben", "ann"]
    alone = poker(ONE, DicePokerRules(throw_to_begin=True))
    assert [move.action for move in alone.moves(alone.start(0))] == ["roll", "write"]


def test_no_zero_while_the_dice_score() -> None:
    """Under zero_only_if_nothing_fits only boxes where the dice score may be filled, chance
    included, and none may be crossed out (D17).
    """
    game = poker(ONE, STRICT)
    state = act(game, game.start(0), "roll", [2, 2, 2, 5, 6])
    scoring = ["twos", "fives", "sixes", "three_of_a_kind", "chance"]
    keep = listed(game, state)[0]
    assert (keep["action"], listed(game, state)[1:]) == (
        "roll",
        [{"action": "score", "player": "ann", "box": {"type": "string", "enum": scoring}}],
    )
    assert violations(game, state, "score", box="ones") == (
        breach(("box",), f"must be one of {', '.join(scoring)}"),
    )
    assert violations(game, state, "cross_out", box="ones") == (
        breach(("action",), "must be roll, score or leave now"),
    )
    assert act(game, state, "score", box="twos").turns == 1


def test_a_zero_where_nothing_fits() -> None:
    """Once the dice score in no open box, any may be crossed out, or scored for nothing (D17)."""
    game = poker(ONE, STRICT)
    state = game.start(0)
    for box, dice in {"chance": 6, "sixes": 6, "fives": 5, "fours": 4}.items():
        state = turn(game, state, [dice] * 5, box)
    state = act(game, state, "roll", [4, 4, 5, 5, 6])
    left = [box for box in POKER_BOXES if box not in ("chance", "sixes", "fives", "fours")]
    word = {"type": "string", "enum": left}
    assert listed(game, state)[1:] == [
        {"action": name, "player": "ann", "box": word} for name in ("score", "cross_out")
    ]
    for name in ("score", "cross_out"):
        ended = act(game, state, name, box="ones")
        assert game.view(ended, None)["cards"]["ann"]["scores"]["ones"] == 0


@pytest.mark.parametrize(
    ("fills", "scoring"),
    [(True, ["full_house", "small_straight", "large_straight"]), (False, ["three_of_a_kind"])],
)
def test_a_joker_scores(fills: bool, scoring: list[str]) -> None:
    """What a joker fills counts as a box where the dice score (D10, D17)."""
    rules = DicePokerRules(joker=fills, zero_only_if_nothing_fits=True, turn_seconds=None)
    game = poker(ONE, rules)
    state = game.start(0)
    used = ("five_of_a_kind", "fours", "chance", "four_of_a_kind")
    for box in (*used, "three_of_a_kind") if fills else used:
        state = turn(game, state, [4] * 5, box)
    state = act(game, state, "roll", [4] * 5)
    word = {"type": "string", "enum": scoring}
    assert listed(game, state)[1:] == [{"action": "score", "player": "ann", "box": word}]


def test_the_clock_may_write_a_zero() -> None:
    """A turn whose time is up before a roll gets its zero all the same (D14, D17)."""
    game = poker(ONE, DicePokerRules(zero_only_if_nothing_fits=True))
    assert timed_out(game, game.start(0)).cards[0][0] == 0


@pytest.mark.parametrize(
    ("rules", "chosen", "seconds"),
    [
        (DicePokerRules(), [], None),
        (DicePokerRules(), ["turn_seconds"], 30),
        (DicePokerRules(turn_seconds=90, joker=True), ["turn_seconds", "joker"], 90),
    ],
)
def test_typed_dice_have_no_clock(
    rules: DicePokerRules, chosen: list[str], seconds: int | None
) -> None:
    """A turn lasts 30 seconds where the service rolls, and has no limit where players type their
    dice in, unless they choose one (D14).
    """
    assert DicePokerRules().turn_seconds == 30
    assert for_typed_dice(rules, chosen) == replace(rules, turn_seconds=seconds)
