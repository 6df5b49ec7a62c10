"""The best play of each game, and what every choice costs: pure computing, without HTTP.

Forecasts of all kinds of games, of who wins, return what is here.
"""

from __future__ import annotations

from typing import NamedTuple


class Outlook(NamedTuple):
    """The chance of a player to `win` alone, and to `share` the win; the result to expect, and its
    standard deviation.
    """

    win: float
    share: float
    expected: float
    deviation: float


class Forecast(NamedTuple):
    """The outlook of each player, in their order.

    `standard_error` is that of the chances; 0 if they are `exact`.
    """

    players: tuple[Outlook, ...]
    exact: bool
    standard_error: float
