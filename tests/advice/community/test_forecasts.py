"""Who wins a hand of Hold'em, compared with trying every deal."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt

import pytest

from service.advice.community.chances import chances
from service.advice.community.forecast import SIMULATED, forecast
from service.advice.community.position import CommunityPosition
from service.advice.forecast import Forecast, Outlook
from service.kinds.community.variant import Seat
from service.variants.texas_holdem_dice import VARIANT
from tests.advice.community.test_chances import TIES, after, codes, random_table
from tests.reference.holdem_equity import deals
from tests.trial_games.small_holdem import VARIANT as SMALL

OUT = Outlook(0, 0, 0, 0)


def seats(*pockets: str | Sequence[int] | None) -> list[Seat]:
    """Players with these pockets, in notation or as codes; None is unknown."""
    read = [codes(pocket) if isinstance(pocket, str) else pocket for pocket in pockets]
    return [Seat(f"p{at}", pocket and tuple(pocket)) for at, pocket in enumerate(read)]


def found(community: Sequence[int], players: Sequence[Seat], **rules: bool) -> Forecast:
    """The forecast under the default rules but these."""
    return forecast(VARIANT, VARIANT.house_rules(**rules), community, players)


def figures(outlooks: Sequence[Outlook]) -> list[object]:
    """Figures that are equal, but for the order of sums."""
    return [pytest.approx(tuple(each), abs=1e-9) for each in outlooks]


def tried(community: Sequence[int], players: Sequence[Seat], **rules: bool) -> list[Outlook]:
    """The outlooks by trying every deal."""
    written = VARIANT.dice.written
    pockets = [seat.pocket and tuple(written(seat.pocket)) for seat in players]
    total, sums = 0, [[0.0] * 4 for _ in players]
    for hands, ways in deals(pockets, tuple(written(community)), **rules):
        total += ways
        best = max(hands)
        part = 1 / hands.count(best)
        for own, hand in zip(sums, hands, strict=True):
            if hand == best:
                own[part < 1] += ways
                own[2] += ways * part
                own[3] += ways * part**2
    outlooks = []
    for own in sums:
        win, share, mean, square = (each / total for each in own)
        outlooks.append(Outlook(win, share, mean, sqrt(max(0, square - mean**2))))
    return outlooks


def table(seed: int, community: int, known: int, unknown: int) -> tuple[Sequence[int], list[Seat]]:
    """A table with dice drawn at random; unknown pockets come between known ones."""
    drawn = random_table(random.Random(seed), community, known, unknown)
    pockets: list[Sequence[int] | None] = [*[drawn.pocket, *drawn.known][:known]]
    for _ in range(unknown):
        pockets.insert(1, None)
    return drawn.community, seats(*pockets)


@pytest.mark.parametrize(
    ("community", "known", "unknown"),
    [
        *((5, 3, 0), (5, 1, 1), (5, 2, 1), (4, 3, 0), (4, 1, 1), (3, 3, 0)),
        *[pytest.param(*each, marks=pytest.mark.proof) for each in ((5, 1, 2), (4, 2, 1))],
    ],
)
def test_every_deal(community: int, known: int, unknown: int) -> None:
    """Where deals are few, all figures are those of every deal, whatever the order of players."""
    lying, players = table(known, community, known, unknown)
    answer = found(lying, players)
    assert (answer.exact, answer.standard_error) == (True, 0)
    assert [tuple(each) for each in answer.players] == figures(tried(lying, players))


@pytest.mark.parametrize("ties", TIES, ids=str)
def test_house_rules_about_ties(ties: Mapping[str, bool]) -> None:
    """Which hands tie follows the house rules (H38)."""
    lying, players = codes("6w6y1r2b4w"), seats("6r5b", None, "6b5y")
    answer = found(lying, players, **ties).players
    assert [tuple(each) for each in answer] == figures(tried(lying, players, **ties))
    assert answer != found(lying, players).players


@pytest.mark.parametrize("community", [0, 3])
def test_known_pockets(community: int) -> None:
    """With all pockets known, everybody has the exact chances that `advise` finds."""
    lying, players = table(community, community, 3, 0)
    answer = found(lying, players)
    assert (answer.exact, answer.standard_error) == (True, 0)
    pockets = [seat.pocket for seat in players if seat.pocket]
    for place, outlook in enumerate(answer.players):
        own, *others = pockets[place], *pockets[:place], *pockets[place + 1 :]
        advised = chances(VARIANT, VARIANT.default_rules, CommunityPosition(own, lying, others, 0))
        assert tuple(outlook)[:3] == pytest.approx((advised.win, advised.tie, advised.equity))
    assert sum(each.expected for each in answer.players) == pytest.approx(1)


def test_one_unknown_pocket_before_the_flop() -> None:
    """Against one opponent, both have exact chances; in a tie each gets half the pot."""
    answer = found([], seats(None, "6r6b"))
    advised = chances(VARIANT, VARIANT.default_rules, CommunityPosition(codes("6r6b")))
    lost = 1 - advised.win - advised.tie
    spread = sqrt(advised.win + advised.tie / 4 - advised.equity**2)
    assert (answer.exact, answer.standard_error) == (True, 0)
    assert [tuple(each) for each in answer.players] == figures([
        Outlook(lost, advised.tie, 1 - advised.equity, spread),
        Outlook(advised.win, advised.tie, advised.equity, spread),
    ])  # fmt: skip


def test_several_unknown_pockets() -> None:
    """Where deals are many, the player's own chances are still exact, and so are the others' parts
    of the pot. Their other chances are simulated: within four errors of every river.
    """
    lying, players = table(4, 4, 1, 2)
    answer = found(lying, players)
    assert (answer.exact, answer.standard_error) == (False, 1 / sqrt(4 * SIMULATED))
    assert answer == found(lying, players)
    own = CommunityPosition(players[0].pocket or (), lying)
    means = [[0.0] * 3 for _ in players]
    for die, chance in after(own, 1):
        rivers = found([*lying, *die], players)
        assert rivers.exact
        for sums, outlook in zip(means, rivers.players, strict=True):
            for at in range(3):
                sums[at] += chance * outlook[at]
    first, *others = answer.players
    assert tuple(first)[:3] == pytest.approx(means[0], abs=1e-9)
    assert others[0] == others[1]
    assert others[0].expected == pytest.approx(means[1][2], abs=1e-9)
    assert tuple(others[0])[:2] == pytest.approx(means[1][:2], abs=4 * answer.standard_error)


def test_nobody_known() -> None:
    """Before anybody sees a die, all have the same chances."""
    answer = found([], seats(None, None, None))
    assert len({*answer.players}) == 1
    assert answer.players[0].expected == pytest.approx(1 / 3)


def test_who_is_left() -> None:
    """Who has folded has no chance, and the last one left takes the pot (H15)."""
    one, two, three = seats("6r6b", None, "1w2y")
    folded = replace(one, folded=True)
    assert found(codes("6w6y1r"), [folded, two, three]).players[0] == OUT
    last = found(codes("6w6y1r"), [folded, two, replace(three, folded=True)])
    assert last == Forecast((OUT, Outlook(1, 0, 1, 0), OUT), True, 0)


def payouts(community: str, *players: tuple[str, int], folded: int = 0) -> list[tuple[float, ...]]:
    """The expected chips and their deviation, by pocket and stack; the last may have folded."""
    stakes = [replace(seats(pocket)[0], id=pocket, paid=paid) for pocket, paid in players]
    if folded:
        stakes.append(Seat("folded", None, folded, folded=True))
    answer = found(codes(community), stakes)
    return [(each.expected, each.deviation) for each in answer.players]


def test_stacks() -> None:
    """With stacks the result is chips from all pots: those of the main pot and of side pots, what
    nobody called, and what a folded player left there (H14, H25).
    """
    straight, full, three = "3b5w", "1r2b", "1b6w"
    lying = "1w2y1y2r4b"
    assert payouts(lying, (straight, 50), (full, 120), (three, 120)) == [(150, 0), (140, 0), (0, 0)]
    assert payouts(lying, (three, 120), (full, 200), (straight, 50), folded=30) == [
        (0, 0), (220, 0), (180, 0), (0, 0),
    ]  # fmt: skip


def test_odd_chips_and_chances() -> None:
    """An odd chip goes to the first of those who tie (H25); before the river, results vary."""
    board = "6r6b6w6y5r"
    assert payouts(board, ("1r1b", 20), ("1w1y", 20), folded=10) == [(30, 0), (20, 0), (0, 0)]
    one, two = payouts("6r6b6w5r", ("5b1w", 100), ("1r1b", 50))
    equal = [replace(seat, paid=None) for seat in seats("5b1w", "1r1b")]
    part = found(codes("6r6b6w5r"), equal).players[0]
    assert one[0] == pytest.approx(50 + 100 * part.expected)
    assert two[0] == pytest.approx(100 - 100 * part.expected)
    assert one[1] == pytest.approx(100 * part.deviation)


def test_a_hand_that_wins_the_game() -> None:
    """A yahtzee flush takes every pot, also those without a stake in, unless the rules say that it
    is only the highest rank (H31, H33).
    """
    lying, stakes = codes("6r6r6r1b2w"), [("6r6r", 10), ("1w1y", 50), ("3b4b", 50)]
    assert payouts("6r6r6r1b2w", *stakes) == [(110, 0), (0, 0), (0, 0)]
    players = [replace(seats(pocket)[0], id=pocket, paid=paid) for pocket, paid in stakes]
    off = read_rules(VARIANT.house_rules, {"yahtzee_flush": "off"})
    answer = forecast(VARIANT, off, lying, players)
    assert [each.expected for each in answer.players] == [30, 80, 0]


def test_other_dice() -> None:
    """The dice of other games count, too: the parts of the pot add up to it."""
    tables: list[tuple[Sequence[tuple[int] | None], bool]] = [
        ([(0,), (7,)], True),
        ([(0,), None], True),
        ([None, None], True),
        ([None, None, None], False),
        ([(0,), (7,), None, None], True),
    ]
    for players, exact in tables:
        answer = forecast(SMALL, SMALL.default_rules, [], seats(*players))
        assert answer.exact == exact
        assert sum(each.expected for each in answer.players) == pytest.approx(1)
        alone = sum(each.win for each in answer.players)
        assert 1 - alone <= sum(each.share for each in answer.players) / 2 + 1e-9
