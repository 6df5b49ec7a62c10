"""A ranking of so many dice that it has neither advice nor forecasts."""

from __future__ import annotations

from dataclasses import replace

from service.rules.dice import Dice
from service.rules.variant import Example
from tests.trial_games import seven_dice

DICE = [2, 2, 5, 1, 3, 4, 6]

VARIANT = replace(
    seven_dice.VARIANT,
    id="many-dice",
    name="Many dice",
    dice=Dice(count=14),
    hand_size=14,
    examples=(
        Example("evaluate", "Pairs", {"dice": DICE * 2}),
        Example(
            "rank",
            "The higher dice win",
            {"players": [{"id": "ann", "dice": [5] * 14}, {"id": "ben", "dice": [6] * 14}]},
        ),
        Example("batch", "One hand", {"hands": [DICE * 2]}),
    ),
)
