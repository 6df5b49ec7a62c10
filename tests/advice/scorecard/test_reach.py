"""The chance that a final card reaches a target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from random import Random
from unittest.mock import ANY

import numpy as np
import pytest
from numpy.typing import NDArray

from service.advice.scorecard import reach as reaching
from service.advice.scorecard.reach import Player, Reach, estimate, reach
from service.advice.scorecard.steps import Cards, Steps
from service.advice.scorecard.table import Table
from service.kinds.scorecard.card import Card
from service.rules.violations import InvalidInput
from service.variants.dice_poker import VARIANT as DICE_POKER
from tests.advice.scorecard.small_cards import (
    PairRules,
    every_card,
    small_card,
    small_game,
    table_after,
    used_boxes,
    whole_table,
)
from tests.reference.best_play import Guesser

TIERS = ((4, 3), (8, 5), (10, 9))

CASES = pytest.mark.parametrize(
    ("rolls", "tiers", "bonus", "joker", "zeros_last"),
    [
        (2, dict(TIERS), 6, True, False),
        (2, dict(TIERS), 6, True, True),
        (3, {8: 4}, 0, False, False),
        pytest.param(3, {8: 4}, 6, True, True, marks=pytest.mark.proof),
        pytest.param(2, dict[int, int](), 6, False, False, marks=pytest.mark.proof),
    ],
)


@cache
def small_cards(
    rolls: int,
    tiers: tuple[tuple[int, int], ...],
    bonus: int,
    joker: bool,
    zeros_last: bool = False,
) -> Table:
    """The table of a small card."""
    variant = small_card(rolls, dict(tiers))
    return whole_table(variant, PairRules(bonus, joker, zeros_last))


def exactly(target: int, chance: float) -> dict[str, object]:
    """The fields of an exact chance, up to rounding."""
    return {
        "target": target,
        "chance": pytest.approx(chance),
        "exact": True,
        "standard_error": 0.0,
        "steps": ANY,
    }


@CASES
def test_best_chance(
    rolls: int, tiers: dict[int, int], bonus: int, joker: bool, zeros_last: bool
) -> None:
    """The chance is the one that trying every choice finds, before and within a turn."""
    variant, game = small_card(rolls, tiers), small_game(rolls, tiers, bonus, joker, zeros_last)
    table = small_cards(rolls, (*tiers.items(),), bonus, joker, zeros_last)
    chance = Random(0)
    for card in chance.sample([*every_card(variant)], 60):
        used = used_boxes(card)
        held, need = sum(used.values()), chance.randrange(-3, 30)
        best = float(game.chance(used, need))
        assert asdict(reach(table, card, held + need)) == exactly(held + need, best)
        if card.open_boxes:
            dice, left = (chance.randint(1, 3), chance.randint(1, 3)), chance.randrange(rolls)
            best = float(game.chance_with(dice, used, left, need))
            within = reach(table, card, held + need, dice, left)
            assert asdict(within) == exactly(held + need, best)


@pytest.mark.parametrize(
    "target", [0, 22, 1000, *(pytest.param(each, marks=pytest.mark.proof) for each in (13, 30, 41))]
)
def test_empty_card(target: int) -> None:
    """At the start of a game, too, the chance is that of the reference, from certain to none."""
    game, table = small_game(2, dict(TIERS), 6, True), small_cards(2, TIERS, 6, True)
    card = Card(dict.fromkeys(small_card(2, {}).possible))
    best = float(game.chance({}, target))
    assert asdict(reach(table, card, target)) == exactly(target, best)


@pytest.mark.parametrize(
    ("used", "need", "zeros_last"),
    [
        ({"twos": 2}, 18, False),
        ({"chance": 3}, 18, True),
        *(pytest.param({}, need, False, marks=pytest.mark.proof) for need in (16, 20, 27, 34)),
    ],
)
def test_estimate(used: dict[str, int], need: int, zeros_last: bool) -> None:
    """An estimate is the chance of a player who goes by the guess, whatever that is.

    The guess is a random number for each card here, so the player is a bad one. The reference
    works out their chance.
    """
    game = small_game(2, dict(TIERS), 6, True, zeros_last)
    table = small_cards(2, TIERS, 6, True, zeros_last)
    scored, states = table.scoring, table.states
    begun = scored.position(Card({**dict.fromkeys(scored.boxes), **used}))
    steps = Steps(states, begun)

    def number(upper: int, lower: int, needed: int) -> float:
        return Random(f"{upper} {lower} {needed}").random()

    def guess(cards: Cards) -> NDArray[np.float64]:
        every = zip(cards.upper.tolist(), cards.lower.tolist(), cards.need.tolist(), strict=True)
        return np.array([number(*each) for each in every])

    def same(used: Mapping[str, int], needed: int) -> float:
        if needed <= 0 or len(used) >= len(scored.boxes) - 2:
            return float(game.chance(used, needed))
        position = scored.position(Card({**dict.fromkeys(scored.boxes), **used}))
        card = Cards.repeated(states, position, needed, 1)
        if not steps.plain(card)[1][0]:
            return 0.0
        return number(int(card.upper[0]), int(card.lower[0]), needed)

    start = Cards.repeated(states, begun, need, 2_000)
    opened = len(scored.boxes) - len(used)
    chance, error = estimate(Player(steps, guess), start, steps.whole, opened)
    assert 0 < error < 0.02
    assert chance == pytest.approx(Guesser(game, same).chance(used, need), abs=4 * error)
    assert chance < game.chance(used, need) + 4 * error


def test_many_open_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an exact chance takes too long, it is estimated from good play, always the same."""
    used = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "chance": 20, "three_of_a_kind": 22}
    card = Card({**dict.fromkeys(DICE_POKER.possible), **used})
    zeros = dict.fromkeys(["five_of_a_kind", "four_of_a_kind"], 0)
    card = Card({**card.scores, **zeros})
    table = table_after(DICE_POKER, DICE_POKER.default_rules, card)
    for dice, left in ((None, None), ((6, 6, 6, 2, 1), 1)):
        exact = reach(table, card, 190, dice, left)
        assert exact.exact
        with monkeypatch.context() as patch:
            patch.setattr(reaching, "MAX_WORK", 0)
            given = reach(table, card, 190, dice, left)
            assert reach(table, card, 190, dice, left) == given
        assert (given.exact, given.target) == (False, 190)
        assert 0 < given.standard_error < 0.01
        assert exact.chance - 0.05 < given.chance < exact.chance + 4 * given.standard_error


def test_dice_that_cannot_be() -> None:
    """A full card has no dice, and rolls that are left need some."""
    table = small_cards(2, (), 0, False)
    full = Card(dict.fromkeys(small_card(2, {}).possible, 0))
    with pytest.raises(InvalidInput):
        reach(table, full, 10, (1, 2), 1)
    assert reach(table, full, 1) == Reach(1, 0.0, True, 0.0, 0)
    assert reach(table, full, 0) == Reach(0, 1.0, True, 0.0, 0)
