"""Beat it or bust by its clauses: chips that run out, and the end of the game."""

from __future__ import annotations

from service.engine.game import Action, GameTable
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


def poorer() -> RankingTable:
    """The second round of three players: ann 104 and begins, ben 96, cat 100."""
    sitting = RankingTable("ann", "ben", "cat")
    sitting.act("ann", "ante", amount=4)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.act("ben", "meet")
    sitting.roll("ben", NOTHING)
    sitting.act("cat", "sit_out")
    assert sitting.table() == ("ante", "ann", 0, None, [104, 96, 100])
    return sitting


def test_who_cannot_meet_the_ante_sits_out() -> None:
    """A player whose stack is below the ante sits out automatically (P14)."""
    sitting = poorer()
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
    sitting = RankingTable("ann", "ben", starting_chips=2)
    sitting.act("ann", "ante", amount=1)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.act("ben", "meet")
    sitting.roll("ben", NOTHING)
    news = sitting.act("ann", "ante", amount=2)
    assert [entry["reason"] for entry in news] == [
        "Can't meet the ante with 1 chip: coming in takes 2 (P14).",
        "All others are out (P13).",
        "The winner of the pot begins the next round (P7).",
    ]


def test_why_each_is_out() -> None:
    """Everyone sees why each player is out of the round (P4, P13)."""
    sitting = RankingTable("ann", "ben", "cat", "dan", "eve")
    sitting.act("ann", "ante", amount=1)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.act("ben", "meet")
    sitting.roll("ben", HOUSE)
    sitting.act("ben", "raise", amount=1)
    sitting.act("cat", "meet")
    sitting.roll("cat", NOTHING)
    sitting.act("dan", "fold")
    assert [player["reason"] for player in sitting.view()["players"]] == [
        "A later player rolled a better hand (P4).",
        None,
        "Didn't roll a better hand than the best so far (P4).",
        "Didn't meet the raise (P13).",
        None,
    ]


def test_an_ante_that_nobody_meets() -> None:
    """When all others are out, the starter takes the pot without a roll (P13, P16)."""
    sitting = poorer()
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
    """Those still to roll with fewer chips than the price fold at once; others decide (P13)."""
    sitting = poorer()
    sitting.act("ann", "ante", amount=1)
    sitting.roll("ann", THREE)
    assert sitting.act("ann", "raise", amount=96) == [
        {
            "what": "folds",
            "player": "ben",
            "reason": "Can't meet the raise with 96 chips: coming in takes 97 (P13).",
        }
    ]
    assert sitting.table() == ("join", "cat", 97, 97, [7, 96, 100])
    assert sitting.standings() == ["in", "folded", "to_decide"]


def test_a_raise_that_nobody_meets() -> None:
    """When a raise puts everyone out, the pot is collected at once (P13)."""
    sitting = poorer()
    sitting.act("ann", "ante", amount=1)
    sitting.roll("ann", THREE)
    news = sitting.act("ann", "raise", amount=103)
    assert [entry["what"] for entry in news] == ["folds", "folds", "collects", "round_begins"]
    assert sitting.table() == ("ante", "ann", 0, None, [104, 96, 100])


def test_without_chips_nothing_is_left_but_to_check() -> None:
    """A player who has put in the whole stack can't raise: a check is forced (P5)."""
    sitting = RankingTable("ann", "ben", starting_chips=1)
    sitting.act("ann", "ante", amount=1)
    sitting.roll("ann", THREE)
    assert sitting.legal() == [{"action": "check", "player": "ann"}]
    assert [move.forced for move in sitting.game.moves(sitting.state)] == [True]


def test_out_of_chips_is_out_of_the_game() -> None:
    """A player without chips never acts again; the last player with chips wins (P7, P14)."""
    sitting = RankingTable("ann", "ben", "cat", starting_chips=1)
    sitting.act("ann", "ante", amount=1)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.act("ben", "meet")
    sitting.roll("ben", HOUSE)
    sitting.act("ben", "check")
    out = {"what": "out_of_chips", "player": "ann"}
    reason = {"reason": "Has no chips left, and is out of the game (P14)."}
    assert sitting.act("cat", "sit_out")[1:] == [{**out, **reason}, begins("ben", 2)]
    assert sitting.standings() == ["no_chips", "to_decide", "to_decide"]
    sitting.act("ben", "ante", amount=1)
    sitting.roll("ben", THREE)
    sitting.act("ben", "check")
    assert sitting.view()["to_act"] == ["cat"]
    sitting.act("cat", "meet")
    assert sitting.roll("cat", FIVE)[-1] == begins("cat", 3)
    sitting.act("cat", "ante", amount=1)
    sitting.roll("cat", FIVE)
    sitting.act("cat", "check")
    sitting.act("ben", "meet")
    assert sitting.roll("ben", FOUR)[-2:] == [
        {"what": "out_of_chips", "player": "ben", **reason},
        {"what": "game_over", "winners": ["cat"], "reason": "One player has all the chips (P14)."},
    ]
    assert (sitting.view()["over"], sitting.view()["winners"]) == (True, ("cat",))
    assert sitting.table() == ("over", None, 0, None, [0, 0, 3])
    assert sitting.legal() == []


def test_the_last_round() -> None:
    """After so many rounds as the house rule says, the highest stack wins (P7)."""
    sitting = RankingTable("ann", "ben", rounds=1)
    sitting.act("ann", "ante", amount=1)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.act("ben", "meet")
    assert sitting.roll("ben", FOUR)[-1] == {
        "what": "game_over",
        "winners": ["ben"],
        "reason": "Round 1 was the last: the highest stack wins (P7).",
    }
    assert sitting.table() == ("over", None, 0, None, [99, 101])


def test_equal_stacks_share_the_win() -> None:
    """If nobody joined the last round, the players with the highest stack win together (P7)."""
    sitting = RankingTable("ann", "ben", "cat", rounds=1)
    sitting.act("ann", "ante", amount=1)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.act("ben", "sit_out")
    assert sitting.act("cat", "sit_out")[-1]["winners"] == ["ann", "ben", "cat"]
    assert sitting.view()["winners"] == ("ann", "ben", "cat")


def test_without_house_rules_there_are_defaults() -> None:
    """A variant without house rules of sessions plays for 100 chips, without end (P14)."""
    game = RankingGame(VARIANT, GameTable(("ann", "ben"), HouseRules()))
    state, _ = game.play(game.start(0), Action("ante", "ann", 0, {"amount": 100}))
    assert (state.stacks, game.view(state, None)["rounds"]) == ((0, 100), None)


def test_steps_cite_clauses() -> None:
    """Every step of the game is set by a clause of the variant."""
    assert set(VARIANT.steps.values()) <= set(VARIANT.clauses)


def test_what_is_seen() -> None:
    """Everyone sees the whole table: why each player is out, and what the dice are."""
    sitting = RankingTable("ann", "ben", "cat", rounds=5)
    sitting.act("ann", "ante", amount=2)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.act("ben", "sit_out")
    sitting.act("cat", "meet")
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
        "price": 2,
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


def test_the_starter_of_the_last_round() -> None:
    """Once the game is over, `round` and `starter` are those of the last round: its winner begins
    no other (P7).
    """
    sitting = RankingTable("ann", "ben", rounds=1)
    sitting.act("ann", "ante", amount=1)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.act("ben", "meet")
    sitting.roll("ben", FOUR)
    view = sitting.view()
    assert (view["over"], view["winners"], view["round"], view["starter"]) == (
        True,
        ("ben",),
        1,
        "ann",
    )
