"""To bank the points of a turn, or to roll the risk die (R10)."""

from __future__ import annotations

from dataclasses import dataclass

from service.kinds.layout.played import Played
from service.kinds.layout.variant import Layout


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


def scores_to_expect(variant: Layout, played: Played) -> tuple[float, float]:
    """The mean scores of a turn without and with the risk roll.

    The roll multiplies all points (R29). After a super royal nobody rolls it: the game is over
    (R9).
    """
    points = float(played.points)
    if played.wins_game:
        return points, points
    return points, points * sum(variant.risk_faces) / len(variant.risk_faces)


def chances_to_reach(variant: Layout, played: Played, need: int) -> tuple[float, float]:
    """The chances to score `need` without and with the risk roll; a super royal wins (R9)."""
    if played.wins_game:
        return 1.0, 1.0
    reached = [played.points * face >= need for face in variant.risk_faces]
    return float(played.points >= need), sum(reached) / len(reached)


def risk_options(variant: Layout, played: Played, need: int | None) -> tuple[RiskOption, ...]:
    """To bank and to risk, the best first; equal ones in this order.

    There is no choice in a turn that didn't open (R31), and after a super royal (R9).
    """
    if not played.opened or played.wins_game:
        return ()
    expected = scores_to_expect(variant, played)
    chances = (None, None) if need is None else chances_to_reach(variant, played, need)
    options = [
        RiskOption(risk, score, max(expected) - score, chance)
        for risk, score, chance in zip((False, True), expected, chances, strict=True)
    ]
    options.sort(key=lambda option: (-(option.reach or 0.0), -option.expected))
    return tuple(options)
