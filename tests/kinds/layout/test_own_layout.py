"""`roll-a-royal`: a player's own layout is scored, or refused for each rule that it breaks."""

from __future__ import annotations

from typing import Any

import pytest

from service.kinds.layout.own_layout import OwnLine
from service.kinds.layout.played import Played
from service.kinds.layout.variant import LayoutRules
from service.rules.violations import InvalidInput
from service.variants.roll_a_royal import VARIANT
from tests.reference.turns import Rolls
from tests.variants.test_roll_a_royal import LOW, ROYAL, play


def across(dice: list[int], row: int = 0, column: int = 0) -> OwnLine:
    """A hand across."""
    return OwnLine(tuple(dice), "across", row, column)


def down(dice: list[int], row: int = 0, column: int = 0) -> OwnLine:
    """A hand down."""
    return OwnLine(tuple(dice), "down", row, column)


def lay(laid: list[OwnLine], rolls: Rolls | None = None, **rules: Any) -> Played:
    """A layout of the player's own, scored."""
    turn = VARIANT.read_rolls(rolls or ROYAL)
    return VARIANT.score(turn, laid, LayoutRules(**rules))


def broken(laid: list[OwnLine], rolls: Rolls | None = None, **rules: Any) -> list[tuple[str, str]]:
    """What a layout breaks: where, as a pointer, and what is said."""
    with pytest.raises(InvalidInput) as refused:
        lay(laid, rolls, **rules)
    return [
        ("/".join(map(str, violation.path)), str(violation.detail))
        for violation in refused.value.violations
    ]


def test_own_layout() -> None:
    """A legal layout is scored as it lies, and compared with the best (R32)."""
    played = lay([down([0, 5]), across([0, 1, 2, 3, 4])])
    assert [(hand.line.hand.id, hand.dice) for hand in played.hands] == [
        ("royal_flush", (0, 1, 2, 3, 4)),
        ("pair", (0, 5)),
    ]
    assert (played.points, played.best_points, played.proven) == (8050, 8900, True)
    assert played.grid == [(0, 0, 0), (1, 0, 1), (2, 0, 2), (3, 0, 3), (4, 0, 4), (5, 1, 0)]


@pytest.mark.parametrize("layout", ["connected", "unconnected", "either"])
def test_best_layout_is_legal(layout: str) -> None:
    """The layout that `evaluate` finds gets the same score as a player's own layout."""
    best = play(ROYAL, layout=layout)
    own = [
        OwnLine(hand.dice, "across" if hand.segment.across else "down", *hand.segment.cells()[0])
        for hand in best.hands
        if hand.segment
    ]
    again = lay(own, layout=layout)
    assert (again.points, again.best_points, again.grid) == (best.points, best.points, best.grid)


def test_negative_places() -> None:
    """Moving a layout on the table doesn't change its score."""
    assert lay([across([0, 1, 2, 3, 4], -3, -7), down([0, 5], -3, -7)]).points == 8050


def test_nothing_laid() -> None:
    """A player may lay nothing."""
    assert (lay([]).points, lay([]).best_points) == (0, 8900)


def test_own_layout_of_an_unopened_turn() -> None:
    """A turn that doesn't open scores zero, however it is laid (R31)."""
    played = lay([across([6, 7])], [LOW], layout="either")
    assert (played.opened, played.hands, played.score, played.best_points) == (False, (), 0, 0)


def test_all_dice_in_one_straight() -> None:
    """A single hand of all thirteen dice is one group of all dice (R8, R28, R34)."""
    straight = [["2s", "3h", "4d", "5c", "6s", "7h", "8d", "9c", "Ts", "Jh", "Qd", "Kc", "As"]]
    played = lay([across(list(range(13)))], straight)
    assert (played.bonus, played.points, played.best_points) == (500, 1100, 1100)


