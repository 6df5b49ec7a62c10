"""The chance that a final card reaches a target, under the play that is best for that chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from service.advice.scorecard.options import check_turn, total_held
from service.advice.scorecard.position import Position
from service.advice.scorecard.reach.cards import Begun, Cards, Places, Values, card_at
from service.advice.scorecard.reach.estimate import (
    Guessing,
    estimate,
    games_within,
    normal_guess,
)
from service.advice.scorecard.reach.steps import Steps
from service.advice.scorecard.scoring import Scoring, TooLarge
from service.advice.scorecard.states import States
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

    It is exact with few open boxes. Raises `InvalidInput` and `KeyError` as `advise` does.
    """
    scoring = table.scoring
    check_turn(scoring, card, dice, rolls_left)
    need = target - total_held(scoring, card)
    if need <= 0:
        return Reach(target, 1.0, True, 0.0, 0)
    position, turn = scoring.position(card), Begun.of(scoring, dice, rolls_left)
    opened = len(card.open_boxes)
    work = 0
    if opened <= MAX_OPEN:
        exact, work = exact_chance(scoring, position, need, turn)
        if exact is not None:
            return Reach(target, exact, True, 0.0, work // STEP)
    steps = Steps(table.states, position)
    start = card_at(table.states, position, need)
    if steps.most_of(start) < need:
        return Reach(target, 0.0, True, 0.0, work // STEP)
    games = games_within(steps, opened)
    player = Guessing(steps, normal_guess(table, steps))
    chance, error = estimate(player, start, turn, games)
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
    start = card_at(states, position, need)
    if steps.most_of(start) < need:
        return 0.0, 0
    if steps.full(start):
        return 1.0, 0
    if states.count * (need + 1) > MAX_CELLS:
        return None, 0
    exact = _Exact(steps, need)
    layers = exact.layers(start, turn)
    cards = sum(map(len, layers))
    solved = exact.solve(layers, turn) if steps.cost * cards <= MAX_WORK else None
    return solved, steps.cost * (cards if solved is not None else cards // 4)


class _Exact:
    """The chances of all cards that can follow, by upper place, lower place and need."""

    def __init__(self, steps: Steps, need: int) -> None:
        self._steps = steps
        states = steps.states
        self._chances: Values = np.zeros((states.upper_count, states.lower_count, need + 1))
        self._chances[:, :, 0] = 1.0
        full_upper = states.uppers[(1 << len(steps.scoring.upper)) - 1]
        full_lower = (1 << len(steps.scoring.lower)) - 1
        for lower, (used, _) in enumerate(states.lowers):
            if used == full_lower:
                for upper, bonus in zip(full_upper, states.final_bonus, strict=True):
                    self._chances[upper, lower, 1 : bonus + 1] = 1.0

    def layers(self, start: Cards, turn: Begun) -> list[Cards]:
        """The cards before each turn whose chance isn't plain, until they are too much work."""
        rows: Places | None = None
        if turn.roll is not None and not turn.left:
            rows = self._steps.rows.of_roll[:, turn.roll]
        found = np.zeros(self._chances.shape, np.bool_)
        flat = found.reshape(-1)
        layers = [start]
        steps = self._steps
        work = steps.cost
        while len(layers[-1]) and work <= MAX_WORK:
            for _, after in steps.rows.every(layers[-1], rows):
                found[after.upper, after.lower, after.need] = True
            rows = None
            cards = Cards(*np.unravel_index(np.flatnonzero(flat), found.shape))
            flat[:] = False
            cards = cards[steps.undecided(cards)]
            layers.append(cards)
            work += steps.cost * len(cards)
        return layers

    def solve(self, layers: list[Cards], turn: Begun) -> float:
        """The chance of the only card of the first of `layers` in its `turn`."""
        start, *others = layers
        for cards in reversed(others):
            chances = self._steps.whole_turns(cards, self._known)
            self._chances[cards.upper, cards.lower, cards.need] = chances
        played = self._steps.turns(start, self._known, turn.left)[:, 0]
        ways = self._steps.scoring.lattice.chances
        chance = played @ ways if turn.roll is None else played[turn.roll]
        return min(float(chance), 1.0)

    def _known(self, cards: Cards) -> Values:
        found: Values = self._chances[cards.upper, cards.lower, cards.need]
        return found
