"""What a line of cards is worth, and which lines there are."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from service.kinds.layout.lines import Line, lines_of
from service.rules.reasons import spoken
from service.variants.roll_a_royal import DICE_SET, HANDS, VARIANT
from tests.reference import crossword as reference
from tests.reference.turns import CARDS, Rolls, in_rolls, natural, structured


def line(cards: str, late: str = "") -> Line | None:
    """What `cards` are as one line; those of `late` came on the second roll."""
    faces = [card.replace("10", "T") for card in cards.split()]
    first = [card not in late.split() for card in faces]
    rolls = in_rolls([*faces, *["--"] * (13 - len(faces))], [*first, *[True] * (13 - len(faces))])
    return lines_of(VARIANT.read_rolls(rolls), HANDS).get((1 << len(faces)) - 1)


def lines_found(rolls: Rolls) -> dict[frozenset[int], int]:
    """The points of every line of a turn, by the set of its dice."""
    return {
        frozenset(die for die in range(13) if mask >> die & 1): line.points
        for mask, line in lines_of(VARIANT.read_rolls(rolls), HANDS).items()
    }


@pytest.mark.parametrize(
    ("cards", "late", "hand", "points", "first_roll"),
    [
        ("As Ks Qs Js Ts", "", "royal_flush", 8000, True),
        ("As Ks Qs Js Ts 9s 8s", "8s", "royal_flush", 8800, True),
        ("As Ks Qs Js Ts 9s 8s", "Ks", "royal_flush", 4800, False),
        ("5h 6h 7h 8h 9h Th", "5h", "straight_flush", 4200, True),
        ("5h 6h 7h 8h 9h Th", "7h", "straight_flush", 2200, False),
        ("Ad 2d 3d 4d 5d", "", "straight_flush", 4000, True),
        ("9s Ks Qs Js Ts", "Ts", "straight_flush", 2000, False),
        ("Qs Qh Qd Qc", "Qc", "four_of_a_kind", 500, False),
        ("Qs Qh Qd Qc", "", "four_of_a_kind", 1000, True),
        ("9s 9h 9d 4c 4d", "", "full_house", 400, False),
        ("2h 5h 7h 9h Jh Kh", "", "flush", 400, False),
        ("2h 5h 7h 9h Jh", "", "flush", 300, False),
        ("As 2d 3h 4c 5s 6d 7h", "", "straight", 300, False),
        ("Ts Jd Qh Kc As", "", "straight", 200, False),
        ("7s 7h 7d", "", "three_of_a_kind", 150, False),
        ("2s 2c", "", "pair", 50, False),
        ("As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s", "", "straight", 600, False),
        ("As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s", "", "royal_flush", 11200, True),
        ("As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s", "Ts", "royal_flush", 7200, False),
        ("Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s As", "As", "royal_flush", 7200, False),
    ],
)
def test_worth(cards: str, late: str, hand: str, points: int, first_roll: bool) -> None:
    """The points of R9, doubled for a base that came on the first roll (R22, R23, R24)."""
    found = line(cards, late)
    assert found is not None
    assert (found.hand.id, found.points, found.first_roll) == (hand, points, first_roll)


@pytest.mark.parametrize(
    "cards",
    [
        "Qs Ks As 2d 3h",
        "2s 4h",
        "2s 3s 4s 5s",
        "2s 3s 4s 5s 7h",
        "9s 9h 9d 9c 4d",
        "2s 2h 3d 3c",
        "5s 6h 7d 8c 9s 9h",
        "As Kd",
    ],
)
def test_no_hand(cards: str) -> None:
    """Sequences don't wrap, straights hold no rank twice, four and one are no hand (R22, R23)."""
    assert line(cards) is None


@pytest.mark.parametrize(
    ("cards", "late", "reason"),
    [
        ("2s 2c", "", "Pair: 50 (R9)."),
        ("2h 5h 7h 9h Jh Kh", "", "Flush: 300, and 100 for 1 further card (R9)."),
        (
            "As Ks Qs Js Ts 9s 8s",
            "",
            "Royal flush: 4,000 doubled on the first roll, and 800 for 2 further cards (R9, R24).",
        ),
    ],
)
def test_reason(cards: str, late: str, reason: str) -> None:
    """The reason of a line explains its points."""
    found = line(cards, late)
    assert found is not None
    assert spoken(found.because) == reason


@pytest.mark.proof
def test_all_lines_agree_with_the_reference() -> None:
    """In 40 turns the lines are exactly the sets of dice that the clauses call a hand."""
    source = random.Random(9)
    turns = [natural(source, DICE_SET) for _ in range(20)]
    turns += islice(structured(source), 20)
    for rolls in turns:
        assert lines_found(rolls) == reference.all_lines(*reference.read(rolls))


def test_equal_cards_agree_with_the_reference() -> None:
    """With home-made sets too, where a line can be several hands: the best counts (R20, R23)."""
    source = random.Random(10)
    for _ in range(15):
        cards = source.sample(CARDS, source.randint(2, 6))
        faces = [source.choice(cards) for _ in range(13)]
        first = [source.random() < 0.7 for _ in range(13)]
        rolls = in_rolls(faces, first)
        assert lines_found(rolls) == reference.all_lines(*reference.read(rolls))
