"""The curve of chances: against trying every roll."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

from service.advice.scorecard.forecast import Hand, Moment, curve
from service.kinds.scorecard.card import Card
from tests.advice.scorecard.small_cards import whole_table
from tests.advice.scorecard.test_forecast import RULES, SMALL, TWO_OPEN, endings

TABLE = whole_table(SMALL, RULES)
FULL = Hand(Card({"twos": 0, "pair": 5, "threes": 6, "run": 0, "chance": 3}))
FIRST, SECOND, THIRD = TWO_OPEN
HANDS = [
    [Hand(FIRST), Hand(FIRST, (1, 3), 2), Hand(FIRST, (3,), 1), Hand(FIRST, (3, 2), 1)],
    [Hand(SECOND), Hand(SECOND, (), 0), FULL],
    [Hand(THIRD), Hand(THIRD, (1,), 0), FULL],
]
"""A hand before a roll, with all dice, with one kept or none, and at the end."""


def totals(hand: Hand) -> dict[int, float]:
    """The chance of each final total; dice that aren't kept are rolled first."""
    boxes, kept = tuple(hand.card.scores.items()), hand.dice
    if kept is None:
        return endings(TABLE, boxes, None, 3)
    found, rolled = dict[int, float](), [*product(range(1, 4), repeat=2 - len(kept))]
    for each in rolled:
        dice = tuple(sorted((*kept, *each)))
        for total, chance in endings(TABLE, boxes, dice, hand.rolls_left or 0).items():
            found[total] = found.get(total, 0.0) + chance / len(rolled)
    return found


def parts(moment: Moment) -> list[float]:
    """The part of the win that each player gets in the mean."""
    found = [0.0] * len(moment)
    there = [seat for seat, place in enumerate(moment) if place is not None]
    each = [totals(HANDS[seat][moment[seat] or 0]).items() for seat in there]
    for ends in product(*each):
        best = max(total for total, _ in ends)
        first = [seat for seat, (total, _) in zip(there, ends, strict=True) if total == best]
        for seat in first:
            found[seat] += prod(chance for _, chance in ends) / len(first)
    return found


def test_every_moment() -> None:
    """Chances are those of trying everything, wherever a turn stands; who has left has none. Wins
    that all three share count a third each.
    """
    places = [[*range(len(own)), None] for own in HANDS]
    moments = [each for each in product(*places) if any(place is not None for place in each)]
    found = curve([TABLE] * 3, HANDS, moments)
    assert len(found) == len(moments) == 79
    for moment, chances in zip(moments, found, strict=True):
        assert chances == pytest.approx(parts(moment), abs=1e-12)
        assert sum(chances) == pytest.approx(1, abs=1e-12)
    (shared,) = curve([TABLE] * 3, [[FULL]] * 3, [(0, 0, 0)])
    assert shared == pytest.approx([1 / 3] * 3)
