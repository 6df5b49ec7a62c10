"""A ranking of more dice than any other: groups of seven."""

from __future__ import annotations

from service.kinds.ranking.hand_table import Rank, TieBreak
from service.kinds.ranking.variant import Ranking
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules
from service.rules.patterns import Alike
from service.rules.variant import Example

VARIANT = Ranking(
    id="seven-dice",
    name="Seven dice",
    summary="Seven dice: all alike, or a pair.",
    dice=Dice(count=7),
    rolls=1,
    players=(2, 9),
    house_rules=HouseRules,
    clauses={"S1": "Seven alike beat a pair.", "S2": "Higher dice win."},
    hand_size=7,
    ranks=(
        Rank("seven_alike", Alike((7,)), "seven alike", "S1"),
        Rank("pair", Alike((2,)), "two alike, as all other dice hold", "S1"),
    ),
    tie_breaks=(TieBreak("high_dice", "Higher dice win.", "S2"),),
    tied="equal hands tie (S2).",
    examples=(
        Example("evaluate", "A pair", {"dice": [2, 2, 5, 1, 3, 4, 6]}),
        Example(
            "rank",
            "The higher dice win",
            {"players": [{"id": "ann", "dice": [5] * 7}, {"id": "ben", "dice": [6] * 7}]},
        ),
        Example("advise", "One pair", {"dice": [2, 2, 5, 1, 3, 4, 6], "limit": 2}),
        Example("batch", "Seven alike and a pair", {"hands": [[1] * 7, [2, 2, 5, 1, 3, 4, 6]]}),
    ),
)
