"""Advice for games of layouts: the worth of a turn, and whether to roll the risk die."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from service.advice.layout import turn
from service.advice.layout.turn import LayoutAdvice, advise
from service.kinds.layout.variant import Layout, LayoutRules
from service.variants.roll_a_royal import VARIANT as ROYAL
from service.variants.roll_a_royal import RollARoyalRules
from tests.reference import little_royal
from tests.reference.card_turns import cards, ends
from tests.reference.little_royal import Card
from tests.trial_games.little_royal import VARIANT as LITTLE
from tests.trial_games.little_royal import LittleRoyalRules

EACH_LAYOUT = ("connected", "unconnected", "either")

best = cache(little_royal.best)
"""The points of dice in each layout, which take long to find."""

OPEN = ["As", "Ks", "Qs", "Js", "Ts", "Ah", "9d", "Kd", "8c", "Jd", "4c", "4h", "--"]


def with_dice(count: int) -> Layout:
    """Little royal with only the first of its dice, and three rolls."""
    dice = replace(LITTLE.dice, count=count, dice_set=LITTLE.dice.dice_set[:count])
    bonus = LITTLE.all_dice_bonus if count == LITTLE.dice.count else 0
    return replace(LITTLE, rolls=3, dice=dice, all_dice_bonus=bonus)


def one_suit() -> Layout:
    """Little royal with suns on every die, and one roll more."""
    suns = tuple((f"{rank}s", f"{rank}s", "--", "--") for rank in "9TJQKA")
    return replace(LITTLE, rolls=3, dice=replace(LITTLE.dice, dice_set=suns))


def advice(
    variant: Layout,
    rolls: Sequence[Sequence[str]],
    rules: LayoutRules | None = None,
    need: int | None = None,
) -> LayoutAdvice:
    """The advice for `rolls`, under the default rules if no others are given."""
    turn = variant.read_rolls(rolls) if rolls else None
    return advise(variant, turn, rules or variant.default_rules, need)


def hands(variant: Layout, **chances: float) -> dict[str, float]:
    """The chances of all hands: 0 for those that aren't given."""
    return {
        **dict.fromkeys([*(hand.id for hand in variant.all_hands), "super_royal"], 0),
        **chances,
    }


def expected(variant: Layout, rolls: list[list[str]], name: str, need: int) -> dict[str, float]:
    """Points, score and chance to reach `need`, from every way to roll and the slow reference."""
    chances: dict[tuple[Card | None, ...], Fraction] = {}
    for chance, end in ends(rolls, variant.dice.dice_set, variant.rolls):
        shown = tuple(cards(end))
        chances[shown] = chances.get(shown, Fraction(0)) + chance
    points = score = reach = super_royal = Fraction(0)
    for shown, chance in chances.items():
        worth = best(shown)[name]
        won = None not in shown and len({card[0][1] for card in shown if card}) == 1
        points += chance * worth
        score += chance * worth * (1 if won else Fraction(7, 3))
        super_royal += chance * won
        risked = Fraction(sum(worth * face >= need for face in (0, 2, 5)), 3)
        reach += chance * (1 if won or worth >= need else risked)
    return {
        "points": float(points),
        "expected": float(score),
        "reach": float(reach),
        "super_royal": float(super_royal),
    }


def figures(given: LayoutAdvice) -> dict[str, float | None]:
    """The same values from the advice."""
    return {
        "points": given.points,
        "expected": given.expected,
        "reach": given.reach,
        "super_royal": given.hands["super_royal"],
    }


