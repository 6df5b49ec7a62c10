"""Pots: every chip is paid out, to whom the rules say."""

from __future__ import annotations

from itertools import groupby

from hypothesis import strategies as st

from service.kinds.community.betting import Pot, Stake, share_out, uncalled
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


@sampled(100, 500, players=stakes, takes_all=st.booleans())
def test_uncalled_chips(players: list[tuple[int, int | None, bool]], takes_all: bool) -> None:
    """Units that one player alone put in return to that player, as a part of the payout; nothing
    does to a player who folded, or who loses every pot to a hand that takes all (H31).
    """
    table = as_stakes(players, takes_all=takes_all)
    taking = {stake.id for stake in table if stake.takes_all}
    returned: dict[str, int] = {}
    for level in range(10, 130, 10):
        paid = [stake for stake in table if stake.paid >= level]
        if len(paid) == 1 and paid[0].strength is not None:
            returned[paid[0].id] = returned.get(paid[0].id, 0) + 10
    if taking:
        returned = {name: chips for name, chips in returned.items() if name in taking}
    assert uncalled(table) == returned
    for name, chips in returned.items():
        assert sum(pot.payouts.get(name, 0) for pot in share_out(table, 10)) >= chips


def test_a_hand_that_takes_all() -> None:
    """A hand that wins the game takes the pots that its holder has no stake in (H17)."""
    table = [Stake("ann", 20, 9, takes_all=True), Stake("ben", 50, 7), Stake("cat", 50, 3)]
    assert share_out(table, 10) == [
        Pot(60, ("ann", "ben", "cat"), {"ann": 60}),
        Pot(60, ("ben", "cat"), {"ann": 60}),
    ]
