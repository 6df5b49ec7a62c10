"""The chance to win with each of several cards: enumerated, and against simulated games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest

from service.advice.choosing import Strength
from service.advice.scorecard.choosing import choose_option
from service.advice.scorecard.forecast import Hand, forecast
from service.advice.scorecard.options import advise, total_held
from service.advice.scorecard.scoring import scoring
from service.advice.scorecard.simulation import Points, best_policy, play_turn, random_faces
from service.advice.scorecard.steps import Cards
from service.advice.scorecard.table import Table
from service.kinds.scorecard.card import BoxEntry, Card
from service.kinds.scorecard.variant import ScoreCard
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.yahtzee_deluxe import VARIANT as YAHTZEE_DELUXE
from tests.advice.scorecard.conftest import Tables
from tests.advice.scorecard.small_cards import PairRules, small_card, table_after, whole_table

SMALL, RULES = small_card(3, {8: 4}), PairRules()
TWO_OPEN = [
    Card({"twos": 4, "pair": 5, "threes": None, "run": None, "chance": 3}),
    Card({"twos": None, "pair": 0, "threes": 6, "run": 7, "chance": None}),
    Card({"twos": 0, "pair": None, "threes": 3, "run": 0, "chance": None}),
]
"""Cards of two dice with two boxes open; the bonus is open on the second."""

Key = tuple[tuple[str, int | None], ...]


@cache
def endings(table: Table, boxes: Key, dice: tuple[int, ...] | None, left: int) -> dict[int, float]:
    """The chance of each final total, by trying all rolls; the player takes the first option."""
    card, found = Card(dict(boxes)), dict[int, float]()
    if not card.open_boxes:
        return {SMALL.total(card, RULES).total: 1.0}
    first = advise(table, card, dice, left if dice else None, 1).options[0]
    if first.action == "roll":
        rolled = [*product(range(1, 4), repeat=2 - len(first.dice))]
        for each in rolled:
            shown = tuple(sorted((*first.dice, *each)))
            for total, chance in endings(table, boxes, shown, left - 1).items():
                found[total] = found.get(total, 0.0) + chance / len(rolled)
        return found
    write = SMALL.written if first.action == "score" else SMALL.crossed_out
    after = write(card, BoxEntry(dice or (), str(first.box)), RULES)
    return endings(table, tuple(after.scores.items()), None, 3)


def by_trying(table: Table, hands: Sequence[Hand]) -> list[tuple[float, float, float]]:
    """The chances of each of `hands` to win and to share, and its mean total."""
    totals = []
    for hand in hands:
        left = 3 if hand.dice is None else hand.rolls_left or 0
        dice = tuple(sorted(hand.dice)) if hand.dice else None
        totals.append(endings(table, tuple(hand.card.scores.items()), dice, left))
    wins, shares = [0.0] * len(hands), [0.0] * len(hands)
    for ends in product(*(each.items() for each in totals)):
        best = max(total for total, _ in ends)
        chance = float(np.prod([each for _, each in ends]))
        first = [place for place, (total, _) in enumerate(ends) if total == best]
        for place in first:
            (shares if len(first) > 1 else wins)[place] += chance
    means = [sum(total * chance for total, chance in each.items()) for each in totals]
    return [*zip(wins, shares, means, strict=True)]


@pytest.mark.parametrize("dice", [None, (1, 3), (2, 2)])
@pytest.mark.parametrize("left", [0, 1, 2])
def test_two_boxes_and_two_dice(dice: tuple[int, int] | None, left: int) -> None:
    """With few open boxes all figures are those of trying every roll; dice on the table count."""
    table = whole_table(SMALL, RULES)
    acting = Hand(TWO_OPEN[0], dice, left if dice else None)
    hands = [acting, *map(Hand, TWO_OPEN[1:])]
    found = forecast([table] * 3, hands)
    assert (found.exact, found.standard_error) == (True, 0.0)
    for outlook, (win, share, mean) in zip(found.players, by_trying(table, hands), strict=True):
        assert outlook.win == pytest.approx(win, abs=1e-12)
        assert outlook.share == pytest.approx(share, abs=1e-12)
        assert outlook.expected == pytest.approx(mean, abs=1e-9)


def test_small_tables() -> None:
    """Tables of what follows each card bring the same as that of the whole game."""
    hands = [*map(Hand, TWO_OPEN)]
    whole = forecast([whole_table(SMALL, RULES)] * 3, hands)
    own = forecast([table_after(SMALL, RULES, hand.card) for hand in hands], hands)
    assert own.exact
    assert np.array(own.players) == pytest.approx(np.array(whole.players), abs=1e-9)


def test_full_cards() -> None:
    """Finished cards win, lose or share for sure; a single player wins."""
    full = Card({"twos": 4, "pair": 5, "threes": 6, "run": 7, "chance": 3})
    less = Card({**full.scores, "chance": 2})
    table = whole_table(SMALL, RULES)
    found = forecast([table] * 3, [Hand(full), Hand(less), Hand(full)]).players
    assert [(each.win, each.share) for each in found] == [(0, 1), (0, 0), (0, 1)]
    assert [(each.expected, each.deviation) for each in found] == [(29, 0), (28, 0), (29, 0)]
    (alone,) = forecast([table], [Hand(TWO_OPEN[1])]).players
    assert alone.win == pytest.approx(1)
    assert alone.share == 0


def card_after(variant: ScoreCard, table: Table, turns: int, source: Random) -> Card:
    """The card of a hard player after some turns."""
    card, count = Card(dict.fromkeys(variant.possible)), variant.dice.count
    for _ in range(turns):
        dice, left = source.choices(range(1, 7), k=count), variant.rolls - 1
        while True:
            action, _ = choose_option(table, card, tuple(dice), left, Strength.HARD, source)
            if action["action"] != "roll":
                break
            dice = [
                face if place in action["keep"] else source.randint(1, 6)
                for place, face in enumerate(dice)
            ]
            left -= 1
        write = variant.written if action["action"] == "score" else variant.crossed_out
        card = write(card, BoxEntry(tuple(dice), action["box"]), variant.default_rules)
    return card


def simulated(table: Table, card: Card, seed: int, games: int) -> Points:
    """The final totals of simulated games from a card."""
    policy, expected = best_policy(table), table.array[0]
    upper, lower = table.states.place(table.scoring.position(card))
    none = np.zeros(games, np.intp)
    cards, totals = Cards(none + upper, none + lower, none), none + total_held(table.scoring, card)
    for turn in range(len(card.open_boxes)):
        faces = random_faces(table.scoring, seed, 0, turn, games)
        cards = play_turn(policy.steps, cards, policy.value, policy.steps.whole, faces).cards
        totals = totals - cards.need
        cards = Cards(cards.upper, cards.lower, none)
    ended: Points = totals + expected[cards.upper, cards.lower].astype(np.int64)
    return ended


@pytest.mark.parametrize(
    ("variant", "positions", "games"),
    [
        pytest.param(DICE_POKER, 13, 4_000, marks=pytest.mark.proof),
        pytest.param(DICE_POKER, 200, 40_000, marks=pytest.mark.proof),
        pytest.param(YAHTZEE_DELUXE, 200, 40_000, marks=pytest.mark.proof),
    ],
)
def test_simulated_games(tables: Tables, variant: ScoreCard, positions: int, games: int) -> None:
    """In positions from all parts of a game, chances differ from those in simulated games by less
    than half a per cent on average, and never by two, apart from the error of the simulation.
    """
    table, source = tables(scoring(variant, variant.default_rules)), Random(positions)
    boxes = len(variant.boxes)
    errors = []
    for number in range(positions):
        turns = number % boxes
        cards = [card_after(variant, table, turns, source) for _ in range(2)]
        found = forecast([table] * 2, [*map(Hand, cards)])
        ends = [simulated(table, card, 2 * number + own, games) for own, card in enumerate(cards)]
        better = [np.sort(each) for each in ends]
        win = np.searchsorted(better[1], better[0]).mean() / games
        share = np.searchsorted(better[1], better[0], side="right").mean() / games - win
        outlook = found.players[0]
        errors += [abs(outlook.win - win), abs(outlook.share - share)]
        noise = ends[0].std() / games**0.5
        assert outlook.expected == pytest.approx(ends[0].mean(), abs=5 * noise + 0.1)
        assert outlook.deviation == pytest.approx(ends[0].std(), rel=0.1, abs=0.5)
    assert np.mean(errors) < 0.005
    assert max(errors) < 0.02 + 2 / games**0.5
