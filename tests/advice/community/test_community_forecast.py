"""Forecasts of a hand of Hold'em dice, compared with counting every showdown."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import sqrt

import pytest

from service.advice import Forecast, Outlook
from service.advice.community.chances import STANDARD_ERROR, Seat, forecast
from service.variants.texas_holdem_dice import VARIANT
from tests.advice.community.test_chances import TIES, codes, counted, random_table, seen
from tests.reference.holdem_equity import deals

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


def tried(
    community: Sequence[int], pockets: Sequence[Sequence[int] | None], **rules: bool
) -> list[tuple[float, float, float]]:
    """The chances to win and to share and the mean part of the pot, by trying every deal."""
    written = VARIANT.dice.written
    known = [tuple(written(pocket)) if pocket else None for pocket in pockets]
    total, sums = 0, [[0.0, 0.0, 0.0] for _ in pockets]
    for hands, ways in deals(known, tuple(written(community)), **rules):
        total += ways
        best = max(hands)
        winners = hands.count(best)
        for own, hand in zip(sums, hands, strict=True):
            if hand == best:
                own[winners > 1] += ways
                own[2] += ways / winners
    return [(win / total, share / total, mean / total) for win, share, mean in sums]


@pytest.mark.parametrize(
    ("community", "known", "unknown"),
    [
        *((5, 3, 0), (5, 1, 1), (5, 2, 1), (4, 3, 0), (4, 1, 1), (3, 3, 0)),
        *[pytest.param(*each, marks=pytest.mark.proof) for each in ((5, 1, 2), (4, 2, 1))],
    ],
)
def test_every_deal(community: int, known: int, unknown: int) -> None:
    """The chances are those of every deal, in whatever order the players sit; where they are
    simulated, within four errors.
    """
    table = random_table(random.Random(known), community, known - 1, unknown)
    first, *others = table.pocket, *table.known
    pockets = [first, *[None] * unknown, *others]
    seats = [Seat(pocket, 0) for pocket in pockets]
    found = forecast(VARIANT, RULES, table.community, seats, 1)
    assert found.exact == (unknown == 0 or known + unknown == 2)
    for pocket, outlook, wanted in zip(
        pockets, found.players, tried(table.community, pockets), strict=True
    ):
        error = 1e-9 + 4 * found.standard_error * (pocket is None)
        assert outlook[:2] == pytest.approx(wanted[:2], abs=error)
        assert outlook.expected == pytest.approx(wanted[2], abs=1e-9)


@pytest.mark.parametrize("ties", TIES, ids=str)
def test_house_rules_about_ties(ties: Mapping[str, bool]) -> None:
    """Which hands tie follows the house rules (H38): of three sixes the one with a five and three
    white dice is the best, without kickers the one with four, and without suits two are equal.
    """
    community, pockets = codes("6w6y1r2b4w"), [codes("6b5w"), codes("6r5b"), codes("6w3w")]
    seats = [Seat(pocket, 0) for pocket in pockets]
    found = forecast(VARIANT, VARIANT.house_rules(**ties), community, seats, 1).players
    wanted = tried(community, pockets, **ties)
    assert [each[:3] for each in found] == [pytest.approx(each) for each in wanted]
    assert found != forecast(VARIANT, RULES, community, seats, 1).players


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
