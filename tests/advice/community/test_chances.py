"""The chances in `texas-holdem-dice`, compared with counting every showdown."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, perm, prod, sqrt

import pytest

from service.advice.community.adding import Chances
from service.advice.community.chances import chances
from service.advice.community.position import CommunityPosition
from service.rules.violations import InvalidInput
from service.variants.texas_holdem_dice import VARIANT
from tests.reference import holdem_equity
from tests.reference.holdem_equity import Pocket, Tally
from tests.sampled import first

TIES = [
    {"kickers": False},
    {"suits_break_ties": False},
    {"kickers": False, "suits_break_ties": False},
]
SHOWDOWNS = 10_000


def codes(dice: str) -> tuple[int, ...]:
    """The codes of dice in notation, such as `6r6b`."""
    written = [dice[start : start + 2] for start in range(0, len(dice), 2)]
    return VARIANT.dice.read_codes(written, (len(written),))


def seen(pocket: str, community: str = "", known: str = "", unknown: int = 1) -> CommunityPosition:
    """What a player sees; known pockets are separated by blanks."""
    others = tuple(codes(other) for other in known.split())
    return CommunityPosition(codes(pocket), codes(community), others, unknown)


def of(table: CommunityPosition, **rules: bool) -> Chances:
    """The chances under the default rules but these."""
    return chances(VARIANT, VARIANT.house_rules(**rules), table)


def figures(found: Chances) -> dict[str, float]:
    """All figures by name, without the ranks that have no chance."""
    ranks = {rank: chance for rank, chance in found.ranks.items() if chance}
    return {"win": found.win, "tie": found.tie, "equity": found.equity, **ranks}


def written(table: CommunityPosition) -> tuple[Pocket, Pocket, list[Pocket]]:
    """The pocket, the community and the known pockets in notation."""
    dice = VARIANT.dice
    known = [tuple(dice.written(pocket)) for pocket in table.known]
    return tuple(dice.written(table.pocket)), tuple(dice.written(table.community)), known


def sums(tally: Tally) -> dict[str, float]:
    """The figures of a tally."""
    ways: dict[str, int | Fraction] = {"win": tally.win, "tie": tally.tie, **tally.ranks}
    ways["equity"] = tally.equity
    return {name: float(Fraction(some, tally.total)) for name, some in ways.items()}


def counted(table: CommunityPosition, **rules: bool) -> dict[str, float]:
    """The figures by counting every showdown."""
    pocket, community, known = written(table)
    return sums(holdem_equity.counted(pocket, community, known, table.unknown, **rules))


def random_table(
    source: random.Random, community: int, known: int, unknown: int
) -> CommunityPosition:
    """A table with dice drawn at random."""
    suits = source.sample([suit for suit in range(4) for _ in range(5)], 2 + community + 2 * known)
    dice = [6 * suit + source.randrange(6) for suit in suits]
    pockets = [dice[start : start + 2] for start in range(0, 2 + 2 * known, 2)]
    return CommunityPosition(pockets[0], dice[2 + 2 * known :], pockets[1:], unknown)


@pytest.mark.parametrize(("known", "unknown"), first([(2, 1), (0, 1), (1, 0), (2, 0), (1, 2)]))
def test_river(known: int, unknown: int) -> None:
    """With the whole community, the chances are those of every pocket of unknown opponents."""
    table = random_table(random.Random(10 * known + unknown), 5, known, unknown)
    assert figures(of(table)) == pytest.approx(counted(table), abs=1e-11)


@pytest.mark.parametrize("ties", TIES, ids=str)
@pytest.mark.parametrize(("dice", "known", "unknown"), [(5, 1, 1), (4, 3, 0)])
def test_house_rules_about_ties(dice: int, known: int, unknown: int, ties: dict[str, bool]) -> None:
    """Which hands tie follows the house rules, and so do the chances (H38)."""
    for seed in range(3):
        table = random_table(random.Random(seed), dice, known, unknown)
        expected = counted(table, **ties)
        assert figures(of(table, **ties)) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize(("known", "unknown"), [(0, 1), (3, 0)])
def test_one_die_to_come(known: int, unknown: int) -> None:
    """With one die to come, the chances are those of every such die and every pocket."""
    table = random_table(random.Random(known), 4, known, unknown)
    assert figures(of(table)) == pytest.approx(counted(table), abs=1e-11)


@pytest.mark.proof
@pytest.mark.parametrize("position", range(3))
@pytest.mark.parametrize(("dice", "known", "unknown"), [(4, 0, 1), (4, 1, 1), (3, 0, 1), (3, 2, 0)])
def test_every_showdown(dice: int, known: int, unknown: int, position: int) -> None:
    """With one or two dice to come, the chances are those of every showdown."""
    table = random_table(random.Random(position), dice, known, unknown)
    assert figures(of(table)) == pytest.approx(counted(table), abs=1e-11)


@pytest.mark.proof
@pytest.mark.parametrize("unknown", [1, 3, 5])
@pytest.mark.parametrize("dice", [0, 3])
def test_simulated(dice: int, unknown: int) -> None:
    """With more dice to come, the chances are those of random showdowns, within four errors."""
    source = random.Random(10 * dice + unknown)
    table = random_table(source, dice, (5 - unknown) // 2, unknown)
    found = figures(of(table))
    tally = holdem_equity.simulated(*written(table), unknown, source, SHOWDOWNS)
    for name, share in sums(tally).items():
        error = sqrt(max(share * (1 - share), 1 / SHOWDOWNS) / SHOWDOWNS)
        assert abs(share - found.get(name, 0)) < 4 * error, name


def after(table: CommunityPosition, dice: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every choice of the next dice (codes) at a table, with its chance."""
    left = [5] * 4
    for code in table.dice:
        left[code // 6] -= 1
    for codes in combinations_with_replacement(range(24), dice):
        suits = [code // 6 for code in codes]
        ways = factorial(dice) / prod(factorial(codes.count(code)) for code in {*codes})
        for suit in range(4):
            ways *= perm(left[suit], suits.count(suit))
        if ways:
            yield codes, ways / perm(sum(left), dice) / 6**dice


def mean(tables: Iterator[tuple[CommunityPosition, float]]) -> dict[str, float]:
    """The mean of the figures at several tables, by the chance of each."""
    result: dict[str, float] = {}
    for table, chance in tables:
        for name, share in figures(of(table)).items():
            result[name] = result.get(name, 0) + chance * share
    return result


@pytest.mark.parametrize("unknown", [1, 4])
def test_next_die(unknown: int) -> None:
    """The chances on the flop are the mean of those after every turn."""
    flop = random_table(random.Random(unknown), 3, 1, unknown)
    turns = (
        (replace(flop, community=[*flop.community, *die]), chance) for die, chance in after(flop, 1)
    )
    assert figures(of(flop)) == pytest.approx(mean(turns), abs=1e-11)


@pytest.mark.proof
def test_every_flop() -> None:
    """The chances before the flop are the mean of those after every flop."""
    start = random_table(random.Random(2), 0, known=1, unknown=2)
    flops = ((replace(start, community=flop), chance) for flop, chance in after(start, 3))
    assert figures(of(start)) == pytest.approx(mean(flops), abs=1e-10)


@pytest.mark.parametrize("unknown", first([3, 2, 4, 5]))
def test_pocket_of_one_more_opponent(unknown: int) -> None:
    """The chances against unknown opponents are the mean of those with one of them known."""
    table = random_table(random.Random(unknown), 5, 0, unknown)
    others = (
        (replace(table, known=[pocket], unknown=unknown - 1), chance)
        for pocket, chance in after(table, 2)
    )
    assert figures(of(table)) == pytest.approx(mean(others), abs=1e-11)


@pytest.mark.proof
@pytest.mark.parametrize("unknown", [1, 2, 5])
def test_fair_shares(unknown: int) -> None:
    """Before anyone sees a die, everybody's share of the pot is the same."""
    share = 0.0
    for pocket, chance in after(CommunityPosition((), ()), 2):
        if {*pocket} <= {*range(12)} and pocket[0] < 6:  # the others are these, with suits renamed
            names = 4 if pocket[1] < 6 else 6
            share += names * chance * of(CommunityPosition(pocket, unknown=unknown)).equity
    assert share == pytest.approx(1 / (1 + unknown), abs=1e-10)


@pytest.mark.parametrize("dice", [0, 3, 4, 5])
def test_all_pockets_known(dice: int) -> None:
    """When all pockets are known, all shares of the pot sum up to it."""
    table = random_table(random.Random(dice), dice, 3, 0)
    pockets = [table.pocket, *table.known]
    shares = [
        of(replace(table, pocket=own, known=[other for other in pockets if other is not own]))
        for own in pockets
    ]
    assert sum(found.equity for found in shares) == pytest.approx(1, abs=1e-10)


def test_order_of_dice() -> None:
    """The order of dice in a pocket, in the community and of known opponents doesn't matter."""
    expected = of(seen("6r5b", "1w2y3r", "2r3b 4w5y"))
    assert of(seen("5b6r", "3r1w2y", "5y4w 3b2r")) == expected


def test_more_dice_of_a_suit_than_there_are() -> None:
    """Dice that can't be on one table are refused, wherever they are (H24)."""
    with pytest.raises(InvalidInput) as refused:
        of(seen("1r2r", "3r4r5b", "5b6b 6r1r"))
    assert [violation.path for violation in refused.value.violations] == [("known", 1, 1)]
    assert str(refused.value) == (
        "known/1/1 is red die number 6 on this table; the set has 5 (H24)"
    )
