"""The game of roll-a-royal in steps: who begins, and the rolls of a turn."""

from __future__ import annotations

import pytest

from service.api.sessions.answers import move_json
from tests.kinds.layout.layout_table import NOTATION, PAIR, do, done, game, legal, refused, rolls
from tests.reasons import said
from tests.variants.test_roll_a_royal import LOW, ROYAL


def test_highest_throw_begins() -> None:
    """Everyone throws the risk die, the highest begins, and play goes round the table (R2)."""
    table = game("ann", "ben", "cay")
    state = done(table, ("throw", [2]), ("throw", [4]))
    assert legal(table, state) == [("throw", "cay")]
    assert [move.forced for move in table.moves(state)] == [True]
    view = table.view(state, "ann")
    assert (view["phase"], view["to_act"], view["throws"], "order" in view) == (
        "throwing",
        ["cay"],
        {"ann": [[2]], "ben": [[4]], "cay": []},
        False,
    )
    state = do(table, state, "throw", [0])
    reason = "ben has the highest throw, 4, and begins (R2)."
    assert said(state.news) == ({"what": "begins", "player": "ben", "reason": reason},)
    view = table.view(state, "ann")
    assert (view["phase"], view["to_act"], view["order"], "throws" in view) == (
        "rolling",
        ["ben"],
        ("ben", "cay", "ann"),
        False,
    )


def test_one_player_throws_nothing() -> None:
    """A single player begins with a roll, which the service doesn't make for them (R1, R2)."""
    alone = game()
    (move,) = alone.moves(alone.start(0))
    assert (move.action, move.player, move.forced) == ("roll", "ann", False)


def test_throw_of_no_face() -> None:
    """The risk die shows 1 to 4 or a blank, 0 (R10)."""
    two = game("ann", "ben")
    assert refused(two, two.start(0), "throw", [5]) == [("dice/0", "must be one of 0, 1, 2, 3, 4")]
    assert refused(two, two.start(0), "throw", [1, 2]) == [
        ("dice", "must be a list of one face: 0, 1, 2, 3, 4")
    ]


def test_unopened_turn_passes() -> None:
    """A first roll below jacks ends the turn with nothing; the news give the reason (R3, R31)."""
    two = game("ann", "ben")
    state = done(two, ("throw", [2]), ("throw", [1]), ("roll", LOW))
    assert said(state.news) == (
        {
            "what": "passed",
            "player": "ann",
            "dice": tuple(LOW),
            "missing": "A pair of jacks or better opens; the best here is a pair of nines (R25).",
            "reason": "A turn that doesn't open scores nothing (R31).",
            "total": 0,
        },
    )
    view = two.view(state, None)
    assert (legal(two, state), view["turns_played"], view["turn"]["dice"]) == (
        [("roll", "ben")],
        {"ann": 1, "ben": 0},
        (),
    )


def test_only_the_first_roll_opens() -> None:
    """A first roll that doesn't open ends the turn, whatever its blanks might show (R3, R34)."""
    alone = game()
    state = done(alone, ("roll", ["2s", "3h", *["--"] * 11]))
    assert [news["what"] for news in state.news] == ["passed"]
    assert (alone.view(state, None)["turns_played"], legal(alone, state)) == (
        {"ann": 1},
        [("roll", "ann")],
    )


def test_opening_left_out() -> None:
    """Under `opening` none any first roll goes on (R25)."""
    alone = game(opening="none")
    assert legal(alone, done(alone, ("roll", LOW))) == [("roll", "ann"), ("lay", "ann")]


def test_blanks_are_rolled_again() -> None:
    """Only blanks are rolled again, in up to three rolls in all (R3)."""
    alone = game()
    state = done(alone, *rolls(ROYAL[0]))
    assert alone.view(state, None)["turn"] == {
        "player": "ann",
        "rolls": (tuple(ROYAL[0]),),
        "dice": tuple(ROYAL[0]),
        "blanks": (6, 8),
        "rolls_left": 2,
        "opened": True,
        "laid": None,
    }
    listed = move_json(alone.moves(state)[0], typed_dice=True)
    assert (listed["dice"]["minItems"], listed["dice"]["maxItems"]) == (2, 2)
    state = done(alone, *rolls(*ROYAL))
    assert alone.view(state, None)["turn"]["dice"] == (
        *("As", "Ks", "Qs", "Js", "Ts", "Ah", "Kc", "Kd", "2d", "Jd", "4c", "4h", "9s"),
    )
    assert legal(alone, state) == [("lay", "ann")]
    early = done(alone, *rolls(ROYAL[0], ["Kc", "2d"]))
    assert legal(alone, early) == [("lay", "ann")]
    late = done(alone, *rolls(ROYAL[0], ["--", "--"], ["--", "--"]))
    assert legal(alone, late) == [("lay", "ann")]


def test_ten_as_10() -> None:
    """The ten may be written 10, and is shown as T (R21)."""
    alone = game()
    state = done(alone, *rolls([*PAIR[:12], "10h"]))
    assert state.rolls == ((*PAIR[:12], "Th"),)


@pytest.mark.parametrize(
    ("before", "roll", "expected"),
    [
        ([], LOW[:11], [("dice", "must hold 13 faces, not 11 (R1)")]),
        ([], [*LOW[:11], "1s", None], [("dice/11", NOTATION), ("dice/12", NOTATION)]),
        (
            [],
            [*PAIR[:11], "Jd", "2s"],
            [
                ("dice/1", "shows Jd, and so does die 11; the set has each card once (R20)"),
                ("dice/11", "shows Jd, and so does die 1; the set has each card once (R20)"),
            ],
        ),
        (
            [ROYAL[0], ["Kc", "--"]],
            ["Kc"],
            [("dice/0", "shows Kc, and so does die 6; the set has each card once (R20)")],
        ),
    ],
)
def test_typed_dice(before: list[list[str]], roll: object, expected: list[tuple[str, str]]) -> None:
    """Typed dice must match the notation, the blanks and the cards of a set (R3, R20, R21)."""
    alone = game()
    assert refused(alone, done(alone, *rolls(*before)), "roll", roll) == expected


def test_repeated_cards() -> None:
    """Home-made sets may show a card twice, if that was agreed (R20)."""
    alone = game(repeated_cards=True)
    state = done(alone, *rolls(["Jh", "Jh", *["--"] * 11]), ("lay",))
    assert state.laid is not None
    assert state.laid.points == 0
