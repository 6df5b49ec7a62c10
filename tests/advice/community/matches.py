"""Many hands of two players at once, with default limits; each deal is played from both seats.

All hands at the same decision are decided together: `python -m tests.advice.community.matches`
prints the table of results in service/advice/community/README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np

from service.advice.choosing import Strength
from service.advice.community.making import Hands
from service.advice.community.outlooks import Codes, Floats
from service.advice.community.playing import STYLES, Spot, Style, decide
from service.advice.community.rounds import (
    BETS,
    FLOP,
    FOLD,
    NODES,
    PASS,
    RIVER,
    actor,
    bets,
    choices,
    then,
)
from service.advice.community.strategy import all_classes, choose, outlooks_of, strategy
from service.batch.outcomes import suited_kernel
from service.variants.texas_holdem_dice import CHIP, VARIANT

FLOPS = 40
"""The most flops of a hand: after so many the flop stays."""

Player = Callable[[Spot, Floats, Codes, np.random.Generator], Codes]
"""What a player chooses in a spot, by the equity and the class of each hand."""


def by_style(style: Style) -> Player:
    """A player who goes by the equity."""
    return lambda spot, equity, _, source: decide(style, spot, equity, source.random(len(equity)))


def best(spot: Spot, equity: Floats, classes: Codes, source: np.random.Generator) -> Codes:
    """The strategy of the table."""
    chances = strategy().chances(spot.stage, spot.past(CHIP), spot.node, classes)
    return choose(chances, source.random(len(equity)))


OPPONENTS: dict[str, Player] = {
    "always call": by_style(Style(fold_below=0, raise_from=2)),
    "always raise": by_style(Style(raise_from=0, more=0)),
    "tight": by_style(Style(fold_below=0.5, raise_from=0.65, more=0.05, flop_less=0)),
    "loose": by_style(Style(fold_below=0.3, raise_from=0.5, more=0.05, flop_less=0)),
    **{each: by_style(STYLES[each]) for each in STYLES if each is not Strength.BEST},
    "best without the table": by_style(STYLES[Strength.BEST]),
}


@cache
def all_hands() -> Hands:
    """Every hand, counted once."""
    return Hands(outlooks_of(suited_kernel(VARIANT, VARIANT.default_rules)))


@dataclass(frozen=True)
class Result:
    """The chips won a hand, and the standard error."""

    mean: float
    error: float


def match(one: Player, other: Player, deals: int, seed: int) -> Result:
    """What `one` wins against `other` in each of two hands with each of so many `deals`."""
    source = np.random.default_rng(seed)
    dealt = all_hands().deal(deals, source)
    numbers = source.integers(VARIANT.dice.faces, size=(FLOPS, deals, 3))
    flops = dealt[:, 4:7] // VARIANT.dice.faces * VARIANT.dice.faces + numbers
    won = _Hands((one, other), dealt, flops, source).play()
    won -= _Hands((other, one), dealt, flops, source).play()
    return Result(float(won.mean()) / 2, float(won.std()) / 2 / sqrt(deals))


class _Hands:
    """The hands of one deal each; the first of `players` acts first in every round."""

    def __init__(
        self, players: Sequence[Player], deals: Codes, flops: Codes, source: np.random.Generator
    ) -> None:
        self._players, self._deals, self._flops, self._source = players, deals.copy(), flops, source
        self._won = np.zeros(len(deals))
        self._look(np.arange(len(deals)))

    def play(self) -> Floats:
        """The chips that the first player wins in each hand, without those put in."""
        self._round(0, np.arange(len(self._deals)), CHIP, (), 0)
        return self._won

    def _look(self, hands: Codes) -> None:
        """Works out what the players hold in `hands`, whose flop is new."""
        held = [all_hands().held(self._deals[hands], player) for player in (0, 1)]
        if len(hands) == len(self._deals):
            self._held = held
            self._classes = [all_classes(strategy().cuts, each.outlooks) for each in held]
            return
        for old, new, classes in zip(self._held, held, self._classes, strict=True):
            for stage, found in enumerate(all_classes(strategy().cuts, new.outlooks)):
                classes[stage][hands] = found
                for figures, others in zip(old.outlooks[stage], new.outlooks[stage], strict=True):
                    figures[hands] = others
            old.level[hands] = new.level

    def _round(
        self, stage: int, hands: Codes, paid: int, closings: tuple[int, ...], flop: int
    ) -> None:
        if not len(hands):
            return
        bet = CHIP * BETS[stage]
        at: dict[int, Codes] = {0: hands}
        for node in NODES:
            here = at.get(node, hands[:0])
            if not len(here):
                continue
            player, count = actor(node), bets(node)
            spot = Spot(
                stage=stage,
                pot=2 * paid + max(2 * count - 1, 0) * bet,
                to_call=bet if count else 0,
                paid=paid,
                bets=count,
                opponents=1,
                dealt=2,
                acts_first=player == 0,
                closings=closings,
            )
            assert spot.node == node
            equity = self._held[player].outlooks[stage].mean[here]
            classes = self._classes[player][stage][here]
            chosen = self._players[player](spot, equity, classes, self._source)
            chosen = np.where(np.isin(chosen, choices(node)), chosen, PASS)
            for choice in choices(node):
                those = here[chosen == choice]
                following = then(node, choice)
                if following is not None:
                    at[following] = those
                elif choice == FOLD:
                    self._won[those] = (paid + (count - 1) * bet) * (1 if player else -1)
                else:
                    self._close(stage, node, those, paid + count * bet, closings, flop)

    def _close(
        self, stage: int, node: int, hands: Codes, paid: int, closings: tuple[int, ...], flop: int
    ) -> None:
        """The round ends without a fold."""
        if stage == RIVER:
            one, other = self._held
            sign = np.sign(one.level[hands].astype(int) - other.level[hands])
            self._won[hands] = paid * sign
        elif stage == FLOP and node == 1 and flop < FLOPS and len(hands):
            self._deals[hands, 4:7] = self._flops[flop][hands]
            self._look(hands)
            self._round(FLOP, hands, paid, closings, flop + 1)
        else:
            self._round(stage + 1, hands, paid, (*closings, node), flop)


def main() -> None:
    """Prints what `best` wins against the others."""
    for name, player in OPPONENTS.items():
        won = match(best, player, 25_000, 1)
        print(f"| {name} | {won.mean:+.2f} | {won.error:.2f} | {won.mean / won.error:.1f} |")


if __name__ == "__main__":
    main()
