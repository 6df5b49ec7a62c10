"""The best play of beat it or bust, by trying everything: every keep, and every result of a roll.

It follows P2, P4, P6 and P10, and shares no code with `service/`. Chances are fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

Dice = tuple[int, ...]


class Round:
    """Rounds with `count` dice of `faces` faces and `rolls` rolls a turn.

    `strength` orders hands; those that are equal have the same. `counts` says whether a roll is a
    hand: if it isn't, all dice are rolled again at once.
    """

    def __init__(
        self,
        count: int,
        faces: int,
        rolls: int,
        strength: Callable[[Dice], Any],
        counts: Callable[[Dice], bool] = lambda _: True,
    ) -> None:
        self.rolls = rolls
        every = [dice for dice in product(range(1, faces + 1), repeat=count) if counts(dice)]
        self.hands = sorted({tuple(sorted(dice)) for dice in every})
        order = sorted({strength(hand) for hand in self.hands})
        self.strength = {hand: order.index(strength(hand)) for hand in self.hands}
        self._first = [tuple(sorted(dice)) for dice in every]
        self._thrown = {
            size: [*product(range(1, faces + 1), repeat=size)] for size in range(1, count + 1)
        }
        # Each round has caches of its own, which go with it; mypy takes methods for fixed.
        self._best = cache(self._best)  # type: ignore[method-assign]
        self._turn = cache(self._turn)  # type: ignore[method-assign]

    def chances(
        self, dice: Dice, rolls_left: int, least: int, after: int
    ) -> dict[Dice | None, Fraction]:
        """The chance to win for stopping (None) and for each keep, as sorted dice.

        The hand must be stronger than `least`, and `after` players are still to roll.
        """
        found: dict[Dice | None, Fraction] = {None: self._stopped(dice, least, after)[0]}
        if rolls_left:
            for kept in _keeps(dice):
                found[kept] = self._rolled(kept, rolls_left - 1, least, after)[0]
        return found

    def stays(self, least: int, after: int) -> Fraction:
        """The chance that a hand of the strength `least` is not beaten by `after` players."""
        if not after:
            return Fraction(1)
        return self._turn(self.rolls - 1, least, after - 1)[1] * self.stays(least, after - 1)

    def _turn(self, rolls_left: int, least: int, after: int) -> tuple[Fraction, Fraction]:
        """The chances to win and to bust of a player who rolls all dice."""
        best = [self._best(dice, rolls_left, least, after) for dice in self._first]
        wins, busts = zip(*best, strict=True)
        return Fraction(sum(wins), len(best)), Fraction(sum(busts), len(best))

    def _best(
        self, dice: Dice, rolls_left: int, least: int, after: int
    ) -> tuple[Fraction, Fraction]:
        """The chances to win and to bust with the best choice."""
        options = [self._stopped(dice, least, after)]
        if rolls_left:
            options += [self._rolled(kept, rolls_left - 1, least, after) for kept in _keeps(dice)]
        wins = max(win for win, _ in options)
        (bust,) = {bust for win, bust in options if win == wins}  # equal choices bust equally often
        return wins, bust

    def _stopped(self, dice: Dice, least: int, after: int) -> tuple[Fraction, Fraction]:
        if self.strength[dice] <= least:
            return Fraction(0), Fraction(1)
        return self.stays(self.strength[dice], after), Fraction(0)

    def _rolled(
        self, kept: Dice, rolls_left: int, least: int, after: int
    ) -> tuple[Fraction, Fraction]:
        wins, busts = Fraction(0), Fraction(0)
        results = self._thrown[len(self.hands[0]) - len(kept)]
        for thrown in results:
            dice = tuple(sorted(kept + thrown))
            if dice in self.strength:
                win, bust = self._best(dice, rolls_left, least, after)
            else:
                win, bust = self._turn(rolls_left, least, after)
            wins, busts = wins + win, busts + bust
        return wins / len(results), busts / len(results)


def _keeps(dice: Dice) -> set[Dice]:
    """Everything that can be kept of sorted `dice`, except all of them."""
    return {kept for size in range(len(dice)) for kept in combinations(dice, size)}
