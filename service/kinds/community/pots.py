"""Main and side pots: who can win what, and how a split pot is paid out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Stake:
    """What a player put in over a whole hand of the game.

    `strength` orders the players at the showdown; None for one who folded. `takes_all` marks a
    hand that wins the game at once.
    """

    id: str
    paid: int
    strength: int | None
    takes_all: bool = False


@dataclass(frozen=True)
class Pot:
    """Chips that the `eligible` players compete for, and what each winner gets of them."""

    amount: int
    eligible: tuple[str, ...]
    payouts: dict[str, int]


def share_out(stakes: Sequence[Stake], unit: int) -> list[Pot]:
    """The pots, main pot first, with their payouts; `stakes` in seat order from the dealer's left.

    A pot goes to the best hand among those who paid into all of it (H14, H25). Folded players'
    chips stay in. Chips beyond what any player still in has paid go to the last pot (H31). A pot
    that doesn't split evenly gives its odd `unit`s of chips one each in seat order (H25). A hand
    that takes all wins also the pots that its holder couldn't otherwise win (H17, H31). At
    least one stake must not be folded; every `paid` is a multiple of `unit`.
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
    """Who wins a pot: the best of the eligible, unless someone's hand takes all."""
    holders = [stake for stake in live if stake.takes_all]
    contenders = [stake for stake in eligible if stake.takes_all] or holders or eligible
    best = max(stake.strength or 0 for stake in contenders)
    return [stake for stake in contenders if stake.strength == best]


def _split(amount: int, winners: Sequence[Stake], unit: int) -> dict[str, int]:
    """`amount` in equal shares of whole units, the odd units one each from the front."""
    share, odd = divmod(amount // unit, len(winners))
    return {stake.id: (share + (seat < odd)) * unit for seat, stake in enumerate(winners)}
