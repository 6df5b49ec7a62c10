"""Beat it or bust: the clock (G1), and players who leave (G2)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.violations import InvalidInput
from tests.engine.clocked import timed_out
from tests.kinds.ranking.ranking_table import FOUR, HOUSE, NOTHING, THREE, RankingTable, begins
from tests.problems import breach
from tests.reasons import said

NAMES = ("ann", "ben", "cat")


def late(player: str) -> dict[str, str]:
    """The news that the time of a player is up."""
    return {"what": "time_up", "player": player, "reason": f"{player}'s time is up (G1)."}


def left(player: str) -> dict[str, str]:
    """The news that a player left."""
    return {"what": "left", "player": player, "reason": f"{player} has left the game (G2)."}


def collects(player: str, amount: int) -> dict[str, Any]:
    """The news of a pot that the only player in the round takes without a hand."""
    reason = "All others are out (P13)."
    return {"what": "collects", "player": player, "amount": amount, "reason": reason}


def timed(*players: str) -> RankingTable:
    """A table with a clock."""
    return RankingTable(*players, turn_seconds=30)


def runs_out(sitting: RankingTable) -> list[dict[str, Any]]:
    """The clock runs out; what followed."""
    sitting.state = timed_out(sitting.game, sitting.state)
    return [said(entry) for entry in sitting.state.news]


def test_what_the_clock_decides() -> None:
    """The ante is the smallest, and not met; dice stop; a leader checks; a raise is a fold (G1)."""
    sitting = timed(*NAMES)
    assert runs_out(sitting) == [late("ann")]
    assert sitting.table() == ("antes", "ben", 1, 1, [99, 100, 100])
    assert runs_out(sitting) == [late("ben")]
    assert sitting.standings() == ["in", "sat_out", "to_decide"]
    sitting.act("cat", "meet")
    sitting.act("ann", "roll", THREE)
    assert runs_out(sitting) == [late("ann")]
    assert sitting.table() == ("betting", "ann", 2, None, [99, 100, 99])
    assert runs_out(sitting) == [late("ann")]
    assert sitting.table() == ("rolling", "cat", 2, None, [99, 100, 99])
    sitting = timed("ann", "ben")
    sitting.antes(1)
    sitting.roll("ann", THREE)
    sitting.act("ann", "raise", amount=5)
    hand = {"dice": [4, 4, 4, 1, 2], "rank": "three_of_a_kind", "strength": 141}
    assert runs_out(sitting) == [late("ben"), {**collects("ann", 7), **hand}, begins("ann", 2)]


def test_typed_dice_that_nobody_rolled() -> None:
    """Who hasn't rolled real dice in time folds (G1)."""
    sitting = timed(*NAMES)
    sitting.antes(1)
    folds = {"what": "folds", "player": "ann", "reason": "Gives up the hand (G1)."}
    assert runs_out(sitting) == [late("ann"), folds]
    assert sitting.table() == ("rolling", "ben", 3, None, [99, 99, 99])
    assert sitting.standings() == ["folded", "in", "in"]


def test_each_decision_has_its_time() -> None:
    """The clock starts again with each decision, and runs on if somebody else leaves (G1)."""
    sitting = timed(*NAMES)
    assert sitting.state.deadline == 30_000
    sitting.at = 1_000
    sitting.act("ann", "ante", amount=1)
    assert sitting.state.deadline == 31_000
    sitting.at = 2_000
    sitting.act("cat", "leave")
    assert sitting.state.deadline == 31_000
    sitting.at = 3_000
    sitting.act("ben", "meet")
    assert sitting.state.deadline == 33_000
    sitting.at = 4_000
    sitting.act("ann", "roll", THREE)
    assert sitting.state.deadline == 34_000


def test_a_leader_who_leaves() -> None:
    """The hand of a leader who leaves is withdrawn: the next player goes on as if first, for a pot
    with all that was put in (G2).
    """
    sitting = RankingTable(*NAMES)
    sitting.antes(2)
    sitting.roll("ann", FOUR)
    sitting.act("ann", "check")
    sitting.act("ben", "roll", NOTHING)
    assert sitting.act("ann", "leave") == [left("ann")]
    assert sitting.table() == ("rolling", "ben", 6, None, [98, 98, 98])
    assert (sitting.view()["best"], sitting.view()["turn"]["beats"]) == (None, None)
    assert sitting.act("ben", "stop") == []
    sitting.act("ben", "check")
    assert [entry["what"] for entry in sitting.roll("cat", THREE)][1:] == [
        "collects",
        "round_begins",
    ]
    assert sitting.table() == ("ante", "cat", 0, None, [98, 98, 104])
    assert sitting.standings() == ["left", "to_decide", "to_decide"]
    assert sitting.view()["players"][0]["reason"] == "ann has left the game (G2)."


