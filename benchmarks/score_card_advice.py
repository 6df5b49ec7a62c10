"""Advice for score cards: solving beside yatzy-solver, ten best options, a review and a target.

yatzy-solver is compiled Rust, and solves on all cores. So solving is compared by the processor time
of the process; our solving takes one core. Both programs take turns. Ours has the variances of all
states, too; yatzy-solver works out the expectations alone.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from random import Random
from unittest.mock import patch

import yatzy_solver

from service.advice.scorecard import reach as reaching
from service.advice.scorecard.options import advise
from service.advice.scorecard.played import PlayedTurn
from service.advice.scorecard.reach import reach
from service.advice.scorecard.review import review
from service.advice.scorecard.scoring import scoring
from service.advice.scorecard.table import Table, solve
from service.kinds.scorecard.card import Card
from service.kinds.scorecard.variant import ScoreCard
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from service.variants.yahtzee_deluxe import VARIANT as YAHTZEE_DELUXE

RUNS = 3
POSITIONS = 1_000
GAMES = 50
TARGETS = 20


def processor_seconds(act: Callable[[], object]) -> float:
    """How much processor time `act` takes, on all cores together."""
    started = time.process_time()
    act()
    return time.process_time() - started


def seconds(act: Callable[[], object]) -> float:
    """How long `act` takes."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def solving(name: str, rules: DicePokerRules, theirs: str) -> None:
    """Prints how long dice-poker takes to solve, beside yatzy-solver."""
    own, other = [], []
    for _ in range(RUNS):
        other.append(
            processor_seconds(lambda: yatzy_solver.Solver.build(yatzy_solver.Variant(theirs)))
        )
        own.append(processor_seconds(lambda: solve(scoring(DICE_POKER, rules))))
    ours, others = statistics.median(own), statistics.median(other)
    print(
        f"{name:36} {ours:5.2f} s of one core; yatzy-solver {others:5.2f} s; "
        f"ratio {ours / others:.2f}"
    )


def options(variant: ScoreCard, table: Table, chance: Random) -> None:
    """Prints how long the ten best options take, by rolls left."""
    for left in range(variant.rolls):
        times = []
        for _ in range(POSITIONS):
            used = chance.sample([*variant.possible], chance.randrange(len(variant.possible)))
            scores = {
                box: chance.choice(possible) if box in used else None
                for box, possible in variant.possible.items()
            }
            dice = chance.choices(range(1, 7), k=variant.dice.count)
            times.append(seconds(partial(advise, table, Card(scores), dice, left)))
        p99 = sorted(times)[POSITIONS * 99 // 100]
        print(
            f"{variant.id:15} ten best options, rolls left {left}: "
            f"p50 {statistics.median(times) * 1e3:.3f}   p99 {p99 * 1e3:.3f} ms"
        )


def reviews(variant: ScoreCard, table: Table, chance: Random) -> None:
    """Prints how long the review of a whole game takes."""
    times = []
    for _ in range(GAMES):
        turns = []
        for box in chance.sample([*variant.possible], len(variant.possible)):
            rolls = [
                tuple(chance.choices(range(1, 7), k=variant.dice.count))
                for _ in range(variant.rolls)
            ]
            turns.append(PlayedTurn(tuple(rolls), ((),) * (variant.rolls - 1), box))
        rules = variant.house_rules()
        times.append(seconds(partial(review, table, variant, rules, turns)))
    print(
        f"{variant.id:15} review of a game: p50 {statistics.median(times) * 1e3:.1f}   "
        f"max {max(times) * 1e3:.1f} ms"
    )


def targets(variant: ScoreCard, table: Table, chance: Random) -> None:
    """Prints how long the chance to reach a target takes, by open boxes, and how often it is exact.

    The target is near the expected total, where the chance is least clear.
    """
    for opened in (3, 5, 6, 7, 8, len(variant.possible)):
        times, exact, errors = [], 0, [0.0]
        for _ in range(TARGETS):
            free = chance.sample([*variant.possible], opened)
            card = Card(
                {
                    box: None if box in free else chance.choice(possible)
                    for box, possible in variant.possible.items()
                }
            )
            target = round(advise(table, card).expected_total)
            started = time.process_time()
            found = reach(table, card, target)
            times.append(time.process_time() - started)
            exact += found.exact
            errors.append(found.standard_error)
        print(
            f"{variant.id:15} chance of a target, open boxes {opened:2}: "
            f"p50 {statistics.median(times) * 1e3:5.1f}   max {max(times) * 1e3:5.1f} ms   "
            f"exact {exact} of {TARGETS}, error at most {max(errors):.4f}"
        )


def estimates(variant: ScoreCard, table: Table, chance: Random) -> None:
    """Prints how far estimates are below the best chance, on cards where that is exact."""
    below: list[float] = []
    while len(below) < TARGETS:
        free = chance.sample([*variant.possible], 6)
        card = Card(
            {
                box: None if box in free else chance.choice(possible)
                for box, possible in variant.possible.items()
            }
        )
        target = round(advise(table, card).expected_total)
        best = reach(table, card, target)
        if best.exact and 0 < best.chance < 1:
            with patch.object(reaching, "MAX_OPEN", 0):  # no exact chance is tried
                below.append(best.chance - reach(table, card, target).chance)
    print(
        f"{variant.id:15} estimates with six open boxes: below the best chance by "
        f"{statistics.median(below):.3f} (median), {max(below):.3f} (at most)"
    )


def main() -> None:
    """Prints all figures."""
    solving("dice-poker", DicePokerRules(), "american+no-bonus")
    jokers = DicePokerRules(extra_five_bonus=100, joker=True)
    solving("dice-poker, extra bonus and jokers", jokers, "american")
    chance = Random(7)
    for variant in (DICE_POKER, YAHTZEE_DELUXE):
        scored = scoring(variant, variant.house_rules())
        started = time.process_time()
        table = Table.of(scored, solve(scored))
        taken = time.process_time() - started
        size = table.array.nbytes / 1e6
        print(f"{variant.id:15} {taken:5.2f} s of one core, {size:.1f} MB")
        options(variant, table, chance)
        reviews(variant, table, chance)
        targets(variant, table, chance)
        estimates(variant, table, chance)


if __name__ == "__main__":
    main()
