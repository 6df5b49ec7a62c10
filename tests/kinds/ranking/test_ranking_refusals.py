"""Beat it or bust: illegal actions are refused and change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.rules.violations import InvalidInput
from tests.kinds.ranking.ranking_table import NOTHING, THREE, RankingTable

AMOUNT = "must be a whole number between 1 and"


def new() -> RankingTable:
    """The ante is to be named."""
    return RankingTable("ann", "ben", starting_chips=10)


def antes() -> RankingTable:
    """Ben is to meet the ante."""
    sitting = new()
    sitting.act("ann", "ante", amount=1)
    return sitting


def rolling() -> RankingTable:
    """Ann is to roll."""
    sitting = antes()
    sitting.act("ben", "meet")
    return sitting


def rolled() -> RankingTable:
    """Ann has rolled once."""
    sitting = rolling()
    sitting.act("ann", "roll", NOTHING)
    return sitting


def betting() -> RankingTable:
    """Ann has stopped."""
    sitting = rolling()
    sitting.roll("ann", THREE)
    return sitting


def raised() -> RankingTable:
    """Ben is to meet a raise."""
    sitting = betting()
    sitting.act("ann", "raise", amount=2)
    return sitting


def over() -> RankingTable:
    """The game is over."""
    sitting = RankingTable("ann", "ben", rounds=1)
    sitting.antes(1, "ben")
    return sitting


@pytest.mark.parametrize(
    ("at", "player", "action", "values", "reason"),
    [
        (new, "ann", "ante", {}, "amount is missing"),
        (new, "ann", "ante", {"amount": 0}, f"amount {AMOUNT} 10"),
        (new, "ann", "ante", {"amount": 11}, f"amount {AMOUNT} 10"),
        (new, "ann", "ante", {"amount": "1"}, f"amount {AMOUNT} 10"),
        (new, "ben", "ante", {"amount": 1}, "player can't ante now; only ann can"),
        (new, "ann", "roll", {"dice": THREE}, "action must be ante or leave now"),
        (rolling, "ann", "stop", {}, "action must be roll or leave now"),
        (rolling, "ben", "roll", {"dice": THREE}, "player can't roll now; only ann can"),
        (rolling, "ann", "roll", {}, "dice is missing: this game's dice are typed in"),
        (rolling, "ann", "roll", {"dice": (1, 2, 3, 4)}, "dice must hold 5 dice, not 4"),
        (rolling, "ann", "roll", {"dice": (1, 2, 3, 4, 7)}, "dice/4 must be between 1 and 6"),
        (
            rolling,
            "ann",
            "roll",
            {"dice": THREE, "keep": [0]},
            "keep must be left out: there is nothing to choose",
        ),
        (
            rolling,
            "ann",
            "roll",
            {"dice": THREE, "amount": 1},
            "amount is not a field of roll; it has dice",
        ),
        (
            rolled,
            "ann",
            "roll",
            {"dice": NOTHING, "amount": 1},
            "amount is not a field of roll; it has keep, dice",
        ),
        (
            rolled,
            "ann",
            "roll",
            {"dice": NOTHING, "keep": [5]},
            "keep/0 must be the index of a die, from 0 to 4",
        ),
        (rolled, "ann", "roll", {"dice": NOTHING, "keep": [1, 1]}, "keep/1 repeats die 1"),
        (
            rolled,
            "ann",
            "roll",
            {"dice": NOTHING, "keep": [0, 1, 2, 3, 4]},
            "keep must be a list of up to 4 dice, by their indexes from 0",
        ),
        (
            rolled,
            "ann",
            "roll",
            {"dice": (6, 1, 1, 1, 1), "keep": [0, 1]},
            "dice/1 must stay 6, because that die was kept",
        ),
        (rolled, "ann", "stop", {"dice": THREE}, "dice must be left out: stop rolls no dice"),
        (betting, "ann", "raise", {"amount": 10}, f"amount {AMOUNT} 9"),
        (betting, "ann", "raise", {"amount": 0}, f"amount {AMOUNT} 9"),
        (betting, "ben", "check", {}, "player can't check now; only ann can"),
        (betting, "ann", "roll", {"dice": THREE}, "action must be check, raise or leave now"),
        (antes, "ann", "roll", {"dice": THREE}, "action must be meet, sit_out or leave now"),
        (antes, "ben", "fold", {}, "action must be meet, sit_out or leave now"),
        (antes, "ann", "meet", {}, "player can't meet now; only ben can"),
        (antes, "ben", "meet", {"amount": 1}, "amount is not a field of meet; it has none"),
        (raised, "ann", "roll", {"dice": THREE}, "action must be meet, fold or leave now"),
        (raised, "ben", "sit_out", {}, "action must be meet, fold or leave now"),
        (over, "ann", "ante", {"amount": 1}, "action can't be performed: the game is over"),
    ],
)
def test_refused(
    at: Callable[[], RankingTable], player: str, action: str, values: dict[str, Any], reason: str
) -> None:
    """An illegal action is refused; the error says what is legal, and the state doesn't change."""
    sitting = at()
    before = sitting.state
    with pytest.raises(InvalidInput) as refused:
        sitting.act(player, action, **values)
    assert str(refused.value) == reason
    assert sitting.state is before
