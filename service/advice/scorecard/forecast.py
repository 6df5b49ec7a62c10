"""The chance to win with each of several cards, if all play best for points, also at each moment
of a game.

The totals of players are independent. With few open boxes their distribution is exact: all that can
follow is tried. Otherwise that ends after a turn or more, at cards whose further points come from
the `shapes` of the card without the upper bonus: with a chance of the bonus that gives them their
mean, and stretched to their variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import fsum
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.advice import Forecast, Outlook
from service.advice.lattice import Places, Values
from service.advice.scorecard.options import check_turn, total_held
from service.advice.scorecard.scoring import EMPTY, Scoring
from service.advice.scorecard.steps import Cards, Flags, Starts, Steps
from service.advice.scorecard.table import QUANTILES, Plain, Table
from service.kinds.scorecard.card import Card

AT_ONCE = 32
"""The hands, and the moments, that are worked out at once: some 20 MB."""

Moment = Sequence[int | None]
"""Which of their hands each player has, by its place; None for who can't win any more."""

MOST_CARDS = 6
"""The most cards of a player after a turn from which another turn is tried if the upper bonus is
decided. For more cards, shapes are nearly exact."""

MOST_OPEN, FEW, MANY = 16, 3, 7
"""Limits for cards whose upper bonus is open. Another turn is tried for those with up to `FEW` open
boxes, and for up to `MOST_OPEN` cards with more, but for none with more than `MANY`."""

ERROR = 0.004
"""The root mean square error of a chance that isn't exact, as measured against simulated games."""

steps_of = lru_cache(maxsize=16)(Steps)


_NORMAL = np.array([NormalDist().inv_cdf((n + 0.5) / QUANTILES) for n in range(QUANTILES)])


_DITHER = np.arange(1, 2 * QUANTILES + 1) * 0.6180339887 % 1.0
"""What is added before fractions are cut off, evenly spread: so means stay as they are."""


class Hand(NamedTuple):
    """A player's card, and dice with the rolls left as in `advise`: None before the first roll.

    Fewer than all dice are kept for a roll, and the rolls left are those after it.
    """

    card: Card
    dice: Sequence[int] | None = None
    rolls_left: int | None = None


class _Rows(NamedTuple):
    """Cards that may follow a hand, by the place `of` the hand, and `masses`: the chance of each
    card with each number of points that have come, of the shape (cards, points).
    """

    of: Places
    upper: Places
    lower: Places
    masses: Values

    def where(self, chosen: Flags) -> _Rows:
        """Some of the rows."""
        return _Rows(self.of[chosen], self.upper[chosen], self.lower[chosen], self.masses[chosen])


def forecast(tables: Sequence[Table], hands: Sequence[Hand]) -> Forecast:
    """The chances to win with `hands`, each with a table of the same game that covers it.

    Raises `InvalidInput` and `KeyError` as `advise` does.
    """
    least, totals, exact = final_totals(tables, hands)
    points = least + np.arange(totals.shape[1])
    means = totals @ points
    deviations = np.sqrt(np.maximum(totals @ points**2 - means**2, 0.0))
    outlooks = []
    for player, row in enumerate(totals):
        win, *shares = (not_beaten(np.delete(totals, player, axis=0)) @ row).tolist()
        outlooks.append(Outlook(win, fsum(shares), float(means[player]), float(deviations[player])))
    return Forecast(tuple(outlooks), exact, 0.0 if exact else ERROR)


def not_beaten(totals: Values) -> Values:
    """The chance that each total is the highest, by how many other players have as much: (others
    + 1, totals). The rows of `totals` are the chances of the others to have each total.
    """
    chances = np.ones((1, totals.shape[1]))
    none = np.zeros_like(chances)
    for row in totals:
        below = row.cumsum() - row
        chances = np.vstack([chances * below, none]) + np.vstack([none, chances * row])
    return chances


