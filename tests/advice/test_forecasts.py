"""Who wins a round of beat it or bust, and a game of layouts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from service.advice.layout.forecast import Standing, turn_points
from service.advice.layout.forecast import forecast as layout_forecast
from service.advice.ranking.chances import Seat, forecast
from service.kinds.ranking.variant import Ranking
from service.rules.dice import Dice
from service.variants.poker_dice import VARIANT as POKER_DICE
from service.variants.roll_a_royal import VARIANT as ROLL_A_ROYAL
from service.variants.roll_a_royal import RollARoyalRules
from tests.advice.test_ranking import three_that_may_not_count
from tests.reference.beat_or_bust_chances import Round
from tests.trial_games.three_rolls import VARIANT as THREE_ROLLS

WAITS = Seat(None, False, 2)


def strength(dice: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """Triples beat sequences, and those beat all else."""
    triple = len(set(dice)) == 1
    sequence = dice[2] == dice[1] + 1 == dice[0] + 2
    return 2 * triple + sequence, dice[::-1]


def wins(variant: Ranking, *seats: Seat) -> list[float]:
    """The chances of `seats` to win."""
    found = forecast(variant, variant.default_rules, seats)
    assert (found.exact, found.standard_error) == (True, 0.0)
    for each in found.players:
        assert (each.share, each.expected) == (0, each.win)
        assert each.deviation == pytest.approx(sqrt(each.win * (1 - each.win)))
    assert sum(each.win for each in found.players) == pytest.approx(1, abs=1e-9)
    return [each.win for each in found.players]


def test_rounds_equal_brute_force() -> None:
    """Of three players with four-sided dice, each has the chance that trying everything finds:
    before the first roll, with dice on the table, and against any hand.
    """
    variant = replace(THREE_ROLLS, dice=Dice(count=3, faces=4), rolls=2)
    tried = Round(3, 4, 2, strength)
    first, second, third = wins(variant, WAITS, WAITS, WAITS)
    assert first == pytest.approx(float(tried._turn(1, -1, 2)[0]), abs=1e-12)
    assert second + third == pytest.approx(1 - first)
    for dice in tried.hands:
        own = tried.strength[dice]
        holds = Seat(dice, True, 0)
        held, second, third = wins(variant, holds, WAITS, WAITS)
        assert held == pytest.approx(float(tried.stays(own, 2)), abs=1e-12)
        assert second == pytest.approx(float(tried._turn(1, own, 1)[0]), abs=1e-12)
        assert third == pytest.approx(1 - held - second, abs=1e-12)
        for left in (0, 1):
            acting, _ = wins(variant, Seat(dice, False, left), WAITS)
            best = max(tried.chances(dice, left, -1, 1).values())
            assert acting == pytest.approx(float(best), abs=1e-12)


def test_who_is_out_and_who_holds() -> None:
    """Of equal hands the first holds, who is out has no chance, and the last one left wins."""
    sixes = (6, 6, 6, 1, 2)
    assert wins(POKER_DICE, Seat(sixes, True, 0), Seat(None, True, 0), Seat(sixes, True, 0)) == [
        1, 0, 0,
    ]  # fmt: skip
    chances = wins(POKER_DICE, Seat((6, 2, 6, 1, 6), True, 0), Seat((5, 5, 5, 5, 6), False, 0))
    assert chances == [0, 1]
    assert wins(POKER_DICE, WAITS) == [pytest.approx(1)]


def test_rolls_that_dont_count_are_rolled_again() -> None:
    """Rolls that are no hand take no roll (Q3): the first of two has the reference's chance."""
    variant, reference = three_that_may_not_count()
    tried: Fraction = reference._turn(1, -1, 1)[0]
    assert wins(variant, WAITS, WAITS)[0] == pytest.approx(float(tried), abs=1e-12)


def test_games_of_layouts() -> None:
    """Totals at the end decide; before that, games are simulated, always the same ones."""
    rules = RollARoyalRules()
    over = [Standing(900, 0), Standing(1200, 0), Standing(1200, 0)]
    ended = layout_forecast(ROLL_A_ROYAL, rules, over)
    assert (ended.exact, ended.standard_error) == (True, 0.0)
    assert [(*each,) for each in ended.players] == [
        (0, 0, 900, 0), (0, 1, 1200, 0), (0, 1, 1200, 0),
    ]  # fmt: skip
    started = [Standing(1000, 5), Standing(1000, 5)]
    found = layout_forecast(ROLL_A_ROYAL, rules, started)
    assert found == layout_forecast(ROLL_A_ROYAL, rules, started)
    first, second = found.players
    assert not found.exact
    assert 0 < found.standard_error < 0.01
    assert first.win + second.win + first.share == pytest.approx(1)
    assert abs(first.win - second.win) < 0.1
    ahead, behind = layout_forecast(
        ROLL_A_ROYAL, rules, [Standing(3000, 5), Standing(1000, 5)]
    ).players
    assert ahead.win > first.win + 0.1
    assert behind.win < second.win - 0.1
    (alone,) = layout_forecast(ROLL_A_ROYAL, rules, [Standing(0, 4)]).players
    points = turn_points(ROLL_A_ROYAL, rules)
    mean, error = 4 * points.mean() * 10 / 6, alone.deviation / sqrt(4_000)
    assert alone.expected == pytest.approx(mean, abs=4 * error)
    assert (alone.win, alone.share) == (1, 0)


