"""How a game of layouts may end: simulated, from the points of simulated turns."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.advice import Forecast, Outlook
from service.advice.layout.rolls import rolls_to_come
from service.advice.layout.turn import Ends
from service.kinds.layout.cards import Turn
from service.kinds.layout.variant import FINISH_ROUND, Layout, LayoutRules

TURNS, STEPS = 1_000, 40_000
"""The most turns that are simulated for the points of a turn, and the most search steps for them,
some 10 microseconds each. At least `FEWEST` are simulated."""

FEWEST = 20

GAMES = 4_000
"""The games that a forecast simulates."""

SEED = 38
"""The seed of every simulation: the same question has the same answer."""

Totals = NDArray[np.float64]


class Standing(NamedTuple):
    """A player's total, and how many turns they still have.

    One of these has begun if there is a `turn`, or if its `points` are known, before the risk die.
    """

    total: int
    turns_left: int
    turn: Turn | None = None
    points: int | None = None


@lru_cache(maxsize=64)
def turn_points(variant: Layout, rules: LayoutRules, turn: Turn | None = None) -> Totals:
    """The points of the best layouts of simulated turns, before the risk die; from a `turn` on that
    has begun, or of whole ones.

    It takes up to half a second; the last few are remembered, 8 KB each: those of whole turns are
    asked for each time, so turns of other games don't replace them.
    """
    source, ends, points = random.Random(SEED), Ends(variant, rules), list[int]()
    to_come = rolls_to_come(variant, turn, rules)
    while len(points) < TURNS and (ends.steps < STEPS or len(points) < FEWEST):
        points.append(ends.played(to_come.ending(source)).points)
    return np.array(points, np.float64)


def finals(variant: Layout, rules: LayoutRules, players: Sequence[Standing], games: int) -> Totals:
    """The totals at the end of simulated games, by game and player.

    `players` are in the order of their turns. They roll the risk die, which raises the mean. In
    their last turn they bank points with which they are ahead of all others, where those who are
    still to play get the mean of a turn. So they do with points that reach a target score, which
    ends the game (R5, R34). Who has had their turn of the present round has one turn fewer left.
    """
    source = np.random.Generator(np.random.Philox(SEED))
    points, faces = turn_points(variant, rules), np.array(variant.risk_faces)
    mean = points.mean() * max(1.0, faces.mean())
    totals = np.repeat(np.array([[each.total for each in players]], np.float64), games, axis=0)
    target = np.inf if rules.target_score is None else rules.target_score
    at_once, going_on = not FINISH_ROUND.of(rules), np.ones(games, np.bool_)
    for left in range(max(each.turns_left for each in players), 0, -1):
        playing = [place for place, each in enumerate(players) if each.turns_left >= left]
        for place in playing:
            if at_once or (place == 0 and len(playing) == len(players)):  # a round begins
                going_on = totals.max(axis=1) < target
            player, own = players[place], points
            if left == player.turns_left and player.points is not None:
                own = np.array([player.points], np.float64)
            elif left == player.turns_left and player.turn:
                own = turn_points(variant, rules, player.turn)
            scored = own[source.integers(len(own), size=games)]
            risked = scored * faces[source.integers(len(faces), size=games)]
            banked = totals[:, place] + scored
            if (left == 1 or target < np.inf) and len(players) > 1:
                awaited = totals + mean * np.isin(np.arange(len(players)), playing)
                awaited[:, : place + 1] = totals[:, : place + 1]
                ahead = banked > np.delete(awaited, place, axis=1).max(axis=1)
                risked = np.where(ahead & ((left == 1) | (banked >= target)), scored, risked)
            totals[:, place] += risked * going_on
        if not going_on.any():
            break
    return totals


def shares(totals: Totals) -> tuple[Totals, Totals]:
    """For each player the part of games that they win alone, and that they share."""
    first = totals == totals.max(axis=1, keepdims=True)
    alone = first.sum(axis=1, keepdims=True) == 1
    return (first & alone).mean(axis=0), (first & ~alone).mean(axis=0)


def forecast(variant: Layout, rules: LayoutRules, players: Sequence[Standing]) -> Forecast:
    """The chances to win and the final totals of `players`, in the order of their turns.

    Games are simulated, always with the same dice; the error is the largest of all chances.
    """
    totals = finals(variant, rules, players, GAMES)
    wins, shared = shares(totals)
    outlooks = [
        Outlook(float(win), float(share), float(own.mean()), float(own.std()))
        for win, share, own in zip(wins, shared, totals.T, strict=True)
    ]
    error = max(sqrt(p * (1 - p) / GAMES) for each in outlooks for p in (each.win, each.share))
    over = not any(each.turns_left for each in players)
    return Forecast(tuple(outlooks), over, 0.0 if over else error)
