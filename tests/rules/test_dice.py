"""Dice read from what a program hands over; the same refusals as over HTTP."""

from __future__ import annotations

import pytest

from service.rules.violations import InvalidInput
from service.variants.poker_dice import VARIANT as POKER_DICE
from service.variants.poker_dice import PokerDiceRules
from service.variants.texas_holdem_dice import VARIANT as HOLDEM

pytestmark = pytest.mark.smoke


def test_notation_and_codes() -> None:
    """A suited die's code is six times its suit plus its number less one (H28)."""
    assert HOLDEM.dice.read_codes(["1r", "6r", "1b", "6y"], (4,)) == (0, 5, 6, 23)
    assert HOLDEM.dice.written((0, 5, 6, 23)) == ["1r", "6r", "1b", "6y"]


def test_dice_of_each_suit() -> None:
    """A set has equally many dice of each suit; plain dice have none."""
    assert HOLDEM.dice.per_suit == 5
    assert POKER_DICE.dice.per_suit == 0


def test_codes_that_no_die_has() -> None:
    """A code that no die has is refused, with the last one that a die has."""
    assert len(HOLDEM.dice.notation) == 24
    for wrong in (-1, 24):
        with pytest.raises(InvalidInput) as refused:
            HOLDEM.check([0, 6, 12, 18, wrong])
        detail = "must be the code of a die, from 0 to 23"
        assert [(each.path, str(each.detail)) for each in refused.value.violations] == [
            ((4,), detail)
        ]


def test_library_refuses_what_http_refuses() -> None:
    """The rules alone refuse dice that can't be, naming each of them."""
    with pytest.raises(InvalidInput, match="it must hold 5 dice, not 6; 1 must be between 1 and 6"):
        POKER_DICE.evaluate([1, 9, 2, 3, 4, 5], PokerDiceRules())
    with pytest.raises(InvalidInput, match="2 must be a number from 1 to 6 and a suit letter"):
        HOLDEM.dice.read_codes(["1r", "2r", "2x"], (3, 5))
