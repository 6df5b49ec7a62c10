"""The reasons of each game as data: whole entries of the news, and places."""

from __future__ import annotations

from typing import Any

import pytest

from service.api.sessions.answers import move_json
from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.registry import game_of
from service.rules.house_rules import read_rules
from service.variants import variants

SPADES = ["As", "Ks", "Qs", "Js", "Ts", "9s", "8s", "7s", "6s", "5s", "4s", "3s", "2s"]
JACKS = ["Jh", "Jd", "Jc", *["--"] * 10]
BLANKS = ["--"] * 10


def news_of(variant: str, rules: dict[str, Any], *script: str) -> list[Any]:
    """What follows from each action of a game of ann and ben: `ann roll 1 2 3`, `ben bet amount=1`.

    Of each entry there is what happened and why.
    """
    found = variants()[variant]
    table = GameTable(("ann", "ben"), read_rules(found.house_rules, rules), typed_dice=True)
    game = game_of(found, table)
    state = game.start(0)
    told: list[Any] = []
    for line in script:
        player, name, *rest = line.split()
        values: dict[str, Any] = {}
        for key, value in (part.split("=") for part in rest if "=" in part):
            values[key] = int(value) if value.isdigit() else value
        dice = [int(die) if die.isdigit() else die for die in rest if "=" not in die]
        (move,) = [
            move_json(move, typed_dice=True)
            for move in game.moves(state)
            if (move.action, move.player) == (name, player)
        ]
        state, _ = game.play(
            state, Action(name, player, 0, values, dice if "dice" in move else None)
        )
        told += [(entry["what"], entry["because"]) for entry in state.news]
    return told


@pytest.mark.parametrize(
    ("variant", "rules", "script", "reasons"),
    [
        (
            "dice-poker",
            {"turn_seconds": None},
            ["ann roll 3 3 3 5 6", "ann score box=three_of_a_kind", "ben roll 1 2 3 3 3",
             "ben cross_out box=ones"],
            [
                ("written", {
                    "decided_by": "scored", "dice": "3 3 3 5 6", "box": "three_of_a_kind",
                    "score": 20, "clause": "D4",
                }),
                ("crossed_out", {
                    "decided_by": "crossed_out", "player": "ben", "box": "ones", "clause": "D12",
                }),
            ],
        ),
        (
            "yahtzee-deluxe",
            {},
            ["ann throw 1 1 1 1 1 1", "ben throw 1 1 1 1 1 1", "ann throw 1 1 1 1 1 2",
             "ben throw 1 1 1 1 1 1", "ann roll 1 1 2 2 3 3", "ann score box=twos"],
            [
                ("throw_again", {
                    "decided_by": "equal_throws", "players": ["ann", "ben"], "thrown": 6,
                    "clause": "Y2",
                }),
                ("begins", {
                    "decided_by": "highest_throw", "player": "ann", "thrown": 7, "clause": "Y2",
                }),
                ("written", {
                    "decided_by": "scored", "dice": "1 1 2 2 3 3", "box": "twos", "score": 4,
                    "clause": "Y4",
                }),
            ],
        ),
        (
            "poker-dice",
            {"starting_chips": 3},
            ["ann ante amount=2", "ben meet", "ann roll 4 4 4 1 2", "ann stop",
             "ann raise amount=1", "ben meet", "ben roll 1 2 3 4 5", "ben stop"],
            [
                ("put_out", {
                    "decided_by": "rank", "better": "straight", "worse": "three_of_a_kind",
                    "clause": "P3",
                }),
                ("collects", {"decided_by": "last_rolled_highest", "clause": "P6"}),
                ("out_of_chips", {"decided_by": "out_of_chips", "clause": "P14"}),
                ("game_over", {"decided_by": "all_chips", "clause": "P18"}),
            ],
        ),
        (
            "poker-dice",
            {"starting_chips": 3, "rounds": 1},
            ["ann ante amount=1", "ben meet", "ann roll 4 4 4 2 1", "ann stop", "ann check",
             "ben roll 6 5 4 2 1", "ben stop"],
            [
                ("busts", {
                    "decided_by": "lower_rank", "worse": "no_combination",
                    "better": "three_of_a_kind", "clause": "P4",
                }),
                ("collects", {"decided_by": "highest_hand", "clause": "P6"}),
                ("game_over", {"decided_by": "last_round", "round": 1, "clause": "P18"}),
            ],
        ),
        (
            "texas-holdem-dice",
            {},
            ["ben roll_pocket 1r 2r", "ann roll_pocket 3r 4r", "ben fold"],
            [
                ("won_without_showing", {
                    "decided_by": "without_showing", "player": "ann", "clause": "H15",
                }),
            ],
        ),
        (
            "texas-holdem-dice",
            {"starting_chips": 10},
            ["ben roll_pocket 6r 6b", "ann roll_pocket 3r 4r", "ann roll_flop 6w 2b 2w",
             "ann roll_turn 1b", "ann roll_river 4b"],
            [
                ("no_more_betting", {"decided_by": "no_more_betting", "clause": "H26"}),
                ("showdown", {
                    "decided_by": "showdown", "winners": ["ben"], "by": "rank",
                    "better": "full_house", "worse": "two_pair", "clause": "H4",
                }),
                ("out_of_chips", {"decided_by": "player_out", "player": "ann", "clause": "H16"}),
                ("game_over", {"decided_by": "last_left", "player": "ben", "clause": "H16"}),
            ],
        ),
        (
            "roll-a-royal",
            {"turns": 1},
            ["ann throw 1", "ben throw 0", f"ann roll {' '.join(['2s', '2h', *['--'] * 11])}",
             f"ben roll {' '.join(JACKS)}", f"ben roll {' '.join(BLANKS)}",
             f"ben roll {' '.join(BLANKS)}", "ben lay", "ben risk 2"],
            [
                ("begins", {
                    "decided_by": "highest_throw", "player": "ann", "thrown": 1, "clause": "R2",
                }),
                ("passed", {"decided_by": "not_opened", "clause": "R31"}),
                ("laid", {"decided_by": "laid_best", "points": 100, "clause": "R32"}),
                ("risked", {
                    "decided_by": "risk", "risk": 2, "points": 100, "score": 200, "clause": "R10",
                }),
                ("game_over", {
                    "decided_by": "turns_played", "turns": 1, "total": 200, "clause": "R5",
                }),
            ],
        ),
        (
            "roll-a-royal",
            {},
            ["ann throw 1", "ben throw 0", f"ann roll {' '.join(SPADES)}"],
            [
                ("begins", {
                    "decided_by": "highest_throw", "player": "ann", "thrown": 1, "clause": "R2",
                }),
                ("super_royal", {"decided_by": "one_suit", "clause": "R9"}),
                ("game_over", {"decided_by": "super_royal", "clause": "R9"}),
            ],
        ),
    ],
)  # fmt: skip
def test_the_news(
    variant: str, rules: dict[str, Any], script: list[str], reasons: list[Any]
) -> None:
    """Each entry of the news says by its code and values why it is so."""
    assert news_of(variant, rules, *script) == reasons
