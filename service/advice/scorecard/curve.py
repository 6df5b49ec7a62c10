"""How the chances to win move through a game on score cards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.advice.lattice import Values
from service.advice.scorecard.forecast import Hand, points_to_come
from service.advice.scorecard.options import total_held
from service.advice.scorecard.table import Table

AT_ONCE = 32
"""The hands, and the moments, that are worked out at once: some 20 MB."""

Moment = Sequence[int | None]
"""Which of their hands each player has, by its place; None for who can't win any more."""


def curve(
    tables: Sequence[Table], hands: Sequence[Sequence[Hand]], moments: Sequence[Moment]
) -> list[list[float]]:
    """The chance of each player to win at each moment, if all play best for points from there.

    A shared win counts in equal parts, so the chances of a moment add up to 1. `hands` are those
    that each player has in the game, one after the other, with a table that covers them.
    """
    totals = [_totals(table, own) for table, own in zip(tables, hands, strict=True)]
    size = max(each.shape[1] for each in totals)
    chances: list[list[float]] = []
    for first in range(0, len(moments), AT_ONCE):
        block = moments[first : first + AT_ONCE]
        rows = np.zeros((len(tables), len(block), size))
        for player, own in enumerate(totals):
            for at, moment in enumerate(block):
                place = moment[player]
                if place is None:
                    rows[player, at, 0] = 1.0
                else:
                    rows[player, at, : own.shape[1]] = own[place]
        chances += _parts(rows).T.tolist()
    return chances


def _totals(table: Table, hands: Sequence[Hand]) -> Values:
    """The chance of each final total with each of `hands`: (hands, totals). The first total is -1,
    that of who can't win.
    """
    held = [total_held(table.scoring, hand.card) for hand in hands]
    found = []
    for first in range(0, len(hands), AT_ONCE):
        found += [*points_to_come(table, hands[first : first + AT_ONCE])[0]]
    size = max(own + len(rest) for own, rest in zip(held, found, strict=True))
    totals = np.zeros((len(hands), 1 + size))
    for row, own, rest in zip(totals, held, found, strict=True):
        row[1 + own : 1 + own + len(rest)] = rest
    return totals


def _parts(totals: Values) -> Values:
    """The part of the win that each player gets in the mean: (players, moments), from the chance of
    each total: (players, moments, totals).

    With n others who have as much, it is 1 / (n + 1): the integral of s^n from 0 to 1. So all ways
    to share are in one integral, of a polynomial in s, which a few places give exactly.
    """
    below = totals.cumsum(axis=2) - totals
    places, weights = np.polynomial.legendre.leggauss(len(totals) // 2 + 1)
    found, one = np.zeros(totals.shape[:2]), np.ones_like(totals[:1])
    for place, weight in zip((places + 1) / 2, weights / 2, strict=True):
        not_above = below + place * totals
        ahead = np.concatenate([one, not_above[:-1]]).cumprod(axis=0)
        behind = np.concatenate([one, not_above[:0:-1]]).cumprod(axis=0)[::-1]
        found += weight * (totals * ahead * behind).sum(axis=2)  # without the player's own
    return found
