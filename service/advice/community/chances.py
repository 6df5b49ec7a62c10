"""The chances of a player at a table with pocket and community dice, and of all in a hand.

Exact ones go through every community, with every pocket of each opponent. They are simulated where
that takes too long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb, perm, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.advice import Forecast, Outlook
from service.advice.community.adding import (
    Adding,
    Chances,
    KnownDice,
    Sums,
    products_of,
    rename_suits,
    shares_of,
)
from service.advice.community.communities import (
    Communities,
    Pockets,
    Showdowns,
    complete_communities,
    count_complete,
    count_up_to_names,
    up_to_names,
)
from service.advice.community.position import SAMPLES, CommunityPosition, Pocket, simulated_seconds
from service.batch.kernels import SuitedKernel
from service.batch.outcomes import suited_kernel
from service.kinds.community.variant import CommunityRanking
from service.rules.dice import Dice

_BLOCK = 10_000
"""Showdowns to simulate at a time."""

FORECAST_SAMPLES = 20_000
"""Showdowns to simulate for players whose dice are unknown."""

STANDARD_ERROR = 1 / sqrt(4 * FORECAST_SAMPLES)
"""The greatest of a simulated chance."""

_POCKET, _HAND, _CASE, _PRODUCT = 5e-6, 6e-8, 2.5e-7, 5e-10
"""The seconds to list a pocket, to rank a hand (a pocket with a community), to look up a case (what
is known, with its suits renamed, and a community), and to multiply for several opponents.
"""


_MOST_WORK = 0.7
"""The most seconds that exact chances may take; others are simulated."""


class Work(NamedTuple):
    """About how many seconds exact chances take: `once` for a variant, `each` time, and at most
    for the `products` of several opponents.
    """

    once: float
    each: float
    products: float


def chances(variant: CommunityRanking, rules: Any, position: CommunityPosition) -> Chances:
    """The chances of a player who stays until the showdown, as all opponents do.

    All dice in the bag are equally likely to come next (H2, H24). The chances are exact if that
    doesn't take too long, as it never does in `texas-holdem-dice`. Raises `InvalidInput` if the
    dice can't be on one table (H24).
    """
    variant.check_hand(position.pocket, position.community, position.known)
    if sum(exact_work(variant, position)) <= _MOST_WORK:
        return exact_chances(variant, rules, position)
    return simulated_chances(variant, rules, position)


def exact_work(variant: CommunityRanking, position: CommunityPosition) -> Work:
    """The work of `exact_chances`."""
    dice, suits = variant.dice, len(variant.dice.suits)
    pockets = comb(len(dice.notation) + variant.pocket - 1, variant.pocket)
    coming = variant.stages[-1] - len(position.community)
    once, each = pockets * _POCKET, 0.0
    if position.community:
        communities = cases = count_complete(dice, coming)
        each += pockets * communities * _HAND
    else:
        communities = count_up_to_names(dice, coming)
        cases = communities * perm(suits, len({dice.suit_of[code] for code in position.dice}))
        once += pockets * communities * _HAND
    points = len(shares_of(len(position.known) + position.unknown)[0])
    products = cases * points * products_of(position.unknown, variant.pocket, suits)
    return Work(once, each + cases * _CASE, products * _PRODUCT)


def exact_chances(variant: CommunityRanking, rules: Any, position: CommunityPosition) -> Chances:
    """The chances in this `position` under the house `rules`.

    What is done only once for a variant doesn't count as its work, unless house rules change its
    hands.
    """
    dice, coming = variant.dice, variant.stages[-1] - len(position.community)
    kernel = suited_kernel(variant, rules)
    pockets = _pockets(dice, variant.pocket, kernel)
    if position.community:
        communities = complete_communities(kernel, dice, position.community, coming)
        showdowns = Showdowns(kernel, pockets, communities.tallies)
        known: Mapping[KnownDice, int] = {KnownDice.of(dice, position): 1}
    else:
        communities, showdowns = _from_nothing(kernel, dice, variant.pocket, coming)
        known = rename_suits(dice, position)
    sums = Sums(variant, rules, kernel.strongest)
    adding = Adding(sums, pockets, communities, showdowns, position)
    for each, times in known.items():
        adding.add(each, times)
    work = exact_work(variant, position)
    own = variant.table(rules) is not variant.table(variant.default_rules)
    seconds = work.each + (work.once if own else 0) + sums.products * _PRODUCT
    return sums.chances(seconds=seconds)


_pockets = lru_cache(maxsize=4)(Pockets)


@lru_cache(maxsize=4)
def _from_nothing(
    kernel: SuitedKernel, dice: Dice, pocket: int, coming: int
) -> tuple[Communities, Showdowns]:
    """Every community, up to the names of suits; 6 MB and 0.1 seconds for 24 kinds of dice."""
    communities = up_to_names(kernel, dice, coming)
    return communities, Showdowns(kernel, _pockets(dice, pocket, kernel), communities.tallies)


def simulated_chances(
    variant: CommunityRanking, rules: Any, position: CommunityPosition
) -> Chances:
    """The chances in this `position` under the house `rules`.

    The same question, in whatever order its dice are, has the same answer.
    """
    sums = Sums(variant, rules, suited_kernel(variant, rules).strongest)
    pockets = [position.pocket, *position.known]
    hands = simulated(variant, rules, position.community, pockets, position.unknown, SAMPLES)
    for own, *rest in hands:
        others = np.stack(rest)
        best = own >= others.max(axis=0)
        shared = (others == own).sum(axis=0)[best]
        sums.strengths += np.bincount(own, minlength=len(sums.strengths))
        sums.win += float((shared == 0).sum())
        sums.tie += float((shared > 0).sum())
        sums.equity += float((1 / (1 + shared)).sum())
    return sums.chances(
        SAMPLES,
        seconds=simulated_seconds(variant, len(position.known) + position.unknown),
        standard_error=1 / sqrt(4 * SAMPLES),
    )


def simulated(
    variant: CommunityRanking,
    rules: Any,
    community: Sequence[int],
    known: Sequence[Pocket],
    unknown: int,
    samples: int,
) -> Iterator[NDArray[np.intp]]:
    """The strengths of the hands in `samples` showdowns, of shape (players, showdowns), in blocks:
    those of `known` pockets, then of `unknown` ones. All dice are codes.

    The same question, in whatever order the dice of each pocket are, has the same answer.
    """
    dice, coming = variant.dice, variant.stages[-1] - len(community)
    kernel = suited_kernel(variant, rules)
    question = (
        variant.id,
        [getattr(rules, switch) for switch in variant.switches],
        sorted(community),
        [sorted(pocket) for pocket in known],
        unknown,
    )
    seed = hashlib.sha256(repr(question).encode()).digest()
    source = np.random.default_rng(int.from_bytes(seed))
    left = np.full(len(dice.suits), dice.per_suit)
    seen = [*community, *(code for pocket in known for code in pocket)]
    np.subtract.at(left, [dice.suit_of[code] for code in seen], 1)
    bag = np.repeat(np.arange(len(left), dtype=np.uint8), left)
    drawn = coming + variant.pocket * unknown
    lying = np.array([community], np.uint8).repeat(_BLOCK, axis=0)
    fixed = [np.array([pocket], np.uint8).repeat(_BLOCK, axis=0) for pocket in known]
    for _ in range(samples // _BLOCK):
        suits = source.permuted(np.tile(bag, (_BLOCK, 1)), axis=1)[:, :drawn]
        numbers = source.integers(dice.faces, size=suits.shape, dtype=np.uint8)
        codes = suits * np.uint8(dice.faces) + numbers
        whole = np.hstack([lying, codes[:, :coming]])
        pockets = [*fixed]
        for start in range(coming, drawn, variant.pocket):
            pockets.append(codes[:, start : start + variant.pocket])
        yield np.stack([kernel.strengths(np.hstack([pocket, whole])) for pocket in pockets])


class Seat(NamedTuple):
    """A player in the hand, with the `pocket` if it is known, as codes; `stack` are the chips that
    are not in the pot.
    """

    pocket: Pocket | None
    stack: int


class _Share(NamedTuple):
    """The chance to win the pot alone (`win`) and with others (`tie`), and the mean part of it."""

    win: float
    tie: float
    mean: float

    def outlook(self, stack: int, pot: int) -> Outlook:
        """The result in chips, whose deviation counts all ties as equally large."""
        shared = self.mean - self.win
        square = self.win + (shared**2 / self.tie if self.tie else 0.0)
        deviation = sqrt(max(0.0, square - self.mean**2))
        return Outlook(self.win, self.tie, stack + pot * self.mean, pot * deviation)


def forecast(
    variant: CommunityRanking, rules: Any, community: Sequence[int], seats: Sequence[Seat], pot: int
) -> Forecast:
    """The outlooks of the players in a hand with these `community` dice (codes).

    What a known pocket wins is exact (see `chances`). Players with unknown ones are alike. What
    they win follows if there are two players; otherwise it is simulated, the same way each time.
    """
    pockets = [seat.pocket for seat in seats if seat.pocket is not None]
    unknown = len(seats) - len(pockets)
    found, exact, error = [], True, 0.0
    for place, own in enumerate(pockets):
        others = [*pockets[:place], *pockets[place + 1 :]]
        each = chances(variant, rules, CommunityPosition(own, community, others, unknown))
        found.append(_Share(each.win, each.tie, each.equity))
        exact, error = exact and each.exact, max(error, each.standard_error)
    rest = _Share(0.0, 0.0, 0.0)
    if len(seats) == 1:
        return Forecast((_Share(1.0, 0.0, 1.0).outlook(seats[0].stack, pot),), True, 0.0)
    if unknown == 1 and len(pockets) == 1:
        (known,) = found
        rest = _Share(1 - known.win - known.tie, known.tie, 1 - known.mean)
    elif unknown:
        win, tie = _simulated(variant, rules, community, pockets, unknown)
        rest = _Share(win, tie, max(0.0, 1 - sum(each.mean for each in found)) / unknown)
        exact, error = False, max(error, STANDARD_ERROR)
    known_shares = iter(found)
    shares = [rest if seat.pocket is None else next(known_shares) for seat in seats]
    outlooks = [share.outlook(seat.stack, pot) for share, seat in zip(shares, seats, strict=True)]
    return Forecast(tuple(outlooks), exact, error)


def _simulated(
    variant: CommunityRanking,
    rules: Any,
    community: Sequence[int],
    known: Sequence[Pocket],
    unknown: int,
) -> tuple[float, float]:
    """The chance of each of the `unknown` pockets to win alone, and with others."""
    alone = shared = 0
    for hands in simulated(variant, rules, community, known, unknown, FORECAST_SAMPLES):
        best = hands == hands.max(axis=0)
        ties = best.sum(axis=0) > 1
        own = best[len(known) :]
        alone += int(own[:, ~ties].sum())
        shared += int(own[:, ties].sum())
    return alone / (FORECAST_SAMPLES * unknown), shared / (FORECAST_SAMPLES * unknown)
