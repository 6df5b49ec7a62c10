"""Turns of the game of score cards that are written in one step (G4)."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import pytest

from service.engine.game import GameTable
from service.kinds.scorecard.game import ScoreCardGame
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from tests.kinds.scorecard.scorecard_play import (
    NO_CLOCK,
    ONE,
    POKER_BOXES,
    TWO,
    act,
    poker,
    turn,
    violations,
    yahtzee,
)
from tests.problems import breach
from tests.reasons import said
from tests.reference.score_cards import dice_poker

JOKERS = DicePokerRules(extra_five_bonus=100, joker=True, turn_seconds=None)
ZEROS_LAST = DicePokerRules(zero_only_if_nothing_fits=True, turn_seconds=None)
ONE_OF_TWO = breach((), "must have exactly one of points and dice")


def test_written_dice_do_what_rolled_ones_do() -> None:
    """A turn with its final dice ends as one that rolled them and scored, bonus included (G4)."""
    game = poker(ONE, JOKERS)
    for dice, box in (([4] * 5, "five_of_a_kind"), ([4] * 5, "fours"), ([4] * 5, "full_house")):
        state = game.start(0)
        for used in ("five_of_a_kind", "fours"):
            if box != used:
                state = turn(game, state, [4] * 5, used)
        assert act(game, state, "write", dice, box=box) == turn(game, state, dice, box)


def test_points_alone() -> None:
    """Points fill the box and end the turn; the upper bonus counts, no dice are known (G4)."""
    game = poker(TWO)
    state = act(game, game.start(0), "write", box="chance", points=22)
    assert said(state.news) == (
        {
            "what": "written",
            "player": "ann",
            "dice": [],
            "box": "chance",
            "score": 22,
            "reason": "ann writes 22 in chance (G4).",
        },
    )
    assert (state.turns, state.rolls, game.view(state, None)["to_act"]) == (1, 0, ["ben"])
    state = game.start(0)
    for number, box in enumerate(POKER_BOXES[:6], start=1):
        for _ in TWO:
            state = act(game, state, "write", box=box, points=3 * number)
    assert [entry["what"] for entry in state.news] == ["written", "upper_bonus"]
    assert game.view(state, None)["cards"]["ben"]["total"] == 98


def test_points_alone_earn_no_bonus_for_repeats() -> None:
    """A further 20 in fours may be a further five, but points alone don't say so (G4)."""
    game = poker(ONE, JOKERS)
    state = act(game, game.start(0), "write", box="five_of_a_kind", points=50)
    state = act(game, state, "write", box="fours", points=20)
    assert [entry["what"] for entry in state.news] == ["written"]
    assert game.view(state, None)["cards"]["ann"]["extra_fives"] == 0


POINTS = [dice_poker(roll) for roll in combinations_with_replacement(range(1, 7), 5)]
"""What every roll brings in each box."""


@pytest.mark.parametrize("box", POKER_BOXES)
def test_points_that_no_roll_gives(box: str) -> None:
    """Points are refused unless a roll gives them in that box, or zero; the refusal names those
    that there can be (G4).
    """
    scores = {points[box] for points in POINTS}
    game = poker(ONE)
    state = game.start(0)
    allowed = sorted({0, *scores})
    text = ", ".join(map(str, allowed[:-1]))
    expected = breach(
        ("points",), f"must be {text} or {allowed[-1]}: a turn can bring nothing else there"
    )
    for points in (*range(-1, 60), 10**20, 3.5, True, "12", [12]):
        if type(points) is int and points in allowed:
            assert (
                act(game, state, "write", box=box, points=points).cards[0][POKER_BOXES.index(box)]
                == points
            )
        else:
            assert violations(game, state, "write", box=box, points=points) == (expected,)


@pytest.mark.parametrize("box", ["ones", "chance", "full_house"])
def test_a_zero_that_is_refused(box: str) -> None:
    """While every roll scores somewhere, chance included, no zero can be written (D17, G4)."""
    game = poker(ONE, ZEROS_LAST)
    dice = [2, 2, 3, 4, 6]
    state = game.start(0)
    (points,) = violations(game, state, "write", box=box, points=0)
    assert (points.path, points.code) == (("points",), "impossible_points")
    assert 0 not in points.values["numbers"]
    if box != "chance":
        allowed = "twos, threes, fours, sixes or chance"
        text = f"must be {allowed}, where the dice score: a zero is refused (D17)"
        assert violations(game, state, "write", dice, box=box) == (breach(("box",), text),)


def test_a_zero_where_a_roll_may_fit_nothing() -> None:
    """Once a roll can fit no open box, a zero can be written (D17, G4)."""
    game = poker(ONE, ZEROS_LAST)
    state = act(game, game.start(0), "write", box="chance", points=20)
    for number, box in enumerate(POKER_BOXES[:6], start=1):
        state = act(game, state, "write", box=box, points=number)
    assert act(game, state, "write", box="full_house", points=0).turns == 8
    assert act(game, state, "write", [1, 2, 3, 5, 6], box="full_house").turns == 8


@pytest.mark.parametrize(
    ("dice", "values", "expected"),
    [
        (None, {"box": "ones"}, ONE_OF_TWO),
        (None, {"box": "ones", "points": None}, ONE_OF_TWO),
        ([1] * 5, {"box": "ones", "points": 5}, ONE_OF_TWO),
        ([1] * 5, {}, breach(("box",), "is missing")),
        ([1] * 4, {"box": "ones"}, breach(("dice",), "must hold 5 dice, not 4")),
        (
            [1] * 5,
            {"box": "ones", "keep": [1]},
            breach(("keep",), "is not a field of write; it has box, points, dice"),
        ),
    ],
)
def test_a_turn_that_cannot_be_written(dice: object, values: dict[str, Any], expected: Any) -> None:
    """A turn needs an open box, and exactly one of points and dice (G4)."""
    game = poker(ONE)
    assert violations(game, game.start(0), "write", dice, **values) == (expected,)


def test_when_a_turn_can_be_written() -> None:
    """Only at the start of a turn, in an open box, and where players type their dice in (G4)."""
    game = poker(ONE)
    state = act(game, game.start(0), "roll", [1, 2, 3, 4, 6])
    no_roll = breach(("action",), "must be roll, score, cross_out or leave now")
    assert violations(game, state, "write", box="ones", points=1) == (no_roll,)
    ended = act(game, state, "score", box="chance")
    (used,) = violations(game, ended, "write", box="chance", points=16)
    assert (used.path, used.code) == (("box",), "not_one_of")
    served = ScoreCardGame(DICE_POKER, GameTable(ONE, NO_CLOCK))
    no_write = breach(("action",), "must be roll or leave now")
    assert violations(served, served.start(0), "write", box="ones", points=1) == (no_write,)
    thrown = yahtzee(TWO)
    (throwing,) = violations(thrown, thrown.start(0), "write", box="ones", points=1)
    assert throwing == breach(("action",), "must be throw or leave now")
