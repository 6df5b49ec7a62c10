"""One turn of many cards at once, each with the points that it still needs."""

from __future__ import annotations

import numpy as np

from service.advice.scorecard.position import Position, open_boxes
from service.advice.scorecard.reach.cards import Cards, Flags, Places, ValueOf, Values
from service.advice.scorecard.reach.rows import Rows
from service.advice.scorecard.states import States

BLOCK = 240_000
"""The most keeps of all cards that are solved at once, so that their arrays fit in the cache."""


class Steps:
    """The turns of cards that can follow `position`, among the `states` of a game.

    `rows` are the ways to fill their open boxes.
    """

    def __init__(self, states: States, position: Position) -> None:
        self.states = states
        self.scoring = scoring = states.scoring
        self.rows = Rows(states, position)
        every = (1 << len(scoring.lower)) - 1
        self._full_lower = np.array([used == every for used, _ in states.lowers])
        self._full_upper = np.arange(states.upper_count) < len(states.final_bonus)
        self._most = _most_points(states)

    @property
    def cost(self) -> int:
        """The work of a turn with one card."""
        return len(self.scoring.lattice.keeps) * self.scoring.lattice.faces

    def most_of(self, cards: Cards) -> Places:
        """The most points that can still come to each of `cards`."""
        most: Places = self._most[cards.upper, cards.lower]
        return most

    def full(self, cards: Cards) -> Flags:
        """Which of `cards` are full."""
        full: Flags = self._full_upper[cards.upper] & self._full_lower[cards.lower]
        return full

    def undecided(self, cards: Cards) -> Flags:
        """Which of `cards` aren't full, and can get what they need, but need not."""
        undecided: Flags = (cards.need > 0) & (cards.need <= self.most_of(cards))
        return undecided & ~self.full(cards)

    def values(self, cards: Cards, value: ValueOf) -> Values:
        """The value of each row for each of `cards`: that of the card after it; -1 if it is used.

        The array has the shape (rows, cards).
        """
        opened, after = zip(*self.rows.every(cards), strict=True)
        found = np.full((len(self.rows), len(cards)), -1.0)
        found[np.array(opened)] = value(Cards.joined(after))
        return found

    def turns(self, cards: Cards, value: ValueOf, left: int) -> Values:
        """The value of each roll with `left` rolls left: the shape (rolls, cards).

        `value` is that of a card after the turn.
        """
        lattice = self.scoring.lattice
        of_rows = self.values(cards, value)
        values = np.empty((len(lattice.keeps), len(cards)))
        rolls: Values = values[lattice.first_roll :]
        first, *others = self.rows.of_roll
        rolls[:] = of_rows[first]
        for rows in others:
            np.maximum(rolls, of_rows[rows], out=rolls)
        spare = np.empty_like(rolls)
        for _ in range(left):
            lattice.average(values, spare)
            lattice.best(values, spare)
        return rolls

    def whole_turns(self, cards: Cards, value: ValueOf) -> Values:
        """The value of each of `cards` before a turn."""
        found = np.empty(len(cards))
        size = max(1, BLOCK // len(self.scoring.lattice.keeps))
        for first in range(0, len(cards), size):
            block = slice(first, first + size)
            rolls = self.turns(cards[block], value, self.scoring.rolls - 1)
            found[block] = self.scoring.lattice.chances @ rolls
        return found

    def best_rows(self, values: Values) -> Places:
        """The best row of each roll; the first box if several are equal."""
        first, *others = self.rows.of_roll
        best: Values = values[first]
        chosen = np.broadcast_to(first[:, None], best.shape).copy()
        for rows in others:
            own = values[rows]
            better = own > best
            np.copyto(best, own, where=better)
            np.copyto(chosen, rows[:, None], where=better)
        return chosen


def _most_points(states: States) -> Places:
    """The most points that can still come from each state: (upper places, lower places).

    Every open box has its most, and every roll is a repeat.
    """
    scoring = states.scoring
    repeating = scoring.repeating
    upper = np.zeros(states.upper_count, np.intp)
    gains = np.arange(scoring.lattice.count + 1)
    for used, places in states.uppers.items():  # those with more boxes used come first
        own = upper[places.start : places.stop]
        if used == (1 << len(scoring.upper)) - 1:
            own[:] = states.final_bonus
        for box in open_boxes(len(scoring.upper), used):
            to = states.uppers_next[places.start : places.stop, box]
            np.maximum(own, (upper[to] + gains * scoring.numbers[box]).max(axis=1), out=own)
    tops = [int(scores.max(initial=0)) for scores in scoring.scores]
    for box, scores in (repeating.fills if repeating else {}).items():
        tops[box] = max(tops[box], int(scores.max(initial=0)))
    lower = np.array(
        [
            sum(top for box, top in enumerate(tops) if not used >> box & 1)
            for used, _ in states.lowers
        ]
    )
    most: Places = upper[:, None] + lower
    if repeating and repeating.bonus:
        upper_open = np.concatenate(
            [
                np.full(len(places), len(scoring.upper) - used.bit_count())
                for used, places in states.uppers.items()
            ]
        )
        lower_open = np.array([len(tops) - used.bit_count() for used, _ in states.lowers])
        earns = np.array([armed or not used >> repeating.box & 1 for used, armed in states.lowers])
        most += repeating.bonus * (upper_open[:, None] + lower_open) * earns
    return most
