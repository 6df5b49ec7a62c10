"""The chance of each player in a hand to win it, if all of them stay until the showdown."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

from service.advice import Forecast, Outlook
from service.advice.community.chances import chances, simulated
from service.advice.community.position import CommunityPosition, Pocket
from service.kinds.community.variant import CommunityRanking

SAMPLES = 20_000
"""Showdowns to simulate for players whose dice are unknown."""

STANDARD_ERROR = 1 / sqrt(4 * SAMPLES)
"""The greatest of a simulated chance."""


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
    for hands in simulated(variant, rules, community, known, unknown, SAMPLES):
        best = hands == hands.max(axis=0)
        ties = best.sum(axis=0) > 1
        own = best[len(known) :]
        alone += int(own[:, ~ties].sum())
        shared += int(own[:, ties].sum())
    return alone / (SAMPLES * unknown), shared / (SAMPLES * unknown)
