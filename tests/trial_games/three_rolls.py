"""A ranking without house rules whose games are long: three dice, up to three rolls a turn."""

from __future__ import annotations

from dataclasses import replace

from service.kinds.ranking.hand_table import Rank
from service.rules.patterns import Alike, AnyDice, Run
from service.rules.variant import Example
from tests.trial_games import three_dice

VARIANT = replace(
    three_dice.VARIANT,
    id="three-rolls",
    name="Three rolls",
    summary="Three dice, rolled up to three times: triples beat sequences.",
    rolls=3,
    clauses={"T1": "Triples beat sequences.", "T2": "Higher numbers win."},
    ranks=(
        Rank("triple", Alike((3,)), "three alike", "T1"),
        Rank("sequence", Run(3), "three in sequence", "T1"),
        Rank("nothing", AnyDice(), "any dice", "T1"),
    ),
    texts={},
    examples=(
        Example("evaluate", "A sequence", {"dice": [2, 4, 3]}),
        Example(
            "rank",
            "A triple wins",
            {"players": [{"id": "ann", "dice": [2, 3, 4]}, {"id": "ben", "dice": [1, 1, 1]}]},
        ),
        Example("advise", "Two of a sequence", {"dice": [2, 4, 6], "limit": 2}),
        Example("batch", "A sequence and a triple", {"hands": [[2, 3, 4], [1, 1, 1]]}),
    ),
)
