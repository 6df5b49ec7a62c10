"""Beat it or bust: the chance to win the round for each thing to do (P2-P6), exact.

The chances are computed backward: over the lattice of kept dice within a turn, and from the last
player to the first. Each player plays for the best chance to win the round themselves. With equal
chances, they stop rather than roll, and otherwise keep as many dice as they can.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from service.advice.lattice import Values, keeps_of, lattice
from service.advice.ranking.position import RankingPosition, check_hands
from service.kinds.ranking.hand_table import HandTable
from service.kinds.ranking.variant import Ranking

TIE = 1e-12
"""Chances whose ratio differs from 1 by less are equal: the difference comes from rounding."""


@dataclass(frozen=True, slots=True)
class Option:
    """A thing to do: its chance to win the round, and what it loses against the best one.

    `keep` are the places of the dice to keep, ascending; None: stop. `dice` are their numbers.
    """

    keep: tuple[int, ...] | None
    dice: tuple[int, ...]
    chance: float
    loss: float


def options(variant: Ranking, rules: Any, position: RankingPosition) -> list[Option]:
    """Everything that the player at `position` can do, the best first (P2-P6).

    Keeps of the same faces are one option, with the first places that show them. Raises
    `InvalidInput` for dice that don't count.
    """
    check_hands(variant, rules, dice=position.dice, to_beat=position.to_beat)
    return _chances(variant, variant.table(rules)).options(position)


@lru_cache(maxsize=64)
def _chances(variant: Ranking, table: HandTable) -> Chances:
    return Chances(variant, table)


class Chances:
    """The chances in turns of `variant` where hands have the strengths of `table`.

    Arrays of values have a row for each roll, or for each keep of the lattice, and a column for
    each hand to beat.
    """

    def __init__(self, variant: Ranking, table: HandTable) -> None:
        self._rolls = variant.rolls
        self._lattice = lattice(variant.hand_size, variant.dice.faces)
        hands = [table.sorted_hand(roll, 0) for roll in self._lattice.rolls]
        self._strength = np.array([hand.strength for hand in hands])
        self._counts = np.array([hand.rank.counts for hand in hands])[:, None]
        self._stays: list[Values] = [np.ones(self._strength.max() + 1)]
        """By the number of players after: the chance that a hand stays the best, by strength."""

    def options(self, position: RankingPosition) -> list[Option]:
        """Everything that the player at `position` can do, the best first."""
        beaten = position.to_beat
        least = 0 if beaten is None else int(self._strength[self._roll(beaten)])
        stays = self._stays_best(position.players_after)[self._strength]
        stop = np.where(self._strength > least, stays, 0.0)[:, None]
        dice = position.dice
        found = [Option(None, (), float(stop[self._roll(dice), 0]), 0.0)]
        if position.rolls_left:
            values = stop
            for _ in range(position.rolls_left - 1):
                values = self._best(values, stop)
            kept = self._kept(values)[:, 0]
            for places in keeps_of(dice):
                faces = tuple([dice[place] for place in places])
                chance = float(kept[self._place(faces)])
                found.append(Option(places, faces, chance, 0.0))
        best = max(option.chance for option in found)
        made = [replace(option, loss=_loss(best, option.chance)) for option in found]
        return sorted(made, key=lambda option: option.loss)

    def _roll(self, dice: tuple[int, ...]) -> int:
        """The index of the roll `dice`, in any order."""
        return self._place(dice) - self._lattice.first_roll

    def _place(self, dice: tuple[int, ...]) -> int:
        """The place of the keep `dice`, in any order, in the lattice."""
        return self._lattice.places[tuple(sorted(dice))]

    def _stays_best(self, after: int) -> Values:
        """The chance that a hand stays the best against `after` players, by strength.

        The next player plays for their own chance to win, with one player fewer after them. The
        hand stays if they bust, whatever they roll then, and stays against the others.
        """
        known = self._stays
        beats = self._strength[:, None] > np.arange(len(known[0]))
        while len(known) <= after:
            wins = np.where(beats, known[-1][self._strength][:, None], 0.0)
            stop = np.hstack([wins, np.where(beats, 0.0, 1.0)])
            values = stop
            for _ in range(self._rolls - 1):
                values = self._best(values, stop, deciding=len(known[0]))
            busts = self._kept(values)[0, len(known[0]) :]
            known = [*known, busts * known[-1]]
            self._stays = known
        return known[after]

    def _kept(self, values: Values) -> Values:
        """The mean of `values`, by roll, after rolling the dice that each keep lacks.

        If the result doesn't count, all dice are rolled again, without taking a roll.
        """
        if self._counts.all():
            return self._means(values)
        counted = self._means(self._counts.astype(float))[0]
        again = self._means(np.where(self._counts, values, 0.0))[0] / counted
        return self._means(np.where(self._counts, values, again))

    def _means(self, values: Values) -> Values:
        """The mean of `values`, by roll, over all results of the dice that each keep lacks."""
        means = np.empty((len(self._lattice.keeps), values.shape[1]))
        means[self._lattice.first_roll :] = values
        self._lattice.average(means, np.empty_like(values))
        return means

    def _best(self, values: Values, stop: Values, deciding: int = 1) -> Values:
        """The values, by roll, of the best choice: to `stop`, or to keep dice and roll the others.

        `values` are those after that roll. With more columns than the `deciding` ones, each of
        these decides for a further one, too.
        """
        best = self._kept(values)
        best[self._lattice.first_roll :] = stop
        repeats = values.shape[1] // deciding
        for some, fewer in self._lattice.parts():
            own, other = best[some], best[fewer]
            better = other[:, :deciding] > own[:, :deciding] * (1 + TIE)
            best[some] = np.where(np.tile(better, repeats), other, own)
        return best[self._lattice.first_roll :]


def _loss(best: float, chance: float) -> float:
    """What an option with `chance` loses against the best one; exactly 0 for a tie."""
    loss = best - chance
    return loss if loss > best * TIE else 0.0
