"""Policies: what a player does in every state, with every roll, for many states at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.advice.scorecard.candidates import USED
from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.states import all_states
from service.advice.scorecard.table import Table
from service.advice.scorecard.tagged import rows_of, tagged

Values = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Decisions:
    """What a player does in some states: arrays of the shape (rolls, states).

    `keeps` has an array for each roll of a turn but the last: the place of what is kept in
    `Lattice.keeps`; if that is the roll itself, the player stops. Then `boxes` are filled, by their
    rows in `Scoring.points`, and `scores` written there.
    """

    keeps: tuple[Places, ...]
    boxes: Places
    scores: Values


class Policy:
    """The play that is best by a table of what is still to come after each turn.

    By the table of the game that is the best play (`best_policy`). Of keeps that are equally good,
    it takes one with most dice; of boxes, the first, with upper boxes before lower ones.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        scoring = table.scoring
        self._upper = len(scoring.upper)
        self._lower_used = np.array([used for used, _ in table.states.lowers])
        self._armed = np.array([armed for _, armed in table.states.lowers])
        self._upper_used = np.empty(table.states.upper_count, np.intp)
        for used, places in table.states.uppers.items():
            self._upper_used[places.start : places.stop] = used

    def decide(self, upper: Places, lower: Places) -> Decisions:
        """The decisions in the states with these upper and lower places, which have open boxes.

        With five dice it takes some 10 microseconds for each of a few hundred states; each takes
        some 20 kilobytes.
        """
        scoring = self.table.scoring
        lattice = scoring.lattice
        boxes, scores, best = self._boxes(upper, lower)
        mean = np.empty((len(lattice.keeps), len(upper)))
        spare = np.empty((len(lattice.rolls), len(upper)))
        keeps: list[Places] = []
        for _ in range(scoring.rolls - 1):
            mean[lattice.first_roll :] = best
            lattice.average(mean, spare)
            chosen = tagged(mean)
            lattice.best(chosen, spare)
            keeps.insert(0, rows_of(chosen[lattice.first_roll :], len(mean)))
            best = np.take_along_axis(mean, keeps[0], axis=0)
        return Decisions(tuple(keeps), boxes, scores)

    def _boxes(self, upper: Places, lower: Places) -> tuple[Places, Values, Values]:
        """The best box for each roll, its score, and the value of the roll with its bonus."""
        scoring = self.table.scoring
        shape = len(scoring.lattice.rolls), len(upper)
        best = np.full(shape, 2 * USED)
        boxes, scores = np.zeros(shape, np.intp), np.zeros(shape)
        for box in range(len(scoring.boxes)):
            after = self._after(box, upper, lower)
            if (after == USED).all():
                continue
            points = np.broadcast_to(scoring.points[box][:, None], shape)
            if box >= self._upper:
                points = self._with_jokers(box - self._upper, points, upper, lower)
            column = scoring.cells[box] - scoring.columns * box
            value = after[column] + points
            better = value > best
            np.copyto(best, value, where=better)
            np.copyto(scores, points, where=better)
            boxes[better] = box
        repeating = scoring.repeating
        if repeating is not None:
            best += repeating.earned[:, None] * self._armed[lower]
        return boxes, scores, best

    def _after(self, box: int, upper: Places, lower: Places) -> Values:
        """The points still to come after a box: a row for each of its `Scoring.cells`.

        They are `USED` where the box is.
        """
        states, expected = self.table.states, self.table.array[0]
        if box < self._upper:
            following = states.uppers_next[upper, box].T
            return np.where(following < 0, USED, expected[following, lower])
        following = states.lowers_next[lower, box - self._upper].T
        return np.where(following < 0, USED, expected[upper, following])

    def _with_jokers(self, box: int, points: Values, upper: Places, lower: Places) -> Values:
        """The scores in a lower box with those of jokers (D10, D15)."""
        repeating = self.table.scoring.repeating
        if repeating is None or box not in repeating.fills:
            return points
        points = points.copy()
        repeats = (self._lower_used[lower] >> repeating.box & 1).astype(bool)
        numbers = self.table.scoring.numbers
        for roll in np.flatnonzero(repeating.rolled):
            number = int(repeating.face[roll])
            joker = repeats
            if number in numbers:
                joker = repeats & (self._upper_used[upper] >> numbers.index(number) & 1).astype(
                    bool
                )
            points[roll, joker] = repeating.fills[box][roll]
        return points


def best_policy(table: Table) -> Policy:
    """The play with the highest expected total."""
    return Policy(table)


def greedy_policy(scoring: Scoring) -> Policy:
    """The play with the most points in each turn, expected over all rolls that are left.

    What comes after the turn doesn't count, and neither does the upper bonus. Raises `TooLarge` for
    a game with too many states.
    """
    states = all_states(scoring)
    return Policy(Table(states, np.zeros(states.shape)))
