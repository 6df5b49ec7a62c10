"""One round of betting by itself: H9-H12, H14, H27 and H30."""

from __future__ import annotations

from typing import Any

import pytest

from service.api.sessions.answers import bound_schema
from service.kinds.community.betting import ALL_IN, BETTING, Betting, Stakes
from service.rules.house_rules import HouseRules
from service.variants.texas_holdem_dice import HoldemRules

STAKES = Stakes.of(HoldemRules(), 10)
FRESH = Betting.opened(3, (1, 2, 0))


def legal(
    betting: Betting,
    stack: int = 500,
    limit: int = 10,
    stakes: Stakes = STAKES,
    *,
    answerable: bool = True,
) -> dict[str, Any]:
    """The legal actions of the next to act, each with the least and the most of its amount."""
    moves = betting.moves("ann", stack, limit, stakes, answerable=answerable)
    assert {move.player for move in moves} == {"ann"}
    return {
        move.action: [
            (shape["minimum"], shape["maximum"], shape["multipleOf"])
            for shape in map(bound_schema, move.values.values())
        ]
        for move in moves
    }


ACTIONS = {action.name: action for action in BETTING}


def acted(betting: Betting, *actions: str, amount: int = 10) -> Betting:
    """The round after actions of three players, everyone with 500 chips."""
    for action in actions:
        others = [(betting.to_act[0] + step) % 3 for step in (1, 2)]
        betting = betting.apply(ACTIONS[action], {"amount": amount}, 500, others)
    return betting


def test_nobody_has_bet() -> None:
    """A player may check, bet up to the limit in tens, or fold (H10, H11, H27)."""
    assert legal(FRESH) == {"check": [], "bet": [(10, 10, 10)], "fold": []}
    assert legal(FRESH, limit=20) == {"check": [], "bet": [(10, 20, 10)], "fold": []}
    assert legal(FRESH, stack=10, limit=20) == {"check": [], "bet": [(10, 10, 10)], "fold": []}


def test_after_a_bet() -> None:
    """A player may call, raise by up to the limit, or fold (H10, H11)."""
    betting = acted(FRESH, "bet")
    assert legal(betting, limit=20) == {"call": [], "raise": [(10, 20, 10)], "fold": []}
    assert legal(betting, stack=20, limit=20) == {"call": [], "raise": [(10, 10, 10)], "fold": []}
    assert legal(betting, stack=10) == {"call": [], "fold": []}


def test_all_in_only_where_the_call_can_not_be_met() -> None:
    """A player with fewer chips than the call may go all in instead, or fold (H14)."""
    betting = acted(FRESH, "bet", amount=20)
    assert legal(betting, stack=20) == {"call": [], "fold": []}
    assert legal(betting, stack=10) == {"all_in": [], "fold": []}
    assert betting.apply(ALL_IN, {}, 10, (0, 1)) == Betting((0, 20, 10), (0,))


def test_three_raises_in_a_round() -> None:
    """After three raises, a player can only call or fold; a bet is not a raise (H11)."""
    betting = acted(FRESH, "bet", "raise", "raise")
    assert (betting.raises, "raise" in legal(betting)) == (2, True)
    betting = acted(betting, "raise")
    assert (betting, legal(betting)) == (Betting((30, 40, 20), (2, 0), 3), {"call": [], "fold": []})


def test_no_raises_at_all() -> None:
    """If no raises are allowed, a player can only call a bet, or fold."""
    stakes = Stakes.of(HoldemRules(max_raises=0), 10)
    assert legal(acted(FRESH, "bet"), stakes=stakes) == {"call": [], "fold": []}


def test_no_bet_that_nobody_can_answer() -> None:
    """If nobody else can add chips, a player can only check or call, or fold (H30)."""
    assert legal(FRESH, answerable=False) == {"check": [], "fold": []}
    betting = acted(FRESH, "bet", amount=20)
    assert legal(betting, answerable=False) == {"call": [], "fold": []}
    assert legal(betting, stack=10, answerable=False) == {"all_in": [], "fold": []}


def test_only_the_difference_is_added() -> None:
    """A raise first matches the bet, less the chips already put in, and then adds to it (H10)."""
    betting = acted(FRESH, "bet", "raise", "call")
    assert (betting.put, betting.to_act, betting.to_call) == ((20, 10, 20), (1,), 10)
    assert acted(betting, "raise") == Betting((20, 30, 20), (2, 0), 2)


def test_everyone_has_a_say_once() -> None:
    """A round of checks ends with the last player; one with a bet ends before the bettor (H12)."""
    assert acted(FRESH, "check", "fold", "check") == Betting((0, 0, 0), ())
    assert acted(FRESH, "check", "bet", "call", "call") == Betting((10, 10, 10), ())
    assert acted(FRESH, "check", "bet", "fold").to_act == (1,)


def test_nothing_to_call_once_all_have_had_a_say() -> None:
    """After a round has ended, nobody has to act."""
    ended = acted(FRESH, "bet", "call", "call")
    assert (ended.to_call, ended.bet) == (0, True)


@pytest.mark.parametrize("chip", [1, 10])
def test_terms_without_house_rules(chip: int) -> None:
    """A variant without house rules on chips is played for sums in units of its chips."""
    assert Stakes.of(HouseRules(), chip) == Stakes(
        chip=chip,
        ante=chip,
        small_limit=chip,
        big_limit=2 * chip,
        max_raises=3,
        starting_chips=50 * chip,
    )


def test_defaults_are_those_of_holdem() -> None:
    """A game without house rules bets as Hold'em does by default (H9, H11, H18)."""
    assert Stakes.of(HoldemRules(), 10) == Stakes.of(HouseRules(), 10)