@pytest.mark.parametrize(
    ("variant", "rolls"),
    [
        pytest.param(with_dice(6), [["9s", "Ts", "Jm", "--", "--", "--"]], marks=pytest.mark.proof),
        pytest.param(
            with_dice(6),
            [["9s", "--", "--", "Qs", "--", "As"], ["--", "--", "--"]],
            marks=pytest.mark.proof,
        ),
        (with_dice(6), [["Tm", "Qd", "Kd", "--", "--", "--"], ["--", "Am", "--"]]),
        (one_suit(), [["9s", "Ts", "Js", "--", "--", "--"]]),
        (with_dice(3), []),
    ],
)
def test_every_end_of_a_turn_counts(variant: Layout, rolls: list[list[str]]) -> None:
    """Before the last roll, the values are those over every way to roll the blanks again, in each
    layout.
    """
    for name in EACH_LAYOUT:
        given = advice(variant, rolls, LittleRoyalRules(layout=name), 100)
        assert figures(given) == pytest.approx(expected(variant, rolls, name, 100))
        assert (given.exact, given.simulated, given.standard_error) == (True, 0, 0)
        assert (given.options, given.played) == ((), None)


def test_simulated_turns() -> None:
    """A turn that can end in over 1,000 ways is simulated; the values are within four errors."""
    variant = with_dice(4)
    given = advice(variant, [], need=20)
    exact = expected(variant, [], "either", 20)
    assert (given.exact, given.proven, given.simulated) == (False, True, 1000)
    assert 0.2 < given.standard_error < 1
    assert given.expected == pytest.approx(exact["expected"], abs=4 * given.standard_error)
    assert given.points * 7 / 3 == pytest.approx(given.expected)
    assert given.reach == pytest.approx(exact["reach"], abs=4 * 0.5 / 1000**0.5)


@pytest.mark.proof
def test_simulated_turns_of_five_dice() -> None:
    """The same holds for five dice, which also make straights and flushes."""
    variant = replace(with_dice(5), rolls=1)
    given = advice(variant, [], need=50)
    exact = expected(variant, [], "either", 50)
    assert given.simulated == 1000
    assert given.expected == pytest.approx(exact["expected"], abs=4 * given.standard_error)
    assert given.reach == pytest.approx(exact["reach"], abs=4 * 0.5 / 1000**0.5)


def test_the_same_turn_has_the_same_advice() -> None:
    """The same turns are simulated for the same question, whatever score is needed."""
    variant = with_dice(4)
    given = advice(variant, [])
    assert not given.exact
    assert advice(variant, []) == given
    assert replace(advice(variant, [], need=20_000), reach=None) == given
    assert advice(variant, [], LittleRoyalRules(turns=2, target_score=900)) == given
    assert advice(variant, [], LittleRoyalRules(layout="connected")) != given


def test_chances_of_hands() -> None:
    """The chance of a hand is that of being in the best layout."""
    given = advice(LITTLE, [["Ts", "Jm", "Qs", "Ks", "As", "--"]])
    # the last die shows 9m for a longer straight, Td for a pair of tens, or a blank
    assert vars(given) == {
        "points": pytest.approx((70 + 70 + 60) / 3),
        "expected": pytest.approx(7 / 3 * 200 / 3),
        "hands": pytest.approx(hands(LITTLE, straight=1, pair=1 / 3)),
        "reach": None,
        "options": (),
        "played": None,
        "proven": True,
        "simulated": 0,
        "standard_error": 0,
        "steps": given.steps,
    }
    assert 0 < given.steps < 100


def test_bank_or_risk() -> None:
    """After the last roll, the mean of the risk die is what it multiplies points by (R10)."""
    given = advice(ROYAL, [OPEN, ["--"], ["--"]])
    played = ROYAL.evaluate(ROYAL.read_rolls([OPEN, ["--"], ["--"]]), RollARoyalRules())
    risked = pytest.approx(played.points * 10 / 6)
    assert {**vars(given), "options": [vars(option) for option in given.options]} == {
        "points": played.points,
        "expected": risked,
        "hands": hands(ROYAL, **{hand.line.hand.id: 1 for hand in played.hands}),
        "reach": None,
        "options": [
            {"risk": True, "expected": risked, "loss": 0, "reach": None},
            {
                "risk": False,
                "expected": played.points,
                "loss": pytest.approx(played.points * 4 / 6),
                "reach": None,
            },
        ],
        "played": played,
        "proven": True,
        "simulated": 0,
        "standard_error": 0,
        "steps": played.steps,
    }


