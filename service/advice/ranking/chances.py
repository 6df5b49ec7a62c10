"""Beat it or bust: the chance to win the round for each thing to do (P2-P6), exact.

The chances are computed backward: over the lattice of kept dice within a turn, and from the last
player to the first. Each player plays for the best chance to win the round themselves. With equal
chances, they stop rather than roll, and otherwise keep as many dice as they can.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from service.advice import Forecast, Outlook
from service.advice.lattice import Places, Values, keeps_of, lattice
from service.advice.ranking.position import RankingPosition, RankingTurn, check_hands
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


def winners(
    variant: Ranking, rules: Any, holds: tuple[int, ...] | None, turns: Sequence[RankingTurn]
) -> list[float]:
    """The chance to win the round of who `holds` the best hand so far, and of each who still rolls.

    All play as well as `options` says, in the order of their `turns`. All dice must count.
    """
    return _chances(variant, variant.table(rules)).winners(holds, turns)


class Seat(NamedTuple):
    """A player in the order of their turns: those who have `rolled` come first.

    `dice` are the hand of who has rolled, None if they are out. Those of the first of the others
    are on the table, with `rolls_left`.
    """

    dice: tuple[int, ...] | None
    rolled: bool
    rolls_left: int


def forecast(variant: Ranking, rules: Any, seats: Sequence[Seat]) -> Forecast:
    """The chances to take the pot; the result of a player is the part of it that they get.

    Of equal hands the first one holds: an equal one busts (P10). All dice must count.
    """
    holder, holds = -1, 0
    for place, seat in enumerate(seats):
        if seat.rolled and seat.dice is not None:
            strength = variant.evaluate(seat.dice, rules).strength
            if strength > holds:
                holder, holds = place, strength
    best = seats[holder].dice if holder >= 0 else None
    waiting = [place for place, seat in enumerate(seats) if not seat.rolled]
    turns = [
        RankingTurn(
            seats[place].dice or (), seats[place].rolls_left if seats[place].dice else variant.rolls
        )
        for place in waiting
    ]
    won = dict(zip([holder, *waiting], winners(variant, rules, best, turns), strict=True))
    chances = [min(1.0, won.get(place, 0.0)) for place in range(len(seats))]
    outlooks = [Outlook(each, 0.0, each, sqrt(each * (1 - each))) for each in chances]
    return Forecast(tuple(outlooks), True, 0.0)


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
        self._beats = self._strength[:, None] > np.arange(self._strength.max() + 1)
        self._stays: list[Values] = [np.ones(self._beats.shape[1])]
        """By the number of players after: the chance that a hand stays the best, by strength."""
        self._whole_turns: list[Values] = []
        """By the number of players after: what `_turn` returns for a whole turn."""

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
                values, _ = self._best(values, stop)
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

    def winners(self, holds: tuple[int, ...] | None, turns: Sequence[RankingTurn]) -> list[float]:
        """The chances of who `holds` the best hand, and of those who still roll, to win.

        Rows of `held` are these players, columns the strength of the best hand, which one holds.
        """
        held = np.zeros((1 + len(turns), self._beats.shape[1]))
        held[0, 0 if holds is None else self._strength[self._roll(holds)]] = 1.0
        for place, turn in enumerate(turns, start=1):
            after = len(turns) - place
            best = self._turn(after, turn) if turn.dice else self._whole_turn(after)
            busts = best.diagonal()
            held[place] = held.sum(axis=0) @ best - held.sum(axis=0) * busts
            held[:place] *= busts
        return [float(chance) for chance in held.sum(axis=1)]

    def _stays_best(self, after: int) -> Values:
        """The chance that a hand stays the best against `after` players, by strength.

        The next player plays for their own chance to win, with one player fewer after them. The
        hand stays if they bust, whatever they roll then, and stays against the others.
        """
        known = self._stays
        while len(known) <= after:
            busts = self._whole_turn(len(known) - 1).diagonal()
            known = [*known, busts * known[-1]]
            self._stays = known
        return known[after]

    def _whole_turn(self, after: int) -> Values:
        """What `_turn` returns for a turn of which nothing is rolled."""
        known = self._whole_turns
        while len(known) <= after:
            made = self._turn(len(known), RankingTurn((), self._rolls))
            known = [*known, made]
            self._whole_turns = known
        return known[after]

    def _turn(self, after: int, turn: RankingTurn) -> Values:
        """The chance of each strength of the best hand after a `turn`, by that before it.

        The player plays for their own chance to win, with `after` players after them. Who busts
        leaves the best hand as it was: the diagonal.
        """
        columns = np.arange(self._beats.shape[1])
        stop = np.where(self._beats, self._stays_best(after)[self._strength][:, None], 0.0)
        values, plans = stop, list[Places]()
        for _ in range(turn.rolls_left - (not turn.dice)):
            values, keeps = self._best(values, stop)
            plans.insert(0, keeps)
        if turn.dice:
            rolls = np.zeros(stop.shape)
            rolls[self._roll(turn.dice)] = 1.0
        else:
            kept = np.zeros((len(self._lattice.keeps), 1))
            kept[0] = 1.0
            rolls = np.repeat(self._rolled(kept), len(columns), axis=1)
        for keeps in plans:
            kept = np.zeros((len(self._lattice.keeps), len(columns)))
            np.add.at(kept, (keeps, columns), rolls)
            rolls = self._rolled(kept)
        best = np.zeros((len(columns), len(columns)))
        np.add.at(best.T, self._strength, np.where(self._beats, rolls, 0.0))
        busts = np.where(self._beats, 0.0, rolls).sum(axis=0)
        best[columns, columns] = np.where(self._beats.any(axis=0), busts, 1.0)  # not 1 - 10^-13
        return best

    def _rolled(self, kept: Values) -> Values:
        """The chance of each roll after keeps with the chances `kept`, as in `Lattice.rolled`.

        If the result doesn't count, all dice are rolled again, without taking a roll.
        """
        rolls = self._lattice.rolled(kept)
        counted = self._lattice.chances[:, None] * self._counts
        again = np.where(self._counts, 0.0, rolls).sum(axis=0)
        result: Values = rolls * self._counts + counted / counted.sum() * again
        return result

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

    def _best(self, values: Values, stop: Values) -> tuple[Values, Places]:
        """The values, by roll, of the best choice, and the keep that it is.

        To keep the whole roll is to `stop`, which is worth that; other keeps are rolled, and
        `values` are those after that roll.
        """
        best = self._kept(values)
        best[self._lattice.first_roll :] = stop
        keeps = np.repeat(np.arange(len(best))[:, None], best.shape[1], axis=1)
        for some, fewer in self._lattice.parts():
            better = best[fewer] > best[some] * (1 + TIE)
            best[some] = np.where(better, best[fewer], best[some])
            keeps[some] = np.where(better, keeps[fewer], keeps[some])
        return best[self._lattice.first_roll :], keeps[self._lattice.first_roll :]


_chances = lru_cache(maxsize=64)(Chances)


def _loss(best: float, chance: float) -> float:
    """What an option with `chance` loses against the best one; exactly 0 for a tie."""
    loss = best - chance
    return loss if loss > best * TIE else 0.0
