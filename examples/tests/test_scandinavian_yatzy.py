"""Scandinavian Yatzy: every roll in every box, and the bonus."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
from dice_games.scandinavian_yatzy import VARIANT

from service.batch.outcomes import outcomes_of
from service.kinds.scorecard.card import Card

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")


def scores(dice: tuple[int, ...]) -> dict[str, int]:
    """The points of `dice` in each box by the clauses, without the service (S2-S5)."""
    counts = Counter(dice)
    alike = {
        size: max((number for number in counts if counts[number] >= size), default=0)
        for size in (2, 3, 4, 5)
    }
    pairs = sorted(number for number in counts if counts[number] >= 2)
    return {
        **{box: number * counts[number] for number, box in enumerate(UPPER, start=1)},
        "one_pair": 2 * alike[2],
        "two_pairs": 2 * sum(pairs) if len(pairs) == 2 else 0,
        "three_of_a_kind": 3 * alike[3],
        "four_of_a_kind": 4 * alike[4],
        "small_straight": 15 if set(dice) == {1, 2, 3, 4, 5} else 0,
        "large_straight": 20 if set(dice) == {2, 3, 4, 5, 6} else 0,
        "full_house": sum(dice) if sorted(counts.values()) == [2, 3] else 0,
        "chance": sum(dice),
        "yatzy": 50 if alike[5] else 0,
    }


def test_every_roll() -> None:
    """All 7,776 rolls score in each box as the clauses say (S2-S5)."""
    for dice in product(range(1, 7), repeat=5):
        assert VARIANT.scores(dice, VARIANT.default_rules) == scores(dice), dice


def test_every_roll_in_batches() -> None:
    """Batches give all 7,776 rolls the points of the clauses."""
    rolls = list(product(range(1, 7), repeat=5))
    outcomes = outcomes_of(VARIANT, VARIANT.default_rules)
    found = outcomes.of(np.array(rolls, np.uint8)).astype(np.intp)
    columns = {column.name: column.of(found).tolist() for column in outcomes.columns}
    expected = [scores(dice) for dice in rolls]
    assert columns == {box: [roll[box] for roll in expected] for box in expected[0]}


def test_the_bonus() -> None:
    """An upper section of 63 earns 50 more, one of 62 nothing (S2)."""
    boxes = dict.fromkeys(box.id for box in VARIANT.boxes)
    full = dict(zip(UPPER, (3, 6, 9, 12, 15, 18), strict=True))
    for lower, bonus in (({}, 50), ({"ones": 2}, 0)):
        totals = VARIANT.total(Card({**boxes, **full, **lower}), VARIANT.default_rules)
        assert totals.bonus == bonus
