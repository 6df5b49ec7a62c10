"""Advice for games of layouts: what a turn is worth, and whether to roll the risk die."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from service.advice.layout.risk import risk_options
from service.advice.layout.rolls import RollsToCome, rolls_to_come
from service.advice.layout.tally import LayoutAdvice, Tally
from service.kinds.layout.cards import Turn
from service.kinds.layout.own_layout import OwnLine
from service.kinds.layout.played import Played
from service.kinds.layout.variant import Layout, LayoutRules

TURNS = 1_000
"""How many turns are simulated at most; a turn that can end in no more ways needs no simulation."""

STEPS = 80_000
"""How many search steps one piece of advice may take, some 10 microseconds each."""

FIRST_TURNS = 20
"""How many turns are simulated to see how long their searches take."""

TURN_STEPS = 15
"""Steps charged for the end of a turn in addition to its search."""

TURN_WORK = 2_000
"""The limit of the search for each end of a turn, where the rules let it stop (R32)."""


def advise(
    variant: Layout,
    turn: Turn | None,
    rules: LayoutRules,
    need: int | None = None,
    laid: Sequence[OwnLine] | None = None,
) -> LayoutAdvice:
    """What `turn` is worth, and whether to roll the risk die once the last roll is made.

    `turn` is None before its first roll. `need` is the score that wins or catches up; a super royal
    always does (R9). `laid` is the player's own layout, after which the dice aren't rolled again.

    If the turn can end in more than `TURNS` ways, or their searches take too long together, turns
    are simulated: always the same ones for the same turn under the same rules.

    Raises `InvalidInput` for repeated cards, and for a layout that breaks the rules.
    """
    if turn is not None and laid is not None:
        own = variant.score(turn, laid, rules)
        # its points are sure, whatever is proven of the best layout
        return _after_last_roll(
            variant, replace(own, best_points=own.points, upper_bound=own.points), need
        )
    if turn is not None:
        variant.check(turn, rules)
    to_come = rolls_to_come(variant, turn, rules)
    if turn is not None and (not to_come.places or variant.missing(turn, rules) is not None):
        return _after_last_roll(variant, variant.evaluate(turn, rules), need)
    return _before_last_roll(_Ends(variant, rules), to_come, need)


def _after_last_roll(variant: Layout, played: Played, need: int | None) -> LayoutAdvice:
    """What the only end of a turn is worth."""
    tally = Tally(variant, need)
    tally.add(1.0, played)
    return tally.advice(played.steps, options=risk_options(variant, played, need), played=played)


def _before_last_roll(ends: _Ends, to_come: RollsToCome, need: int | None) -> LayoutAdvice:
    """Tries every end of a turn if that seems possible within `STEPS`, and otherwise some."""
    source = random.Random(_seed(ends.variant, to_come, ends.rules))
    drawn = Tally(ends.variant, need)

    def draw(most: int) -> None:
        while drawn.turns < most and (ends.steps < STEPS or drawn.turns < 2):
            drawn.add(1.0, ends.played(to_come.ending(source)))

    draw(FIRST_TURNS)
    if to_come.endings <= TURNS and to_come.endings * ends.mean_steps <= STEPS:
        every = Tally(ends.variant, need)
        for chance, turn in to_come.all_endings():
            every.add(chance, ends.played(turn))
            if ends.steps > STEPS:
                break
        else:
            return every.advice(ends.steps)
    draw(TURNS)
    return drawn.advice(ends.steps, simulated=True)


class _Ends:
    """The best layouts at the end of a turn, and the `steps` that finding them took."""

    def __init__(self, variant: Layout, rules: LayoutRules) -> None:
        self.variant = variant
        self.rules = rules
        self.steps = 0
        self._known: dict[Turn, Played] = {}

    @property
    def mean_steps(self) -> float:
        """How many steps a search takes."""
        return self.steps / len(self._known)

    def played(self, turn: Turn) -> Played:
        """The best layout of `turn`."""
        known = self._known.get(turn)
        if known is None:
            known = self.variant.evaluate(turn, self.rules, work=TURN_WORK)
            self._known[turn] = known
            self.steps += TURN_STEPS + known.steps
        return known


def _seed(variant: Layout, to_come: RollsToCome, rules: LayoutRules) -> int:
    """A number for the turn and the house rules that matter for its layout."""
    asked = (
        variant.id,
        to_come.turn and (to_come.turn.cards, to_come.turn.first_roll),
        to_come.rolls,
        (rules.layout, rules.max_uses, rules.opening, rules.repeated_cards),
    )
    return int.from_bytes(blake2b(repr(asked).encode(), digest_size=8).digest())
