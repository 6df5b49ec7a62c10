"""The worked examples of the sheets of score cards, played step by step."""

from __future__ import annotations

import pytest

from service.kinds.scorecard.game import ScoreCardGame
from service.rules.violations import InvalidInput
from tests.kinds.scorecard.scorecard_play import ONE, act, poker, turn, yahtzee

LOWER = (
    "three_of_a_kind",
    "four_of_a_kind",
    "full_house",
    "small_straight",
    "large_straight",
    "five_of_a_kind",
)


def played(game: ScoreCardGame, dice: list[int], scores: dict[str, int]) -> None:
    """Asserts that `dice` show `scores` when rolled, and get them in a game for each box."""
    rolled = act(game, game.start(0), "roll", dice)
    shown = game.view(rolled, None)["turn"]["scores"]
    assert {box: shown[box] for box in scores} == scores
    for box, score in scores.items():
        card = game.view(act(game, rolled, "score", box=box), None)["cards"]["ann"]
        assert (card["scores"][box], card["total"]) == (score, score)


@pytest.mark.parametrize(
    ("dice", "scores"),
    [
        (
            [2, 2, 2, 5, 6],
            {"twos": 6, "fives": 5, "sixes": 6, **dict.fromkeys(LOWER, 0), "three_of_a_kind": 17,
             "chance": 17},
        ),
        ([3, 3, 3, 5, 5], {"full_house": 25, "three_of_a_kind": 19, "chance": 19}),
        ([2, 3, 4, 5, 5], {"small_straight": 30, "chance": 19}),
        ([2, 3, 4, 5, 6], {"large_straight": 40, "small_straight": 30, "chance": 20}),
        ([1, 3, 4, 5, 6], {"small_straight": 30, "large_straight": 0}),
        (
            [4, 4, 4, 4, 4],
            {"five_of_a_kind": 50, "four_of_a_kind": 20, "three_of_a_kind": 20, "fours": 20,
             "chance": 20, "full_house": 0},
        ),
    ],
)  # fmt: skip
def test_dice_poker(dice: list[int], scores: dict[str, int]) -> None:
    """Each roll of the sheet gets its scores (D3, D4, D5, D11)."""
    played(poker(ONE), dice, scores)


def test_the_card_to_98() -> None:
    """Three of each number make 63 in the upper section, and with its bonus 98 (D3)."""
    game = poker(ONE)
    state = game.start(0)
    totals = []
    for number, box in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), start=1):
        state = turn(game, state, [number] * 3 + [number % 6 + 1] * 2, box)
        totals.append(game.view(state, None)["cards"]["ann"]["total"])
    assert totals == [3, 9, 18, 30, 45, 98]
    card = game.view(state, None)["cards"]["ann"]
    assert (card["upper"], card["bonus"], card["lower"]) == (63, 35, 0)
    with pytest.raises(InvalidInput, match=r"^sixes must be a score that a roll can give there"):
        game.variant.read_card({"sixes": 17})


@pytest.mark.parametrize(
    ("dice", "scores"),
    [
        ([1, 1, 1, 2, 2, 5], {"ones": 3, "twos": 4, "fives": 5, "chance": 12}),
        ([2, 2, 5, 5, 6, 6], {"three_pairs": 20, "chance": 26}),
        ([1, 1, 1, 4, 4, 4], {"two_triplets": 30, "three_pairs": 0}),
        ([3, 3, 3, 3, 5, 5], {"full_house": 40, "three_pairs": 20, "chance": 22}),
        ([1, 2, 3, 4, 5, 6], {"straight": 50, "small_straight": 21, "chance": 21}),
        (
            [2, 2, 2, 2, 2, 2],
            {"yahtzee": 60, "small_yahtzee": 12, "full_house": 40, "two_triplets": 30,
             "three_pairs": 20, "twos": 12, "chance": 12},
        ),
        ([1, 2, 2, 3, 4, 5], {"small_straight": 17}),
        ([3, 3, 3, 3, 3, 5], {"small_yahtzee": 20}),
    ],
)  # fmt: skip
def test_yahtzee_deluxe(dice: list[int], scores: dict[str, int]) -> None:
    """Each roll of the sheet gets its scores (Y4, Y5, Y6, Y10, Y12)."""
    played(yahtzee(), dice, scores)
