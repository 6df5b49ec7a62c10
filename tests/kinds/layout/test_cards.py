"""Reading a turn with cards: up to three rolls, blanks rolled again."""

from __future__ import annotations

from collections import Counter

import pytest

from service.rules.violations import InvalidInput
from service.variants.roll_a_royal import DICE_SET, VARIANT
from tests.kinds.layout.layout_table import NOTATION
from tests.problems import breach

ROLL = ["As", "10h", "Th", "--", "2c", "3d", "--", "4s", "5h", "6d", "7c", "8s", "9h"]


def violations(rolls: object) -> list[tuple[tuple[str | int, ...], str]]:
    """What is wrong with `rolls`."""
    with pytest.raises(InvalidInput) as refused:
        VARIANT.read_rolls(rolls)
    return [(violation.path, str(violation.detail)) for violation in refused.value.violations]


def test_blanks_are_rolled_again() -> None:
    """Later rolls fill the blanks in order; what came on the first roll is known (R3, R21)."""
    turn = VARIANT.read_rolls([ROLL, ["--", "Kd"], ["Qc"]])
    assert [card is None or VARIANT.dice.notation[card] for card in turn.cards] == [
        "As", "Th", "Th", "Qc", "2c", "3d", "Kd", "4s", "5h", "6d", "7c", "8s", "9h",
    ]  # fmt: skip
    assert turn.first_roll == 0b1111111111111 & ~(1 << 3 | 1 << 6)
    assert (turn.at[3], turn.at[6], turn.at[7]) == ((2, 0), (1, 1), (0, 7))


def test_a_turn_may_end_with_blanks() -> None:
    """A player may stop, or have blanks left after the third roll."""
    assert VARIANT.read_rolls([ROLL]).cards[3] is None
    assert VARIANT.read_rolls([ROLL, ["--", "--"], ["--", "Kd"]]).cards[3] is None


@pytest.mark.parametrize(
    ("rolls", "expected"),
    [
        ("As", [((), "must be a list of 1 to 3 rolls (R3)")]),
        ([], [((), "must be a list of 1 to 3 rolls (R3)")]),
        ([ROLL, ["--"] * 2, ["--"] * 2, ["--"] * 2], [((), "must be a list of 1 to 3 rolls (R3)")]),
        ([ROLL[:12]], [((0,), "must hold 13 faces, not 12 (R1)")]),
        (
            [ROLL, ["Kd"]],
            [((1,), "must hold 2 faces, one for each blank of the previous roll, not 1 (R21)")],
        ),
        (
            [ROLL, ["Kd", "Qd", "Jd"]],
            [
                ((1,), "must hold 2 faces, one for each blank of the previous roll, not 3 (R21)"),
                ((1, 2), "is one face too many: the previous roll has no blank for it (R3)"),
            ],
        ),
        (
            [ROLL, ["Kd", "--"], ["Qd", "Jd"]],
            [
                ((2,), "must hold 1 face, one for each blank of the previous roll, not 2 (R21)"),
                ((2, 1), "is one face too many: the previous roll has no blank for it (R3)"),
            ],
        ),
        ([[*ROLL[:12], "1s"]], [((0, 12), NOTATION)]),
        ([[*ROLL[:11], "sA", None]], [((0, 11), NOTATION), ((0, 12), NOTATION)]),
        ([ROLL, [["Kd"], "-"]], [((1, 0), NOTATION), ((1, 1), NOTATION)]),
        ([[*ROLL[:12], "1s"], ["Kd", "Qd"], ["x"]], [((0, 12), NOTATION), ((2, 0), NOTATION)]),
        (
            [ROLL, ["Kd"], ["Qd"]],
            [((1,), "must hold 2 faces, one for each blank of the previous roll, not 1 (R21)")],
        ),
        ([ROLL, "Kd"], [((1,), "must be a list of faces")]),
    ],
)
def test_violations(rolls: object, expected: list[tuple[tuple[str | int, ...], str]]) -> None:
    """Every invalid face is reported, and every roll of the wrong size (R1, R3, R21)."""
    assert violations(rolls) == expected


def test_repeated_cards() -> None:
    """A card that shows twice is reported for both dice, wherever they were rolled (R20)."""
    turn = VARIANT.read_rolls([ROLL, ["As", "Kd"]])
    details = [
        (violation.path, str(violation.detail))
        for violation in VARIANT.dice.repeats(turn, ("rolls",))
    ]
    once = "the set has each card once (R20)"
    assert details == [
        (("rolls", 0, 0), f"shows As, and so does /rolls/1/0; {once}"),
        (("rolls", 0, 1), f"shows Th, and so does /rolls/0/2; {once}"),
        (("rolls", 0, 2), f"shows Th, and so does /rolls/0/1; {once}"),
        (("rolls", 1, 0), f"shows As, and so does /rolls/0/0; {once}"),
    ]


def test_card_on_three_dice() -> None:
    """A card that shows more than twice is reported for each die, with all others (R20)."""
    turn = VARIANT.read_rolls([["Th", "Th", "Th", *["--"] * 10]])
    others = ("/0/1 and /0/2", "/0/0 and /0/2", "/0/0 and /0/1")
    assert VARIANT.dice.repeats(turn, ()) == [
        breach((0, die), f"shows Th, and so do {both}; the set has each card once (R20)")
        for die, both in enumerate(others)
    ]


def test_published_set() -> None:
    """52 cards once each, four on a die, of each suit and of four ranks, and two blanks (R20)."""
    assert len(DICE_SET) == 13
    assert Counter(face for die in DICE_SET for face in die) == {
        **dict.fromkeys(VARIANT.dice.notation, 1),
        "--": 26,
    }
    for die in DICE_SET:
        cards = [face for face in die if face != "--"]
        assert (len(die), len(cards)) == (6, 4)
        assert {card[1] for card in cards} == set("shdc")
        assert len({card[0] for card in cards}) == 4
