"""Options: everything to do with a card and dice, from best to worst."""

from __future__ import annotations

from itertools import product
from math import sqrt
from random import Random

import pytest

from service.advice.scorecard.options import Advice, advise
from service.kinds.scorecard.card import Card
from service.rules.violations import InvalidInput
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
from tests.reference.best_play import SmallGame
from tests.reference.score_cards import dice_poker
from tests.sampled import first

NO_BONUS: dict[int, int] = {}


@pytest.mark.parametrize(
    ("rolls", "tiers", "bonus", "joker", "zeros_last"),
    [
        pytest.param(2, {4: 3, 8: 5, 10: 9}, 6, True, False, marks=pytest.mark.proof),
        (2, {4: 3, 8: 5, 10: 9}, 6, True, True),
        (3, {8: 4}, 0, False, False),
        pytest.param(3, {8: 4}, 6, True, True, marks=pytest.mark.proof),
        pytest.param(2, NO_BONUS, 0, True, False, marks=pytest.mark.proof),
        pytest.param(3, NO_BONUS, 6, False, True, marks=pytest.mark.proof),
    ],
)
@pytest.mark.parametrize("cards", first([60, 400]))
def test_small_cards(
    rolls: int, tiers: dict[int, int], bonus: int, joker: bool, zeros_last: bool, cards: int
) -> None:
    """Every option of every roll has the value that trying every choice finds, and its loss.

    With `zeros_last`, no zero is an option while the dice score in an open box (D17).
    """
    variant, game = small_card(rolls, tiers), small_game(rolls, tiers, bonus, joker, zeros_last)
    table = whole_table(variant, PairRules(bonus, joker, zeros_last))
    chance = Random(0)
    for card in chance.sample([*every_card(variant)], cards):
        for dice in product(range(1, 4), repeat=2):
            if card.open_boxes:
                left = chance.randrange(rolls)
                _check(game, advise(table, card, dice, left, limit=100), card, dice, left)


def _check(game: SmallGame, advice: Advice, card: Card, dice: tuple[int, ...], left: int) -> None:
    """Asserts that `advice` has all choices of the reference, in the right order."""
    used = used_boxes(card)
    held = sum(used.values())
    choices = game.choices(dice, used, left)
    found: dict[object, float] = {}
    for option in advice.options:
        if option.action == "roll":
            assert option.dice == tuple(dice[place] for place in option.keep)
            found[tuple(sorted(option.dice))] = option.expected_total - held
        else:
            found[option.box, option.score] = option.expected_total - held
            assert option.action == ("score" if option.score else "cross_out")
    assert len(found) == len(advice.options)
    assert found == pytest.approx({each: float(mean) for each, (mean, *_) in choices.items()})
    totals = [option.expected_total for option in advice.options]
    assert totals == sorted(totals, reverse=True)
    assert advice.expected_total == totals[0]
    assert [option.loss for option in advice.options] == pytest.approx(
        [totals[0] - total for total in totals], abs=1e-9
    )
    best = max(mean for mean, _, _ in choices.values())
    squares = [(low, high) for mean, low, high in choices.values() if mean == best]
    least = sqrt(min(low for low, _ in squares) - best * best)
    most = sqrt(max(high for _, high in squares) - best * best)
    assert least - 1e-6 <= advice.deviation <= most + 1e-6


def test_dice_poker() -> None:
    """The last box of dice poker: every option is worth what trying every choice finds."""
    used = {box: 0 for box in DICE_POKER.possible if box != "fives"}
    card = Card({**used, "fives": None, "sixes": 30, "fours": 16})
    game = SmallGame(
        5,
        6,
        3,
        tuple(DICE_POKER.possible),
        frozenset(("ones", "twos", "threes", "fours", "fives", "sixes")),
        lambda roll, box, _: dice_poker(roll)[box],
        lambda *_: 0,
        lambda upper: 35 if upper >= 63 else 0,
    )
    table = table_after(DICE_POKER, DicePokerRules(), card)
    for dice, left in (((5, 5, 1, 2, 6), 1), ((5, 3, 5, 5, 4), 2), ((1, 2, 3, 4, 6), 0)):
        _check(game, advise(table, card, dice, left, limit=100), card, dice, left)


def test_answer() -> None:
    """The best options come first; keeps are places; equal options have the same figures."""
    card = Card({**dict.fromkeys(DICE_POKER.possible, 0), "chance": None, "sixes": 30})
    table = table_after(DICE_POKER, DicePokerRules(), card)
    advice = advise(table, card, (6, 2, 6, 3, 5), 1, limit=4)
    assert [(option.keep, option.dice) for option in advice.options] == [
        ((0, 2, 4), (6, 6, 5)),
        ((0, 2, 3, 4), (6, 6, 3, 5)),
        ((0, 1, 2, 4), (6, 2, 6, 5)),
        ((0, 2), (6, 6)),
    ]
    assert [option.loss for option in advice.options] == pytest.approx([0, 0.5, 1.5, 1.5])
    assert advice.options[0].loss == 0.0
    assert advice.options[2].loss == advice.options[3].loss
    assert advice.options[2].expected_total == advice.options[3].expected_total
    assert advice.expected_total == advice.options[0].expected_total == pytest.approx(54)
    assert advice.deviation == pytest.approx(sqrt(2 * 35 / 12))


def test_full_card() -> None:
    """A full card is worth what it holds, with its bonuses, and there is nothing to do."""
    card = Card(
        {
            **dict.fromkeys(DICE_POKER.possible, 0),
            "sixes": 30,
            "fives": 25,
            "fours": 8,
            "five_of_a_kind": 50,
        },
        repeated=2,
    )
    table = table_after(DICE_POKER, DicePokerRules(extra_five_bonus=100), card)
    assert advise(table, card) == Advice(63 + 35 + 50 + 200, 0.0, ())
    with pytest.raises(InvalidInput, match=r"^dice must be left out, because the card is full$"):
        advise(table, card, (1, 2, 3, 4, 5))
