"""Beat it or bust by its clauses, with dice typed in."""

from __future__ import annotations

import pytest

from tests.kinds.ranking.ranking_table import (
    FOUR,
    HOUSE,
    NOTHING,
    SMALL_STRAIGHT,
    STRAIGHT,
    THREE,
    RankingTable,
    begins,
)

DICE = {
    "type": "array",
    "items": {"type": "integer", "minimum": 1, "maximum": 6},
    "minItems": 5,
    "maxItems": 5,
}


def test_the_round_in_the_rules() -> None:
    """Four players, ante 2 and a raise of 1: the round described in the rules, step by step."""
    sitting = RankingTable("one", "two", "three", "four")
    assert sitting.table() == ("ante", "one", 0, None, [100, 100, 100, 100])
    assert sitting.act("one", "ante", amount=2) == []
    assert sitting.table() == ("antes", "two", 2, 2, [98, 100, 100, 100])
    for player, following in (("two", "three"), ("three", "four")):
        assert sitting.act(player, "meet") == []
        assert sitting.table()[:2] == ("antes", following)
    assert sitting.standings() == ["in", "in", "in", "to_decide"]
    assert sitting.act("four", "meet") == []
    assert sitting.table() == ("rolling", "one", 8, None, [98, 98, 98, 98])
    assert sitting.roll("one", THREE) == []
    assert sitting.table() == ("betting", "one", 8, None, [98, 98, 98, 98])
    assert sitting.act("one", "check") == []
    assert sitting.table() == ("rolling", "two", 8, None, [98, 98, 98, 98])
    assert sitting.roll("two", HOUSE) == [
        {"what": "put_out", "player": "one", "reason": "Full house beats three of a kind (P3)."}
    ]
    assert sitting.standings() == ["beaten", "in", "in", "in"]
    assert sitting.act("two", "raise", amount=1) == []
    assert sitting.table() == ("raises", "three", 9, 1, [98, 97, 98, 98])
    assert sitting.standings() == ["beaten", "in", "to_decide", "to_decide"]
    assert sitting.act("three", "meet") == []
    assert sitting.table() == ("raises", "four", 10, 1, [98, 97, 97, 98])
    assert sitting.act("four", "meet") == []
    assert sitting.table() == ("rolling", "three", 11, None, [98, 97, 97, 97])
    assert sitting.standings() == ["beaten", "in", "in", "in"]
    assert sitting.roll("three", STRAIGHT) == [
        {
            "what": "busts",
            "player": "three",
            "dice": [1, 2, 3, 4, 5],
            "rank": "straight",
            "strength": 185,
            "reason": "Not enough: straight against full house (P4).",
        }
    ]
    assert sitting.standings() == ["beaten", "in", "bust", "in"]
    assert sitting.table() == ("rolling", "four", 11, None, [98, 97, 97, 97])
    assert sitting.roll("four", FOUR) == [
        {"what": "put_out", "player": "two", "reason": "Four of a kind beats full house (P3)."},
        {
            "what": "collects",
            "player": "four",
            "amount": 11,
            "dice": [2, 2, 2, 2, 1],
            "rank": "four_of_a_kind",
            "strength": 222,
            "reason": "The last player rolled the highest hand (P6).",
        },
        begins("four", 2),
    ]
    assert sitting.table() == ("ante", "four", 0, None, [98, 97, 97, 108])
    assert sitting.standings() == ["to_decide"] * 4


def test_if_all_others_sit_out() -> None:
    """Had the other three sat out in that round, the first would have had the own 2 back, without a
    roll (P13, P16).
    """
    sitting = RankingTable("one", "two", "three", "four")
    collects = {
        "what": "collects",
        "player": "one",
        "amount": 2,
        "reason": "All others are out (P13).",
    }
    assert sitting.antes(2, "two", "three", "four") == [collects, begins("one", 2)]
    assert sitting.table() == ("ante", "one", 0, None, [100, 100, 100, 100])


def test_first_roll_is_forced_and_third_is_the_last() -> None:
    """A player rolls all dice, then up to twice more, keeping any, or stops (P2)."""
    sitting = RankingTable("ann", "ben")
    sitting.antes(1)
    assert sitting.legal() == [{"action": "roll", "player": "ann", "dice": DICE}]
    assert [move.forced for move in sitting.game.moves(sitting.state)] == [True]
    keep = {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 4},
        "maxItems": 4,
        "uniqueItems": True,
        "default": [],
    }
    again = [
        {"action": "roll", "player": "ann", "keep": keep, "dice": DICE},
        {"action": "stop", "player": "ann"},
    ]
    for dice, kept in (((6, 6, 1, 2, 3), {}), ((6, 6, 1, 2, 6), {"keep": [1, 0]})):
        sitting.act("ann", "roll", dice, **kept)
        assert sitting.legal() == again
    sitting.act("ann", "roll", (6, 6, 4, 4, 6), keep=[0, 1, 4])
    assert sitting.table() == ("betting", "ann", 2, None, [99, 99])
    assert sitting.view()["best"] == {
        "player": "ann",
        "dice": [6, 6, 4, 4, 6],
        "rank": "full_house",
        "strength": 215,
    }


