"""Main and side pots: who can win them, and how a split pot is paid out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Stake:
    """The chips that a player put in during a hand of the game.

    `strength` orders the players at the showdown; None means folded. `takes_all` marks a hand that
    wins the game at once.
    """

    id: str
    paid: int
    strength: int | None
    takes_all: bool = False


@dataclass(frozen=True)
class Pot:
    """Chips for which the `eligible` players compete, and the share of each winner."""

    amount: int
    eligible: tuple[str, ...]
    payouts: dict[str, int]


def share_out(stakes: Sequence[Stake], unit: int) -> list[Pot]:
    """The pots, main pot first, with their payouts; `stakes` in seat order from the dealer's left.

    A pot goes to the best hand among the players who paid into all of it (H14, H25). The chips of
    folded players stay in. Chips beyond what any remaining player paid go to the last pot (H31). If
    a pot doesn't split evenly, the odd `unit`s go one each in seat order (H25). A hand that takes
    all also wins the pots that its holder couldn't win otherwise (H17, H31). At least one player
    must not have folded; every `paid` is a multiple of `unit`.
    """
    live = [stake for stake in stakes if stake.strength is not None]
    levels = sorted({stake.paid for stake in live})
    pots: list[Pot] = []
    below = 0
    for level in levels:
        top = level if level != levels[-1] else max(stake.paid for stake in stakes)
        amount = sum(min(stake.paid, top) - min(stake.paid, below) for stake in stakes)
        if amount:
            eligible = [stake for stake in live if stake.paid >= level]
            winners = _winners(eligible, live)
            names = tuple(stake.id for stake in eligible)
            pots.append(Pot(amount, names, _split(amount, winners, unit)))
        below = level
    return pots


def _winners(eligible: Sequence[Stake], live: Sequence[Stake]) -> list[Stake]:
    """The winners of a pot: the best of the eligible, unless a hand takes all."""
    holders = [stake for stake in live if stake.takes_all]
    contenders = [stake for stake in eligible if stake.takes_all] or holders or eligible
    best = max(stake.strength or 0 for stake in contenders)
    return [stake for stake in contenders if stake.strength == best]


def _split(amount: int, winners: Sequence[Stake], unit: int) -> dict[str, int]:
    """`amount` in equal shares of whole units; the odd units go one each from the front."""
    share, odd = divmod(amount // unit, len(winners))
    return {stake.id: (share + (seat < odd)) * unit for seat, stake in enumerate(winners)}
