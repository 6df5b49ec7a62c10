"""What a turn is worth: the means of all its ends, or of simulated ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import fmean, stdev

from service.advice.layout.risk import RiskOption, chances_to_reach, scores_to_expect
from service.kinds.layout.played import Played
from service.kinds.layout.variant import Layout

SUPER_ROYAL = "super_royal"
"""The name of a super royal among the hands (R9)."""


@dataclass(frozen=True)
class LayoutAdvice:
    """What a turn is worth.

    `points` is the mean of the best layout's points. `expected` is the mean score if the risk die
    is rolled where that raises the mean. `hands` has the chance of each hand to be in the best
    layout, and that of a super royal. `reach` is the chance to score the points that are needed,
    with the option that is better for that; None if none are needed.

    `options` are the best first, by `reach` if there is one. There are none before the last roll,
    in a turn that didn't open, and after a super royal, which ends the game. `played` has the best
    layout once the last roll is made, or the turn didn't open.

    `proven` says that every layout is proven to be the best. `simulated` is the number of turns
    that were simulated, 0 if every end of the turn was tried; `standard_error` is that of
    `expected`. `steps` is the work in steps of some 10 microseconds.
    """

    points: float
    expected: float
    hands: Mapping[str, float]
    reach: float | None
    options: tuple[RiskOption, ...]
    played: Played | None
    proven: bool
    simulated: int
    standard_error: float
    steps: int

    @property
    def exact(self) -> bool:
        """Whether nothing is estimated."""
        return self.proven and not self.simulated


class Tally:
    """Adds up the ends of a turn."""

    def __init__(self, variant: Layout, need: int | None) -> None:
        self._variant = variant
        self._need = need
        self._weights: list[float] = []
        self._points: list[float] = []
        self._scores: list[float] = []
        self._reach: list[float] = []
        names = [*(hand.id for hand in variant.all_hands), SUPER_ROYAL]
        self._hands: dict[str, list[float]] = {name: [] for name in names}
        self._proven = True

    @property
    def turns(self) -> int:
        """How many turns were added."""
        return len(self._weights)

    def add(self, weight: float, played: Played) -> None:
        """Adds a turn that ends with `played`."""
        self._weights.append(weight)
        self._points.append(played.points)
        self._scores.append(max(scores_to_expect(self._variant, played)))
        if self._need is not None:
            self._reach.append(max(chances_to_reach(self._variant, played, self._need)))
        for hand in {hand.line.hand.id for hand in played.hands}:
            self._hands[hand].append(weight)
        if played.wins_game:
            self._hands[SUPER_ROYAL].append(weight)
        self._proven &= played.proven

    def advice(
        self,
        steps: int,
        *,
        simulated: bool = False,
        options: tuple[RiskOption, ...] = (),
        played: Played | None = None,
    ) -> LayoutAdvice:
        """The means of all turns that were added."""
        weights = self._weights
        whole = fsum(weights)
        return LayoutAdvice(
            points=fmean(self._points, weights),
            expected=fmean(self._scores, weights),
            hands={hand: fsum(held) / whole for hand, held in self._hands.items()},
            reach=None if self._need is None else fmean(self._reach, weights),
            options=options,
            played=played,
            proven=self._proven,
            simulated=self.turns if simulated else 0,
            standard_error=stdev(self._scores) / sqrt(self.turns) if simulated else 0.0,
            steps=steps,
        )
