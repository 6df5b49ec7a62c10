"""Solves Hold'em of two players with fixed bets, where each knows only the class of the own hand.

The solver is CFR+ with averages by the number of the iteration. It takes a stage at a time: arrays
have an axis of histories of betting, and one of classes. Chips are in antes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.advice.community import rounds
from service.advice.community.rounds import FLOP, FOLD, NODES

Floats = NDArray[np.float32]

Reach = tuple[Floats, Floats]
"""The chance that each player has chosen what leads to something, by history and class."""

_LEAST = 1e-4
"""Smaller chances count as none: products of them would be too small for fast arithmetic."""


@dataclass(frozen=True)
class Classes:
    """The classes of hands: those of a stage are `parts` of each class of the stage before.

    `both[stage]` is the chance of each pair of classes. `ahead` is the chance that the first of a
    pair at the river wins, less that it loses; `ahead_again` is that of a pair on the flop if the
    flop is rolled again, and nobody bets any more.
    """

    parts: Sequence[int]
    both: Sequence[Floats]
    ahead: Floats
    ahead_again: Floats


class Solver:
    """The plan that both players are learning.

    It depends only on what they remember (`Past`): histories with the same past share a place.
    `regrets` and `sums` have the shape (places, decisions, choices, classes) for each stage.
    """

    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        pasts = rounds.pasts()
        places = rounds.places()
        self._chips = [np.array([[past.chips + 1] for past in each], np.float32) for each in pasts]
        self._place = [
            np.array([found.index(past) for past in each])
            for found, each in zip(places, pasts, strict=True)
        ]
        self._of_place = [
            (place == np.arange(len(found))[:, np.newaxis]).astype(np.float32)
            for place, found in zip(self._place, places, strict=True)
        ]
        shapes = [
            (len(found), len(NODES), 3, len(both))
            for found, both in zip(places, classes.both, strict=True)
        ]
        self.regrets = [np.zeros(shape, np.float32) for shape in shapes]
        self.sums = [np.zeros(shape, np.float32) for shape in shapes]
        self._iterations = 0

    def iterate(self) -> None:
        """Has each player learn once, from what the other does now."""
        self._iterations += 1
        for player in (0, 1):
            self._play(player)

    def exploitability(self) -> float:
        """What the best response to the average plan wins, in antes a hand, seats taken in turn.

        The response knows all that was bet, not only the past that the plan remembers.
        """
        return sum(float(self._play(player, respond=True).sum()) for player in (0, 1)) / 2

    def plans(self) -> list[Floats]:
        """The average plan for each stage: chances, of the shape of `sums`."""
        return [shares(sums) for sums in self.sums]

    def _play(self, me: int, *, respond: bool = False) -> Floats:
        """The value of each class of player `me`, who learns, or responds to the average plan."""
        start = np.ones((1, len(self.classes.both[0])), np.float32)
        return self._round(0, (start, start), me, respond=respond)

    def _round(self, stage: int, start: Reach, me: int, *, respond: bool) -> Floats:
        """The value of a round for `me`, by history and class, times the chance of what led to it.

        `start` is the chance that each player has chosen what led to it.
        """
        plan = shares(self.sums[stage] if respond else self.regrets[stage])
        reach, values, closed = {0: start}, {}, {}
        for node in NODES:
            chosen = plan[self._place[stage], node]
            for choice in rounds.choices(node):
                after = [*reach[node]]
                after[rounds.actor(node)] = after[rounds.actor(node)] * chosen[:, choice]
                then = rounds.then(node, choice)
                if then is not None:
                    reach[then] = after[0], after[1]
                elif choice != FOLD and rounds.goes_on(stage, node):
                    closed[node, choice] = after
                else:
                    values[node, choice] = self._end(stage, node, choice, after[1 - me], me)
        if closed:
            parts = self.classes.parts[stage + 1]
            joined = [np.concatenate(each) for each in zip(*closed.values(), strict=True)]
            following = joined[0].repeat(parts, 1), joined[1].repeat(parts, 1)
            later = self._round(stage + 1, following, me, respond=respond)
            later = later.reshape(len(closed), len(start[0]), -1, parts).sum(-1)
            values.update(zip(closed, later, strict=True))
        at: dict[int | None, Floats] = {}
        for node in reversed(NODES):
            choices = rounds.choices(node)
            options = [
                values[node, choice] if (node, choice) in values else at[rounds.then(node, choice)]
                for choice in choices
            ]
            if rounds.actor(node) != me:
                at[node] = np.add.reduce(options)
            elif respond:
                at[node] = np.maximum.reduce(options)
            else:
                chosen = plan[self._place[stage], node][:, choices].swapaxes(0, 1)
                at[node] = np.add.reduce([*map(np.multiply, chosen, options)])
                self._learn(stage, node, plan[:, node], reach[node][me], options, at[node])
        return at[0]

    def _end(self, stage: int, node: int, choice: int, other: Floats, me: int) -> Floats:
        """The value where a round ends the hand, or the flop is rolled again.

        `other` is the chance that the other player has chosen what led there.
        """
        count, classes = rounds.bets(node) - (choice == FOLD), self.classes
        paid = self._chips[stage] + count * rounds.BETS[stage]
        if choice == FOLD:
            won = other @ classes.both[stage]
            return won * (-paid if rounds.actor(node) == me else paid)
        return other @ (classes.ahead_again if stage == FLOP else classes.ahead).T * paid

    def _learn(
        self,
        stage: int,
        node: int,
        plan: Floats,
        reach: Floats,
        options: Sequence[Floats],
        value: Floats,
    ) -> None:
        """Adds what a player regrets at a decision, and the plan that was followed."""
        of_place = self._of_place[stage]
        weight = of_place @ reach * np.float32(self._iterations)
        self.sums[stage][:, node] += weight[:, np.newaxis] * plan
        regrets, expected = self.regrets[stage][:, node], of_place @ value
        for choice, option in zip(rounds.choices(node), options, strict=True):
            regrets[:, choice] += of_place @ option - expected
        np.maximum(regrets, 0, out=regrets)


def shares(learnt: Floats) -> Floats:
    """`learnt`, of shape (..., decisions, choices, classes), as chances of the choices.

    Where nothing was learnt, all choices are equally likely.
    """
    legal = np.zeros((len(NODES), 3, 1), np.float32)
    for node in NODES:
        legal[node, rounds.choices(node)] = 1
    total = learnt.sum(-2, keepdims=True)
    plan = np.where(total > 0, learnt, legal)
    plan /= plan.sum(-2, keepdims=True)
    plan[plan < _LEAST] = 0
    return plan
