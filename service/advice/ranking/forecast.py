"""The chance to win a round of beat it or bust, for each player (P2-P6), exact."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

from service.advice.forecast import Forecast, Outlook
from service.advice.ranking.chances import winners
from service.advice.ranking.position import RankingTurn
from service.kinds.ranking.variant import Ranking


class Seat(NamedTuple):
    """A player in the order of their turns: those who have `rolled` come first.

    `dice` are the hand of who has rolled, None if they are out. Those of the first of the others
    are on the table, with `rolls_left`.
    """

    dice: tuple[int, ...] | None
    rolled: bool
    rolls_left: int


def forecast(variant: Ranking, rules: Any, seats: Sequence[Seat]) -> Forecast:
    """The chances to take the pot; the result of a player is the part of it that they get.

    Of equal hands the first one holds: an equal one busts (P10). All dice must count.
    """
    holder, holds = -1, 0
    for place, seat in enumerate(seats):
        if seat.rolled and seat.dice is not None:
            strength = variant.evaluate(seat.dice, rules).strength
            if strength > holds:
                holder, holds = place, strength
    best = seats[holder].dice if holder >= 0 else None
    waiting = [place for place, seat in enumerate(seats) if not seat.rolled]
    turns = [
        RankingTurn(
            seats[place].dice or (), seats[place].rolls_left if seats[place].dice else variant.rolls
        )
        for place in waiting
    ]
    won = dict(zip([holder, *waiting], winners(variant, rules, best, turns), strict=True))
    chances = [min(1.0, won.get(place, 0.0)) for place in range(len(seats))]
    outlooks = [Outlook(each, 0.0, each, sqrt(each * (1 - each))) for each in chances]
    return Forecast(tuple(outlooks), True, 0.0)
