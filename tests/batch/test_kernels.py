"""Whole arrays of hands: every roll, every suited hand of five, and invalid arrays."""

from __future__ import annotations

import doctest
import random
from collections.abc import Callable
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import service.batch
from service.batch import rank_hands, score_rolls
from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import options
from service.rules.violations import InvalidInput, Violation
from service.variants import dice_poker, poker_dice, texas_holdem_dice, variants, yahtzee_deluxe
from tests.problems import breach
from tests.reference import holdem, score_cards
from tests.reference import poker_dice as poker_dice_reference
from tests.sampled import first

HOLDEM = texas_holdem_dice.VARIANT.dice
FIVE = list(product(range(1, 7), repeat=5))
SIX = list(product(range(1, 7), repeat=6))
BAG = [suit for suit in "rbwy" for _ in range(5)]
WHOLE = "must be between 1 and 6"
CODE = "must be the code of a die, from 0 to 23"


def choices(variant: Ranking | CommunityRanking | ScoreCard) -> list[dict[str, bool]]:
    """Every combination of the house rules that change the outcomes of hands."""
    return [
        dict(zip(variant.switches, chosen, strict=True))
        for chosen in product((False, True), repeat=len(variant.switches))
    ]


def places(keys: list[Any]) -> dict[Any, int]:
    """The place of each key in the order of strength, from the weakest, 1."""
    return {key: place for place, key in enumerate(sorted(set(keys)), start=1)}


def five_suited() -> list[tuple[str, ...]]:
    """All multisets of five suited dice."""
    return list(combinations_with_replacement(HOLDEM.notation, 5))


def flat(found: tuple[str, holdem.Key]) -> tuple[str, tuple[int, tuple[int, ...], int]]:
    """The result of the reference, with a key that can be in a set."""
    name, (rank, numbers, most) = found
    return name, (rank, tuple(numbers), most)


def in_any_order(source: random.Random, hands: list[tuple[str, ...]]) -> NDArray[np.uint8]:
    """Hands as rows of codes, the dice of each shuffled."""
    code = {written: code for code, written in enumerate(HOLDEM.notation)}
    return np.array(
        [[code[die] for die in source.sample(hand, len(hand))] for hand in hands], np.uint8
    )


def refusal(hands: Callable[[], object]) -> tuple[Violation, ...]:
    """The violations of `hands`."""
    with pytest.raises(InvalidInput) as refused:
        hands()
    return refused.value.violations


@pytest.mark.smoke
def test_the_example_in_the_package() -> None:
    """The example in the docstring of `service.batch` returns what it says."""
    assert doctest.testmod(service.batch) == doctest.TestResults(failed=0, attempted=3)


@pytest.mark.parametrize("rules", choices(poker_dice.VARIANT), ids=str)
def test_every_roll_of_poker_dice(rules: dict[str, bool]) -> None:
    """All 7,776 rolls have the rank and the strength that the clauses give them."""
    expected = [poker_dice_reference.rank_and_key(roll, **rules) for roll in FIVE]
    strengths = places([key for _, key in expected])
    ranked = rank_hands("poker-dice", FIVE, **rules)
    assert ranked.words == tuple(rank.id for rank in poker_dice.RANKS)
    assert (ranked.rank.dtype, ranked.strength.dtype) == (np.dtype(np.int8), np.dtype(np.int32))
    assert ranked.ranks() == [rank for rank, _ in expected]
    assert ranked.strength.tolist() == [strengths[key] for _, key in expected]


@pytest.mark.parametrize("rules", choices(dice_poker.VARIANT), ids=str)
def test_every_roll_of_dice_poker(rules: dict[str, bool]) -> None:
    """All 7,776 rolls score in every box as the clauses say, boxes in card order."""
    expected = [score_cards.dice_poker(roll, **rules) for roll in FIVE]
    scores = score_rolls("dice-poker", FIVE, **rules)
    assert list(scores) == [box.id for box in dice_poker.BOXES]
    assert {column.dtype for column in scores.values()} == {np.dtype(np.int16)}
    assert {box: column.tolist() for box, column in scores.items()} == {
        box: [score[box] for score in expected] for box in expected[0]
    }


def test_every_roll_of_yahtzee_deluxe() -> None:
    """All 46,656 rolls score in every box as the clauses say, boxes in card order."""
    expected = [score_cards.yahtzee_deluxe(roll) for roll in SIX]
    scores = score_rolls("yahtzee-deluxe", SIX)
    assert list(scores) == [box.id for box in yahtzee_deluxe.BOXES]
    assert {box: column.tolist() for box, column in scores.items()} == {
        box: [score[box] for score in expected] for box in expected[0]
    }


