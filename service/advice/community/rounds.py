"""Rounds of betting of two players with fixed bets: the decisions, and what is remembered of them.

A player remembers of earlier rounds the chips put in, how the last one was closed, and who bet last
in the one before. More would take a larger table; less would lose more to a player who remembers.
"""

from __future__ import annotations

from typing import NamedTuple

FOLD, PASS, RAISE = range(3)
"""What a player can do: `PASS` is a check or a call, `RAISE` a bet or a raise."""

MAX_RAISES = 3
"""The raises of a round (H11)."""

BETS = (1, 1, 2, 2)
"""The bet of each stage, in antes (H9, H11)."""

FLOP, RIVER = 1, 3

_MOST = MAX_RAISES + 1

NODES = range(2 + 2 * _MOST)
"""The decisions of a round: nobody has acted; the first player has checked; then who faces bets."""


class Past(NamedTuple):
    """What is remembered of the rounds before.

    `chips` are those of each player, in antes and without the first one. `closing` is the decision
    at which the last round was closed, and `bettor` who bet last in the one before it; -1: none.
    """

    chips: int
    closing: int = -1
    bettor: int = -1


def facing(opener: int, bets: int) -> int:
    """The decision of who faces so many `bets`, the first by `opener` (0: who acts first)."""
    return 1 + _MOST * opener + bets


def actor(node: int) -> int:
    """Who decides: 0 for who acts first in the round."""
    opener, bets = divmod(node - 2, _MOST)
    return node if node < 2 else (opener + bets + 1) % 2


def bets(node: int) -> int:
    """How many bets and raises there are."""
    return (node - 2) % _MOST + 1 if node > 1 else 0


def bettor(node: int) -> int:
    """Who has bet last; -1 if nobody has."""
    return 1 - actor(node) if bets(node) else -1


def choices(node: int) -> list[int]:
    """What can be done: there is no fold before a bet, and no raise after the last one."""
    return [*([FOLD] if bets(node) else []), PASS, *([RAISE] if bets(node) < _MOST else [])]


def then(node: int, choice: int) -> int | None:
    """The next decision in the round; None if it is over."""
    if choice == RAISE:
        return node + 1 if node > 1 else facing(node, 1)
    return 1 if (node, choice) == (0, PASS) else None


def goes_on(stage: int, node: int) -> bool:
    """Whether the next stage follows a round closed at `node`; not after a checked flop."""
    return stage < RIVER and (stage != FLOP or node > 1)


def pasts() -> list[list[Past]]:
    """For each stage, what is before it in each history of betting.

    The histories are in order of the closing of the last round, then of those before it.
    """
    found = [[Past(0)]]
    for stage, bet in enumerate(BETS[:-1]):
        closed = [node for node in NODES[1:] if goes_on(stage, node)]
        found.append(
            [
                Past(past.chips + bet * bets(node), node, bettor(past.closing))
                for node in closed
                for past in found[-1]
            ]
        )
    return found


def places() -> list[list[Past]]:
    """For each stage, all that can be remembered, in the order of tables."""
    return [sorted(set(histories)) for histories in pasts()]
