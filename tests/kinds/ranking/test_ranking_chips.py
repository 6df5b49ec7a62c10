"""Beat it or bust by its clauses: chips that run out, and the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.ranking.game import RankingGame
from service.rules.house_rules import HouseRules
from service.variants.poker_dice import VARIANT
from tests.kinds.ranking.ranking_table import (
    FIVE,
    FOUR,
    HOUSE,
    NOTHING,
    THREE,
    RankingTable,
    begins,
)
from tests.reasons import said


def poorer(**rules: Any) -> RankingTable:
    """The second round of three players: ann 104 and begins, ben 96, cat 100."""
    sitting = RankingTable("ann", "ben", "cat", **rules)
    sitting.antes(4, "cat")
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.roll("ben", NOTHING)
    assert sitting.table() == ("ante", "ann", 0, None, [104, 96, 100])
    return sitting


def most(sitting: RankingTable) -> int:
    """The most chips that the player whose turn it is can put in."""
    maximum: int = sitting.legal()[-1]["amount"]["maximum"]
    return maximum


def test_the_smallest_stack_limits_the_ante() -> None:
    """The ante is at most the smallest stack among the players with chips, so that everybody can
    meet it (P17).
    """
    sitting = poorer()
    assert most(sitting) == 96
    assert sitting.act("ann", "ante", amount=96) == []
    assert sitting.standings() == ["in", "to_decide", "to_decide"]


def test_the_smallest_stack_limits_a_raise() -> None:
    """A raise is at most the smallest stack among those who must meet it: who sits out doesn't
    count (P17).
    """
    sitting = poorer()
    sitting.antes(1)
    sitting.roll("ann", THREE)
    assert most(sitting) == 95
    sitting = poorer()
    sitting.antes(1, "ben")
    sitting.roll("ann", THREE)
    assert most(sitting) == 99
    sitting.act("ann", "raise", amount=99)
    assert sitting.table() == ("raises", "cat", 101, 99, [4, 96, 99])


def test_nothing_to_raise_with() -> None:
    """If one of those who must meet a raise has no chips left, there is none: the leader checks
    (P16, P17).
    """
    sitting = poorer()
    sitting.antes(96)
    sitting.roll("ann", THREE)
    assert sitting.table() == ("betting", "ann", 288, None, [8, 0, 4])
    assert sitting.legal() == [{"action": "check", "player": "ann"}]
    assert [move.forced for move in sitting.game.moves(sitting.state)] == [True]


def test_the_last_chips_meet_a_raise() -> None:
    """A raise of all that another has left can be met; with nothing left they roll, too (P17)."""
    sitting = poorer()
    sitting.antes(95)
    sitting.roll("ann", THREE)
    assert most(sitting) == 1
    sitting.act("ann", "raise", amount=1)
    sitting.act("ben", "meet")
    sitting.act("cat", "meet")
    assert sitting.table() == ("rolling", "ben", 288, None, [8, 0, 4])


OWN = {"stakes": "own_stack"}


def test_who_cannot_meet_the_ante_sits_out() -> None:
    """With own stacks as the limit, a player whose stack is below the ante sits out at once,
    unasked (P14, P16).
    """
    sitting = poorer(**OWN)
    assert most(sitting) == 104
    assert sitting.act("ann", "ante", amount=97) == [
        {
            "what": "sits_out",
            "player": "ben",
            "reason": "Can't meet the ante with 96 chips: coming in takes 97 (P14).",
        }
    ]
    assert sitting.standings() == ["in", "sat_out", "to_decide"]


def test_one_chip_is_told_as_one() -> None:
    """A reason names one chip in the singular (P14)."""
    sitting = RankingTable("ann", "ben", starting_chips=2, **OWN)
    sitting.antes(1)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.roll("ben", NOTHING)
    news = sitting.act("ann", "ante", amount=2)
    assert [entry["reason"] for entry in news] == [
        "Can't meet the ante with 1 chip: coming in takes 2 (P14).",
        "All others are out (P13).",
        "The winner of the pot begins the next round (P7).",
    ]


def test_why_each_is_out() -> None:
    """Everyone sees why each player is out of the round (P4, P13)."""
    sitting = RankingTable("ann", "ben", "cat", "dan", "eve", "fay")
    sitting.antes(1, "fay")
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.roll("ben", HOUSE)
    sitting.act("ben", "raise", amount=1)
    sitting.act("cat", "meet")
    sitting.act("dan", "fold")
    sitting.act("eve", "meet")
    sitting.roll("cat", NOTHING)
    assert [player["reason"] for player in sitting.view()["players"]] == [
        "A later player rolled a better hand (P4).",
        None,
        "Didn't roll a better hand than the best so far (P4).",
        "Has folded (P13).",
        None,
        "Didn't put in the ante (P1).",
    ]


def test_an_ante_that_nobody_can_meet() -> None:
    """When all others are out, the starter takes the pot without a roll (P13, P16)."""
    sitting = poorer(**OWN)
    news = sitting.act("ann", "ante", amount=101)
    assert [entry["what"] for entry in news] == ["sits_out", "sits_out", "collects", "round_begins"]
    assert news[2] == {
        "what": "collects",
        "player": "ann",
        "amount": 101,
        "reason": "All others are out (P13).",
    }
    assert sitting.table() == ("ante", "ann", 0, None, [104, 96, 100])


def test_who_cannot_meet_a_raise_folds() -> None:
    """With own stacks as the limit, those still to roll with fewer chips than a raise fold at once;
    others decide (P13, P16).
    """
    sitting = poorer(**OWN)
    sitting.antes(1)
    sitting.roll("ann", THREE)
    assert most(sitting) == 103
    assert sitting.act("ann", "raise", amount=96) == [
        {
            "what": "folds",
            "player": "ben",
            "reason": "Can't meet the raise with 95 chips: staying in takes 96 (P13).",
        }
    ]
    assert sitting.table() == ("raises", "cat", 99, 96, [7, 95, 99])
    assert sitting.standings() == ["in", "folded", "to_decide"]


def test_a_raise_that_nobody_can_meet() -> None:
    """When a raise puts everyone out, the pot is collected at once (P13)."""
    sitting = poorer(**OWN)
    sitting.antes(1)
    sitting.roll("ann", THREE)
    news = sitting.act("ann", "raise", amount=103)
    assert [entry["what"] for entry in news] == ["folds", "folds", "collects", "round_begins"]
    assert sitting.table() == ("ante", "ann", 0, None, [106, 95, 99])


@pytest.mark.parametrize("rules", [{}, OWN], ids=["smallest", "own"])
def test_without_chips_nothing_is_left_but_to_check(rules: dict[str, Any]) -> None:
    """A player who has put in the whole stack can't raise: a check is forced (P5)."""
    sitting = RankingTable("ann", "ben", starting_chips=1, **rules)
    sitting.antes(1)
    sitting.roll("ann", THREE)
    assert sitting.legal() == [{"action": "check", "player": "ann"}]
    assert [move.forced for move in sitting.game.moves(sitting.state)] == [True]


