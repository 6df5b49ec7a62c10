"""How a computer bets in Hold'em, at each strength, by what a player sees (H9-H11, H36)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from service.advice.choosing import Chosen, Strength
from service.advice.community.chances import chances
from service.advice.community.outlooks import Codes, Floats
from service.advice.community.position import CommunityPosition, break_even
from service.advice.community.rounds import (
    FLOP,
    FOLD,
    MAX_RAISES,
    PASS,
    RAISE,
    Past,
    bettor,
    facing,
)
from service.advice.community.strategy import PLACES, choose, strategy
from service.engine.actions import Move
from service.engine.parameters import Whole
from service.kinds.community import betting
from service.kinds.community.game import stage_names
from service.kinds.community.stakes import LIMIT, Stakes
from service.kinds.community.variant import CommunityRanking
from service.rules.reasons import Reason
from service.variants.texas_holdem_dice import VARIANT


@dataclass(frozen=True)
class Style:
    """How a player bets who goes by the equity: the share of the pot that the hand is worth.

    The player is wrong about it by up to `error`, bets from `raise_from` on, and raises with `more`
    for each bet before. Below `fold_below`, or by default below the price of a call, the player
    folds. Whoever bets is thought to hold one of the best hands: a share `range` of all for each
    bet. Hands `WEAK` for a bet bet as often as `bluffs` says, less often against several opponents.
    `flop_less` is taken off for the first bet on a flop that is rolled again as often as all check
    (H13): whoever is ahead would lose the lead by checking.
    `raise_from` and the like are for two players; for more, equities are put in proportion.
    """

    error: float = 0.0
    fold_below: float | None = None
    raise_from: float = 0.6
    more: float = 0.1
    range: float = 1.0
    bluffs: float = 0.0
    flop_less: float = 0.1


WEAK = 0.35
"""The equity of two players below which a bet is a bluff."""

STYLES = {
    Strength.EASY: Style(error=0.3, fold_below=0.25, raise_from=0.7, more=0.0, flop_less=0.2),
    Strength.MEDIUM: Style(error=0.15, flop_less=0.2),
    Strength.HARD: Style(range=0.75),
    # The strategy for two players bets as often with such hands, where nobody has bet.
    Strength.BEST: Style(range=0.75, bluffs=0.39),
}
"""The style of each strength; that of `best` is for games that the strategy isn't for."""


@dataclass(frozen=True)
class Spot:
    """What all see of a table where a player has to bet.

    `pot` and `to_call` are chips; `paid` is what the player put in before this round. `bets` counts
    the bets and raises of the round. `opponents` are still in, of `dealt` players at first.
    `acts_first` is who is the first to act in the round. `closings` are how the rounds before were
    closed: the decision in `rounds`.
    """

    stage: int
    pot: int
    to_call: int
    paid: int
    bets: int
    opponents: int
    dealt: int
    acts_first: bool
    closings: tuple[int, ...] = ()

    @classmethod
    def of(cls, variant: CommunityRanking, view: Mapping[str, Any], player: str) -> Spot:
        """The spot in the `view` of `player`, who has to act (`CommunityGame.view`)."""
        there = [each for each in view["players"] if not each["out"]]
        own = next(each for each in there if each["id"] == player)
        bet = any(each["paid_in_round"] for each in there)
        return cls(
            stage=stage_names(variant).index(view["stage"]),
            pot=view["pot"],
            to_call=min(view["to_call"], own["chips"]),
            paid=own["paid"] - own["paid_in_round"],
            bets=view["raises"] + bet,
            opponents=sum(not each["folded"] for each in there) - 1,
            dealt=len(there),
            acts_first=player != view["dealer"],
            closings=tuple([_closing(each, view["dealer"]) for each in view["rounds"]]),
        )

    @property
    def node(self) -> int:
        """The decision in a round of two players (`rounds`)."""
        bets = min(self.bets, MAX_RAISES + 1)
        opener = (bets + (not self.acts_first)) % 2
        return facing(opener, bets) if bets else 1 - self.acts_first

    def past(self, ante: int) -> Past:
        """What is remembered of the rounds before."""
        before, last = (-1, -1, *self.closings)[-2:]
        return Past(round(self.paid / ante) - 1, last, bettor(before))


def _closing(betting_round: Mapping[str, Any], dealer: str) -> int:
    """The decision at which two players closed a round: who acts first doesn't deal."""
    bets = min(betting_round["bets"], MAX_RAISES + 1)
    opener = (bets + 1 + (betting_round["player"] == dealer)) % 2
    return facing(opener, bets) if bets else 1


