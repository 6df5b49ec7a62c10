"""Tables of solved score cards."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import sqrt

import pytest

from service.advice.scorecard.scoring import EMPTY, TooLarge, scoring
from service.advice.scorecard.states import all_states
from service.advice.scorecard.table import small_table, solve
from service.kinds.scorecard.boxes import UpperBonus, UpperBox
from service.kinds.scorecard.card import Card
from service.rules.dice import Dice
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from tests.advice.scorecard.small_cards import (
    PairRules,
    every_card,
    small_card,
    small_game,
    table_after,
    used_boxes,
    whole_table,
)

TIERS: list[dict[int, int]] = [{}, {8: 4}, {4: 3, 8: 5, 10: 9}]
EVERY = [*product((1, 2, 3), TIERS, (0, 6), (False, True), (False, True))]
QUICK = [(1, TIERS[-1], 6, True, zeros_last) for zeros_last in (False, True)]
SMALL = [
    pytest.param(*rules, marks=[] if rules in QUICK else [pytest.mark.proof]) for rules in EVERY
]


@pytest.mark.parametrize(("rolls", "tiers", "bonus", "joker", "zeros_last"), SMALL)
def test_small_cards(
    rolls: int, tiers: dict[int, int], bonus: int, joker: bool, zeros_last: bool
) -> None:
    """From every card, the value of the best play and its deviation are those of the reference."""
    variant, game = small_card(rolls, tiers), small_game(rolls, tiers, bonus, joker, zeros_last)
    table = whole_table(variant, PairRules(bonus, joker, zeros_last))
    for card in every_card(variant):
        mean, low, high = game.expected(used_boxes(card))
        position = table.scoring.position(card)
        assert table.expected(position) == pytest.approx(float(mean), abs=1e-9)
        deviation = table.deviation(position)
        least, most = (sqrt(square - mean * mean) for square in (low, high))
        assert least - 1e-6 <= deviation <= most + 1e-6


def test_small_tables() -> None:
    """A table of what follows a card agrees with that of the whole game."""
    variant, rules = small_card(3, {4: 3, 8: 5}), PairRules(pair_bonus=6, pair_joker=True)
    table = whole_table(variant, rules)
    card = Card({"twos": 2, "pair": 5, "threes": None, "run": None, "chance": None})
    position = table.scoring.position(card)
    small = table_after(variant, rules, card)
    assert small.expected(position) == table.expected(position)
    assert small.deviation(position) == table.deviation(position)
    with pytest.raises(KeyError):
        small.expected(EMPTY)


def test_small_tables_have_few_boxes() -> None:
    """A table of too many open boxes isn't solved while a request waits."""
    with pytest.raises(TooLarge, match=r"^13 open boxes are too many to solve at once$"):
        small_table(scoring(DICE_POKER, DicePokerRules()), EMPTY)


def test_large_games() -> None:
    """A game with too many keeps of its dice has no table."""
    many = small_card(3, {})
    object.__setattr__(many, "dice", Dice(count=9, faces=20))
    with pytest.raises(TooLarge, match=r"^there are too many different keeps of 9 dice$"):
        scoring(many, PairRules())


def test_large_upper_sections() -> None:
    """A game with very many sums of its upper section is refused before they are worked out."""
    card = replace(
        small_card(3, {}),
        dice=Dice(count=3, faces=12),
        boxes=tuple(UpperBox(f"box_{face}", face, "S1") for face in range(1, 13)),
        upper_bonus=UpperBonus({72: 20}, "S1"),
        repeats=None,
        examples=(),
    )
    with pytest.raises(
        TooLarge, match=r"^more than 20000 sums of sets of upper boxes are too many"
    ):
        all_states(scoring(card, PairRules()))


def test_other_house_rules() -> None:
    """Tables of other house rules share the upper section, which takes longest to number."""
    first, second = (
        all_states(scoring(DICE_POKER, DicePokerRules(extra_five_bonus=bonus))) for bonus in (7, 8)
    )
    assert first.uppers_next is second.uppers_next


def test_keys() -> None:
    """Rules that decide nothing share a table; those that change points don't."""
    card = small_card(3, {})
    key = scoring(card, PairRules()).key
    assert scoring(card, PairRules(seconds=60)).key == key
    assert scoring(small_card(3, {}), PairRules()).key == key
    others = [
        scoring(card, PairRules(pair_bonus=6)).key,
        scoring(card, PairRules(pair_bonus=7)).key,
        scoring(card, PairRules(pair_joker=True)).key,
        scoring(small_card(2, {}), PairRules()).key,
        scoring(small_card(3, {8: 4}), PairRules()).key,
    ]
    assert len({key, *others}) == 6


def test_progress() -> None:
    """While a table is solved, it reports how far it has come, up to 1."""
    reported: list[float] = []
    scored = scoring(small_card(3, {8: 4}), PairRules())
    solve(scored, reported.append)
    assert reported == sorted(reported)
    assert reported[-1] == 1.0


def test_sizes() -> None:
    """The default games have as many states as the documentation says."""
    assert all_states(scoring(DICE_POKER, DicePokerRules())).count == 209_920
