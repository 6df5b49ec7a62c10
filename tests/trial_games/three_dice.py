"""A ranking without house rules and steps: three dice, one roll. Some texts are translated."""

from __future__ import annotations

from service.kinds.ranking.hand_table import Rank, TieBreak
from service.kinds.ranking.variant import Ranking
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules
from service.rules.patterns import Alike, AnyDice
from service.rules.variant import Example

VARIANT = Ranking(
    id="three-dice",
    name="Three dice",
    summary="Three dice: triples beat pairs.",
    dice=Dice(count=3),
    rolls=1,
    players=(2, 9),
    house_rules=HouseRules,
    clauses={"T1": "Triples beat pairs.", "T2": "Higher numbers win."},
    hand_size=3,
    ranks=(
        Rank("triple", Alike((3,)), "three alike", "T1"),
        Rank("pair", Alike((2,)), "two alike", "T1"),
        Rank("nothing", AnyDice(), "any dice", "T1"),
    ),
    tie_breaks=(TieBreak("numbers", "Higher numbers win.", "T2"),),
    tied="equal hands tie (T2).",
    texts={
        "de": {
            "Three dice": "Drei Würfel",
            "Three dice: triples beat pairs.": "Drei Würfel: Pasche schlagen Paare.",
            "Triples beat pairs.": "Pasche schlagen Paare.",
            "triple": "Pasch",
            "pair": "Zwilling",
        }
    },
    examples=(
        Example("evaluate", "A pair", {"dice": [2, 2, 5]}),
        Example(
            "rank",
            "A triple wins",
            {"players": [{"id": "ann", "dice": [2, 2, 5]}, {"id": "ben", "dice": [1, 1, 1]}]},
        ),
        Example("advise", "One pair", {"dice": [2, 2, 5]}),
        Example("batch", "A pair and a triple", {"hands": [[2, 2, 5], [1, 1, 1]]}),
    ),
)