def play(
    variant: CommunityRanking,
    rules: Any,
    spot: Spot,
    pocket: Sequence[int],
    community: Sequence[int],
    moves: Sequence[Move],
    strength: Strength,
    source: Random,
) -> Chosen:
    """What a computer of this `strength` does with its `pocket`, of the legal `moves`.

    Dice are codes. The same `source` of chance leads to the same choice. The reason says how good
    the hand is, so it is as secret as the pocket.
    """
    draws = np.array([source.random()])
    outlooks = []
    if variant is VARIANT:
        outlooks = strategy().outlooks(rules, pocket, community)
        equity = outlooks[-1].against(spot.opponents)
    else:
        position = CommunityPosition(pocket, community, unknown=spot.opponents)
        equity = np.array([chances(variant, rules, position).equity])
    worth = percent(equity[0])
    if strength is Strength.BEST and outlooks and planned(rules, spot):
        known = strategy()
        past, classes = spot.past(rules.ante), known.class_of(outlooks)
        plan = known.chances(spot.stage, past, spot.node, classes)
        chosen = int(choose(plan, draws)[0])
        because = Reason.BY_STRATEGY.because(equity=worth, often=percent(plan[chosen, 0]))
    else:
        style = STYLES[strength]
        if Stakes.of(rules, variant.chip).flop_rerolls is not None:
            style = replace(style, flop_less=0)
        chosen = int(decide(style, spot, equity, draws)[0])
        because = Reason.BY_EQUITY.because(equity=worth)
        if spot.to_call:
            price = percent(break_even(spot.pot, spot.to_call))
            because = Reason.BY_PRICE.because(equity=worth, price=price)
    return Chosen(_as_move(chosen, moves, rules, spot, variant.chip), because)


def planned(rules: Any, spot: Spot) -> bool:
    """Whether the strategy is for such a game: two players, the default hands and limits, and no
    blinds. It needs the rounds before, too.
    """
    stakes, default = Stakes.of(rules, VARIANT.chip), VARIANT.default_rules
    limits = (stakes.small_limit, stakes.big_limit, stakes.max_raises)
    return (
        spot.dealt == 2
        and stakes.betting == LIMIT
        and not stakes.big_blind
        and limits == (stakes.ante, 2 * stakes.ante, MAX_RAISES)
        and VARIANT.table(rules) is VARIANT.table(default)
        and (bool(spot.closings) or spot.past(rules.ante) in PLACES[spot.stage])
    )


def decide(style: Style, spot: Spot, equity: Floats, draws: Floats) -> Codes:
    """What a player of this `style` does, for each equity and a random number from 0 up to 1."""
    fair = (spot.opponents + 1) / 2
    seen = equity + style.error * (2 * draws - 1)
    left = style.range**spot.bets
    seen = np.maximum(seen - (1 - left) / fair, 0) / left
    below = style.fold_below
    price = break_even(spot.pot, spot.to_call) if spot.to_call else 0
    worth = seen >= price if below is None else seen * fair >= below
    less = style.flop_less if spot.stage == FLOP and not spot.bets else 0
    strong = seen * fair >= style.raise_from + style.more * spot.bets - less
    bluff = (spot.bets == 0) & (seen * fair < WEAK) & (draws < style.bluffs**spot.opponents)
    weak = np.where(worth | (spot.to_call == 0), PASS, FOLD)
    return np.where(strong | bluff, RAISE, weak)


def percent(share: float) -> int:
    """A `share` in whole per cent."""
    return round(100 * share)


def _as_move(
    chosen: int, moves: Sequence[Move], rules: Any, spot: Spot, chip: int
) -> dict[str, Any]:
    """The action that is nearest to what was `chosen`, of the legal `moves`.

    With a limit, bets are as high as they may be, otherwise half the pot.
    """
    legal = {move.kind: move for move in moves}
    passes = (betting.CHECK, betting.CALL, betting.ALL_IN, betting.FOLD)
    raises = (betting.BET, betting.RAISE, betting.ALL_IN, *passes)
    wanted = {FOLD: (betting.CHECK, betting.FOLD), PASS: passes, RAISE: raises}[chosen]
    kind = next(kind for kind in wanted if kind in legal)
    amount = legal[kind].values.get("amount")
    if not isinstance(amount, Whole):
        return {"action": kind.name}
    half = (spot.pot + spot.to_call) // (2 * chip) * chip
    wished = amount.maximum if Stakes.of(rules, chip).betting == LIMIT else half
    return {"action": kind.name, "amount": min(max(wished, amount.minimum), amount.maximum)}
