"""One turn of many cards at once, by what the cards after it are worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from service.advice.scorecard.argmax import rows_of, tag
from service.advice.scorecard.position import EMPTY, Position
from service.advice.scorecard.states import States
from service.advice.scorecard.ways import Cards, Places, Values, Ways

BLOCK = 240_000
"""The most keeps of all cards that are solved at once, so that their arrays fit in the cache."""

ValueOf = Callable[[Cards], Values]
"""What each card after a turn is worth: never less than 0."""


@dataclass(frozen=True)
class Begun:
    """A turn: the place of its roll in `Lattice.rolls`, and how often dice can be rolled again.

    `roll` is None before the first roll.
    """

    roll: int | None
    left: int


@dataclass(frozen=True)
class Decisions:
    """What a player does in a turn with some cards: arrays of the shape (rolls, cards).

    `keeps` has an array for each roll of the turn but the last: the place of what is kept in
    `Lattice.keeps`; if that is the roll itself, the player stops. Then the player fills a box as
    `ways` say, which is worth `after`. `values` is what the turn is worth for each card.
    """

    keeps: tuple[Places, ...]
    ways: Places
    after: Values
    values: Values


class Steps:
    """The turns of cards that can follow `position`, among the `states` of a game."""

    def __init__(self, states: States, position: Position = EMPTY) -> None:
        self.states = states
        self.scoring = states.scoring
        self.ways = Ways(states, position)
        self.whole = Begun(None, self.scoring.rolls - 1)

    @property
    def cost(self) -> int:
        """The work of a turn with one card."""
        return len(self.scoring.lattice.keeps) * self.scoring.lattice.faces

    def values(self, cards: Cards, value: ValueOf, turn: Begun) -> Values:
        """What the `turn` is worth for each card, if it is played as well as possible."""
        lattice = self.scoring.lattice
        found = np.empty(len(cards))
        size = max(1, BLOCK // len(lattice.keeps))
        for first in range(0, len(cards), size):
            block = slice(first, first + size)
            of_ways = self._of_ways(cards[block], value)
            keeps = np.empty((len(lattice.keeps), of_ways.shape[1]))
            rolls = keeps[lattice.first_roll :]
            first_box, *others = self.ways.of_roll
            rolls[:] = of_ways[first_box]
            for row in others:
                np.maximum(rolls, of_ways[row], out=rolls)
            spare = np.empty_like(rolls)
            for _ in range(turn.left):
                lattice.average(keeps, spare)
                lattice.best(keeps, spare)
            found[block] = lattice.chances @ rolls if turn.roll is None else rolls[turn.roll]
        return found

    def decide(self, cards: Cards, value: ValueOf, turn: Begun) -> Decisions:
        """The best decisions in the `turn` with each card.

        Of keeps that are equally good, it takes one with most dice; of boxes, the first, with upper
        boxes before lower ones. With five dice it takes some 10 microseconds for each of a few
        hundred cards; each takes some 20 kilobytes.
        """
        lattice = self.scoring.lattice
        of_ways = self._of_ways(cards, value)
        first, *others = self.ways.of_roll
        best: Values = of_ways[first]
        ways = np.broadcast_to(first[:, None], best.shape).copy()
        for row in others:
            own = of_ways[row]
            better = own > best
            np.copyto(best, own, where=better)
            np.copyto(ways, row[:, None], where=better)
        after = best
        mean, spare = np.empty((len(lattice.keeps), len(cards))), np.empty_like(best)
        keeps: list[Places] = []
        for _ in range(turn.left):
            mean[lattice.first_roll :] = best
            lattice.average(mean, spare)
            chosen = tag(mean)
            lattice.best(chosen, spare)
            keeps.insert(0, rows_of(chosen[lattice.first_roll :], len(mean)))
            best = np.take_along_axis(mean, keeps[0], axis=0)
        values = lattice.chances @ best if turn.roll is None else best[turn.roll]
        return Decisions(tuple(keeps), ways, after, values)

    def _of_ways(self, cards: Cards, value: ValueOf) -> Values:
        """What each way is worth for each card, -1 if its box is used: the shape (ways, cards)."""
        after = self.ways.after(cards, np.arange(len(self.ways))[:, None])
        opened = (after.upper >= 0) & (after.lower >= 0)
        found = np.full(opened.shape, -1.0)
        found[opened] = value(after[opened])
        return found
