"""The chance that a final card reaches a target, under the play that is best for that chance.

It is exact with few open boxes. Otherwise games are simulated in which the player goes by a guess:
that the points still to come are normally distributed, with the mean and the variance of the table.
Each turn is played as well as possible by that guess. The chances of cards with one or two open
boxes are worked out instead, so the last three turns are played best. The chance of such a player
is at most the best chance.

What is averaged is not whether a game reaches the target. It is the value of the first turn, and
after each turn the value of the next one less the guess that it replaces. That has the same mean,
because a turn is worth what its outcomes are worth in the mean, and varies much less.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from service.advice.lattice import Values
from service.advice.scorecard.options import check_turn, total_held
from service.advice.scorecard.scoring import Position, Scoring, TooLarge
from service.advice.scorecard.simulation import play_turn, random_faces
from service.advice.scorecard.states import States
from service.advice.scorecard.steps import Begun, Cards, Steps, ValueOf
from service.advice.scorecard.table import Table
from service.kinds.scorecard.card import Card

MAX_OPEN = 8
"""The most open boxes that an exact chance is tried for."""

MAX_WORK = 120_000_000
"""The most work of an exact chance, in keeps and faces of each card: about half a second."""

STEP = 2_300
"""The work that takes some 10 microseconds, the step of all limits."""

MAX_CELLS = 4_000_000
"""The most pairs of a state and the points that it needs: with 8 bytes each, 32 MB."""

GAMES_WORK = 16_000_000
"""The work of the turns of all simulated games: about 0.1 seconds, ..."""

ENDS_WORK = 80_000_000
"""... and the most work to work out the last turns: about 0.4 seconds."""

MOST_GAMES, FEWEST_GAMES = 1_000, 20
"""The most and the fewest games that are simulated."""

WORKED_OUT = 2
"""The most open boxes of a card whose chance the player of a simulated game works out."""

SEED = 14
"""The seed of every estimate: the same question has the same answer."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The chance that the final total is at least `target`.

    It is that of the best play for that chance if `exact`. Otherwise it is the estimated chance of
    a good play, with its standard error; the best play may have a better one. `steps` is the work
    in steps of some 10 microseconds.
    """

    target: int
    chance: float
    exact: bool
    standard_error: float
    steps: int


def reach(
    table: Table,
    card: Card,
    target: int,
    dice: Sequence[int] | None = None,
    rolls_left: int | None = None,
) -> Reach:
    """The chance to reach `target` from `card`; `dice` and `rolls_left` are as in `advise`.

    Raises `InvalidInput` and `KeyError` as `advise` does.
    """
    scoring = table.scoring
    check_turn(scoring, card, dice, rolls_left)
    position, need = scoring.position(card), target - total_held(scoring, card)
    turn = Begun(None, scoring.rolls - 1)
    if dice is not None:
        place = scoring.lattice.places[tuple(sorted(dice))] - scoring.lattice.first_roll
        turn = Begun(place, turn.left if rolls_left is None else rolls_left)
    work, opened = 0, len(card.open_boxes)
    if opened <= MAX_OPEN:
        exact, work = exact_chance(scoring, position, need, turn)
        if exact is not None:
            return Reach(target, exact, True, 0.0, work // STEP)
    steps = Steps(table.states, position)
    start = Cards.repeated(table.states, position, need, 1)
    plain, undecided = steps.plain(start)
    if not undecided[0]:
        return Reach(target, float(plain[0]), True, 0.0, work // STEP)
    player = Player(steps, normal_guess(table))
    games = max(FEWEST_GAMES, min(GAMES_WORK // (steps.cost * opened), MOST_GAMES))
    chance, error = estimate(player, start[np.zeros(games, np.intp)], turn, opened)
    work += player.work + games * opened * steps.cost
    return Reach(target, chance, False, error, work // STEP)


def exact_chance(
    scoring: Scoring, position: Position, need: int, turn: Begun
) -> tuple[float | None, int]:
    """The best chance to get `need` points or more from `position`; None if it takes too long.

    Also the work that it took.
    """
    try:
        states = States(scoring, position)
    except TooLarge:
        return None, 0
    steps = Steps(states, position)
    start = Cards.repeated(states, position, need, 1)
    plain, undecided = steps.plain(start)
    if not undecided[0]:
        return float(plain[0]), 0
    if states.count * (need + 1) > MAX_CELLS:
        return None, 0
    every = np.arange(need + 1)
    most, full = states.most_points[:, :, None], states.opened[:, :, None] == 0
    chances = ((every == 0) | full & (every <= most)).astype(float)  # the others come later

    def known(cards: Cards) -> Values:
        found: Values = chances[cards.upper, cards.lower, np.maximum(cards.need, 0)]
        return found

    layers, work = [start], steps.cost  # the cards before each turn whose chance isn't plain
    ways: Iterable[int] | None = None
    if turn.roll is not None and not turn.left:
        ways = steps.ways.of_roll[:, turn.roll].tolist()
    while len(layers[-1]) and work <= MAX_WORK:
        found = np.zeros(chances.shape, np.bool_)
        for after in steps.ways.each_after(layers[-1], ways):
            found[after.upper, after.lower, np.maximum(after.need, 0)] = True
        ways = None
        cards = Cards(*np.unravel_index(np.flatnonzero(found), found.shape))
        layers.append(cards[steps.plain(cards)[1]])
        work += steps.cost * len(layers[-1])
    if work > MAX_WORK:
        return None, work // 4
    for cards in reversed(layers[1:]):
        solved = steps.values(cards, known, steps.whole)
        chances[cards.upper, cards.lower, cards.need] = solved
    return min(float(steps.values(start, known, turn)[0]), 1.0), work


class Player:
    """A player who goes by `guess`, and works out the last turns.

    `work` is what the turns worked out so far have taken, in keeps and faces of each card.
    """

    def __init__(self, steps: Steps, guess: ValueOf) -> None:
        self.steps = steps
        self.work = 0
        self._guess = guess

    def value(self, opened: int) -> ValueOf:
        """What the player takes for the chance of cards with `opened` open boxes."""

        def value(cards: Cards) -> Values:
            found, undecided = self.steps.plain(cards)
            cards = cards[undecided]
            if opened <= WORKED_OUT and len(cards):
                different, kinds = cards.different()
                work = self.steps.cost * len(different)
                if self.work + work <= ENDS_WORK:
                    self.work += work
                    after = self.value(opened - 1)
                    found[undecided] = self.steps.values(different, after, self.steps.whole)[kinds]
                    return found
            found[undecided] = self._guess(cards)
            return found

        return value


def estimate(player: Player, cards: Cards, turn: Begun, opened: int) -> tuple[float, float]:
    """The chance of a `player` from `cards`, which are the same card once for each game.

    They have `opened` open boxes. Also returns the standard error.
    """
    steps, games = player.steps, len(cards)
    found, guessed = np.zeros(games), np.zeros(games)
    playing = np.arange(games)
    for number in range(opened):
        faces = random_faces(steps.scoring, SEED, 0, number, games)[playing]
        played = play_turn(steps, cards, player.value(opened - number - 1), turn, faces)
        found[playing] += played.values - guessed
        undecided = steps.plain(played.cards)[1]
        cards, guessed = played.cards[undecided], played.after[undecided]
        playing, turn = playing[undecided], steps.whole
    error = found.std(ddof=1) / sqrt(games)
    return float(np.clip(found.mean(), 0.0, 1.0)), float(error)


def normal_guess(table: Table) -> ValueOf:
    """The guess that the points still to come are normally distributed, as in `table`.

    The normal distribution is approximated by the logistic function of a cubic, within 0.0002.
    """

    def guess(cards: Cards) -> Values:
        mean, variance = table.array[:, cards.upper, cards.lower]
        off = (mean - cards.need + 0.5) / np.sqrt(np.maximum(variance, 0.1))
        off = np.clip(off, -6.0, 6.0)
        chance: Values = 1 / (1 + np.exp(-off * (1.5976 + 0.07056 * off * off)))
        return chance.round(12)  # the last digits differ between tables

    return guess
