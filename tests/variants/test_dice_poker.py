"""`dice-poker`: the 13-box score card."""

from __future__ import annotations

from itertools import product

import pytest

from service.kinds.scorecard.card import BoxEntry
from service.rules.violations import InvalidInput
from service.variants.dice_poker import VARIANT, DicePokerRules
from tests.reference import score_cards as reference

PLAIN = DicePokerRules()
ALL_BOXES = tuple(VARIANT.possible)


@pytest.mark.parametrize("five_alike_is_full_house", [False, True])
def test_all_rolls_agree_with_the_reference(five_alike_is_full_house: bool) -> None:
    """All 7,776 rolls score in all 13 boxes what D3, D4 and D11 say."""
    rules = DicePokerRules(five_alike_is_full_house=five_alike_is_full_house)
    for roll in product(range(1, 7), repeat=5):
        assert VARIANT.scores(roll, rules) == reference.dice_poker(
            roll, five_alike_is_full_house=five_alike_is_full_house
        )


def test_upper_bonus() -> None:
    """An upper section of 63 earns 35, one of 62 nothing (D3)."""
    written = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
    totals = VARIANT.total(VARIANT.read_card(written), PLAIN)
    assert (totals.upper, totals.bonus, totals.lower, totals.total) == (63, 35, 0, 98)
    totals = VARIANT.total(VARIANT.read_card({**written, "ones": 2}), PLAIN)
    assert (totals.upper, totals.bonus, totals.lower, totals.total) == (62, 0, 0, 62)


def test_impossible_scores_are_named() -> None:
    """A card is refused for every score that no roll gives, each by its box (D3, D4)."""
    with pytest.raises(InvalidInput) as refused:
        VARIANT.read_card({"sixes": 17, "full_house": 24, "chance": 4, "ones": True, "tens": 1})
    assert {violation.path for violation in refused.value.violations} == {
        ("sixes",),
        ("full_house",),
        ("chance",),
        ("ones",),
        ("tens",),
    }


def test_possible_scores() -> None:
    """A box allows the scores that some roll gives it, and the zero (D2, D4, D12)."""
    assert VARIANT.possible["sixes"] == (0, 6, 12, 18, 24, 30)
    assert VARIANT.possible["full_house"] == (0, 25)
    assert VARIANT.possible["three_of_a_kind"] == (0, *range(5, 31))
    assert VARIANT.possible["chance"] == (0, *range(5, 31))


def test_a_turn_is_written_once() -> None:
    """A turn fills one open box; a box that is used is refused and those open are named (D2)."""
    card = VARIANT.read_card({"chance": 20})
    turn = BoxEntry((4, 4, 4, 2, 1), "fours")
    written = VARIANT.play(card, turn, PLAIN)
    assert written.scores == {box: {"chance": 20, "fours": 12}.get(box) for box in ALL_BOXES}
    with pytest.raises(
        InvalidInput, match="turn/box is already used, with a score of 12; open boxes: ones, twos"
    ):
        VARIANT.play(written, turn, PLAIN)


def test_five_alike_and_the_full_house() -> None:
    """Five alike fill a full house only under the house rule (D11)."""
    five = (4,) * 5
    assert VARIANT.scores(five, PLAIN)["full_house"] == 0
    rules = DicePokerRules(five_alike_is_full_house=True)
    assert VARIANT.scores(five, rules)["full_house"] == 25


@pytest.mark.parametrize(
    ("open_boxes", "scores"),
    [
        (
            {"full_house", "small_straight", "large_straight"},
            {"full_house": 25, "small_straight": 30, "large_straight": 40},
        ),
        (
            {"fours", "full_house", "small_straight"},
            {"fours": 20, "full_house": 0, "small_straight": 0},
        ),
        (
            {"five_of_a_kind", "full_house", "small_straight"},
            {"full_house": 0, "small_straight": 0, "five_of_a_kind": 50},
        ),
    ],
    ids=["own upper box used", "own upper box open", "first five of a kind"],
)
def test_joker(open_boxes: set[str], scores: dict[str, int]) -> None:
    """A further five of a kind fills the three boxes once its own upper box is used (D10)."""
    rules = DicePokerRules(joker=True)
    assert VARIANT.scores((4,) * 5, rules, open_boxes) == scores