def test_out_of_chips_is_out_of_the_game() -> None:
    """A player without chips never acts again; the last player with chips wins (P14, P18)."""
    sitting = RankingTable("ann", "ben", "cat", starting_chips=1)
    sitting.antes(1, "cat")
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    out = {"what": "out_of_chips", "player": "ann"}
    reason = {"reason": "Has no chips left, and is out of the game (P14)."}
    assert sitting.roll("ben", HOUSE)[2:] == [{**out, **reason}, begins("ben", 2)]
    assert sitting.standings() == ["no_chips", "to_decide", "to_decide"]
    sitting.act("ben", "ante", amount=1)
    assert sitting.view()["to_act"] == ["cat"]
    sitting.act("cat", "meet")
    sitting.roll("ben", THREE)
    sitting.act("ben", "check")
    assert sitting.roll("cat", FIVE)[-1] == begins("cat", 3)
    sitting.antes(1)
    sitting.roll("cat", FIVE)
    sitting.act("cat", "check")
    assert sitting.roll("ben", FOUR)[-2:] == [
        {"what": "out_of_chips", "player": "ben", **reason},
        {"what": "game_over", "winners": ["cat"], "reason": "One player has all the chips (P18)."},
    ]
    assert (sitting.view()["over"], sitting.view()["winners"]) == (True, ("cat",))
    assert sitting.table() == ("over", None, 0, None, [0, 0, 3])
    assert sitting.legal() == []


def test_the_last_round() -> None:
    """After so many rounds as the house rule says, the highest stack wins; `round` and `starter`
    stay those of the last round, whose winner begins no other (P7, P18).
    """
    sitting = RankingTable("ann", "ben", rounds=1)
    sitting.antes(1)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    assert sitting.roll("ben", FOUR)[-1] == {
        "what": "game_over",
        "winners": ["ben"],
        "reason": "Round 1 was the last: the highest stack wins (P18).",
    }
    assert sitting.table() == ("over", None, 0, None, [99, 101])
    view = sitting.view()
    assert (view["winners"], view["round"], view["starter"]) == (("ben",), 1, "ann")


def test_ten_rounds() -> None:
    """By default a session lasts ten rounds, after which equal stacks share the win (P18)."""
    sitting = RankingTable("ann", "ben", "cat")
    for number in range(1, 11):
        assert sitting.view()["round"] == number
        news = sitting.antes(1, "ben", "cat")
    assert news[-1]["winners"] == ["ann", "ben", "cat"]
    assert (sitting.view()["over"], sitting.view()["rounds"]) == (True, 10)


def test_without_house_rules_there_are_defaults() -> None:
    """A variant without house rules of sessions plays for 100 chips, without end (P14)."""
    game = RankingGame(VARIANT, GameTable(("ann", "ben"), HouseRules()))
    state, _ = game.play(game.start(0), Action("ante", "ann", 0, {"amount": 100}))
    assert (state.stacks, game.view(state, None)["rounds"]) == ((0, 100), None)


def test_what_is_seen() -> None:
    """Everyone sees the whole table: why each player is out, and what the dice are."""
    sitting = RankingTable("ann", "ben", "cat", rounds=5)
    sitting.antes(2, "ben")
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.act("cat", "roll", HOUSE)
    expected = {
        "over": False,
        "winners": (),
        "news": (),
        "phase": "rolling",
        "round": 1,
        "rounds": 5,
        "starter": "ann",
        "to_act": ["cat"],
        "ante": 2,
        "price": None,
        "pot": 4,
        "players": [
            {"id": "ann", "stack": 98, "standing": "in", "reason": None},
            {
                "id": "ben",
                "stack": 100,
                "standing": "sat_out",
                "reason": "Didn't put in the ante (P1).",
            },
            {"id": "cat", "stack": 98, "standing": "in", "reason": None},
        ],
        "best": {"player": "ann", "dice": [4, 4, 4, 1, 2], "rank": "three_of_a_kind"},
        "turn": {
            "player": "cat",
            "dice": [5, 5, 3, 3, 3],
            "rolls_left": 2,
            "rank": "full_house",
            "beats": True,
            "reason": "Full house beats three of a kind (P3).",
        },
    }
    for viewer in (None, "ann", "cat"):
        view = said(sitting.game.view(sitting.state, viewer))
        assert view["turn"].pop("strength") > view["best"].pop("strength") > 0
        assert view == expected