@pytest.mark.parametrize(
    ("need", "bank", "risk"),
    [(8150, 1, 4 / 6), (8151, 0, 3 / 6), (16_301, 0, 2 / 6), (24_451, 0, 1 / 6), (40_000, 0, 0)],
)
def test_points_that_are_needed(need: int, bank: float, risk: float) -> None:
    """The option with the better chance to score what is needed comes first (R10)."""
    given = advice(ROYAL, [[*OPEN[:12], "2d"]], need=need)
    assert given.points == 8150
    options = {option.risk: option.reach for option in given.options}
    assert options == {False: bank, True: pytest.approx(risk)}
    assert given.reach == pytest.approx(max(bank, risk))
    assert [option.risk for option in given.options] == [bank < risk or not risk, bank >= risk > 0]


def test_no_blanks_are_the_last_roll() -> None:
    """Without blanks nothing is rolled again (R3)."""
    roll = [*OPEN[:12], "2d"]
    assert advice(ROYAL, [roll]) == advice(ROYAL, [roll, []])


def test_a_super_royal() -> None:
    """A super royal wins at once: nobody rolls the risk die, and every score is reached (R9)."""
    rolls = [[rank + "h" for rank in "23456789TJQKA"]]
    points = ROYAL.evaluate(ROYAL.read_rolls(rolls), RollARoyalRules()).points
    given = advice(ROYAL, rolls, need=10_000_000)
    assert figures(given) == {"points": points, "expected": points, "reach": 1, "super_royal": 1}
    assert given.options == ()


def test_dice_in_another_order() -> None:
    """The cards decide which dice of the published set show blanks, not their places."""
    roll = ["--", "--", "4s", "Jd", "Qd", "Kd", "Ad", "9s", "Ts", "Js", "Qs", "Ks", "As"]
    given = figures(advice(ROYAL, [roll]))
    assert figures(advice(ROYAL, [roll[::-1]])) == pytest.approx(given)
    assert figures(advice(ROYAL, [["4s", "--", "--", *roll[3:]]])) == pytest.approx(given)
    assert figures(advice(ROYAL, [["2s", "--", "--", *roll[3:]]])) != pytest.approx(given)


def test_cards_of_another_set() -> None:
    """If one die of the published set has two of the cards, each blank is the die in its place.

    A card that already shows can't show again (R20).
    """
    rules = LittleRoyalRules()
    given = advice(LITTLE, [["9s", "Tm", "Jd", "--", "Qs", "Ad"]], rules)
    # the fourth die has Qs, Km, Ad and a blank, but Qs and Ad show
    ended = [
        LITTLE.evaluate(LITTLE.read_rolls([["9s", "Tm", "Jd", "--", "Qs", "Ad"], [face]]), rules)
        for face in ("Km", "--")
    ]
    assert given.points == sum(played.points for played in ended) / 2
    repeated = advice(
        LITTLE, [["9s", "9s", "Jd", "--", "Qs", "Ad"]], replace(rules, repeated_cards=True)
    )
    assert repeated.hands["pair"] == 1


def test_searches_that_stop_are_no_proof() -> None:
    """Where a search may stop at its limit, the values may be too low, and aren't exact (R32)."""
    few = [rank + suit for rank in "56789" for suit in "shd"][:11]
    rolls = [[*few, "--", "--"], ["--", "--"]]
    given = advice(ROYAL, rolls, RollARoyalRules(max_uses=4))
    assert (given.exact, given.proven) == (False, False)


@pytest.mark.parametrize(
    "rules", [RollARoyalRules(), RollARoyalRules(max_uses=4, repeated_cards=True)]
)
def test_long_searches_are_limited(rules: RollARoyalRules) -> None:
    """Turns with long searches are simulated less often."""
    rolls = [[rank + "s" for rank in "56789TJQKA"] + ["--", "--", "--"]]
    given = advice(ROYAL, rolls, rules)
    assert given.simulated < 1000
    assert given.standard_error > 0
    assert turn.STEPS <= given.steps < turn.STEPS + 20_000
