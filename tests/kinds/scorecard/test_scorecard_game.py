"""Turns of the game of score cards: rolls, boxes and bonuses."""

from __future__ import annotations

import pytest

from service.engine.actions import Action
from service.kinds.scorecard.game import ScoreCardGame
from service.rules.violations import Violation
from service.variants.dice_poker import DicePokerRules
from tests.kinds.scorecard.scorecard_play import (
    ONE,
    POKER_BOXES,
    TWO,
    YAHTZEE_BOXES,
    act,
    listed,
    poker,
    shape,
    turn,
    turn_to_begin,
    violations,
    yahtzee,
)
from tests.problems import breach
from tests.reasons import said


@pytest.mark.parametrize(
    ("game", "count", "boxes"),
    [(poker(ONE), 5, POKER_BOXES), (yahtzee(ONE), 6, YAHTZEE_BOXES)],
    ids=["D1 D2", "Y1 Y10"],
)
def test_a_turn(game: ScoreCardGame, count: int, boxes: list[str]) -> None:
    """All dice first, then any of them, three rolls at most; a box after one or more (D1, Y1)."""
    word = {"type": "string", "enum": boxes}
    writes = [
        {"action": "score", "player": "ann", "box": word},
        {"action": "cross_out", "player": "ann", "box": word},
    ]
    keep = {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": count - 1},
        "maxItems": count - 1,
        "uniqueItems": True,
        "default": [],
    }
    again = {"action": "roll", "player": "ann", "keep": keep, "dice": shape(count)}
    state = game.start(0)
    most = 50 if count == 5 else 60
    assert listed(game, state) == turn_to_begin("ann", count, boxes, most)
    for dice in ([1] * count, [2] * count):
        state = act(game, state, "roll", dice)
        assert (listed(game, state), state.news) == ([again, *writes], ())
    state = act(game, state, "roll", [3] * count)
    assert listed(game, state) == writes
    state = act(game, state, "score", box="threes")
    left = [box for box in boxes if box != "threes"]
    assert listed(game, state) == turn_to_begin("ann", count, left, most)


def test_kept_dice_stay_in_their_places() -> None:
    """Dice may be kept between rolls; the others are rolled in their places (D1)."""
    game = poker()
    state = act(game, game.start(0), "roll", [1, 2, 3, 4, 6])
    action = Action("roll", "ann", 0, {"keep": [3, 1]})
    _, dice = game.play(state, action, lambda _: 4)
    assert dice == (5, 2, 5, 4, 5)
    assert act(game, state, "roll", [6, 2, 6, 4, 6], keep=[3, 1]).dice == (6, 2, 6, 4, 6)


KEPT = "must be a list of up to 4 dice, by their indexes from 0"


@pytest.mark.parametrize(
    ("dice", "keep", "expected"),
    [
        ([1, 1, 3, 4, 6], [0, 1], breach(("dice", 1), "must stay 2, because that die was kept")),
        ([1, 2, 3, 4, 6], [5], breach(("keep", 0), "must be the index of a die, from 0 to 4")),
        ([1, 2, 3, 4, 6], [-1], breach(("keep", 0), "must be the index of a die, from 0 to 4")),
        ([1, 2, 3, 4, 6], [2, 2], breach(("keep", 1), "repeats die 2")),
        ([1, 2, 3, 4, 6], [0, 1, 2, 3, 4], breach(("keep",), KEPT)),
        ([1, 2, 3, 4, 6], "0", breach(("keep",), KEPT)),
        ([1, 2, 3, 4, 7], [], breach(("dice", 4), "must be between 1 and 6")),
        ([1] * 7, [], breach(("dice",), "must hold 5 dice, not 7")),
        (None, [], breach(("dice",), "is missing: this game's dice are typed in")),
    ],
)
def test_a_roll_that_cannot_be(dice: object, keep: object, expected: Violation) -> None:
    """Typed dice must be five that can be, kept ones unchanged; kept dice must be there (D1)."""
    game = poker()
    state = act(game, game.start(0), "roll", [1, 2, 3, 4, 6])
    assert violations(game, state, "roll", dice, keep=keep) == (expected,)


def test_the_first_roll_keeps_nothing() -> None:
    """A turn begins with all dice: there is nothing to keep, nor to write (D1, D15, Y1)."""
    game = poker()
    state = game.start(0)
    assert violations(game, state, "roll", [1] * 5, keep=[0]) == (
        breach(("keep",), "must be left out: there is nothing to choose"),
    )
    for name in ("score", "cross_out"):
        assert violations(game, state, name, box="ones") == (
            breach(("action",), "must be roll, write or leave now"),
        )


def test_no_fourth_roll_nor_out_of_turn() -> None:
    """After the last roll a box must be filled, by the player whose turn it is (D1, D2)."""
    game = poker()
    state = game.start(0)
    for _ in range(3):
        state = act(game, state, "roll", [1] * 5)
    assert violations(game, state, "roll", [1] * 5) == (
        breach(("action",), "must be score, cross_out or leave now"),
    )
    assert violations(game, state, "score", player="ben", box="ones") == (
        breach(("player",), "can't score now; only ann can"),
    )
    assert violations(game, state, "score", [1] * 5, box="ones") == (
        breach(("dice",), "must be left out: score rolls no dice"),
    )


