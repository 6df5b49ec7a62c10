"""`yahtzee-deluxe`: the 14-box score card, six plain dice.

The card is `BOXES`, in its order. Bigger groups may stand for several smaller ones: four alike
and a pair are also three pairs (Y6).
"""

from __future__ import annotations

from dataclasses import dataclass

from service.kinds.scorecard.boxes import Fixed, LowerBox, SumOfAll, UpperBonus, UpperBox
from service.kinds.scorecard.card import WRITING
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, amount, choice
from service.rules.patterns import Alike, AnyDice, Run
from service.rules.variant import EVERY_GAME, Example

THREE_PAIRS = Alike((2, 2, 2), splitting=True)
TWO_TRIPLETS = Alike((3, 3), splitting=True)
FOUR_AND_TWO = Alike((4, 2), splitting=True)

BOXES = (
    UpperBox("ones", 1, "Y4"),
    UpperBox("twos", 2, "Y4"),
    UpperBox("threes", 3, "Y4"),
    UpperBox("fours", 4, "Y4"),
    UpperBox("fives", 5, "Y4"),
    UpperBox("sixes", 6, "Y4"),
    LowerBox(
        "three_pairs",
        THREE_PAIRS,
        Fixed(20),
        "three pairs; so are a full house and a yahtzee",
        "Y5",
    ),
    LowerBox(
        "two_triplets", TWO_TRIPLETS, Fixed(30), "twice three dice alike; so is a yahtzee", "Y5"
    ),
    LowerBox(
        "full_house", FOUR_AND_TWO, Fixed(40), "four dice alike and a pair; so is a yahtzee", "Y5"
    ),
    LowerBox("straight", Run(6), Fixed(50), "1-2-3-4-5-6", "Y5"),
    LowerBox("yahtzee", Alike((6,)), Fixed(60), "six dice alike", "Y5"),
    LowerBox("small_straight", Run(5), SumOfAll(), "five dice in sequence", "Y5"),
    LowerBox("small_yahtzee", Alike((5,)), SumOfAll(), "five dice alike", "Y5"),
    LowerBox("chance", AnyDice(), SumOfAll(), "any dice", "Y5"),
)

CLAUSES = {
    "Y1": "Six plain dice; a turn is up to three rolls, all six first, then any of them.",
    "Y2": "The player with the highest throw starts; players who tie throw again. Play goes either "
    "way round.",
    "Y3": "Every box is used once. A player who can't or won't fill a box crosses out a free one, "
    "which scores zero.",
    "Y4": "Each upper box is the sum of the dice that show its number. An upper section of 84 or "
    "more earns 50 more.",
    "Y5": "The lower boxes: three pairs 20, two triplets 30, full house 40, straight 50, yahtzee "
    "60; small straight, small yahtzee and chance score the sum of all dice.",
    "Y6": "A full house also counts as three pairs, a straight as a small straight, and a "
    "yahtzee as a small yahtzee, a full house, two triplets and three pairs.",
    "Y7": "The highest total wins.",
    "Y10": "There are fourteen boxes. Two triplets are not three pairs.",
    "Y11": "Players with equal totals share the win.",
    "Y12": "The sum of all dice is that of all six.",
    "Y13": "House rules say in which direction play goes from the player who begins, whether all "
    "dice or one are thrown to decide who that is, and how long a turn may last.",
    **EVERY_GAME,
    **WRITING,
}


@dataclass(frozen=True)
class YahtzeeDeluxeRules(HouseRules):
    """The house rules of `yahtzee-deluxe`."""

    direction: str = choice(
        "clockwise", "counter_clockwise",
        clause="Y13",
        meaning="Which way round play goes.",
    )  # fmt: skip
    starting_throw: str = choice(
        "all_dice", "one_die",
        clause="Y13",
        meaning="What is thrown to decide who begins.",
    )  # fmt: skip
    turn_seconds: int | None = amount(
        None,
        clause="Y13",
        meaning="Seconds that a turn lasts in a session.",
        minimum=1,
        maximum=86_400,
        nullable=True,
    )


UPPER = {"ones": 4, "twos": 8, "threes": 12, "fours": 16, "fives": 20}
LOWER = {
    "three_pairs": 20,
    "two_triplets": 0,
    "full_house": 40,
    "straight": 0,
    "yahtzee": 0,
    "small_straight": 21,
    "small_yahtzee": 28,
}
"""Boxes of the cards in the examples."""

VARIANT = ScoreCard(
    id="yahtzee-deluxe",
    name="Yahtzee Deluxe",
    summary="Fourteen boxes, six dice, three rolls a turn: the highest card wins.",
    dice=Dice(count=6),
    rolls=3,
    players=(1, None),
    house_rules=YahtzeeDeluxeRules,
    clauses=CLAUSES,
    boxes=BOXES,
    upper_bonus=UpperBonus({84: 50}, "Y4"),
    order="Y7",
    tie="Y11",
    throw_to_begin=True,
    steps={
        "begin": "Y2",
        "cross_out": "Y3",
        "time_up": "G1",
        "left": "G2",
        "take_back": "G3",
        "write": "G4",
        "end": "Y3",
    },
    strengths={
        "easy": (182.8, 41.1),
        "medium": (198.4, 42.8),
        "hard": (230.5, 43.7),
        "best": (251.4, 45.5),
    },
    examples=(
        Example("evaluate", "Four alike and a pair", {"dice": [3, 3, 3, 3, 5, 5]}),
        Example(
            "rank",
            "Equal totals share the win",
            {
                "players": [
                    {"id": "ann", "card": {"ones": 4, "twos": 6}},
                    {"id": "ben", "card": {"fives": 10}},
                    {"id": "cat", "card": {"yahtzee": 0}},
                ]
            },
        ),
        Example(
            "score",
            "A yahtzee written as two triplets",
            {
                "card": {"yahtzee": 60, "chance": 22},
                "turn": {"dice": [2, 2, 2, 2, 2, 2], "box": "two_triplets"},
            },
        ),
        Example("advise", "Two boxes open, and nothing rolled yet", {"card": {**UPPER, **LOWER}}),
        Example(
            "review",
            "The last box",
            {
                "card": {**UPPER, "sixes": 18, **LOWER},
                "turns": [{"rolls": [[6, 6, 5, 5, 5, 4]], "box": "chance"}],
            },
        ),
        Example("batch", "Two rolls", {"hands": [[3, 3, 3, 3, 5, 5], [1, 2, 3, 4, 5, 6]]}),
    ),
)
