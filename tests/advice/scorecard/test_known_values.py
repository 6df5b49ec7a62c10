"""The value of whole games, and options compared with yatzy-solver, another program."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import yatzy_solver

from service.advice.scorecard.options import advise
from service.advice.scorecard.scoring import EMPTY, scoring
from service.advice.scorecard.table import Table
from service.kinds.scorecard.card import BoxEntry, Card
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from service.variants.yahtzee_deluxe import VARIANT as YAHTZEE_DELUXE
from tests.advice.scorecard.conftest import Tables

DEFAULT = DicePokerRules()
EXTRA = DicePokerRules(extra_five_bonus=100)
JOKERS = DicePokerRules(extra_five_bonus=100, joker=True)


def test_dice_poker(tables: Tables) -> None:
    """The best play of dice poker is worth 245.870774514."""
    table = tables(scoring(DICE_POKER, DEFAULT))
    assert table.expected(EMPTY) == pytest.approx(245.870774514, rel=1e-9)


@pytest.mark.parametrize(
    ("variant", "rules"),
    [
        (DICE_POKER, DEFAULT),
        pytest.param(DICE_POKER, JOKERS, marks=pytest.mark.proof),
        pytest.param(YAHTZEE_DELUXE, YAHTZEE_DELUXE.house_rules(), marks=pytest.mark.proof),
    ],
)
def test_best_play_is_consistent(tables: Tables, variant: ScoreCard, rules: HouseRules) -> None:
    """What a card is worth is the mean of the best options over all first rolls.

    So is the mean square. And a box is worth what the card is worth once it is written.
    """
    scored = scoring(variant, rules)
    table = tables(scored)
    chance = Random(0)
    dice = scored.lattice
    for _ in range(5):
        card = _card(chance, variant)
        before = advise(table, card)
        rolled = [advise(table, card, roll, limit=1) for roll in dice.rolls]
        means = [each.expected_total for each in rolled]
        squares = [each.expected_total**2 + each.deviation**2 for each in rolled]
        assert before.expected_total == pytest.approx(np.dot(dice.chances, means), rel=1e-12)
        square = before.expected_total**2 + before.deviation**2
        assert square == pytest.approx(np.dot(dice.chances, squares), rel=1e-9)
        for option in advise(table, card, dice.rolls[-1], 0, limit=100).options:
            entry = BoxEntry(dice.rolls[-1], str(option.box))
            write = variant.crossed_out if option.action == "cross_out" else variant.written
            after = advise(table, write(card, entry, rules))
            assert option.expected_total == pytest.approx(after.expected_total, rel=1e-12)


@pytest.mark.proof
def test_jokers(tables: Tables) -> None:
    """With extra bonuses of 100 and jokers, the game is worth 254.5896095, give or take 59.61."""
    table = tables(scoring(DICE_POKER, JOKERS))
    assert table.expected(EMPTY) == pytest.approx(254.58960948, rel=1e-9)
    assert table.deviation(EMPTY) == pytest.approx(59.61, abs=0.005)


@pytest.mark.proof
def test_yahtzee_deluxe(tables: Tables) -> None:
    """The best play of yahtzee deluxe is worth 251.464313448."""
    table = tables(scoring(YAHTZEE_DELUXE, YAHTZEE_DELUXE.house_rules()))
    assert table.expected(EMPTY) == pytest.approx(251.464313448, rel=1e-9)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("theirs", "rules"),
    [("american+no-bonus", DEFAULT), ("american+no-joker", EXTRA), ("american", JOKERS)],
)
def test_options_of_yatzy_solver(tables: Tables, theirs: str, rules: DicePokerRules) -> None:
    """Every option of 10,000 positions has the value that yatzy-solver finds, within 10^-6."""
    table = tables(scoring(DICE_POKER, rules))
    solver = yatzy_solver.Solver.build(yatzy_solver.Variant(theirs))
    chance = Random(theirs)
    for _ in range(10_000):
        card, left = _card(chance), chance.randrange(3)
        dice = tuple(sorted(chance.choices(range(1, 7), k=5)))
        ours = _options(table, card, dice, left)
        others = dict(solver.option_values(_situation(card, dice, left, rules)))
        assert ours.keys() == others.keys()
        assert max(abs(ours[name] - value) for name, value in others.items()) <= 1e-6


def _card(chance: Random, variant: ScoreCard = DICE_POKER) -> Card:
    """A card with any boxes used, at least one open."""
    possible = variant.possible
    used = chance.sample([*possible], chance.randrange(len(possible)))
    scores = {box: chance.choice(possible[box]) if box in used else None for box in possible}
    return Card(scores)


def _situation(card: Card, dice: tuple[int, ...], left: int, rules: DicePokerRules) -> str:
    """A card and dice in the notation of yatzy-solver."""
    used = [box for box, score in card.scores.items() if score is not None]
    upper = sum([score or 0 for score in card.scores.values()][:6])
    fields = [
        f"dice {' '.join(map(str, dice))}",
        f"rolls {left}",
        f"upper {upper}",
        f"filled {','.join(used) or '-'}",
    ]
    fives = card.scores["five_of_a_kind"]
    if rules.extra_five_bonus and fives is not None:
        fields.append(f"five_of_a_kind {fives}")
    return " | ".join(fields)


def _options(table: Table, card: Card, dice: tuple[int, ...], left: int) -> dict[str, float]:
    """All options in that notation with the points still to come.

    There, a box is crossed out only by dice that score nothing, and the upper bonus is held as soon
    as it is reached.
    """
    scores = [score or 0 for score in card.scores.values()]
    held = sum(scores) + (35 if sum(scores[:6]) >= 63 else 0)
    every = advise(table, card, dice, left, limit=100).options
    scored = {option.box for option in every if option.action == "score"}
    values = {}
    for option in every:
        name = f"score {option.box}"
        if option.action == "roll":
            name = f"keep {' '.join(map(str, option.dice)) or '-'}"
        elif option.action == "cross_out" and option.box in scored:
            continue
        values[name] = option.expected_total - held
    return values
