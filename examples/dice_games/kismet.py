"""`kismet`: the 15-box score card of coloured dice: 1 and 6 black, 2 and 5 red, 3 and 4 green."""

from __future__ import annotations

from service.kinds.scorecard.boxes import Fixed, LowerBox, SumOfAll, UpperBonus, UpperBox
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules
from service.rules.patterns import Alike, AnyDice, OneColour, Run
from service.rules.variant import Example

COLOURS = ("black", "red", "green", "green", "red", "black")

TWO_PAIRS = OneColour(Alike((2, 2), splitting=True), COLOURS)
FLUSH = OneColour(AnyDice(), COLOURS)
FULL_HOUSE = Alike((3, 2), splitting=True)

BOXES = (
    UpperBox("aces", 1, "K2"),
    UpperBox("deuces", 2, "K2"),
    UpperBox("treys", 3, "K2"),
    UpperBox("fours", 4, "K2"),
    UpperBox("fives", 5, "K2"),
    UpperBox("sixes", 6, "K2"),
    LowerBox("two_pair_same_colour", TWO_PAIRS, SumOfAll(), "two pairs of one colour", "K4"),
    LowerBox("three_of_a_kind", Alike((3,)), SumOfAll(), "three dice alike", "K4"),
    LowerBox("straight", Run(5), Fixed(30), "1-2-3-4-5 or 2-3-4-5-6", "K4"),
    LowerBox("flush", FLUSH, Fixed(35), "all dice of one colour", "K4"),
    LowerBox("full_house", FULL_HOUSE, SumOfAll(plus=15), "three alike and a pair", "K4"),
    LowerBox(
        "full_house_same_colour",
        OneColour(FULL_HOUSE, COLOURS),
        SumOfAll(plus=20),
        "three alike and a pair, all of one colour",
        "K4",
    ),
    LowerBox("four_of_a_kind", Alike((4,)), SumOfAll(plus=25), "four dice alike", "K4"),
    LowerBox("yarborough", AnyDice(), SumOfAll(), "any dice", "K4"),
    LowerBox("kismet", Alike((5,)), SumOfAll(plus=50), "five dice alike", "K4"),
)

CLAUSES = {
    "K1": "Five dice with colours: 1 and 6 black, 2 and 5 red, 3 and 4 green. A turn is up to "
    "three rolls, in which any dice may be kept.",
    "K2": "Each upper box is the sum of the dice that show its number.",
    "K3": "An upper section from 63 to 70 earns 35 more, from 71 to 77 it earns 55, from 78 on 75.",
    "K4": "The lower boxes: two pair of the same colour, three of a kind and yarborough score the "
    "sum of all dice; a straight 30, a flush 35; a full house the sum and 15, of the same colour "
    "the sum and 20; four of a kind the sum and 25, a kismet the sum and 50.",
    "K5": "Four alike are also two pairs of a colour, and a kismet is also a full house of one.",
    "K6": "Every box is used once. A player may cross out any free box for zero.",
    "K7": "The highest total wins; equal totals share the win.",
}

LAST_BOXES = {box.id: 0 for box in BOXES if box.id not in ("yarborough", "kismet")}
"""A card on which only yarborough and kismet are open."""

VARIANT = ScoreCard(
    id="kismet",
    name="Kismet",
    summary="Fifteen boxes, five coloured dice, three rolls a turn.",
    dice=Dice(count=5, colours=COLOURS),
    rolls=3,
    players=(1, None),
    house_rules=HouseRules,
    clauses=CLAUSES,
    boxes=BOXES,
    upper_bonus=UpperBonus({63: 35, 71: 55, 78: 75}, "K3"),
    order="K7",
    tie="K7",
    steps={"cross_out": "K6", "end": "K6"},
    examples=(
        Example("evaluate", "A full house of one colour", {"dice": [3, 3, 3, 4, 4]}),
        Example("evaluate", "One die too few", {"dice": [3, 3, 3, 4]}),
        Example(
            "rank",
            "The higher total wins",
            {
                "players": [
                    {"id": "ann", "card": {"flush": 35, "straight": 30}},
                    {"id": "ben", "card": {"kismet": 80}},
                ]
            },
        ),
        Example("rank", "Nobody plays", {"players": []}),
        Example(
            "score",
            "The highest bonus",
            {"card": {"treys": 15, "fours": 20, "fives": 25, "sixes": 18}},
        ),
        Example("score", "No kismet is worth 50", {"card": {"kismet": 50}}),
        Example(
            "advise",
            "Three alike, and one roll left",
            {"card": LAST_BOXES, "dice": [5, 5, 5, 2, 1], "rolls_left": 1, "limit": 3},
        ),
        Example("advise", "Rolls without dice", {"card": {}, "rolls_left": 1}),
        Example(
            "review",
            "Three alike in the yarborough",
            {"card": LAST_BOXES, "turns": [{"rolls": [[5, 5, 5, 2, 1]], "box": "yarborough"}]},
        ),
        Example("review", "A turn without rolls", {"turns": [{"rolls": []}]}),
        Example("batch", "Two rolls", {"hands": [[3, 3, 3, 4, 4], [1, 1, 6, 6, 2]]}),
        Example("batch", "One die too few", {"hands": [[3, 3, 3, 4, 4], [1, 1, 6, 6]]}),
    ),
)
