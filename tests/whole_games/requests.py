"""Requests for sessions at random: players, house rules, who rolls."""

from __future__ import annotations

from random import Random
from typing import Any

NAMES = ("ann", "Ben", "çelik", "d d", "eve", "fay")

HOUSE_RULES: dict[str, dict[str, list[Any]]] = {
    "dice-poker": {
        "extra_five_bonus": [0, 50, 100],
        "joker": [False, True],
        "five_alike_is_full_house": [False, True],
        "turn_seconds": [None, 1, 30],
    },
    "yahtzee-deluxe": {},
    "poker-dice": {
        "pairs_rank": [False, True],
        "starting_chips": [1, 5, 20, 60],
        "rounds": [1, 3, 10, 40],
    },
    "roll-a-royal": {
        "layout": ["connected", "unconnected", "either"],
        "max_uses": [2, 2, 3],
        "opening": ["jacks_or_better", "jacks_or_better", "jacks_or_better", "none"],
        "repeated_cards": [False, True],
        "turns": [1, 3, 5],
        "target_score": [None, None, 1500],
    },
    "texas-holdem-dice": {
        "ante": [0, 10, 10, 20],
        "small_limit": [10, 30],
        "big_limit": [20, 60],
        "max_raises": [0, 3, 6],
        "starting_chips": [10, 30, 50, 80],
        "reroll_checked_flop": [False, True],
        "yahtzee_flush_ends_game": [False, True],
    },
}
"""What house rules are drawn from: such that games end soon, and rare things happen."""

PLAYERS = {"texas-holdem-dice": (2, 6), "poker-dice": (2, 6), "roll-a-royal": (1, 3)}
"""The fewest and the most players, where it isn't from one to four."""


def request(rng: Random, variant: str) -> dict[str, Any]:
    """What creates a session of `variant`."""
    least, most = PLAYERS.get(variant, (1, 4))
    asked: dict[str, Any] = {
        "variant": variant,
        "players": rng.sample(NAMES, rng.randint(least, most)),
        "dice": rng.choice(["server", "client"]),
        "house_rules": {
            name: rng.choice(values)
            for name, values in HOUSE_RULES[variant].items()
            # a game of ten rounds or turns, or without an end, would take too long
            if rng.random() < 0.8 or name in ("rounds", "turns", "starting_chips")
        },
    }
    if rng.random() < 0.5:
        asked["seed"] = rng.choice(["luck", "", "1:2", "Glück 🎲"])
    return asked
