"""`scandinavian-yatzy`: the 15-box score card of the north, five plain dice."""

from __future__ import annotations

from service.kinds.scorecard.boxes import (
    Fixed,
    LowerBox,
    SumOfAll,
    SumOfPattern,
    UpperBonus,
    UpperBox,
)
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules
from service.rules.patterns import Alike, AnyDice, Run
from service.rules.variant import Example

BOXES = (
    UpperBox("ones", 1, "S2"),
    UpperBox("twos", 2, "S2"),
    UpperBox("threes", 3, "S2"),
    UpperBox("fours", 4, "S2"),
    UpperBox("fives", 5, "S2"),
    UpperBox("sixes", 6, "S2"),
    LowerBox("one_pair", Alike((2,)), SumOfPattern(), "two dice alike", "S3"),
    LowerBox("two_pairs", Alike((2, 2)), SumOfPattern(), "pairs of two numbers", "S3"),
    LowerBox("three_of_a_kind", Alike((3,)), SumOfPattern(), "three dice alike", "S3"),
    LowerBox("four_of_a_kind", Alike((4,)), SumOfPattern(), "four dice alike", "S3"),
    LowerBox("small_straight", Run(5, start=1), Fixed(15), "1-2-3-4-5", "S4"),
    LowerBox("large_straight", Run(5, start=2), Fixed(20), "2-3-4-5-6", "S4"),
    LowerBox(
        "full_house",
        Alike((3, 2)),
        SumOfPattern(),
        "three alike and a pair of another number",
        "S3",
    ),
    LowerBox("chance", AnyDice(), SumOfAll(), "any dice", "S5"),
    LowerBox("yatzy", Alike((5,)), Fixed(50), "five dice alike", "S4"),
)

CLAUSES = {
    "S1": "Five plain dice; a turn is up to three rolls, in which any dice may be kept.",
    "S2": "Each upper box is the sum of the dice that show its number. An upper section of 63 or "
    "more earns 50 more.",
    "S3": "One pair, two pairs, three and four of a kind and the full house score the sum of the "
    "dice that make them: of several pairs, the highest ones.",
    "S4": "A small straight scores 15, a large straight 20, a yatzy 50.",
    "S5": "Chance scores the sum of all dice.",
    "S6": "Every box is used once. A player may cross out any free box for zero.",
    "S7": "The highest total wins; equal totals share the win.",
}

LAST_BOXES = {box.id: 0 for box in BOXES if box.id not in ("chance", "yatzy")}
"""A card on which only chance and yatzy are open."""

VARIANT = ScoreCard(
    id="scandinavian-yatzy",
    name="Scandinavian Yatzy",
    summary="Fifteen boxes, five dice, three rolls a turn; pairs score what they show.",
    dice=Dice(count=5),
    rolls=3,
    players=(1, None),
    house_rules=HouseRules,
    clauses=CLAUSES,
    boxes=BOXES,
    upper_bonus=UpperBonus({63: 50}, "S2"),
    order="S7",
    tie="S7",
    steps={"cross_out": "S6", "end": "S6"},
    examples=(
        Example("evaluate", "Two pairs", {"dice": [3, 3, 5, 5, 6]}),
        Example("evaluate", "A die that can't be", {"dice": [3, 3, 5, 5, 7]}),
        Example(
            "rank",
            "The higher total wins",
            {
                "players": [
                    {"id": "ann", "card": {"ones": 3, "two_pairs": 16}},
                    {"id": "ben", "card": {"yatzy": 50}},
                ]
            },
        ),
        Example(
            "rank", "No pair is worth 13", {"players": [{"id": "ann", "card": {"one_pair": 13}}]}
        ),
        Example(
            "score",
            "A full house written as one pair",
            {"card": {"chance": 22}, "turn": {"dice": [3, 3, 3, 5, 5], "box": "one_pair"}},
        ),
        Example("score", "No pair is worth 13", {"card": {"one_pair": 13}}),
        Example(
            "advise",
            "Three alike, and one roll left",
            {"card": LAST_BOXES, "dice": [5, 5, 5, 2, 1], "rolls_left": 1, "limit": 3},
        ),
        Example("advise", "Rolls without dice", {"card": {}, "rolls_left": 1}),
        Example(
            "review",
            "Three alike in the chance",
            {"card": LAST_BOXES, "turns": [{"rolls": [[5, 5, 5, 2, 1]], "box": "chance"}]},
        ),
        Example("review", "A turn without rolls", {"turns": [{"rolls": []}]}),
        Example("batch", "Two rolls", {"hands": [[3, 3, 5, 5, 6], [1, 2, 3, 4, 5]]}),
        Example("batch", "A die that can't be", {"hands": [[3, 3, 5, 5, 6], [0, 2, 3, 4, 5]]}),
    ),
)