def test_no_joker_without_the_house_rule() -> None:
    """A further five of a kind opens no other box by default (D10)."""
    assert VARIANT.scores((4,) * 5, PLAIN, {"full_house", "large_straight"}) == {
        "full_house": 0,
        "large_straight": 0,
    }


def test_extra_five_bonus() -> None:
    """Each further five of a kind earns the bonus while the box holds 50 (D10)."""
    rules = DicePokerRules(extra_five_bonus=100)
    card = VARIANT.read_card({"five_of_a_kind": 50})
    for number, (box, dice) in enumerate({"fours": (4,) * 5, "chance": (6,) * 5}.items(), start=1):
        card = VARIANT.play(card, BoxEntry(dice, box), rules)
        assert card.repeated == number
    totals = VARIANT.total(card, rules)
    assert (totals.upper, totals.lower, totals.repeats, totals.total) == (20, 80, 200, 300)


@pytest.mark.parametrize(
    ("written", "rules"),
    [
        ({"five_of_a_kind": 50, "extra_fives": 1, "fours": 20}, PLAIN),
        ({"five_of_a_kind": 50, "extra_fives": 1}, DicePokerRules(extra_five_bonus=100)),
        ({"fours": 20, "extra_fives": 1}, DicePokerRules(extra_five_bonus=100)),
        ({"five_of_a_kind": 50, "fours": 16, "extra_fives": 1}, DicePokerRules(extra_five_bonus=9)),
    ],
    ids=["no house rule", "no box for it", "box is open", "a box that it can't have filled"],
)
def test_extra_fives_that_cannot_be(written: dict[str, int], rules: DicePokerRules) -> None:
    """A card can't count more further fives than its used boxes can hold (D10)."""
    with pytest.raises(InvalidInput) as refused:
        VARIANT.total(VARIANT.read_card(written), rules)
    assert [violation.path for violation in refused.value.violations] == [("card", "extra_fives")]


def test_a_further_five_in_a_box_that_is_crossed_out() -> None:
    """A box may be crossed out with any dice, also with those that would score there (D10)."""
    card = VARIANT.read_card({"five_of_a_kind": 50, "three_of_a_kind": 0, "extra_fives": 1})
    assert VARIANT.total(card, DicePokerRules(extra_five_bonus=100)).total == 150


@pytest.mark.parametrize("five", [50, 0])
def test_joker_once_the_box_is_used(five: int) -> None:
    """A further five of a kind is a joker whether the box holds 50 or is crossed out (D15)."""
    card = VARIANT.read_card({"five_of_a_kind": five, "fours": 12})
    written = VARIANT.play(card, BoxEntry((4,) * 5, "large_straight"), DicePokerRules(joker=True))
    assert written.scores["large_straight"] == 40


@pytest.mark.parametrize("crossed_out", [False, True])
@pytest.mark.parametrize("box", [box for box in VARIANT.possible if box != "five_of_a_kind"])
@pytest.mark.parametrize(("five", "earned"), [(50, 1), (0, 0), (None, 0)])
def test_bonus_in_whichever_box(five: int | None, earned: int, box: str, crossed_out: bool) -> None:
    """The bonus needs the 50, and is earned wherever the dice end, crossed out too (D15)."""
    card = VARIANT.read_card({"five_of_a_kind": five})
    end = VARIANT.crossed_out if crossed_out else VARIANT.written
    ended = end(card, BoxEntry((4,) * 5, box), DicePokerRules(extra_five_bonus=100))
    assert ended.repeated == earned
    assert ended.scores[box] == (0 if crossed_out else VARIANT.scores((4,) * 5, PLAIN)[box])


@pytest.mark.parametrize(("fours", "fits"), [(12, True), (None, False)])
def test_jokers_that_earned_the_bonus(fours: int | None, fits: bool) -> None:
    """A straight counts as a further five of a kind only if a joker can have filled it (D10)."""
    rules = DicePokerRules(joker=True, extra_five_bonus=100)
    written = {"five_of_a_kind": 50, "fours": fours, "large_straight": 40, "extra_fives": 1}
    card = VARIANT.read_card(written)
    if fits:
        assert VARIANT.total(card, rules).repeats == 100
    else:
        with pytest.raises(InvalidInput, match="card/extra_fives must be at most 0"):
            VARIANT.total(card, rules)
