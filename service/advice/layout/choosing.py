"""The players of the service in games of layouts: what they lay, and whether they risk it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from statistics import fmean

from service.advice.choosing import Choice, Chosen, Strength, by_chance, by_value, pick
from service.advice.layout.forecast import Standing, finals, shares
from service.advice.layout.turn import TURN_WORK, RiskOption, turns_left
from service.kinds.layout.cards import Turn
from service.kinds.layout.state import place_json
from service.kinds.layout.variant import Layout, LayoutRules
from service.rules.reasons import Reason

TEMPERATURES = {Strength.EASY: 0.2, Strength.MEDIUM: 0.1, Strength.HARD: 0.02, Strength.BEST: 0.0}
"""The chance to win that banking or risking may lose (see `pick`), or the part of the points."""

OVERLOOKED = {Strength.EASY: 3, Strength.MEDIUM: 1}
"""The most dice that a player overlooks when laying them out."""

GAMES = 600
"""The games that are simulated for each face of the risk die."""


def choose(choice: Choice) -> Chosen:
    """What the player does whose turn it is in a session."""
    variant, rules, view, _, strength, source = choice
    turn = view["turn"]
    if turn is None:
        return Chosen({"action": "throw"}, Reason.ONLY_CHOICE.because())
    if turn["laid"] is not None:
        return _by_totals(choice)
    if not turn["rolls"] or (turn["blanks"] and turn["rolls_left"]):
        return roll()
    return lay(variant, rules, variant.read_rolls(turn["rolls"]), strength, source)


def roll() -> Chosen:
    """To roll on, which costs nothing."""
    return Chosen({"action": "roll"}, Reason.MORE_CARDS.because())


def lay(
    variant: Layout, rules: LayoutRules, turn: Turn, strength: Strength, source: Random
) -> Chosen:
    """The best layout of a turn that has opened, or the best without dice that are overlooked."""
    best = seen = variant.evaluate(turn, rules, work=TURN_WORK)
    overlooked = source.sample(
        range(len(turn.cards)), source.randint(0, OVERLOOKED.get(strength, 0))
    )
    if overlooked:
        cards = [None if die in overlooked else card for die, card in enumerate(turn.cards)]
        first = turn.first_roll & ~sum(1 << die for die in overlooked)
        fewer = replace(turn, cards=tuple(cards), first_roll=first)
        seen = variant.evaluate(fewer, replace(rules, opening="none"), work=TURN_WORK)
    lines = [{"dice": list(hand.dice), **place_json(hand)} for hand in seen.hands]
    because = Reason.LAID_BEST_KNOWN.because(points=seen.points)
    if seen.points < best.points:
        because = Reason.LAID_BELOW_BEST.because(points=seen.points, best=best.points)
    return Chosen({"action": "lay", "layout": lines or None}, because)


def bank_or_risk(options: Sequence[RiskOption], strength: Strength, source: Random) -> Chosen:
    """To bank or to risk: the first of the `options` of advice, or the other.

    If points are needed, the losses are those of the chance to reach them.
    """
    temperature, (best, *_) = TEMPERATURES[strength], options
    if best.reach is None:
        chosen = options[pick([each.loss for each in options], temperature * best.expected, source)]
        because = by_value(chosen.expected, chosen.loss)
    else:
        losses = [best.reach - (each.reach or 0.0) for each in options]
        place = pick(losses, temperature, source)
        chosen, because = options[place], by_chance(options[place].reach or 0.0, losses[place])
    return Chosen({"action": "risk" if chosen.risk else "bank"}, because)


def _by_totals(choice: Choice) -> Chosen:
    """To bank or to risk by the chance to win the game; a shared win counts as a half."""
    variant, rules, view, _, strength, source = choice
    points, order, totals = view["turn"]["laid"]["points"], view["order"], view["totals"]
    me = order.index(view["turn"]["player"])
    to_come = turns_left(view)
    left = [to_come[player] - (place == me) for place, player in enumerate(order)]
    standings = [Standing(totals[player], own) for player, own in zip(order, left, strict=True)]

    def chance(scored: int) -> float:
        after = [*standings]
        after[me] = Standing(standings[me].total + scored, left[me])
        win, share = shares(finals(variant, rules, after, GAMES))
        return float(win[me] + share[me] / 2)

    of_face = {face: chance(points * face) for face in {1, *variant.risk_faces}}
    banked, risked = of_face[1], fmean([of_face[face] for face in variant.risk_faces])
    best = max(banked, risked)
    options = [
        RiskOption(risk, 0.0, best - own, own) for risk, own in ((False, banked), (True, risked))
    ]
    options.sort(key=lambda option: option.loss)
    return bank_or_risk(options, strength, source)
