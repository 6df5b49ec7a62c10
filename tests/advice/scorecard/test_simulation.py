"""Simulated games: every decision, every score, and the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from math import sqrt
from statistics import fmean

import numpy as np
import pytest

from service.advice.lattice import Lattice
from service.advice.scorecard.played import PlayedTurn
from service.advice.scorecard.review import review
from service.advice.scorecard.scoring import EMPTY, scoring
from service.advice.scorecard.simulation import (
    PlayedTurns,
    Policy,
    best_policy,
    greedy_policy,
    play_turns,
    simulate,
)
from service.kinds.scorecard.card import BoxEntry, Card
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from service.variants.yahtzee_deluxe import VARIANT as YAHTZEE_DELUXE
from tests.advice.scorecard.conftest import Tables
from tests.advice.scorecard.small_cards import PairRules, small_card, small_game, whole_table

Dice = tuple[int, ...]


def _turn(lattice: Lattice, turn: PlayedTurns, game: int) -> tuple[list[Dice], list[Dice]]:
    """The rolls of a turn, and what was kept of each but the last, up to where the player stops."""
    rolls = [lattice.rolls[roll[game]] for roll in turn.rolls]
    keeps = [lattice.keeps[keep[game]] for keep in turn.keeps]
    stop = keeps.index(rolls[-1]) if rolls[-1] in keeps else len(keeps)
    assert set(rolls[stop:]) == {rolls[-1]}
    return rolls[: stop + 1], keeps[:stop]


def _laid_out(rolls: list[Dice], keeps: list[Dice], box: str) -> PlayedTurn:
    """A turn whose dice have places: those that are kept stay where they are."""
    laid, kept = [rolls[0]], []
    for roll, keep in zip(rolls[1:], keeps, strict=True):
        wanted, places = Counter(keep), []
        for place, face in enumerate(laid[-1]):
            if wanted[face]:
                wanted[face] -= 1
                places.append(place)
        assert not +wanted  # all that is kept was there
        rolled = iter((Counter(roll) - Counter(keep)).elements())
        laid.append(
            tuple(face if place in places else next(rolled) for place, face in enumerate(laid[-1]))
        )
        assert next(rolled, None) is None
        kept.append(tuple(places))
    return PlayedTurn(tuple(laid), tuple(kept), box)


def _games(
    policy: Policy, count: int
) -> Iterator[tuple[int, list[tuple[list[Dice], list[Dice], str]]]]:
    """The number of each game, and its turns: rolls, keeps, and the box."""
    scored, box = policy.steps.scoring, policy.steps.ways.box
    played = [turn for _, turn in play_turns(policy, 3, 0, count)]
    for game in range(count):
        yield (
            game,
            [
                (*_turn(scored.lattice, turn, game), scored.boxes[box[turn.ways[game]]])
                for turn in played
            ],
        )


@pytest.mark.parametrize(
    ("variant", "rules"),
    [
        (DICE_POKER, DicePokerRules()),
        pytest.param(
            DICE_POKER, DicePokerRules(joker=True, extra_five_bonus=100), marks=pytest.mark.proof
        ),
        pytest.param(YAHTZEE_DELUXE, YAHTZEE_DELUXE.house_rules(), marks=pytest.mark.proof),
    ],
    ids=["dice-poker", "jokers", "yahtzee-deluxe"],
)
def test_best_play(tables: Tables, variant: ScoreCard, rules: HouseRules) -> None:
    """Under the best policy no decision loses anything, by the review of the same games, and the
    cards hold what the rules score.
    """
    table = tables(scoring(variant, rules))
    policy = best_policy(table)
    found = simulate(policy, 3, count=60)
    for game, played in _games(policy, 60):
        card = Card(dict.fromkeys(variant.possible))
        for rolls, _, box in played:
            card = variant.written(card, BoxEntry(rolls[-1], box), rules)
        reviewed = review(table, variant, rules, [_laid_out(*each) for each in played])
        assert sum(each.loss for each in reviewed.decisions) == pytest.approx(0, abs=1e-9)
        totals = variant.added_up(card, rules)
        assert (found.upper_bonus[game], found.repeats[game], found.total[game]) == (
            totals.bonus,
            totals.repeats,
            totals.total,
        )
        scores = dict(zip(table.scoring.boxes, found.scores[:, game].tolist(), strict=True))
        assert scores == card.scores


def test_jokers_and_bonuses_occur() -> None:
    """Repeats fill the run as jokers and earn their bonus: the scores of the rules' own cards."""
    rules = PairRules(pair_bonus=6, pair_joker=True)
    variant = small_card(3, {8: 4})
    policy = best_policy(whole_table(variant, rules))
    found = simulate(policy, 3, count=400)
    jokers = 0
    for game, played in _games(policy, 400):
        card = Card(dict.fromkeys(variant.possible))
        for rolls, _, box in played:
            card = variant.written(card, BoxEntry(rolls[-1], box), rules)
            jokers += box == "run" and len({*rolls[-1]}) == 1 and card.scores["run"] == 7
        assert found.total[game] == variant.added_up(card, rules).total
    assert jokers > 0
    assert found.repeats.max() >= 6
    assert found.upper_bonus.max() == 4


