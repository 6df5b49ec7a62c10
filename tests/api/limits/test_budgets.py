"""Budgets of clients in shared memory."""

from __future__ import annotations

import multiprocessing
import os

from service.api.rate_limit import BUCKETS, WAYS, Budgets

LONG = 10**9
"""So many seconds that nothing refills during a test."""


def test_what_is_left() -> None:
    """Looking at a budget takes nothing from it; another client has its own."""
    budgets = Budgets(10, LONG)
    assert [round(budgets.left("ann")) for _ in range(2)] == [10, 10]
    budgets.charge("ann", 4)
    assert [round(budgets.left("ann")) for _ in range(2)] == [6, 6]
    budgets.charge("ann", 20)
    assert [round(budgets.left(who)) for who in ("ann", "ben")] == [-14, 10]


def test_debts() -> None:
    """A client that is charged more than it has takes nothing until it has paid."""
    budgets = Budgets(10, 1000)
    assert round(budgets.charge("ann", 25)) == -15
    assert budgets.take("ann") < -15
    assert (budgets.wait(-15), budgets.wait(0), budgets.wait(5)) == (1600, 100, 100)


def test_workers_share_a_budget() -> None:
    """What one process takes is missing in the others. Here they take one after the other: if two
    take at the same moment, a charge may be lost.
    """
    budgets = Budgets(1000, LONG)

    def take() -> None:
        for _ in range(100):
            budgets.take("ann")

    forking = multiprocessing.get_context("fork")
    for _ in range(4):
        worker = forking.Process(target=take)
        worker.start()
        worker.join()
    assert int(budgets.left("ann")) == 600


def test_crowded() -> None:
    """More clients than there is room for: those that have used most keep what they owe."""
    budgets = Budgets(1000, LONG)
    budgets.charge("greedy", 5000)
    for _ in range(2 * BUCKETS * WAYS):
        budgets.take(os.urandom(8).hex())
    assert budgets.take("greedy") < -4000
