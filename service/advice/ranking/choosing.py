"""The players of the service in beat it or bust: by the chance to win, and by value in chips."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from service.advice.choosing import Choice, Chosen, Strength, by_chance, by_value, pick
from service.advice.ranking.chances import options, winners
from service.advice.ranking.position import RankingPosition, RankingTurn
from service.kinds.ranking.state import ANTES, BETTING, IN, OPENING, ROLLING, TO_DECIDE
from service.kinds.ranking.variant import OWN_STACK, STAKES, Ranking
from service.rules.reasons import Reason

TEMPERATURES = {Strength.EASY: 0.12, Strength.MEDIUM: 0.04, Strength.HARD: 0.01, Strength.BEST: 0.0}
"""The chance to win, or the share of the pot, that each choice may lose (see `pick`)."""


def choose(choice: Choice) -> Chosen:
    """What the player does whose turn it is in a session."""
    variant, rules, view, _, strength, source = choice
    if view["phase"] != ROLLING:
        return _choose_chips(choice)
    turn, best = view["turn"], view["best"]
    if not turn["dice"]:
        return Chosen({"action": "roll", "keep": []}, Reason.ONLY_CHOICE.because())
    read, count = variant.dice.read_faces, variant.hand_size
    to_beat = read(best["dice"], count) if best else None
    waiting = [each for each in view["players"] if each["standing"] == IN]
    after = len(waiting) - 1 - (best is not None)
    position = RankingPosition(read(turn["dice"], count), turn["rolls_left"], to_beat, after)
    return choose_option(variant, rules, position, strength, source)


def choose_option(
    variant: Ranking, rules: Any, position: RankingPosition, strength: Strength, source: Random
) -> Chosen:
    """What a player of `strength` does with dice: the first of `options`, or a worse one.

    Raises `InvalidInput` for dice that don't count.
    """
    found = options(variant, rules, position)
    taken = found[pick([option.loss for option in found], TEMPERATURES[strength], source)]
    action: dict[str, Any] = {"action": "stop"}
    if taken.keep is not None:
        action = {"action": "roll", "keep": list(taken.keep)}
    return Chosen(action, by_chance(taken.chance, taken.loss))


def _choose_chips(choice: Choice) -> Chosen:
    """What the player does about chips, by its value if all play as well as they can.

    The value is what the action brings on average in this round, less what it costs. Chips that the
    player has already put in the pot are not a cost.
    """
    variant, rules, view, _, strength, source = choice
    values = _values(variant, rules, view)
    ranked = sorted(values, key=lambda option: -option[1])
    best, pot = ranked[0][1], max(1, view["pot"])
    losses = [best - value for _, value in ranked]
    place = pick(losses, TEMPERATURES[strength] * pot, source)
    action, value = ranked[place]
    return Chosen(action, by_value(value, losses[place]))


def _values(
    variant: Ranking, rules: Any, view: Mapping[str, Any]
) -> list[tuple[dict[str, Any], float]]:
    """Everything that the player to act can do about chips, and its value.

    After a raise, the others are assumed to meet it if that pays for them; all others who are asked
    to meet an ante or a raise are assumed to do so.
    """
    (me,) = view["to_act"]
    best, pot, price = view["best"], view["pot"], view["price"]
    holder = best["player"] if best else None
    seated = [player["id"] for player in view["players"]]
    start = seated.index(view["starter"])
    order = [*view["players"][start:], *view["players"][:start]]
    rolling = [each for each in order if each["standing"] in (IN, TO_DECIDE)]
    names = [each["id"] for each in rolling if each["id"] != holder]
    holds = variant.dice.read_faces(best["dice"], variant.hand_size) if best else None

    def chances(count: int) -> list[float]:
        return winners(variant, rules, holds, [RankingTurn((), variant.rolls)] * count)

    chance_of = dict(zip([holder, *names], chances(len(names)), strict=True))
    if view["phase"] in (OPENING, BETTING):
        own = STAKES.of(rules) == OWN_STACK  # limits antes and raises alone (P17)
        most = min(each["stack"] for each in rolling if each["id"] == me or not own)
    if view["phase"] == OPENING:
        worth = chance_of[me] * len(names) - 1
        amounts = sorted({1, max(1, most // 20), max(1, most // 10)})
        return [({"action": "ante", "amount": each}, each * worth) for each in amounts]
    if view["phase"] != BETTING:
        asked = sum(each["standing"] == TO_DECIDE for each in rolling)
        out = "sit_out" if view["phase"] == ANTES else "fold"
        value = chance_of[me] * (pot + price * asked) - price
        return [({"action": "meet"}, value), ({"action": out}, 0.0)]
    values: list[tuple[dict[str, Any], float]] = [({"action": "check"}, chance_of[me] * pot)]
    for amount in sorted({1, pot // 2, pot, 2 * pot, most}):
        if 1 <= amount <= most:
            full = pot + amount * len(rolling)
            stay = sum(chance_of[name] * full >= amount for name in names)
            value = chances(stay)[0] * (pot + amount * (1 + stay)) - amount
            values.append(({"action": "raise", "amount": amount}, value))
    return values
