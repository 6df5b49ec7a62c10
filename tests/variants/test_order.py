"""The order of hands is a total preorder, whatever way dice are submitted."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import strategies as st

from service.kinds.community.variant import Seat, TableHand
from service.kinds.ranking.variant import Contender
from service.rules.places import Place
from service.variants.poker_dice import VARIANT as POKER_DICE
from service.variants.poker_dice import PokerDiceRules
from service.variants.texas_holdem_dice import VARIANT as HOLDEM
from service.variants.texas_holdem_dice import HoldemRules
from tests.sampled import sampled

BAG = [suit for suit in range(4) for _ in range(5)]

ties = st.builds(HoldemRules, kickers=st.booleans(), suits_break_ties=st.booleans())
rolls = st.tuples(*[st.integers(1, 6)] * 5)


@st.composite
def tables(draw: st.DrawFn) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """Five community dice and the pockets of three players out of one bag, as codes."""
    suits = draw(st.permutations(BAG))[:11]
    dice = tuple(suit * 6 + draw(st.integers(0, 5)) for suit in suits)
    return dice[:5], [dice[5:7], dice[7:9], dice[9:11]]


def places_of(ranked: Sequence[Place[Any]]) -> dict[str, int]:
    """The place of every player."""
    return {entry.id: place.place for place in ranked for entry in place.entries}


def is_total_preorder(names: list[str], places: Callable[[list[str]], dict[str, int]]) -> bool:
    """Whether pairs compare one way only, and three stand as their pairs do."""
    together = places(names)
    for one in names:
        for other in names:
            if one != other:
                pair = places([one, other])
                swapped = places([other, one])
                assert pair == swapped
                assert (pair[one] < pair[other]) == (together[one] < together[other])
                assert (pair[one] == pair[other]) == (together[one] == together[other])
    return True


@sampled(60, 300, dice=st.tuples(rolls, rolls, rolls), pairs_rank=st.booleans())
def test_rolls_compare(dice: tuple[tuple[int, ...], ...], pairs_rank: bool) -> None:
    """Any three rolls stand in one order, however they are paired (P3, P10, P15)."""
    rules = PokerDiceRules(pairs_rank=pairs_rank)
    by_name = dict(zip("abc", dice, strict=True))
    assert is_total_preorder(
        list("abc"),
        lambda names: places_of(
            POKER_DICE.rank([Contender(name, by_name[name]) for name in names], rules)
        ),
    )


@sampled(60, 300, table=tables(), rules=ties)
def test_tables_compare(
    table: tuple[tuple[int, ...], list[tuple[int, ...]]], rules: HoldemRules
) -> None:
    """Any three players at a table stand in one order, however they are paired (H4, H6-H8, H38)."""
    community, pockets = table
    by_name = dict(zip("abc", pockets, strict=True))
    assert is_total_preorder(
        list("abc"),
        lambda names: places_of(
            HOLDEM.rank(community, [Seat(name, by_name[name]) for name in names], rules).places
        ),
    )


@sampled(60, 300, table=tables(), rules=ties, shuffle=st.randoms(use_true_random=False))
def test_order_of_dice_changes_nothing(
    table: tuple[tuple[int, ...], list[tuple[int, ...]]], rules: HoldemRules, shuffle: random.Random
) -> None:
    """The same seven dice are the same hand, the same five dice of it included (H3, H21)."""
    community, pockets = table
    dice = [*community, *pockets[0]]
    before = HOLDEM.evaluate(dice[:2], dice[2:], rules)
    shuffle.shuffle(dice)
    assert HOLDEM.evaluate(dice[:2], dice[2:], rules) == before


@sampled(60, 300, table=tables(), rules=ties, suits=st.permutations(range(4)))
def test_names_of_suits_change_nothing(
    table: tuple[tuple[int, ...], list[tuple[int, ...]]], rules: HoldemRules, suits: list[int]
) -> None:
    """No suit is worth more than another: renaming them leaves the strength (H4, H7)."""
    community, pockets = table

    def hand(renamed: Callable[[int], int]) -> Any:
        held = HOLDEM.evaluate(
            [renamed(die) for die in pockets[0]], [renamed(die) for die in community], rules
        )
        assert isinstance(held, TableHand)
        return held.hand

    assert hand(lambda die: suits[die // 6] * 6 + die % 6) == hand(lambda die: die)


@pytest.mark.parametrize("roll", [(1, 2, 3, 4, 6), (6, 6, 5, 5, 4), (2, 2, 2, 6, 5)])
def test_order_of_a_roll_changes_nothing(roll: tuple[int, ...]) -> None:
    """A roll is the same hand in any order of its dice."""
    rules = PokerDiceRules()
    assert POKER_DICE.evaluate(roll[::-1], rules) == POKER_DICE.evaluate(roll, rules)