def final_totals(tables: Sequence[Table], hands: Sequence[Hand]) -> tuple[int, Values, bool]:
    """The least final total of all `hands`, the chance of each total from there, (hands, totals),
    and whether these are exact. Raises as `forecast` does.
    """
    scoring = tables[0].scoring
    for hand in hands:
        check_turn(scoring, hand.card, hand.dice, hand.rolls_left)
    rests, exact = dict[int, Values](), True
    for table in dict.fromkeys(tables):
        places = [place for place, each in enumerate(tables) if each is table]
        found, all_tried = points_to_come(table, [hands[place] for place in places])
        rests.update(zip(places, found, strict=True))
        exact &= all_tried
    held = [total_held(scoring, hand.card) for hand in hands]
    least = min(held)
    size = max(own - least + len(rests[place]) for place, own in enumerate(held))
    totals = np.zeros((len(hands), size))
    for place, own in enumerate(held):
        totals[place, own - least : own - least + len(rests[place])] = rests[place]
    return least, totals, exact


def points_to_come(table: Table, hands: Sequence[Hand]) -> tuple[Values, bool]:
    """The chance of each number of points still to come with each hand, with all bonuses: (hands,
    points). Also whether they are exact.
    """
    scoring = table.scoring
    most, opened = table.states.most_points, table.states.opened
    upper, lower = np.array([table.states.place(scoring.position(hand.card)) for hand in hands]).T
    found = np.zeros((len(hands), int(most[upper, lower].max()) + 1))
    rows = _Rows(np.arange(len(hands)), upper, lower, np.zeros(found.shape))
    rows.masses[:, 0] = 1.0
    starts = _starts(scoring, hands)
    over, exact = opened[upper, lower] == 0, True
    own = Starts(starts.kept[~over], starts.left[~over])
    parts = [rows.where(over)] + ([_played(table, rows.where(~over), own)] if len(own.left) else [])
    while True:
        rows = _Rows(*(np.concatenate(each) for each in zip(*parts, strict=True)))
        over = opened[rows.upper, rows.lower] == 0
        bonus = table.array[0, rows.upper, rows.lower].astype(np.intp)
        for row in np.flatnonzero(over):
            chances = rows.masses[row, : found.shape[1] - bonus[row]]
            found[rows.of[row], bonus[row] :] += chances
        if table.states.start == EMPTY:  # the others have few open boxes
            chance = bonus_chance(table, rows.upper, rows.lower)
            ended = ~over & ends(rows.of, chance, opened[rows.upper, rows.lower])
            if ended.any():
                exact = False
                found += _ended(table, rows.where(ended), chance[ended], len(hands))
                over |= ended
        if over.all():
            return found, exact
        parts = [_played(table, rows.where(~over))]


def _starts(scoring: Scoring, hands: Sequence[Hand]) -> Starts:
    """The turns of `hands`, from their dice if they have any."""
    places, most = scoring.lattice.places, scoring.rolls - 1
    kept = [places[tuple(sorted(hand.dice or ()))] for hand in hands]
    left = [most if hand.rolls_left is None else hand.rolls_left for hand in hands]
    return Starts(np.array(kept, np.intp), np.array(left, np.intp))


def ends(of: Places, chance: Values, opened: NDArray[np.uint8]) -> Flags:
    """Which cards `of` some hands are left to shapes, with the `chance` of their bonus and their
    open boxes.
    """
    unsure = (chance > 0) & (chance < 1)
    many = np.bincount(of)[of] > MOST_CARDS
    many_unsure = np.bincount(of, unsure)[of] > MOST_OPEN
    ended: Flags = np.where(unsure, (opened > MANY) | (opened > FEW) & many_unsure, many)
    return ended


