"""Seeded games of a score card under a policy, many at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.advice.scorecard.policy import Policy
from service.advice.scorecard.scoring import Scoring

BLOCK = 1 << 16
"""The games of a block, which are played together."""

STATES = 256
"""For how many states a policy decides at a time: with five dice, its arrays have a megabyte."""

Places = NDArray[np.intp]
Points = NDArray[np.int64]


@dataclass(frozen=True)
class SimulatedTurns:
    """The same turn of some games, as arrays with an element for each game.

    `rolls` are the dice after each roll, as places in `Lattice.rolls`, and `keeps` what was kept of
    each but the last, as places in `Lattice.keeps`. After a player has stopped, the roll stays. The
    box in the row `boxes` of `Scoring.points` got `scores`; `repeats` is the bonus for a repeat.
    """

    rolls: tuple[Places, ...]
    keeps: tuple[Places, ...]
    boxes: Places
    scores: Points
    repeats: Points


@dataclass(frozen=True)
class SimulatedGames:
    """Finished cards, as arrays with an element for each game.

    `scores` has the shape (boxes, games), in the order of `Scoring.boxes`.
    """

    scores: Points
    upper_bonus: Points
    repeats: Points

    @property
    def total(self) -> Points:
        """The final scores."""
        total: Points = self.scores.sum(axis=0) + self.upper_bonus + self.repeats
        return total


def simulate(policy: Policy, seed: int, block: int = 0, count: int = BLOCK) -> SimulatedGames:
    """The first `count` games of a block, played to their end.

    The dice follow from the seed, the block and the number of the game in the block alone.
    """
    scoring = policy.table.scoring
    scores = np.zeros((len(scoring.boxes), count), np.int64)
    repeats = np.zeros(count, np.int64)
    games = np.arange(count)
    for turn in turns(policy, seed, block, count):
        scores[turn.boxes, games] = turn.scores
        repeats += turn.repeats
    upper = scores[: len(scoring.upper)].sum(axis=0)
    bonus = np.zeros(count, np.int64)
    for threshold, points in scoring.tiers:
        bonus[upper >= threshold] = points  # higher thresholds come later
    return SimulatedGames(scores, bonus, repeats)


def turns(policy: Policy, seed: int, block: int, count: int) -> Iterator[SimulatedTurns]:
    """The turns of the games that `simulate` returns, one after the other."""
    states, scoring = policy.table.states, policy.table.scoring
    start = states.start
    upper = np.full(count, states.upper_place(start.upper_used, start.upper))
    lower = np.full(count, states.lower_place(start.lower_used, start.armed))
    armed = np.array([armed for _, armed in states.lowers])
    for number in range(len(scoring.boxes)):
        faces = _faces(scoring, seed, block, number, count)
        turn = _turn(policy, faces, upper, lower)
        last = turn.rolls[-1]
        if scoring.repeating is None:
            yield turn
        else:
            earned = np.where(armed[lower], scoring.repeating.earned[last], 0).astype(np.int64)
            yield SimulatedTurns(turn.rolls, turn.keeps, turn.boxes, turn.scores, earned)
        column = scoring.cells[turn.boxes, last] - scoring.columns * turn.boxes
        above = turn.boxes < len(scoring.upper)
        upper[above] = states.uppers_next[upper[above], turn.boxes[above], column[above]]
        below = ~above
        boxes = turn.boxes[below] - len(scoring.upper)
        lower[below] = states.lowers_next[lower[below], boxes, column[below]]


def _faces(scoring: Scoring, seed: int, block: int, turn: int, count: int) -> NDArray[np.uint8]:
    """Random faces from 0, of the shape (games, rolls, dice).

    Each is 64 random bits modulo the number of faces: a face has the same chance as another within
    2^-60. The bits of Philox are the same with every release of NumPy, unlike integers in a range.
    """
    shape = count, scoring.rolls, scoring.lattice.count
    bits = np.random.Philox(key=seed, counter=[0, turn, block, 0]).random_raw(int(np.prod(shape)))
    return (bits % np.uint64(scoring.lattice.faces)).astype(np.uint8).reshape(shape)


def _turn(policy: Policy, faces: NDArray[np.uint8], upper: Places, lower: Places) -> SimulatedTurns:
    """One turn of each game. The bonus for repeats is left out."""
    states, scoring = policy.table.states, policy.table.scoring
    count, first_roll = len(faces), scoring.lattice.first_roll
    more = _more(scoring)
    rolls = [np.empty(count, np.intp) for _ in range(scoring.rolls)]
    keeps = [np.empty(count, np.intp) for _ in range(scoring.rolls - 1)]
    boxes, scores = np.empty(count, np.intp), np.empty(count, np.int64)
    found, state_of = np.unique(upper * states.lower_count + lower, return_inverse=True)
    by_state = np.argsort(state_of, kind="stable")
    ends = np.cumsum(np.bincount(state_of, minlength=len(found)))
    for start in range(0, len(found), STATES):
        block = found[start : start + STATES]
        decisions = policy.decide(*np.divmod(block, states.lower_count))
        games = by_state[ends[start - 1] if start else 0 : ends[start + len(block) - 1]]
        column = state_of[games] - start
        places = np.zeros(len(games), np.intp)
        for number in range(scoring.rolls):
            for die in range(scoring.lattice.count):
                places = more[faces[games, number, die], places]
            rolls[number][games] = places - first_roll
            if number < len(keeps):
                places = decisions.keeps[number][places - first_roll, column]
                keeps[number][games] = places
        places -= first_roll
        boxes[games] = decisions.boxes[places, column]
        scores[games] = decisions.scores[places, column]
    return SimulatedTurns(tuple(rolls), tuple(keeps), boxes, scores, np.zeros(count, np.int64))


def _more(scoring: Scoring) -> Places:
    """Each keep with one more die of each face, (faces, keeps); a roll stays as it is."""
    lattice = scoring.lattice
    whole = np.arange(lattice.first_roll, len(lattice.keeps))
    return np.concatenate([*lattice.more, np.tile(whole, (lattice.faces, 1))], axis=1)