@pytest.mark.parametrize("rules", first(choices(texas_holdem_dice.VARIANT)), ids=str)
def test_every_suited_hand_of_five(rules: dict[str, bool]) -> None:
    """All 98,280 multisets of five suited dice, in any order, rank and compare as the clauses
    say, under each choice of house rules (H38).
    """
    hands = five_suited()
    assert len(hands) == 98_280
    expected = [flat(holdem.rank_and_key(hand, **rules)) for hand in hands]
    strengths = places([key for _, key in expected])
    ranked = rank_hands("texas-holdem-dice", in_any_order(random.Random(51), hands), **rules)
    assert ranked.words == tuple(rank.id for rank in texas_holdem_dice.RANKS)
    assert ranked.ranks() == [rank for rank, _ in expected]
    assert ranked.strength.tolist() == [strengths[key] for _, key in expected]


@pytest.mark.proof
@pytest.mark.parametrize("count", [6, 7])
@pytest.mark.parametrize("rules", choices(texas_holdem_dice.VARIANT), ids=str)
def test_the_best_five_of_more(rules: dict[str, bool], count: int) -> None:
    """Of random hands of six and seven dice, the best five count (H3, H21, H38)."""
    source = random.Random(60 + count)
    hands = [
        tuple(f"{source.randint(1, 6)}{suit}" for suit in source.sample(BAG, count))
        for _ in range(10_000)
    ]
    expected = [flat(holdem.best_of(hand, **rules)) for hand in hands]
    strengths = places([flat(holdem.rank_and_key(hand, **rules))[1] for hand in five_suited()])
    ranked = rank_hands("texas-holdem-dice", in_any_order(source, hands), **rules)
    assert ranked.ranks() == [rank for rank, _ in expected]
    assert ranked.strength.tolist() == [strengths[key] for _, key in expected]


@pytest.mark.parametrize("die", [0, 7, 8, 15, 200, 255, 256, 257, 300, -1, -255, 2**40])
@pytest.mark.parametrize("place", range(5))
def test_a_die_that_cannot_be(die: int, place: int) -> None:
    """A plain die outside 1 to 6 is reported by row and index, for any number."""
    rolls = [list(roll) for roll in FIVE[:9]]
    rolls[4][place] = die
    expected = (breach((4, place), WHOLE),)
    assert refusal(lambda: rank_hands("poker-dice", rolls)) == expected
    assert refusal(lambda: score_rolls("dice-poker", np.array(rolls))) == expected


def test_rows_with_several_violations() -> None:
    """Every invalid row is reported, in order, with its first violation."""
    rolls = [[0, 7, 1, 1, 1], [1, 2, 3, 4, 5], [1, 1, 1, 1, 8], [1, 1, 200, -1, 300]]
    assert refusal(lambda: rank_hands("poker-dice", rolls)) == (
        breach((0, 0), WHOLE),
        breach((2, 4), WHOLE),
        breach((3, 2), WHOLE),
    )


def test_a_hundred_bad_rows_are_named() -> None:
    """Of 250 invalid rows of 1,000, the first 100 are reported, and the others are counted."""
    rolls = np.ones((1000, 6), np.int64)
    rolls[:1000:4, 3] = 9
    with pytest.raises(InvalidInput) as refused:
        score_rolls("yahtzee-deluxe", rolls)
    assert refused.value.violations == tuple(breach((row, 3), WHOLE) for row in range(0, 400, 4))
    assert refused.value.omitted == 150


@pytest.mark.parametrize("count", [5, 6, 7])
@pytest.mark.parametrize("code", [24, 25, 63, 64, 200, 255, 256, 300, -1])
def test_no_such_suited_die(code: int, count: int) -> None:
    """A code of no die is reported by row and index."""
    hands = [[0, 6, 12, 18, 1, 7, 13][:count] for _ in range(5)]
    hands[1][count - 1] = hands[3][0] = code
    assert refusal(lambda: rank_hands("texas-holdem-dice", hands)) == (
        breach((1, count - 1), CODE),
        breach((3, 0), CODE),
    )


@pytest.mark.parametrize(("suit", "name"), [*enumerate(["red", "black", "white", "yellow"])])
def test_too_many_of_a_suit(suit: int, name: str) -> None:
    """The error names the sixth die of a suit and how many there are (H24)."""
    other = 6 * ((suit + 1) % 4)
    alike = [6 * suit + number for number in (0, 5, 5, 2, 3, 4)]
    hands = [[*alike[:5], other, other], [*alike[:2], other, *alike[2:]]]
    there_are = "on this table; the set has 5 (H24)"
    assert refusal(lambda: rank_hands("texas-holdem-dice", hands)) == (
        breach((1, 6), f"is {name} die number 6 {there_are}"),
    )
    assert refusal(lambda: rank_hands("texas-holdem-dice", [alike])) == (
        breach((0, 5), f"is {name} die number 6 {there_are}"),
    )
    assert len(rank_hands("texas-holdem-dice", [alike[:5]]).ranks()) == 1


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_any_whole_numbers(dtype: type[np.integer[Any]], order: str) -> None:
    """Arrays of any integer type and memory layout give the same results."""
    rolls = np.array(FIVE, dtype)
    laid = np.asfortranarray(rolls) if order == "F" else rolls
    assert rank_hands("poker-dice", laid).strength.tolist() == (
        rank_hands("poker-dice", FIVE).strength.tolist()
    )
    assert (
        rank_hands("poker-dice", laid[::-3]).ranks() == rank_hands("poker-dice", FIVE[::-3]).ranks()
    )


