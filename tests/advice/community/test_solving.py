"""The solver for two players with fixed bets, on games whose answers can be worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from service.advice.community.rounds import FOLD, NODES, PASS, bets
from service.advice.community.solving import Classes, Floats, Solver, shares

HIGH_OR_LOW = np.array([[0, -0.25], [0.25, 0]], np.float32)
"""Each player is as likely to be low as high, and high beats low."""


def solver(ahead: Floats, again: Floats) -> Solver:
    """A solver of a game whose classes stay as they are until the showdown."""
    both = np.full(ahead.shape, 1 / ahead.size, np.float32)
    return Solver(Classes((len(ahead), 1, 1, 1), (both,) * 4, ahead, again))


def always(choice: int, game: Solver) -> Solver:
    """The game with a plan to make one `choice` wherever there is a bet, and else to check."""
    for sums in game.sums:
        for node in NODES:
            sums[:, node, choice if bets(node) else PASS] = 1
    return game


@pytest.mark.parametrize(
    ("choice", "ahead", "again", "antes"),
    [
        # all hands are equal: nothing can be won from who always calls, and the ante from who folds
        (PASS, np.zeros((1, 1)), np.zeros((1, 1)), 0),
        (FOLD, np.zeros((1, 1)), np.zeros((1, 1)), 1),
        # a high hand bets in each round: 1 + 1 + 1 + 2 + 2 antes from a low one, a quarter of the
        # time; a low one checks until the flop is rolled again, where nobody is ahead
        (PASS, HIGH_OR_LOW, np.zeros((2, 2)), 7 / 4),
        # if the hands stay as they are, it loses the ante a quarter of the time
        (PASS, HIGH_OR_LOW, HIGH_OR_LOW, 6 / 4),
        (FOLD, HIGH_OR_LOW, HIGH_OR_LOW, 1),
    ],
)
def test_exploitability(choice: int, ahead: Floats, again: Floats, antes: float) -> None:
    """What a best response wins from a plan is what it wins by hand."""
    game = always(choice, solver(ahead.astype(np.float32), again.astype(np.float32)))
    assert game.exploitability() == pytest.approx(antes)


def test_learns() -> None:
    """The more the solver learns, the less a best response wins; the plan is a probability."""
    game, found = solver(HIGH_OR_LOW, HIGH_OR_LOW), []
    for _ in range(3):
        found.append(game.exploitability())
        for _ in range(40):
            game.iterate()
    assert found == sorted(found, reverse=True)
    assert found[-1] < found[0] / 50
    for plan in game.plans():
        assert plan.min() >= 0
        assert plan.sum(2) == pytest.approx(1, abs=2e-4)


def test_nothing_learnt() -> None:
    """Where nothing was learnt, all that is legal is equally likely."""
    plan = shares(np.zeros((len(NODES), 3, 1), np.float32))[..., 0]
    third = [1 / 3] * 3
    facing = [third, third, third, [0.5, 0.5, 0]]
    assert plan == pytest.approx(np.array([[0, 0.5, 0.5]] * 2 + facing * 2))