def test_kept_dice_may_be_rolled_after_all() -> None:
    """Dice kept for the second roll may be rolled for the third (P2)."""
    sitting = RankingTable("ann", "ben")
    sitting.antes(1)
    sitting.act("ann", "roll", NOTHING)
    sitting.act("ann", "roll", (6, 6, 1, 1, 1), keep=[0, 1])
    sitting.act("ann", "roll", (2, 3, 1, 1, 1), keep=[2, 3, 4])
    assert sitting.view()["best"]["dice"] == [2, 3, 1, 1, 1]


@pytest.mark.parametrize(
    ("dice", "reason"),
    [
        (SMALL_STRAIGHT, "Not enough: small straight against full house (P4)."),
        ((3, 3, 3, 5, 5), "An equal hand is not a better one (P10)."),
        ((5, 5, 2, 2, 2), "Same rank, full house: the three decides, 3 over 2 (P10)."),
    ],
)
def test_who_does_not_roll_better_busts(dice: tuple[int, ...], reason: str) -> None:
    """A later player busts with a lower rank, lower dice, or an equal hand (P4, P10)."""
    sitting = RankingTable("ann", "ben", "cat")
    sitting.antes(1)
    sitting.roll("ann", HOUSE)
    sitting.act("ann", "check")
    sitting.act("ben", "roll", dice)
    turn = sitting.view()["turn"]
    assert (turn["beats"], turn["reason"], turn["rolls_left"]) == (False, reason, 2)
    (news,) = sitting.act("ben", "stop")
    assert (news["what"], news["player"], news["reason"]) == ("busts", "ben", reason)
    assert sitting.table() == ("rolling", "cat", 3, None, [99, 99, 99])
    assert sitting.standings() == ["in", "bust", "in"]


def test_third_roll_busts_by_itself() -> None:
    """After the last roll there is nothing to decide: the hand stands, and busts (P2, P4)."""
    sitting = RankingTable("ann", "ben", "cat")
    sitting.antes(1)
    sitting.roll("ann", HOUSE)
    sitting.act("ann", "check")
    for _ in range(2):
        assert sitting.act("ben", "roll", NOTHING) == []
    assert [news["what"] for news in sitting.act("ben", "roll", STRAIGHT)] == ["busts"]


def test_sit_out_the_ante_and_fold_to_a_raise() -> None:
    """A player who won't pay sits out the ante, or folds to a raise, before the next roll; who has
    folded never rolls (P1, P13, P16).
    """
    sitting = RankingTable("ann", "ben", "cat", "dan")
    sitting.act("ann", "ante", amount=1)
    assert [move["action"] for move in sitting.legal()] == ["meet", "sit_out"]
    assert sitting.act("ben", "sit_out") == []
    sitting.act("cat", "meet")
    sitting.act("dan", "meet")
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.roll("cat", HOUSE)
    sitting.act("cat", "raise", amount=1)
    assert [move["action"] for move in sitting.legal()] == ["meet", "fold"]
    assert sitting.act("dan", "fold") == [
        {
            "what": "collects",
            "player": "cat",
            "amount": 4,
            "dice": [5, 5, 3, 3, 3],
            "rank": "full_house",
            "strength": 200,
            "reason": "All others are out (P13).",
        },
        begins("cat", 2),
    ]


def test_each_leader_may_raise() -> None:
    """A raise costs those who have yet to roll just itself: what they met before is paid (P16)."""
    sitting = RankingTable("ann", "ben", "cat")
    sitting.antes(2)
    sitting.roll("ann", THREE)
    sitting.act("ann", "raise", amount=3)
    sitting.act("ben", "meet")
    sitting.act("cat", "meet")
    assert sitting.table() == ("rolling", "ben", 15, None, [95, 95, 95])
    sitting.roll("ben", HOUSE)
    sitting.act("ben", "raise", amount=5)
    assert sitting.table() == ("raises", "cat", 20, 5, [95, 90, 95])
    sitting.act("cat", "meet")
    assert sitting.table() == ("rolling", "cat", 25, None, [95, 90, 90])


def test_highest_hand_takes_the_pot_when_the_last_player_busts() -> None:
    """With nobody left to roll the best hand so far is the highest (P6), and begins next (P7)."""
    sitting = RankingTable("ann", "ben")
    sitting.antes(4)
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    busts, collects, next_round = sitting.roll("ben", NOTHING)
    assert busts["what"] == "busts"
    assert (collects["player"], collects["amount"]) == ("ann", 8)
    assert collects["reason"] == "The highest hand takes the pot (P6)."
    assert next_round == begins("ann", 2)
    assert sitting.table() == ("ante", "ann", 0, None, [104, 96])
