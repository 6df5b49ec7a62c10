"""The worked examples of the sheet of roll-a-royal, played step by step."""

from __future__ import annotations

import pytest

from tests.kinds.layout.layout_table import do, done, game, rolls

BLANK = "--"


def turn_of(cards: str, late: str, on_roll: int) -> list[list[str]]:
    """The rolls of a turn whose line is `cards`; the one that is `late` came on roll `on_roll`."""
    line = cards.split()
    faces = [BLANK if card == late else card for card in line]
    turn = [[*faces, *[BLANK] * (13 - len(line))]]
    blank = BLANK in faces
    for number in range(2, on_roll + 1):
        count = 13 - len(line) + blank
        again = [BLANK] * count
        if number == on_roll:
            again[0] = late  # the line comes first, so its blank does, too
        turn.append(again)
    return turn


@pytest.mark.parametrize(
    ("cards", "late", "on_roll", "hand", "points"),
    [
        ("As Ks Qs Js Ts", "", 1, "royal_flush", 8000),
        ("As Ks Qs Js Ts 9s 8s", "8s", 2, "royal_flush", 8000 + 800),
        ("5h 6h 7h 8h 9h Th", "5h", 2, "straight_flush", 4000 + 200),
        ("5h 6h 7h 8h 9h Th", "7h", 2, "straight_flush", 2000 + 200),
        ("Qs Qh Qd Qc", "Qc", 3, "four_of_a_kind", 500),
        ("9s 9h 9d 4c 4d", "", 1, "full_house", 400),
        ("2h 5h 7h 9h Jh Kh", "", 1, "flush", 400),
        ("As 2d 3h 4c 5s 6d 7h", "", 1, "straight", 300),
    ],
)
def test_single_hands(cards: str, late: str, on_roll: int, hand: str, points: int) -> None:
    """Each single hand of the sheet is laid for its points (R9, R22, R23, R24)."""
    alone = game()
    count = len(cards.split())
    line = {"dice": [*range(count)], "direction": "across", "row": 0, "column": 0}
    state = done(alone, *rolls(*turn_of(cards, late, on_roll)))
    state = do(alone, state, "lay", layout=[line])
    laid = alone.view(state, None)["turn"]["laid"]
    assert [(each["hand"], each["points"]) for each in laid["hands"]] == [(hand, points)]
    assert do(alone, state, "bank").totals == (points,)


@pytest.mark.parametrize(("risk", "total"), [(3, 3600), (0, 0)])
def test_the_risk_die(risk: int, total: int) -> None:
    """A turn of 1200 becomes 3600 with a three on the risk die, and 0 with its blank (R10)."""
    alone = game(layout="either")
    cards = ["Qs", "Qh", "Qd", "Qc", "3s", "3h", "3d", "5c", "5s", *[BLANK] * 4]
    lines = [
        {"dice": [0, 1, 2, 3], "direction": "across", "row": 0, "column": 0},
        {"dice": [7, 8], "direction": "across", "row": 2, "column": 0},
        {"dice": [4, 5, 6], "direction": "across", "row": 4, "column": 0},
    ]
    state = do(alone, done(alone, ("roll", cards)), "lay", layout=lines)
    assert alone.view(state, None)["turn"]["laid"]["points"] == 1200
    assert do(alone, state, "risk", [risk]).totals == (total,)
