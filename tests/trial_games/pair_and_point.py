"""A ranking with rolls that don't count, ranks that compare less than all, and one that moves."""

from __future__ import annotations

from dataclasses import dataclass

from service.kinds.ranking.hand_table import Numbers, Rank, TieBreak
from service.kinds.ranking.variant import Ranking
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, amount, switch
from service.rules.patterns import Alike, AnyDice, Run
from service.rules.variant import Example


@dataclass(frozen=True)
class PairAndPointRules(HouseRules):
    """The house rules of pair and point."""

    low_run_wins: bool = switch(clause="Q4", meaning="1-2-3 ranks just above 4-5-6.")
    starting_chips: int = amount(
        50, clause="Q5", meaning="Chips to start with.", minimum=1, maximum=100
    )


VARIANT = Ranking(
    id="pair-and-point",
    name="Pair and point",
    summary="Three dice: a pair and its point.",
    dice=Dice(count=3),
    rolls=1,
    players=(2, 9),
    house_rules=PairAndPointRules,
    clauses={
        "Q1": "4-5-6 beats triples, triples beat a pair, a pair beats 1-2-3.",
        "Q2": "Of two pairs the higher other die wins. All 4-5-6 are equal, and so are all 1-2-3.",
        "Q3": "Any other roll is rolled again.",
        "Q4": "Under low_run_wins 1-2-3 is the highest.",
        "Q5": "Whoever has all the chips wins.",
    },
    hand_size=3,
    ranks=(
        Rank("high_run", Run(3, start=4), "4-5-6", "Q1", compares=Numbers.NONE),
        Rank("triple", Alike((3,)), "three alike", "Q1", compares=Numbers.MAKING),
        Rank("pair", Alike((2,)), "two alike", "Q2", compares=Numbers.OTHERS),
        Rank(
            "low_run",
            Run(3, start=1),
            "1-2-3",
            "Q1",
            compares=Numbers.NONE,
            above=("low_run_wins", "high_run"),
        ),
        Rank("nothing", AnyDice(), "any dice", "Q3", counts=False, compares=Numbers.NONE),
    ),
    tie_breaks=(TieBreak("numbers", "The triple's number; the pair's other die.", "Q2"),),
    tied="equal hands tie (Q2).",
    examples=(
        Example("evaluate", "A pair and its point", {"dice": [2, 5, 2]}),
        Example(
            "rank",
            "The higher point wins",
            {"players": [{"id": "ann", "dice": [6, 6, 1]}, {"id": "ben", "dice": [2, 2, 3]}]},
        ),
        Example("advise", "A pair without a point", {"dice": [2, 2, 1]}),
        Example("batch", "One that doesn't count", {"hands": [[1, 1, 1], [1, 3, 6]]}),
    ),
)
