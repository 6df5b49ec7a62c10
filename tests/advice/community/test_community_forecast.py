"""Forecasts of a hand of Hold'em dice, compared with counting every showdown."""

from __future__ import annotations

import random
from math import sqrt

import pytest

from service.advice.community.forecast import STANDARD_ERROR, Seat, forecast
from service.advice.forecast import Forecast, Outlook
from service.variants.texas_holdem_dice import VARIANT
from tests.advice.community.test_chances import codes, counted, random_table, seen

RULES = VARIANT.default_rules


def of(community: str, *pockets: str, pot: int = 1, stack: int = 0) -> Forecast:
    """The forecast of players with these pockets; those of "" are unknown."""
    seats = [Seat(codes(pocket) if pocket else None, stack) for pocket in pockets]
    return forecast(VARIANT, RULES, codes(community) if community else (), seats, pot)


@pytest.mark.parametrize("community", [3, 4, 5])
def test_known_pockets(community: int) -> None:
    """With all pockets known, each player's chances are those of every community."""
    table = random_table(random.Random(community), community, 2, 0)
    pockets = [table.pocket, *table.known]
    found = forecast(VARIANT, RULES, table.community, [Seat(each, 0) for each in pockets], 1)
    assert (found.exact, found.standard_error) == (True, 0.0)
    for place, outlook in enumerate(found.players):
        others = [*pockets[:place], *pockets[place + 1 :]]
        wanted = counted(type(table)(pockets[place], table.community, others, 0))
        chances = (outlook.win, outlook.share, outlook.expected)
        assert chances == pytest.approx((wanted["win"], wanted["tie"], wanted["equity"]))


def test_an_unknown_pocket() -> None:
    """One of two players has what the other leaves: that is exact, too."""
    wanted = counted(seen("6r6b", "1w2w6y3b5b"))
    known, unknown = of("1w2w6y3b5b", "6r6b", "").players
    win, tie, equity = wanted["win"], wanted["tie"], wanted["equity"]
    deviation = sqrt(win + tie / 4 - equity**2)
    assert known == pytest.approx((win, tie, equity, deviation))
    assert unknown == pytest.approx((1 - win - tie, tie, 1 - equity, deviation))


def test_unknown_pockets() -> None:
    """Where several are unknown, their chances are simulated; all parts add up to the pot."""
    found = of("1w2w6y3b5b", "6r6b", "", "")
    assert (found.exact, found.standard_error) == (False, STANDARD_ERROR)
    known, second, third = found.players
    wanted = counted(seen("6r6b", "1w2w6y3b5b", unknown=2))
    assert known[:3] == pytest.approx((wanted["win"], wanted["tie"], wanted["equity"]))
    assert second == third
    assert known.expected + 2 * second.expected == pytest.approx(1)
    somebody_alone = known.win + 2 * second.win
    assert 1 - somebody_alone == pytest.approx((known.share + 2 * second.share) / 2, abs=0.01)
    assert of("1w2w6y3b5b", "6r6b", "", "") == found


def test_chips() -> None:
    """The result is in chips, if there are any: the rest, and what is won of the pot."""
    one = of("", "6r6b", "1w2w")
    chips = of("", "6r6b", "1w2w", pot=40, stack=100)
    assert [(*each,) for each in chips.players] == [
        pytest.approx((each.win, each.share, 100 + 40 * each.expected, 40 * each.deviation))
        for each in one.players
    ]


def test_the_last_player() -> None:
    """Who is alone in the hand has won it, whatever their dice."""
    assert of("", "").players == (Outlook(1.0, 0.0, 1.0, 0.0),)
