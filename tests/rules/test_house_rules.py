"""House rules read by the library, without HTTP."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from service.rules.house_rules import MAX_AMOUNT, HouseRules, amount, options, read_rules, switch
from service.rules.violations import InvalidInput
from tests.problems import breach


@dataclass(frozen=True)
class Rules(HouseRules):
    """A rule of each type that has bounds."""

    stake: int = amount(4, minimum=2, maximum=10, step=2, clause="T1", meaning="a stake")
    rounds: int | None = amount(
        None, minimum=1, maximum=MAX_AMOUNT, nullable=True, clause="T2", meaning="rounds"
    )
    wild: bool = switch(clause="T3", meaning="sixes are wild")


def test_bounds() -> None:
    """The least and the greatest value are allowed, and a float that is whole; no others are."""
    assert read_rules(Rules, {"stake": 2, "rounds": 1}) == Rules(stake=2, rounds=1)
    assert read_rules(Rules, {"stake": 10.0, "rounds": 1_000_000_000}) == Rules(10, 1_000_000_000)
    assert read_rules(Rules, {"rounds": None, "wild": True}) == Rules(wild=True)
    even = "must be a whole number between 2 and 10 and a multiple of 2"
    round_count = "must be a whole number between 1 and 1000000000, or null"
    for stake in (0, 3, 12, None, True, "2", 2.5):
        for rounds in (0, 1_000_000_001):
            with pytest.raises(InvalidInput) as refused:
                read_rules(Rules, {"stake": stake, "rounds": rounds})
            assert refused.value.violations == (
                breach(("stake",), even),
                breach(("rounds",), round_count),
            )


def test_options_have_their_bounds() -> None:
    """Options list the bounds; a switch has none."""
    assert [(each.name, each.minimum, each.maximum, each.step) for each in options(Rules)] == [
        ("stake", 2, 10, 2),
        ("rounds", 1, 1_000_000_000, 1),
        ("wild", None, None, 1),
    ]
