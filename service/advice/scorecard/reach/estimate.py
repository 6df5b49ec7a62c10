"""An estimate of the chance to reach a target, where too many boxes are open for an exact one.

Games are simulated in which the player goes by a guess: that the points still to come are normally
distributed, with the mean and the variance of the table. Each turn is played as well as possible by
that guess. The chances of cards with one or two open boxes are worked out instead, so the last
three turns are played best. The chance of such a player is at most the best chance.

What is averaged is not whether a game reaches the target. It is the value of the first turn, and
after each turn the value of the next one less the guess that it replaces. That has the same mean,
because a turn is worth what its outcomes are worth in the mean, and varies much less.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from service.advice.scorecard.reach.cards import Begun, Cards, Places, ValueOf, Values
from service.advice.scorecard.reach.steps import Steps
from service.advice.scorecard.table import Table
from service.advice.scorecard.tagged import rows_of, tagged

GAMES_WORK = 16_000_000
"""The work of the turns of all games, in keeps and faces: about 0.1 seconds, ..."""

WORK = 80_000_000
"""... and the most work to work out the last turns: about 0.4 seconds."""

MOST_GAMES, FEWEST_GAMES = 1_000, 20
"""The most and the fewest games that are simulated."""

WORKED_OUT = 2
"""The most open boxes of a card whose chance the player works out."""

SEED = 14
"""The seed of every estimate: the same question has the same answer."""


def games_within(steps: Steps, opened: int) -> int:
    """How many games of `opened` turns are simulated."""
    return max(FEWEST_GAMES, min(GAMES_WORK // (steps.cost * opened), MOST_GAMES))


class Guessing:
    """A player who goes by `guess`, and works out the last turns.

    `work` is what the turns worked out so far have taken, in keeps and faces of each card. `guess`
    must be right for full cards, and where the need is 0 or more than the most points to come.
    """

    def __init__(self, steps: Steps, guess: ValueOf) -> None:
        self.steps = steps
        self.work = 0
        self._guess = guess

    def value(self, opened: int) -> ValueOf:
        """What the player takes for the chance of cards with `opened` open boxes."""
        if not 0 < opened <= WORKED_OUT:
            return self._guess
        return lambda cards: self._worked_out(cards, self.value(opened - 1))

    def _worked_out(self, cards: Cards, after: ValueOf) -> Values:
        """The best chances of `cards`, or the guess if that is too much work."""
        different, kinds = cards.different()
        found = self._guess(different)
        undecided = self.steps.undecided(different)
        work = self.steps.cost * int(undecided.sum())
        if self.work + work <= WORK:
            self.work += work
            found[undecided] = self.steps.whole_turns(different[undecided], after)
        return found[kinds]


def estimate(player: Guessing, start: Cards, turn: Begun, games: int) -> tuple[float, float]:
    """The chance of a `player` from `start`, a single card that isn't full; its standard error."""
    steps, opened = player.steps, player.steps.rows.opened(start)
    source = np.random.Generator(np.random.PCG64(SEED))
    found, guessed = np.zeros(games), np.zeros(games)
    playing = np.arange(games)
    cards = start[np.zeros(games, np.intp)]
    while len(cards):
        opened -= 1
        kinds, of_game = cards.different()
        played = _Turn(steps, kinds, player.value(opened), turn)
        rows = played.rows[played.rolls(of_game, source), of_game]
        found[playing] += played.values[of_game] - guessed
        guessed = played.of_rows[rows, of_game]
        cards = steps.rows.written(cards, rows)
        undecided = steps.undecided(cards)
        cards, guessed, playing = cards[undecided], guessed[undecided], playing[undecided]
        turn = Begun(None, steps.scoring.rolls - 1)
    error = found.std(ddof=1) / sqrt(games)
    return float(np.clip(found.mean(), 0.0, 1.0)), float(error)


def normal_guess(table: Table, steps: Steps) -> ValueOf:
    """The guess that the points still to come are normally distributed, as in `table`.

    The normal distribution is approximated by the logistic function of a cubic, within 0.0002.
    """

    def guess(cards: Cards) -> Values:
        mean, variance = table.array[:, cards.upper, cards.lower]
        off = mean - cards.need
        off = np.clip((off + 0.5) / np.sqrt(np.maximum(variance, 0.1)), -6.0, 6.0)
        chance: Values = 1 / (1 + np.exp(-off * (1.5976 + 0.07056 * off * off)))
        chance = chance.round(12)  # the last digits differ between tables
        full = steps.full(cards)
        chance[full] = mean[full] >= cards.need[full]
        chance[cards.need == 0] = 1.0
        chance[cards.need > steps.most_of(cards)] = 0.0
        return chance

    return guess


class _Turn:
    """A turn with each of some cards, played by a guess of what the cards after it are worth.

    `values` are its values by card. `of_rows` has the guess after each row, and `rows` the best row
    of each roll; `choices` has the best keep of each roll with one roll left, with two, and so on.
    """

    def __init__(self, steps: Steps, cards: Cards, guess: ValueOf, turn: Begun) -> None:
        self._turn = turn
        self._lattice = lattice = steps.scoring.lattice
        self.of_rows = steps.values(cards, guess)
        values = np.empty((len(lattice.keeps), len(cards)))
        rolls, spare = values[lattice.first_roll :], np.empty((len(lattice.rolls), len(cards)))
        self.rows = steps.best_rows(self.of_rows)
        rolls[:] = np.take_along_axis(self.of_rows, self.rows, axis=0)
        self.choices: list[Places] = []
        for _ in range(turn.left):
            lattice.average(values, spare)
            best = tagged(values)
            lattice.best(best, spare)
            self.choices.append(rows_of(best[lattice.first_roll :], len(values)))
            rolls[:] = np.take_along_axis(values, self.choices[-1], axis=0)
        self.values: Values = lattice.chances @ rolls if turn.roll is None else rolls[turn.roll]

    def rolls(self, of_game: Places, source: np.random.Generator) -> Places:
        """The last roll of the turn in each game, by its place in `Lattice.rolls`."""
        if self._turn.roll is None:
            rolls = self._thrown(np.zeros(len(of_game), np.intp), source)
        else:
            rolls = np.full(len(of_game), self._turn.roll)
        for choices in reversed(self.choices):
            rolls = self._thrown(choices[rolls, of_game], source)
        return rolls

    def _thrown(self, keeps: Places, source: np.random.Generator) -> Places:
        """The rolls that come of `keeps` when all other dice are rolled."""
        lattice = self._lattice
        for places, more in zip(lattice.sizes, lattice.more, strict=False):
            rolling = np.flatnonzero((keeps >= places.start) & (keeps < places.stop))
            faces = source.integers(lattice.faces, size=len(rolling))
            keeps[rolling] = more[faces, keeps[rolling] - places.start]
        return keeps - lattice.first_roll
