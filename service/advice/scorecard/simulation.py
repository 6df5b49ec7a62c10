"""Seeded games of a score card under a policy, many at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.advice.lattice import Places, Values
from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.states import all_states
from service.advice.scorecard.steps import Begun, Cards, Steps, ValueOf
from service.advice.scorecard.table import Table

BLOCK = 1 << 16
"""The games of a block, which are played together."""

STATES = 256
"""For how many cards a policy decides at a time: with five dice, its arrays have a megabyte."""

Points = NDArray[np.int64]


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


@dataclass(frozen=True)
class Policy:
    """The play that is best by the `value` of what comes after each turn, with the points of the
    turn.
    """

    steps: Steps
    value: ValueOf


def best_policy(table: Table) -> Policy:
    """The play with the highest expected total."""
    expected = table.array[0]
    steps = Steps(table.states, table.states.start)
    return Policy(steps, lambda cards: expected[cards.upper, cards.lower] - cards.need)


def greedy_policy(scoring: Scoring) -> Policy:
    """The play with the most points in each turn, expected over all rolls that are left.

    What comes after the turn doesn't count, and neither does the upper bonus. Raises `TooLarge` for
    a game with too many states.
    """
    return Policy(Steps(all_states(scoring)), lambda cards: -cards.need.astype(np.float64))


def simulate(policy: Policy, seed: int, block: int = 0, count: int = BLOCK) -> SimulatedGames:
    """The first `count` games of a block, played to their end.

    The dice follow from the seed, the block and the number of the game in the block alone.
    """
    scoring, ways = policy.steps.scoring, policy.steps.ways
    scores = np.zeros((len(scoring.boxes), count), np.int64)
    repeats = np.zeros(count, np.int64)
    games = np.arange(count)
    for before, played in play_turns(policy, seed, block, count):
        written = ways.scores(before, played.ways)
        scores[ways.box[played.ways], games] = written
        repeats -= played.cards.need + written
    upper = scores[: len(scoring.upper)].sum(axis=0)
    bonus = np.zeros(count, np.int64)
    for threshold, points in scoring.tiers:
        bonus[upper >= threshold] = points  # higher thresholds come later
    return SimulatedGames(scores, bonus, repeats)


def play_turns(
    policy: Policy, seed: int, block: int, count: int
) -> Iterator[tuple[Cards, PlayedTurns]]:
    """The turns of the games that `simulate` returns, one after the other, with the cards before
    each, which need nothing.
    """
    steps = policy.steps
    cards = Cards.repeated(steps.states, steps.states.start, 0, count)
    for number in range(len(steps.scoring.boxes)):
        faces = random_faces(steps.scoring, seed, block, number, count)
        played = play_turn(steps, cards, policy.value, steps.whole, faces)
        yield cards, played
        cards = Cards(played.cards.upper, played.cards.lower, cards.need)


@dataclass(frozen=True)
class PlayedTurns:
    """A turn of some games as it was played, as arrays with an element for each game.

    `rolls` are the dice after each roll, as places in `Lattice.rolls`, and `keeps` what was kept of
    each but the last, as places in `Lattice.keeps`. After a player has stopped, the roll stays.
    `ways` is what was written, and `cards` are the cards after it, which are worth `after`.
    `values` is what the turn was worth before.
    """

    rolls: tuple[Places, ...]
    keeps: tuple[Places, ...]
    ways: Places
    cards: Cards
    after: Values
    values: Values


def play_turn(
    steps: Steps, cards: Cards, value: ValueOf, turn: Begun, faces: NDArray[np.uint8]
) -> PlayedTurns:
    """Plays a `turn` of each of `cards`, as well as possible by the `value` of the cards after it.

    `faces` are those of the dice that are rolled, from 0: the shape (games, rolls, dice).
    """
    lattice, count = steps.scoring.lattice, len(cards)
    more = _more(steps.scoring)
    throws = turn.left + (turn.roll is None)
    rolls = [np.full(count, turn.roll or 0) for _ in range(turn.left + 1)]
    keeps = [np.empty(count, np.intp) for _ in range(turn.left)]
    ways, after, values = np.empty(count, np.intp), np.empty(count), np.empty(count)
    kinds, kind_of = cards.different()
    by_kind = np.argsort(kind_of, kind="stable")
    ends = np.cumsum(np.bincount(kind_of, minlength=len(kinds)))
    for start in range(0, len(kinds), STATES):
        block = kinds[start : start + STATES]
        decisions = steps.decide(block, value, turn)
        games = by_kind[ends[start - 1] if start else 0 : ends[start + len(block) - 1]]
        column = kind_of[games] - start
        for number in range(throws):
            at = number + turn.left - throws  # the roll before this one, -1 for none
            places = np.zeros(len(games), np.intp)
            if at >= 0:
                places = decisions.keeps[at][rolls[at][games], column]
                keeps[at][games] = places
            for die in range(lattice.count):
                places = more[faces[games, number, die], places]
            rolls[at + 1][games] = places - lattice.first_roll
        last = rolls[-1][games]
        ways[games] = decisions.ways[last, column]
        after[games] = decisions.after[last, column]
        values[games] = decisions.values[column]
    following = steps.ways.after(cards, ways)
    return PlayedTurns(tuple(rolls), tuple(keeps), ways, following, after, values)


def random_faces(
    scoring: Scoring, seed: int, block: int, turn: int, count: int
) -> NDArray[np.uint8]:
    """Random faces from 0, of the shape (games, rolls, dice).

    Each is 64 random bits modulo the number of faces: a face has the same chance as another within
    2^-60. The bits of Philox are the same with every release of NumPy, unlike integers in a range.
    """
    shape = count, scoring.rolls, scoring.lattice.count
    bits = np.random.Philox(key=seed, counter=[0, turn, block, 0]).random_raw(int(np.prod(shape)))
    return (bits % np.uint64(scoring.lattice.faces)).astype(np.uint8).reshape(shape)


def _more(scoring: Scoring) -> Places:
    """Each keep with one more die of each face, (faces, keeps); a roll stays as it is."""
    lattice = scoring.lattice
    whole = np.arange(lattice.first_roll, len(lattice.keeps))
    return np.concatenate([*lattice.more, np.tile(whole, (lattice.faces, 1))], axis=1)
