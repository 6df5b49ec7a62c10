"""A small game with pocket and community dice, without house rules and steps."""

from __future__ import annotations

from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.hand_table import Compared, Rank, TieBreak
from service.rules.dice import Dice, Suit
from service.rules.house_rules import HouseRules
from service.rules.patterns import Alike, AnyDice
from service.rules.variant import Example

VARIANT = CommunityRanking(
    id="small",
    name="Small",
    summary="One die in the pocket, two for all.",
    dice=Dice(count=8, suits=(Suit("r", "red"), Suit("b", "black"))),
    rolls=1,
    players=(2, 4),
    house_rules=HouseRules,
    clauses={"S1": "Pairs win."},
    hand_size=3,
    ranks=(Rank("pair", Alike((2,)), "two alike", "S1"), Rank("any", AnyDice(), "any", "S1")),
    tie_breaks=(
        TieBreak("numbers", "Higher.", "S1"),
        TieBreak("most_of_one_suit", "More.", "S1", Compared.SUITS),
    ),
    tied="equal hands split the pot (S1).",
    pocket=1,
    stages=(0, 1, 2),
    supply="S1",
    unknown_pocket="S1",
    too_few="S1",
    chip=5,
    examples=(
        Example("evaluate", "A pair", {"pocket": ["2r"], "community": ["2b", "5r"]}),
        Example(
            "rank",
            "A pair wins",
            {
                "community": ["2b", "5r"],
                "players": [{"id": "ann", "pocket": ["2r"]}, {"id": "ben", "pocket": ["6b"]}],
            },
        ),
        Example("advise", "Two opponents", {"pocket": ["2r"], "opponents": 2}),
        Example("batch", "A pair and nothing", {"hands": ["2r2b5r", ["1r", "3b", "6b"]]}),
    ),
)