@pytest.mark.parametrize(
    ("hands", "error_end"),
    [
        ([[1, 2, 3, 4]], "not int64 of (1, 4)"),
        ([[1, 2, 3, 4, 5, 6]], "not int64 of (1, 6)"),
        ([1, 2, 3, 4, 5], "not int64 of (5,)"),
        ([[[1, 2, 3, 4, 5]]], "not int64 of (1, 1, 5)"),
        ([[1.0, 2, 3, 4, 5]], "not float64 of (1, 5)"),
        ([[True] * 5], "not bool of (1, 5)"),
        ([["1", "2", "3", "4", "5"]], "not <U1 of (1, 5)"),
        ([], "not float64 of (0,)"),
        (3, "not int64 of ()"),
    ],
    ids=str,
)
def test_no_array_of_hands(hands: Any, error_end: str) -> None:
    """An array of another shape, or not of whole numbers, is refused with its type and shape."""
    with pytest.raises(ValueError, match="hands must be whole numbers") as error:
        rank_hands("poker-dice", hands)
    assert str(error.value) == f"hands must be whole numbers of shape (hands, 5), {error_end}"


def test_no_hand_of_suited_dice() -> None:
    """Suited hands have five to seven dice."""
    for count in (4, 8):
        with pytest.raises(ValueError, match="whole numbers") as error:
            rank_hands("texas-holdem-dice", np.zeros((2, count), np.uint8))
        assert str(error.value) == (
            f"hands must be whole numbers of shape (hands, 5, 6 or 7), not uint8 of (2, {count})"
        )


def test_no_hands_at_all() -> None:
    """An empty array has no ranks and no scores."""
    for variant, count in (("poker-dice", 5), ("texas-holdem-dice", 7)):
        ranked = rank_hands(variant, np.empty((0, count), np.uint8))
        assert (ranked.ranks(), ranked.strength.tolist()) == ([], [])
    scores = score_rolls("yahtzee-deluxe", np.empty((0, 6), np.int64))
    assert {box: column.tolist() for box, column in scores.items()} == {
        box.id: [] for box in yahtzee_deluxe.BOXES
    }


@pytest.mark.parametrize(
    ("function", "variant", "other"),
    [
        (rank_hands, "dice-poker", "score_rolls"),
        (rank_hands, "roll-a-royal", "score_batches"),
        (score_rolls, "poker-dice", "rank_hands"),
        (score_rolls, "texas-holdem-dice", "rank_hands"),
        (score_rolls, "roll-a-royal", "score_batches"),
    ],
)
def test_the_other_function(function: Callable[..., object], variant: str, other: str) -> None:
    """The error for a variant of another kind names the function for it."""
    with pytest.raises(ValueError, match="is not for") as error:
        function(variant, FIVE)
    assert str(error.value) == f"'{variant}' is not for {function.__name__}: use {other}"


class Frame:
    """A data frame with a dtype of its own, such as pandas has for whole numbers or missing ones:
    as an array it has Python objects.
    """

    def __array__(self, dtype: object = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(FIVE[:2], object)

    def to_numpy(self, dtype: type[np.uint8]) -> NDArray[np.uint8]:
        """The numbers as `dtype`."""
        return np.array(FIVE[:2], dtype)


def test_a_frame_of_objects() -> None:
    """The error says how to cast a frame, which then has ranks."""
    with pytest.raises(ValueError, match="must be whole numbers") as error:
        rank_hands("poker-dice", Frame())
    assert str(error.value) == (
        "hands must be whole numbers of shape (hands, 5), not object of (2, 5); "
        "cast them with .to_numpy(np.uint8)"
    )
    assert rank_hands("poker-dice", Frame().to_numpy(np.uint8)).rank.shape == (2,)


def test_what_is_not_known() -> None:
    """The error for an unknown variant names those that fit; bad house rules are refused."""
    kinds = {name: known.kind for name, known in variants().items()}
    ranked = ", ".join(name for name, kind in kinds.items() if kind in ("ranking", "community"))
    scored = ", ".join(name for name, kind in kinds.items() if kind == "scorecard")
    for function, names in ((rank_hands, ranked), (score_rolls, scored)):
        with pytest.raises(ValueError, match=f"^'chess' is not one of {names}$"):
            function("chess", FIVE)
    with pytest.raises(InvalidInput) as refused:
        rank_hands("poker-dice", FIVE, no_such_rule=True, pairs_rank=1)
    names = ", ".join(option.name for option in options(poker_dice.VARIANT.house_rules))
    assert refused.value.violations == (
        breach(("no_such_rule",), f"is not a house rule of this game; it has {names}"),
        breach(("pairs_rank",), "must be true or false"),
    )