def test_the_last_turn_of_a_game_of_layouts() -> None:
    """The last player banks points that win, and otherwise risks them: six faces for each turn."""
    rules = RollARoyalRules()
    points = turn_points(ROLL_A_ROYAL, rules)
    needed = 600
    win = [
        1.0 if each > needed else sum(each * face > needed for face in (1, 2, 3, 4, 0, 0)) / 6
        for each in points
    ]
    found = layout_forecast(ROLL_A_ROYAL, rules, [Standing(needed, 0), Standing(0, 1)])
    expected = sum(win) / len(win)
    assert found.players[1].win == pytest.approx(expected, abs=4 * found.standard_error)


@pytest.mark.parametrize(
    ("finish_round", "start", "first"),
    [
        (True, (1500, 1500), 0),
        (False, (1500, 1500), 0),
        (True, (2510, 2450), 1),
        (True, (2300, 2000), 1),
        (False, (2300, 2000), 1),
    ],
)
def test_a_game_of_layouts_to_a_target(
    finish_round: bool, start: tuple[int, int], first: int
) -> None:
    """The first player to reach the target score wins at once, or the best of the round in which it
    is reached (R34): as in games that are simulated one by one, also if only one player still has
    a turn in the present round.
    """
    rules = RollARoyalRules(turns=None, target_score=2500, finish_round=finish_round)
    points, mean = turn_points(ROLL_A_ROYAL, rules), turn_points(ROLL_A_ROYAL, rules).mean() * 5 / 3
    source, games, wins = Random(5), 4_000, [0, 0]
    for _ in range(games):
        totals, over, seats = [*map(float, start)], False, range(first, 2)
        while not over:
            for seat in seats:
                scored, face = source.choice(points), source.choice((0, 0, 1, 2, 3, 4))
                banked, other = totals[seat] + scored, totals[1 - seat] + mean * (seat == 0)
                totals[seat] += scored if banked >= 2500 and banked > other else scored * face
                over = max(totals) >= 2500
                if over and not finish_round:
                    break
            seats = range(2)
        ann, ben = totals
        wins[0] += ann > ben
        wins[1] += ben > ann
    players = [Standing(start[0], 100 - first), Standing(start[1], 100)]
    found = layout_forecast(ROLL_A_ROYAL, rules, players)
    for outlook, won in zip(found.players, wins, strict=True):
        assert outlook.win == pytest.approx(won / games, abs=5 * found.standard_error)


def test_a_target_that_was_reached_in_the_round_before() -> None:
    """No round begins after that (R34); a forecast without chances has no error."""
    rules = RollARoyalRules(turns=None, target_score=2500)
    found = layout_forecast(ROLL_A_ROYAL, rules, [Standing(2510, 100), Standing(2450, 100)])
    assert [(*each,) for each in found.players] == [(1, 0, 2510, 0), (0, 0, 2450, 0)]
    assert found.standard_error == 0


def test_the_error_is_that_of_shared_wins_too() -> None:
    """Who needs a roll of 1 to tie shares a sixth of the games, and never wins."""
    rules = RollARoyalRules()
    players = [Standing(0, 1, points=50), Standing(200, 0)]
    found = layout_forecast(ROLL_A_ROYAL, rules, players)
    second = found.players[1]
    assert found.players[0].win == 0
    assert found.players[0].share == second.share == pytest.approx(1 - second.win) != 0
    assert found.standard_error == pytest.approx(sqrt(second.win * second.share / 4_000))


def test_a_turn_of_layouts_that_has_begun() -> None:
    """What is laid counts as it is; dice that have been rolled count as they are."""
    rules = RollARoyalRules()
    laid = layout_forecast(ROLL_A_ROYAL, rules, [Standing(0, 1, points=50), Standing(60, 0)])
    ann, ben = laid.players
    more = 50 * 10 / 6  # below the other's 60 it is risked: a 2, 3 or 4 wins
    assert ann.win == pytest.approx(0.5, abs=4 * laid.standard_error)
    assert ann.expected == pytest.approx(more, rel=0.1)
    assert ben.win == pytest.approx(0.5, abs=4 * laid.standard_error)
    rolls = [["As", "Ks", "Qs", "Js", "Ts", "2h", "4d", "6c", "8h", "3c", "5d", "7h", "9c"]]
    turn = ROLL_A_ROYAL.read_rolls(rolls)
    best = ROLL_A_ROYAL.evaluate(turn, rules).points
    rolled = layout_forecast(ROLL_A_ROYAL, rules, [Standing(0, 1, turn), Standing(60, 0)])
    known = layout_forecast(ROLL_A_ROYAL, rules, [Standing(0, 1, points=best), Standing(60, 0)])
    assert rolled == known
    assert rolled.players[0].win == 1
