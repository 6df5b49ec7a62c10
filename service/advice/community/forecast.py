"""Who wins a hand with pocket and community dice, if all who are in stay until the showdown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import perm, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.advice.community.adding import Chances, Floats
from service.advice.community.chances import chances, simulated_hands
from service.advice.community.communities import (
    Communities,
    complete_communities,
    count_complete,
    tallies_of,
)
from service.advice.community.position import CommunityPosition
from service.advice.forecast import Forecast, Outlook
from service.batch.kernels import SuitedKernel
from service.batch.outcomes import suited_kernel
from service.kinds.community.betting import Stake, share_out
from service.kinds.community.variant import CommunityRanking, Seat
from service.rules.dice import Dice

Hands = NDArray[np.integer[Any]]
"""The strength of each player's hand in each deal, of shape (players, deals)."""

SIMULATED = 10_000
"""The deals that are simulated where there are too many to count."""

_MOST_DEALS = 100_000
"""The most deals to count: in `texas-holdem-dice` there are 98,280 whole communities, and 90,000
pairs of a flop's turn and river with an unknown pocket.
"""


def forecast(
    variant: CommunityRanking, rules: Any, community: Sequence[int], seats: Sequence[Seat]
) -> Forecast:
    """The chances of each of `seats` to win the hand alone, and to share it; dice are codes.

    The result of a player is the part of the pot that they get, from 0 to 1; if chips are `paid`,
    it is what they get from all pots (H14, H25, H31). Players with unknown pockets may have any
    dice in the bag. Who has folded gets nothing; at least one player has not. All dice must be
    possible (`check_table`).

    It is exact if there are few enough deals to count. Otherwise they are simulated, always the
    same ones for the same question; but if one pocket is known, its chances are exact (`chances`).
    """
    live = sorted([seat for seat in seats if not seat.folded], key=lambda seat: not seat.pocket)
    known = [seat.pocket for seat in live if seat.pocket]
    unknown, staked = len(live) - len(known), seats[0].paid is not None
    found: Chances | None = None
    if len(known) == 1 and unknown and not staked:
        own = CommunityPosition(known[0], community, (), unknown)
        found = chances(variant, rules, own)
    position = CommunityPosition((), community, known, unknown)
    hands, weights, error = _deals(variant, rules, position, found)
    first = hands == hands.max(axis=0)
    tied = first.sum(axis=0)
    results = _payouts(variant, rules, seats, live, hands) if staked else first / tied
    means = [part @ weights for part in (first & (tied == 1), first & (tied > 1), results)]
    spread = np.sqrt((results - means[-1][:, np.newaxis]) ** 2 @ weights)
    figures = np.stack([*means, spread])
    if unknown:  # they are alike, but for their chips
        alike = slice(2 if staked else None), slice(len(known), None)
        figures[alike] = figures[alike].mean(axis=1, keepdims=True)
    if found:
        figures[:3, 0] = found.win, found.tie, found.equity
        figures[2, 1:] = (1 - found.equity) / unknown
    outlooks = dict(zip([seat.id for seat in live], figures.T.tolist(), strict=True))
    players = [Outlook(*outlooks.get(seat.id, (0.0, 0.0, 0.0, 0.0))) for seat in seats]
    return Forecast(tuple(players), not error, error)


def _deals(
    variant: CommunityRanking, rules: Any, position: CommunityPosition, own: Chances | None
) -> tuple[Hands, Floats, float]:
    """Deals of the dice to come in `position`, where all pockets that are known are `known`; the
    chance of each, and the standard error of chances. `own` are those of the only known pocket.
    """
    unknown = position.unknown
    if len(position.known) + unknown == 1:
        return np.ones((1, 1), np.intp), np.ones(1), 0.0
    if own and unknown == 1:
        weights = np.array([own.win, own.tie, 1 - own.win - own.tie])
        return np.array([[2, 1, 1], [1, 1, 2]]), weights, own.standard_error
    coming = variant.stages[-1] - len(position.community)
    pockets = count_complete(variant.dice, variant.pocket)
    if count_complete(variant.dice, coming) * pockets**unknown <= _MOST_DEALS:
        return *_counted(variant, rules, position), 0.0
    hands = np.hstack([*simulated_hands(variant, rules, position, SIMULATED)])
    return hands, np.full(SIMULATED, 1 / SIMULATED), 1 / sqrt(4 * SIMULATED)


def _counted(
    variant: CommunityRanking, rules: Any, position: CommunityPosition
) -> tuple[Hands, Floats]:
    """Every deal: the rest of the community, and each unknown pocket."""
    dice, kernel = variant.dice, suited_kernel(variant, rules)
    coming = variant.stages[-1] - len(position.community)
    drawn = [_any(kernel, dice, size) for size in (coming, *[variant.pocket] * position.unknown)]
    places = np.indices([len(each.chances) for each in drawn]).reshape(len(drawn), -1)
    weights, suits = np.ones(places.shape[1]), np.zeros((places.shape[1], len(dice.suits)), np.intp)
    for each, place in zip(drawn, places, strict=True):
        counts, columns = zip(*each.groups, strict=True)
        weights *= each.chances[place]
        suits += np.repeat(counts, [group.stop - group.start for group in columns], axis=0)[place]
    seen, most = [dice.suit_of[code] for code in position.dice], int(suits[0].sum())
    for suit, count in enumerate(suits.T):
        left = dice.per_suit - seen.count(suit)
        weights *= np.array([perm(left, dice) for dice in range(most + 1)], float)[count]
    weights /= perm(dice.count - len(seen), most)
    board, *others = [each.tallies[:, place] for each, place in zip(drawn, places, strict=True)]
    board += tallies_of(kernel, dice, position.community)
    pockets = [*[tallies_of(kernel, dice, pocket) for pocket in position.known], *others]
    return np.stack([kernel.strengths_of([*(board + pocket)]) for pocket in pockets]), weights


@lru_cache(maxsize=4)
def _any(kernel: SuitedKernel, dice: Dice, count: int) -> Communities:
    """Every choice of `count` dice; 4 MB and 0.1 seconds for five of 24 kinds."""
    return complete_communities(kernel, dice, (), count)


def _payouts(
    variant: CommunityRanking,
    rules: Any,
    seats: Sequence[Seat],
    live: Sequence[Seat],
    hands: Hands,
) -> Floats:
    """The chips that each of the `live` players gets in each deal."""
    best = [hand.strength for hand in variant.table(rules) if variant.wins_game(hand, rules)]
    takes_all = np.isin(hands, best)
    behind = (hands[:, np.newaxis] < hands).sum(axis=1)
    codes = (2 * len(live)) ** np.arange(len(live)) @ (2 * behind + takes_all)
    _, examples, case = np.unique(codes, return_index=True, return_inverse=True)
    found = np.zeros((len(live), len(examples)))
    for column, deal in enumerate(examples):
        held = {
            seat.id: (int(hands[row, deal]), bool(takes_all[row, deal]))
            for row, seat in enumerate(live)
        }
        stakes = [Stake(each.id, each.paid or 0, *held.get(each.id, (None,))) for each in seats]
        for pot in share_out(stakes, variant.chip):
            found[:, column] += [pot.payouts.get(seat.id, 0) for seat in live]
    return found[:, case]