@pytest.mark.parametrize(
    ("game", "dice", "box"),
    [(poker(ONE), [4] * 5, "fours"), (yahtzee(), [4] * 6, "fours")],
    ids=["D2", "Y3"],
)
@pytest.mark.parametrize("name", ["score", "cross_out"])
def test_a_used_box_is_never_used_again(
    game: ScoreCardGame, dice: list[int], box: str, name: str
) -> None:
    """Neither a score nor a zero may go in a used box (D2, Y3)."""
    state = act(game, turn(game, game.start(0), dice, box, name), "roll", dice)
    boxes = [other.id for other in game.variant.boxes if other.id != box]
    expected = (breach(("box",), f"must be one of {', '.join(boxes)}"),)
    assert violations(game, state, "score", box=box) == expected
    assert violations(game, state, "cross_out", box=box) == expected


@pytest.mark.parametrize(
    ("game", "dice", "box", "name", "score", "reason"),
    [
        (poker(), [4, 4, 4, 2, 1], "fours", "score", 12, "4 4 4 2 1 scores 12 in fours (D3)."),
        (
            poker(),
            [3, 3, 3, 5, 5],
            "three_of_a_kind",
            "score",
            19,
            "3 3 3 5 5 scores 19 in three of a kind (D4).",
        ),
        (
            poker(),
            [3, 3, 3, 5, 5],
            "full_house",
            "cross_out",
            0,
            "ann crosses out full house (D12).",
        ),
        (poker(), [4, 4, 4, 2, 1], "ones", "score", 1, "4 4 4 2 1 scores 1 in ones (D3)."),
        (poker(), [4, 4, 4, 2, 1], "sixes", "score", 0, "4 4 4 2 1 scores 0 in sixes (D3)."),
        (poker(), [2] * 5, "full_house", "score", 0, "2 2 2 2 2 scores 0 in full house (D4)."),
        (
            poker(TWO, DicePokerRules(five_alike_is_full_house=True)),
            [2] * 5,
            "full_house",
            "score",
            25,
            "2 2 2 2 2 scores 25 in full house (D4).",
        ),
        (
            yahtzee(),
            [3, 3, 3, 3, 5, 5],
            "three_pairs",
            "score",
            20,
            "3 3 3 3 5 5 scores 20 in three pairs (Y5).",
        ),
        (
            yahtzee(),
            [1, 2, 2, 3, 4, 5],
            "small_straight",
            "score",
            17,
            "1 2 2 3 4 5 scores 17 in small straight (Y5).",
        ),
        (yahtzee(), [6] * 6, "yahtzee", "cross_out", 0, "ann crosses out yahtzee (Y3)."),
        (
            yahtzee(),
            [1, 1, 1, 4, 4, 4],
            "three_pairs",
            "score",
            0,
            "1 1 1 4 4 4 scores 0 in three pairs (Y5).",
        ),
    ],
    ids=["D3", "D4 D5", "D12", "D5", "D2", "D11", "D11 on", "Y6", "Y12", "Y3", "Y10"],
)
def test_a_box(
    game: ScoreCardGame, dice: list[int], box: str, name: str, score: int, reason: str
) -> None:
    """Dice go in any open box for what they are worth there, or as a zero by choice."""
    state = turn(game, game.start(0), dice, box, name)
    what = "crossed_out" if name == "cross_out" else "written"
    entry = {"what": what, "player": "ann", "dice": dice, "box": box, "score": score}
    assert said(state.news) == ({**entry, "reason": reason},)
    boxes = [other.id for other in game.variant.boxes]
    card = game.view(state, None)["cards"]["ann"]["scores"]
    assert card == {**dict.fromkeys(boxes), box: score}


@pytest.mark.parametrize(
    ("game", "dice", "points", "reason"),
    [
        (poker(ONE), 3, 35, "An upper section of 63 earns 35 more, as 63 or more does (D3)."),
        (yahtzee(), 4, 50, "An upper section of 84 earns 50 more, as 84 or more does (Y4)."),
    ],
    ids=["D3", "Y4"],
)
def test_upper_bonus(game: ScoreCardGame, dice: int, points: int, reason: str) -> None:
    """The bonus is earned by the turn that reaches it, and reported once."""
    state = game.start(0)
    for number in range(1, 7):
        count = game.variant.dice.count
        rest = [number % 6 + 1] * (count - dice)
        state = turn(game, state, [number] * dice + rest, POKER_BOXES[number - 1])
        bonus = {"what": "upper_bonus", "player": "ann", "points": points, "reason": reason}
        assert said([*state.news[1:]]) == ([bonus] if number == 6 else [])
    card = game.view(state, None)["cards"]["ann"]
    assert (card["upper"], card["bonus"], card["lower"]) == (dice * 21, points, 0)
    assert turn(game, state, [1] * count, "chance").news[1:] == ()