def _played(table: Table, rows: _Rows, begun: Starts | None = None) -> _Rows:
    """The different cards after a turn of each of `rows`."""
    expected, states = table.array[0], table.states
    cards = Cards(rows.upper, rows.lower, np.zeros_like(rows.upper))
    outcomes = steps_of(states, states.start).outcomes(
        cards, lambda after: expected[after.upper, after.lower] - after.need, begun
    )
    before, after = outcomes.before, outcomes.after
    codes = (rows.of[before] * states.upper_count + after.upper) * states.lower_count + after.lower
    _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    entries, points = np.nonzero(rows.masses)
    counts = np.bincount(entries, minlength=len(cards))
    repeats = counts[before]  # each outcome follows all entries of its card
    which = np.repeat(np.arange(len(before)), repeats)
    starts = (counts.cumsum() - counts)[before] - (repeats.cumsum() - repeats)
    entry = np.arange(len(which)) + np.repeat(starts, repeats)
    size = rows.masses.shape[1]
    codes = places[which] * size + points[entry] - after.need[which]
    chances = outcomes.chances[which] * rows.masses[entries, points][entry]
    masses = np.bincount(codes, chances, len(first) * size).astype(np.float64, copy=False)
    return _Rows(
        rows.of[before[first]], after.upper[first], after.lower[first], masses.reshape(-1, size)
    )


def _plain_places(table: Table, plain: Plain, upper: Places) -> Places:
    """The places in the table without the bonus of these `upper` places."""
    used = table.states.upper_used[upper].tolist()
    return np.array([plain.table.states.uppers[each].start for each in used], np.intp)


def bonus_chance(table: Table, upper: Places, lower: Places) -> Values:
    """The chance of the upper bonus for cards at these places, as their points to expect have it.

    It is 0 if the game has no shapes.
    """
    plain = table.plain
    if plain is None:
        return np.zeros(len(upper))
    expected = plain.table.array[0, _plain_places(table, plain, upper), lower]
    more = table.array[0, upper, lower] - expected
    chance: Values = np.clip(more / max(1, _bonus(table)), 0.0, 1.0)
    return chance.round(9)


def _bonus(table: Table) -> int:
    """The highest upper bonus; 0 if there is none."""
    tiers = table.scoring.tiers
    return tiers[-1][1] if tiers else 0


def _ended(table: Table, rows: _Rows, chance: Values, hands: int) -> Values:
    """The chances of all points of each of so many `hands`: those of `rows`, and then by shapes.

    `chance` is that of the upper bonus for each row.
    """
    points, weights = by_shapes(table, rows.upper, rows.lower, chance)
    size = rows.masses.shape[1]
    entries, had = np.nonzero(rows.masses)
    codes = np.clip(points[entries] + had[:, None], 0, size - 1)
    codes += size * rows.of[entries][:, None]
    each = weights[entries] * rows.masses[entries, had][:, None]
    found = np.bincount(codes.ravel(), each.ravel(), hands * size)
    return found.astype(np.float64, copy=False).reshape(hands, size)


def by_shapes(table: Table, upper: Places, lower: Places, chance: Values) -> tuple[Places, Values]:
    """Points still to come from cards at these places, and their weights: (cards, points).

    `chance` is that of the upper bonus for each card. A game without shapes has normal ones.
    """
    shapes, plain = np.tile(_NORMAL, (len(upper), 1)), table.plain
    if plain is not None:
        places = _plain_places(table, plain, upper)
        shapes = plain.shapes[places, lower].astype(np.float64)
    mean, variance = table.array[:, upper, lower, None]
    bonus, chance = _bonus(table), chance[:, None]
    off = shapes - shapes.mean(axis=1, keepdims=True)
    spread = off.var(axis=1, keepdims=True)
    lacks = variance - spread - bonus * bonus * chance * (1 - chance)
    tilt = lacks / np.maximum(2 * bonus * spread, 1e-9) * (chance * (1 - chance) > 0)
    chances = np.clip(chance + tilt * off, 0.0, 1.0)  # more often, or less, where points are many
    weights = np.concatenate([1 - chances, chances], axis=1) / QUANTILES
    points = np.concatenate([shapes, shapes + bonus], axis=1)
    points = points - (points * weights).sum(axis=1, keepdims=True)
    spread = (points * points * weights).sum(axis=1, keepdims=True)
    points = mean + points * np.sqrt(variance / np.maximum(spread, 1e-9))
    return np.floor(points + _DITHER).astype(np.intp), weights


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