@pytest.mark.parametrize(("joker", "zeros_last"), [(False, False), (True, False), (True, True)])
def test_greedy_play(joker: bool, zeros_last: bool) -> None:
    """Under the greedy policy each keep and each box brings the most points in its turn, by
    trying all keeps and all rolls.
    """
    rules = PairRules(6, joker, zeros_last)
    variant, game = small_card(3, {8: 4}), small_game(3, {8: 4}, 6, joker, zeros_last)

    @cache
    def worth(card: tuple[tuple[str, int], ...], roll: Dice, left: int) -> float:
        best = max(points(card, roll, box) for box in game.boxes if box not in dict(card))
        if left:
            keeps = {keep for size in range(len(roll)) for keep in combinations(roll, size)}
            best = max([best, *(kept(card, keep, left) for keep in keeps)])
        return best

    @cache
    def kept(card: tuple[tuple[str, int], ...], keep: Dice, left: int) -> float:
        more = product(range(1, 4), repeat=2 - len(keep))
        return fmean(worth(card, tuple(sorted(keep + rolled)), left - 1) for rolled in more)

    def points(card: tuple[tuple[str, int], ...], roll: Dice, box: str) -> float:
        return game.score(roll, box, dict(card)) + game.extra(roll, dict(card))

    for _, played in _games(greedy_policy(scoring(variant, rules)), 200):
        card: tuple[tuple[str, int], ...] = ()
        for rolls, keeps, box in played:
            for at, keep in enumerate(keeps):
                best = worth(card, rolls[at], 2 - at)
                assert kept(card, keep, 2 - at) == pytest.approx(best)
            last = len(rolls) - 1
            assert points(card, rolls[last], box) == pytest.approx(
                worth(card, rolls[last], 2 - last)
            )
            card = (*card, (box, game.score(rolls[last], box, dict(card))))


@pytest.mark.parametrize("games", [2_000, pytest.param(20_000, marks=pytest.mark.proof)])
def test_as_expected(tables: Tables, games: int) -> None:
    """The mean and the deviation of many games are those that the solver finds."""
    table = tables(scoring(DICE_POKER, DicePokerRules()))
    totals = simulate(best_policy(table), 11, count=games).total
    expected, deviation = table.expected(EMPTY), table.deviation(EMPTY)
    assert abs(totals.mean() - expected) < 4 * deviation / sqrt(games)
    assert totals.std() == pytest.approx(deviation, rel=4 / sqrt(2 * games))
    greedy = simulate(greedy_policy(table.scoring), 11, count=games).total
    assert greedy.mean() < expected - 20


def test_dice_are_fair() -> None:
    """First rolls come as often as their chances say, in two blocks that have other dice."""
    policy = greedy_policy(scoring(DICE_POKER, DicePokerRules()))
    chances = policy.steps.scoring.lattice.chances
    blocks = [next(play_turns(policy, 5, block, 60_000))[1].rolls[0] for block in (0, 1)]
    for rolls in blocks:
        expected = chances * len(rolls)
        squared = ((np.bincount(rolls, minlength=len(chances)) - expected) ** 2 / expected).sum()
        assert 150 < squared < 370  # 251 degrees of freedom: deviation 22
    assert (blocks[0] != blocks[1]).mean() > 0.9


def test_the_same_games() -> None:
    """A game follows from the seed, its block and its number; how many are played is all the same.

    The totals are here so that no release plays other games under an old seed by mistake.
    """
    policy = greedy_policy(scoring(DICE_POKER, DicePokerRules()))
    many, few = simulate(policy, 1, 7, 500), simulate(policy, 1, 7, 8)
    assert few.total.tolist() == many.total[:8].tolist()
    assert (few.scores == many.scores[:, :8]).all()
    assert few.total.tolist() == [195, 176, 211, 197, 250, 245, 184, 229]
    assert simulate(policy, 2, 7, 8).total.tolist() != few.total.tolist()
