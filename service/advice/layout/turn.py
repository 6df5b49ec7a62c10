"""Advice for games of layouts: what a turn is worth, and whether to roll the risk die (R10)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import fsum, sqrt
from statistics import fmean, stdev
from typing import Any

from service.advice.layout.rolls import RollsToCome, rolls_to_come
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

MOST_TURNS = 100
"""The most turns of each player that are simulated."""

SUPER_ROYAL = "super_royal"
"""The name of a super royal among the hands (R9)."""


@dataclass(frozen=True)
class RiskOption:
    """To bank the points of a turn, or to `risk` them by rolling the risk die (R10).

    `expected` is the score to expect, and `loss` how much less that is than with the better option.
    `reach` is the chance to score the points that are needed, None if none are.
    """

    risk: bool
    expected: float
    loss: float
    reach: float | None


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


def turns_left(view: Mapping[str, Any]) -> dict[str, int]:
    """How many turns each player of a session still has in its `view`, the present one included.

    They are `MOST_TURNS` at most: that is enough to reach a target score.
    """
    played = view["turns_played"]
    last = min(played.values()) + MOST_TURNS
    turns = min(view["turns"] or last, last)
    return {player: turns - own for player, own in played.items()}


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
        sure = replace(own, best_points=own.points, upper_bound=own.points)
        return _after_last_roll(variant, sure, need)
    if turn is not None:
        variant.check(turn, rules)
    to_come = rolls_to_come(variant, turn, rules)
    if turn is not None and (not to_come.places or variant.lacks(turn, rules) is not None):
        return _after_last_roll(variant, variant.evaluate(turn, rules), need)
    return _before_last_roll(Ends(variant, rules), to_come, need)


def _after_last_roll(variant: Layout, played: Played, need: int | None) -> LayoutAdvice:
    """What the only end of a turn is worth, and whether to bank or to risk.

    There is no choice in a turn that didn't open (R31), and after a super royal (R9).
    """
    options: list[RiskOption] = []
    if played.opened and not played.wins_game:
        worth = _worth(variant, played, need)
        best = max(score for score, _ in worth)
        for risk, (score, chance) in zip((False, True), worth, strict=True):
            reach = None if need is None else chance
            options.append(RiskOption(risk, score, best - score, reach))
        options.sort(key=lambda option: (-(option.reach or 0.0), -option.expected))
    means = _means(variant, [(1.0, played)], need, played.steps)
    return replace(means, options=tuple(options), played=played)


def _before_last_roll(ends: Ends, to_come: RollsToCome, need: int | None) -> LayoutAdvice:
    """Tries every end of a turn if that seems possible within `STEPS`, and otherwise some."""
    rules = ends.rules
    question = (
        ends.variant.id,
        to_come.turn and (to_come.turn.cards, to_come.turn.first_roll),
        to_come.rolls,
        (rules.layout, rules.max_uses, rules.opening, rules.repeated_cards),
    )
    seed = blake2b(repr(question).encode(), digest_size=8).digest()
    source = random.Random(int.from_bytes(seed))
    drawn: list[tuple[float, Played]] = []

    def draw(most: int) -> None:
        while len(drawn) < most and (ends.steps < STEPS or len(drawn) < 2):
            drawn.append((1.0, ends.played(to_come.ending(source))))

    draw(FIRST_TURNS)
    if to_come.endings <= TURNS and to_come.endings * ends.steps <= STEPS * len(ends.known):
        every: list[tuple[float, Played]] = []
        for chance, turn in to_come.all_endings():
            every.append((chance, ends.played(turn)))
            if ends.steps > STEPS:
                break
        else:
            return _means(ends.variant, every, need, ends.steps)
    draw(TURNS)
    return _means(ends.variant, drawn, need, ends.steps, simulated=True)


class Ends:
    """The best layouts at the end of a turn that are `known`, and the `steps` that finding them
    took.
    """

    def __init__(self, variant: Layout, rules: LayoutRules) -> None:
        self.variant = variant
        self.rules = rules
        self.steps = 0
        self.known: dict[Turn, Played] = {}

    def played(self, turn: Turn) -> Played:
        """The best layout of `turn`."""
        known = self.known.get(turn)
        if known is None:
            known = self.variant.evaluate(turn, self.rules, work=TURN_WORK)
            self.known[turn] = known
            self.steps += TURN_STEPS + known.steps
        return known


def _worth(variant: Layout, played: Played, need: int | None) -> list[tuple[float, float]]:
    """The mean score, and the chance to score what is needed: without the risk roll, and with it.
    Without a need, the chance means nothing.

    The roll multiplies all points (R29). After a super royal nobody rolls it: that wins (R9).
    """
    worth, points = [], played.points
    for faces in ((1,), (1,) if played.wins_game else variant.risk_faces):
        scores = [points * face for face in faces]
        reached = [played.wins_game or (need is not None and score >= need) for score in scores]
        worth.append((sum(scores) / len(faces), sum(reached) / len(faces)))
    return worth


def _means(
    variant: Layout,
    ends: Sequence[tuple[float, Played]],
    need: int | None,
    steps: int,
    *,
    simulated: bool = False,
) -> LayoutAdvice:
    """The means over the `ends` of a turn, each with its weight."""
    weights = [weight for weight, _ in ends]
    worth = [_worth(variant, each, need) for _, each in ends]
    scores = [max(score for score, _ in each) for each in worth]
    reach = [max(chance for _, chance in each) for each in worth]
    held: dict[str, list[float]] = {hand.id: [] for hand in variant.all_hands}
    held[SUPER_ROYAL] = [weight for weight, each in ends if each.wins_game]
    for weight, each in ends:
        for hand in {hand.line.hand.id for hand in each.hands}:
            held[hand].append(weight)
    whole = fsum(weights)
    return LayoutAdvice(
        points=fmean([each.points for _, each in ends], weights),
        expected=fmean(scores, weights),
        hands={hand: fsum(some) / whole for hand, some in held.items()},
        reach=None if need is None else fmean(reach, weights),
        options=(),
        played=None,
        proven=all(each.proven for _, each in ends),
        simulated=len(ends) if simulated else 0,
        standard_error=stdev(scores) / sqrt(len(ends)) if simulated else 0.0,
        steps=steps,
    )
