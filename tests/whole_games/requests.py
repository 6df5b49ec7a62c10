"""Requests for sessions at random: players, house rules, who rolls, for whom the service plays."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from service.advice.choosing import Strength
from service.engine.game import GameTable
from service.kinds.registry import game_of
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import Option, options
from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.variants import variants

NAMES = ("ann", "Ben", "çelik", "d d", "eve", "fay")

HOUSE_RULES: dict[str, dict[str, list[Any]]] = {
    "scorecard": {"extra_five_bonus": [0, 50, 100]},
    "ranking": {"starting_chips": [1, 5, 20, 60], "rounds": [1, 3, 10, 40]},
    "layout": {
        "layout": ["connected", "unconnected", "either"],
        "max_uses": [2, 2, 3],
        "opening": ["jacks_or_better", "jacks_or_better", "jacks_or_better", "none"],
        "turns": [1, 3, 5],
        "target_score": [None, None, 1500],
    },
    "community": {
        "ante": [0, 10, 10, 20],
        "small_limit": [10, 30],
        "big_limit": [20, 60],
        "max_raises": [0, 3, 6],
        "starting_chips": [10, 30, 50, 80],
        "total_chips": [None, None, 100, 330],
        "betting": ["limit", "pot_limit", "no_limit"],
        "bet_size": ["up_to", "fixed"],
        "small_blind": [0, 10],
        "big_blind": [0, 20],
        "hands": [None, 1, 6],
        "blinds_up": [None, 1, 3],
        "flop_rerolls": [None, 0, 1],
        "yahtzee_flush": ["at_once", "showdown", "off"],
    },
}
"""What house rules are drawn from, by kind: such that games end soon, and rare things happen."""

TURN_SECONDS = [None, 1, 30]
"""What the clock of any game is drawn from."""

GAMES = {"scorecard": 250, "ranking": 750, "layout": 600, "community": 150}
"""How many games of each kind are played. The game of a number is always the same."""

ACTIONS = 60_000
"""About how many actions are played of each variant: of long games, fewer are played."""

PLAYERS = {"community": (2, 6), "ranking": (2, 6), "layout": (1, 3), "scorecard": (1, 4)}
"""The fewest and the most players of each kind, where the game allows as many."""


STARTING_CHIPS = "starting_chips"
"""The house rule without which games for chips are long."""

CHIPS = {"ranking", "community"}
"""The kinds that are played for chips."""

COMPUTERS = 0.25
"""How often there are computers."""


def number_of_games(most: int, actions: int, lengths: Sequence[int]) -> int:
    """How many games to play, after those with `lengths`: `most`, or as many as take `actions`.

    The lengths are numbers of actions; the games with them are counted.
    """
    each = sum(lengths) / len(lengths)
    return max(len(lengths), min(most, round(actions / each)))


def _values(kind: str, option: Option) -> list[Any]:
    """What a house rule is drawn from: any of its values if there are few, or the default."""
    if option.type == "boolean":
        return [False, True]
    if option.name == "turn_seconds":
        return TURN_SECONDS
    usual = option.choices or (option.default,)
    return HOUSE_RULES[kind].get(option.name, [*usual])


def _agreed(rng: Random, variant: Variant, players: tuple[str, ...]) -> dict[str, Any]:
    """House rules that a game can be played by: those that contradict each other are drawn anew."""
    while True:
        drawn = {
            option.name: rng.choice(_values(variant.kind, option))
            for option in options(variant.house_rules)
            # a game of ten rounds or turns, or without an end, would take too long
            if rng.random() < 0.8 or option.name in ("rounds", "turns", STARTING_CHIPS)
        }
        try:
            game_of(variant, GameTable(players, variant.house_rules(**drawn)))
        except InvalidInput:
            continue
        return drawn


def request(rng: Random, variant: str) -> dict[str, Any]:
    """What creates a session of `variant`."""
    found = variants()[variant]
    least, most = PLAYERS[found.kind]
    fewest, limit = found.players
    least, most = max(least, fewest), min(most, limit or most)
    if found.kind in CHIPS and STARTING_CHIPS not in found.rule_names:
        most = least  # nothing shortens these games
    players = rng.sample(NAMES, rng.randint(least, most))
    asked: dict[str, Any] = {
        "variant": variant,
        "players": players,
        "dice": rng.choice(["server", "client"]),
        "house_rules": _agreed(rng, found, tuple(players)),
    }
    if rng.random() < 0.5:
        asked["seed"] = rng.choice(["luck", "", "1:2", "Glück 🎲"])
    if rng.random() < COMPUTERS:
        some = rng.sample(players, rng.randint(1, len(players)))
        asked["computers"] = {each: rng.choice([*Strength]) for each in some}
        if isinstance(found, ScoreCard):  # with few open boxes, they need no table
            asked["cards"] = {each: _nearly_full(rng, found) for each in players}
    return asked


def _nearly_full(rng: Random, card: ScoreCard) -> dict[str, int | None]:
    """A card with two open boxes."""
    left = rng.sample(card.boxes, 2)
    return {box.id: None if box in left else 0 for box in card.boxes}
