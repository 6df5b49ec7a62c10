"""Pots: every chip is paid out, to whom the rules say."""

from __future__ import annotations

from itertools import groupby

from hypothesis import strategies as st

from service.kinds.community.betting import Pot, Stake, share_out
from tests.sampled import sampled

stakes = st.lists(
    st.tuples(st.integers(0, 12), st.one_of(st.none(), st.integers(1, 4)), st.booleans()),
    min_size=2,
    max_size=6,
).filter(lambda players: any(strength is not None for _, strength, _ in players))


def as_stakes(players: list[tuple[int, int | None, bool]], *, takes_all: bool) -> list[Stake]:
    """Players with units of chips; the strongest hand alone can take all."""
    best = max(strength for _, strength, _ in players if strength is not None)
    return [
        Stake(f"p{seat}", units * 10, strength, takes_all and marked and strength == best)
        for seat, (units, strength, marked) in enumerate(players)
    ]


def unit_by_unit(players: list[Stake]) -> list[tuple[int, tuple[str, ...], dict[str, int]]]:
    """Pots built one unit of chips at a time, as they would be stacked on a table."""
    layers = []
    for level in range(10, max(player.paid for player in players) + 10, 10):
        amount = 10 * sum(player.paid >= level for player in players)
        can_win = tuple(p.id for p in players if p.strength is not None and p.paid >= level)
        layers.append((amount, can_win))
    reached = [can_win for _, can_win in layers if can_win]
    everyone = tuple(p.id for p in players if p.strength is not None)
    last = reached[-1] if reached else everyone
    stacked = [(amount, can_win or last) for amount, can_win in layers]
    pots = []
    for can_win, group in groupby(stacked, key=lambda layer: layer[1]):
        amount = sum(units for units, _ in group)
        strengths = {p.id: p.strength or 0 for p in players}
        best = max(strengths[name] for name in can_win)
        winners = [name for name in can_win if strengths[name] == best]
        payouts = dict.fromkeys(winners, 0)
        for unit in range(amount // 10):
            payouts[winners[unit % len(winners)]] += 10
        pots.append((amount, can_win, payouts))
    return pots


@sampled(100, 500, players=stakes)
def test_pots_are_as_stacked_by_hand(players: list[tuple[int, int | None, bool]]) -> None:
    """Pots, their contenders and payouts are those of stacking chips one by one (H14, H25)."""
    table = as_stakes(players, takes_all=False)
    pots = [(pot.amount, pot.eligible, pot.payouts) for pot in share_out(table, 10)]
    assert pots == unit_by_unit(table)


@sampled(100, 500, players=stakes, takes_all=st.booleans())
def test_no_chip_is_lost(players: list[tuple[int, int | None, bool]], takes_all: bool) -> None:
    """Payouts add up to what was paid in, pot by pot and in all; a folded player gets nothing."""
    table = as_stakes(players, takes_all=takes_all)
    pots = share_out(table, 10)
    assert sum(pot.amount for pot in pots) == sum(stake.paid for stake in table)
    folded = {stake.id for stake in table if stake.strength is None}
    for pot in pots:
        assert sum(pot.payouts.values()) == pot.amount
        assert not folded & set(pot.payouts)


def test_odd_units() -> None:
    """A pot that doesn't split evenly gives odd units from the dealer's left on (H25)."""
    table = [Stake("ann", 10, 1), Stake("ben", 30, 5), Stake("cat", 30, 5), Stake("dan", 30, 5)]
    assert share_out(table, 10) == [
        Pot(40, ("ann", "ben", "cat", "dan"), {"ben": 20, "cat": 10, "dan": 10}),
        Pot(60, ("ben", "cat", "dan"), {"ben": 20, "cat": 20, "dan": 20}),
    ]


def test_several_side_pots() -> None:
    """There are as many side pots as different stakes of players still in (H14, H25)."""
    table = [
        Stake("ann", 20, 9),
        Stake("ben", 50, 7),
        Stake("cat", 90, 3),
        Stake("dan", 90, 5),
        Stake("eve", 70, None),
    ]
    assert share_out(table, 10) == [
        Pot(100, ("ann", "ben", "cat", "dan"), {"ann": 100}),
        Pot(120, ("ben", "cat", "dan"), {"ben": 120}),
        Pot(100, ("cat", "dan"), {"dan": 100}),
    ]


def test_the_last_player_left_takes_all() -> None:
    """When all others have folded, one pot goes to the player left (H15)."""
    table = [Stake("ann", 50, None), Stake("ben", 20, 1), Stake("cat", 90, None)]
    assert share_out(table, 10) == [Pot(160, ("ben",), {"ben": 160})]


def test_folded_chips_beyond_all_others() -> None:
    """Chips of a folded player beyond what anyone still in has paid go to the last pot (H31)."""
    table = [Stake("ann", 20, 9), Stake("ben", 50, None), Stake("cat", 30, 3)]
    assert share_out(table, 10) == [
        Pot(60, ("ann", "cat"), {"ann": 60}),
        Pot(40, ("cat",), {"cat": 40}),
    ]


def test_a_hand_that_takes_all() -> None:
    """A hand that wins the game takes the pots that its holder has no stake in (H17)."""
    table = [Stake("ann", 20, 9, takes_all=True), Stake("ben", 50, 7), Stake("cat", 50, 3)]
    assert share_out(table, 10) == [
        Pot(60, ("ann", "ben", "cat"), {"ann": 60}),
        Pot(60, ("ben", "cat"), {"ann": 60}),
    ]