def test_a_leader_who_leaves_when_betting() -> None:
    """If the leader leaves instead of checking, the next player rolls, as if first (G2)."""
    sitting = RankingTable(*NAMES)
    sitting.antes(2)
    sitting.roll("ann", FOUR)
    assert sitting.act("ann", "leave") == [left("ann")]
    assert sitting.table() == ("rolling", "ben", 6, None, [98, 98, 98])
    assert sitting.roll("ben", NOTHING) == []


def test_a_raise_of_a_leader_who_left() -> None:
    """A raise stays to be answered, for the others have met it (G2)."""
    sitting = RankingTable(*NAMES, "dan")
    sitting.antes(2)
    sitting.roll("ann", FOUR)
    sitting.act("ann", "raise", amount=3)
    sitting.act("ben", "meet")
    assert sitting.act("ann", "leave") == [left("ann")]
    assert sitting.table() == ("raises", "cat", 14, 3, [95, 95, 98, 98])
    sitting.act("cat", "fold")
    assert sitting.act("dan", "leave") == [left("dan"), collects("ben", 14), begins("ben", 2)]


def test_a_namer_of_the_ante_who_leaves() -> None:
    """What the namer of the ante put in stays in the pot; the last one left in the round takes it,
    without a roll and without paying (G2, P13).
    """
    sitting = RankingTable(*NAMES)
    sitting.act("ann", "ante", amount=2)
    assert sitting.act("ann", "leave") == [left("ann")]
    assert sitting.table() == ("antes", "ben", 2, 2, [98, 100, 100])
    assert sitting.act("ben", "sit_out") == [collects("cat", 2), begins("cat", 2)]
    assert sitting.table() == ("ante", "cat", 0, None, [98, 100, 102])


def test_the_next_one_names_the_ante() -> None:
    """If the player who begins a round leaves before the ante, the next one begins it (G2)."""
    sitting = RankingTable(*NAMES)
    assert sitting.act("ann", "leave") == [left("ann")]
    assert sitting.table() == ("ante", "ben", 0, None, [100, 100, 100])
    assert (sitting.view()["round"], sitting.view()["starter"]) == (1, "ben")
    assert sitting.legal()[0]["amount"]["maximum"] == 100


def test_chips_out_of_play() -> None:
    """The chips of who left limit no ante, and don't win (G2, P17, P18)."""
    sitting = RankingTable(*NAMES, rounds=2)
    sitting.antes(60, "cat")
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.roll("ben", NOTHING)
    assert sitting.table() == ("ante", "ann", 0, None, [160, 40, 100])
    sitting.act("ben", "leave")
    assert sitting.legal()[0]["amount"]["maximum"] == 100
    sitting = RankingTable(*NAMES, rounds=2)
    sitting.antes(60, "cat")
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.roll("ben", NOTHING)
    sitting.act("ann", "leave")
    assert sitting.antes(1, "cat")[-1] == {
        "what": "game_over",
        "winners": ["cat"],
        "reason": "Round 2 was the last: the highest stack wins (P18).",
    }


@pytest.mark.parametrize("during", ["ante", "roll"])
def test_the_last_one_left_wins(during: str) -> None:
    """Who is left alone takes the pot, if there is one, and wins the game (G2)."""
    sitting = RankingTable("ann", "ben")
    pot = []
    if during == "roll":
        sitting.antes(3)
        sitting.act("ann", "roll", FOUR)
        pot = [collects("ben", 6)]
    reason = "ben is the last player left and wins the game (G2)."
    over = {"what": "game_over", "winners": ["ben"], "reason": reason}
    assert sitting.act("ann", "leave") == [left("ann"), *pot, over]
    assert (sitting.view()["over"], sitting.view()["winners"]) == (True, ("ben",))


def test_who_cannot_leave() -> None:
    """Nobody leaves twice, and who is out of chips has no game to leave (G2)."""
    sitting = RankingTable(*NAMES, "dan", starting_chips=1)
    sitting.antes(1, "cat", "dan")
    sitting.roll("ann", THREE)
    sitting.act("ann", "check")
    sitting.roll("ben", HOUSE)
    assert sitting.standings() == ["no_chips", "to_decide", "to_decide", "to_decide"]
    sitting.act("dan", "leave")
    for player in ("ann", "dan"):
        with pytest.raises(InvalidInput) as refused:
            sitting.act(player, "leave")
        allowed = "must be a player who is still in the game: ben or cat"
        assert refused.value.violations == (breach(("player",), allowed),)