def test_four_of_a_kind_alone() -> None:
    """A single hand on its own counts, if it is more than a pair or three of a kind (R28)."""
    fours = [["Js", "Jd", "Jh", "Jc", *["--"] * 9]]
    assert lay([down([0, 1, 2, 3])], fours).points == 1000
    assert play(fours).points == 1000


def test_free_directions() -> None:
    """Above two uses, hands have no place; a given place is ignored (R27, R34)."""
    laid = [OwnLine((0, 1, 2, 3, 4)), across([0, 5], 9, 9), down([3, 9])]
    played = lay(laid, max_uses=3)
    assert played.points == 8100
    assert {hand.segment for hand in played.hands} == {None}


ROW = across([0, 1, 2, 3, 4])
MISSING = "is missing: hands run across or down unless max_uses is above 2 (R26)"
BESIDE = [
    (
        "layout",
        f"has dice {column} and {die} next to each other in column {column}, but they are not a "
        "hand of the layout (R26)",
    )
    for column, die in ((1, 10), (2, 11))
]


@pytest.mark.parametrize(
    ("laid", "rules", "expected"),
    [
        (
            [ROW, down([4, 6, 8], 0, 4)],
            {},
            [("layout/1", "is not a hand: Ts Kc 2d on dice 4, 6 and 8 (R9)")],
        ),
        (
            [ROW, across([12, 0], 0, 5)],
            {"layout": "either"},
            [
                ("layout/1", "is not a hand: 9s As on dice 12 and 0 (R9)"),
                ("layout/1", "shares die 0 with /layout/0; parallel hands can't share dice (R26)"),
                (
                    "layout/1/dice/1",
                    "puts die 0 in row 0, column 6, but /layout/0 puts it in row 0, column 0 (R26)",
                ),
            ],
        ),
        (
            [ROW, down([1, 0, 2, 3, 4])],
            {},
            [
                (
                    "layout/1",
                    "shares dice 0, 1, 2, 3 and 4 with /layout/0; two hands can share at most one "
                    "die "
                    "(R26)",
                ),
                (
                    "layout/1/dice/0",
                    "puts die 1 in row 0, column 0, but /layout/0 puts it in row 0, column 1 (R26)",
                ),
                (
                    "layout/1/dice/0",
                    "puts die 1 in row 0, column 0, but /layout/0 puts die 0 there (R26)",
                ),
                (
                    "layout/1/dice/1",
                    "puts die 0 in row 1, column 0, but /layout/0 puts it in row 0, column 0 (R26)",
                ),
                (
                    "layout/1/dice/2",
                    "puts die 2 in row 2, column 0, but /layout/0 puts it in row 0, column 2 (R26)",
                ),
                (
                    "layout/1/dice/3",
                    "puts die 3 in row 3, column 0, but /layout/0 puts it in row 0, column 3 (R26)",
                ),
                (
                    "layout/1/dice/4",
                    "puts die 4 in row 4, column 0, but /layout/0 puts it in row 0, column 4 (R26)",
                ),
            ],
        ),
        (
            [ROW, down([0, 5]), across([5, 0], 1, 0)],
            {},
            [
                ("layout/2", "shares die 0 with /layout/0; parallel hands can't share dice (R26)"),
                (
                    "layout/2",
                    "shares dice 0 and 5 with /layout/1; two hands can share at most one die (R26)",
                ),
                (
                    "layout/2/dice/1",
                    "is die 0, which is in 3 hands; a die can be in at most 2 (R6)",
                ),
                (
                    "layout/2/dice/1",
                    "puts die 0 in row 1, column 1, but /layout/0 puts it in row 0, column 0 (R26)",
                ),
            ],
        ),
        ([ROW, across([10, 11], 1, 1)], {"layout": "either"}, BESIDE),
        (
            [ROW, across([10, 11], 0, 5)],
            {"layout": "either"},
            [
                (
                    "layout",
                    "has dice 0, 1, 2, 3, 4, 10 and 11 next to each other in row 0, but they are "
                    "not a hand of the layout (R26)",
                )
            ],
        ),
        (
            [ROW, across([10, 11], 2, 0), down([10, 11], 8, 0)],
            {},
            [
                (
                    "layout/2",
                    "shares dice 10 and 11 with /layout/1; two hands can share at most one die "
                    "(R26)",
                ),
                (
                    "layout/2/dice/0",
                    "puts die 10 in row 8, column 0, but /layout/1 puts it in row 2, column 0 "
                    "(R26)",
                ),
                (
                    "layout/2/dice/1",
                    "puts die 11 in row 9, column 0, but /layout/1 puts it in row 2, column 1 "
                    "(R26)",
                ),
                (
                    "layout",
                    "has 2 groups that share no die; all hands must be connected (R28): /layout/0; "
                    "/layout/1 and /layout/2",
                ),
            ],
        ),
        (
            [across([10, 11])],
            {},
            [("layout/0", "is a pair that crosses no other hand, so it doesn't count (R7)")],
        ),
        (
            [ROW, down([0, 5])],
            {"layout": "unconnected"},
            [
                (
                    "layout/1",
                    "shares die 0 with /layout/0; hands can't share dice in an unconnected layout "
                    "(R11)",
                )
            ],
        ),
        ([ROW, OwnLine((0, 5), "down", None, 0)], {}, [("layout/1/row", MISSING)]),
        (
            [OwnLine((0, 1, 2, 3, 4), None, 0, 0), OwnLine((0, 5), None, 0, 0)],
            {},
            [(f"layout/{line}/direction", MISSING) for line in (0, 1)],
        ),
        (
            [ROW, across([10, 11], 1, 1), OwnLine((0, 5), "down", None, 0)],
            {"layout": "either"},
            [("layout/2/row", MISSING), *BESIDE],
        ),
        (
            [ROW, OwnLine((0, 5)), OwnLine((0, 1))],
            {"max_uses": 3},
            [
                ("layout/2", "is not a hand: As Ks on dice 0 and 1 (R9)"),
                (
                    "layout/2",
                    "shares dice 0 and 1 with /layout/0; two hands can share at most one die (R27)",
                ),
            ],
        ),
    ],
)
def test_broken_rules(
    laid: list[OwnLine], rules: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    """Every rule that a layout breaks is reported, with the dice concerned (R32)."""
    assert broken(laid, **rules) == expected


def test_blank_in_a_hand() -> None:
    """A die that shows a blank can't be in a hand (R9)."""
    rolls = [[*ROYAL[0]], ["Kc", "--"], ["--"]]
    assert broken([ROW, down([4, 8, 6], 0, 4)], rolls) == [
        ("layout/1/dice", "holds die 8, which shows a blank; a blank can't be in a hand (R9)")
    ]


def test_too_many_uses() -> None:
    """A die counts in as many hands as the house rule says (R12)."""
    aces = [["As", "Ah", "Ad", "Ac", *["--"] * 9]]
    laid = [OwnLine((0, 1)), OwnLine((0, 2)), OwnLine((0, 3))]
    assert lay(laid, aces, max_uses=3).points == 150
    royals = [["As", "Ah", "Ad", "Ac", "As", *["--"] * 8]]
    laid.append(OwnLine((4, 0)))
    assert broken(laid, royals, max_uses=3, repeated_cards=True) == [
        ("layout/3/dice/1", "is die 0, which is in 4 hands; a die can be in at most 3 (R12)")
    ]
    assert lay(laid, royals, max_uses=4, repeated_cards=True).points == 200


def test_repeated_cards_and_broken_rules_at_once() -> None:
    """Every violation of a layout with repeated cards is reported."""
    violations = broken([ROW, across([10, 11], 1, 0)], [[*ROYAL[0][:12], "As"], *ROYAL[1:]])
    assert [pointer for pointer, _ in violations] == [
        "rolls/0/0", "rolls/0/12", "layout", "layout", "layout", "layout/1",
    ]  # fmt: skip
