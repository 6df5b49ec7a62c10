"""A score card of two boxes and two dice."""

from __future__ import annotations

from service.kinds.scorecard.boxes import Fixed, LowerBox, UpperBonus, UpperBox
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules
from service.rules.patterns import Alike
from service.rules.variant import Example

VARIANT = ScoreCard(
    id="two-boxes",
    name="Two boxes",
    summary="Sixes, and a pair.",
    dice=Dice(count=2),
    rolls=1,
    players=(1, None),
    house_rules=HouseRules,
    clauses={"B1": "Two boxes.", "B2": "The higher total wins."},
    boxes=(UpperBox("sixes", 6, "B1"), LowerBox("pair", Alike((2,)), Fixed(7), "two alike", "B1")),
    upper_bonus=UpperBonus({12: 1}, "B1"),
    order="B2",
    tie="B2",
    examples=(
        Example("evaluate", "Two sixes", {"dice": [6, 6]}),
        Example(
            "rank",
            "The higher total wins",
            {"players": [{"id": "ann", "card": {"pair": 7}}, {"id": "ben", "card": {"sixes": 12}}]},
        ),
        Example("score", "A pair of sixes", {"card": {"sixes": 12, "pair": 7}}),
        Example("advise", "A pair of fives", {"card": {}, "dice": [5, 5]}),
        Example("advise", "A full card", {"card": {"sixes": 12, "pair": 7}}),
        Example(
            "review",
            "Sixes in the wrong box",
            {"turns": [{"rolls": [[6, 6]], "box": "pair"}, {"rolls": [[6, 1]], "box": "sixes"}]},
        ),
        Example("review", "One die", {"turns": [{"rolls": [[6]], "box": "pair"}]}),
        Example("batch", "Two sixes and a pair", {"hands": [[6, 6], [3, 3]]}),
    ),
)
