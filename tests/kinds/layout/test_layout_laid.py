"""The game of roll-a-royal in steps: laying out, and what a layout is worth."""

from __future__ import annotations

import pytest
from jsonschema_rs import Draft202012Validator

from service.api.sessions.answers import bound_schema
from service.kinds.layout.variant import LayoutRules
from service.rules.violations import InvalidInput
from service.variants.roll_a_royal import VARIANT
from tests.kinds.layout.layout_table import CROSSED, PAIR, do, done, game, legal, refused, rolls
from tests.reasons import said
from tests.variants.test_roll_a_royal import ROYAL


def test_laying_the_best() -> None:
    """Without a layout of the player's own, the best one is laid, and its points are fixed (R4,
    R32).
    """
    alone = game()
    state = done(alone, *rolls(*ROYAL), ("lay",))
    assert said(state.news) == (
        {
            "what": "laid",
            "player": "ann",
            "points": 8900,
            "best_points": 8900,
            "proven": True,
            "reason": "The layout is worth 8,900 points, and none is worth more (R32).",
        },
    )
    view = alone.view(state, None)
    assert (view["phase"], legal(alone, state)) == ("laid", [("bank", "ann"), ("risk", "ann")])
    laid = view["turn"]["laid"]
    played = VARIANT.evaluate(VARIANT.read_rolls(ROYAL), LayoutRules())
    assert [(hand["dice"], hand["points"]) for hand in laid["hands"]] == [
        (hand.dice, hand.line.points) for hand in played.hands
    ]
    assert [(cell["die"], cell["row"], cell["column"]) for cell in laid["grid"]] == played.grid


def test_own_layout() -> None:
    """A player's own layout scores as it lies; the response has the best one, too (R32)."""
    alone = game()
    state = do(alone, done(alone, *rolls(*ROYAL)), "lay", layout=CROSSED)
    assert said(state.news[0])["reason"] == (
        "The layout is worth 8,050 points; there is one with 8,900 (R32)."
    )
    laid = said(alone.view(state, None))["turn"]["laid"]
    assert laid == {
        "points": 8050,
        "hands": [
            {
                "hand": "royal_flush",
                "dice": (0, 1, 2, 3, 4),
                "cards": ["As", "Ks", "Qs", "Js", "Ts"],
                "points": 8000,
                "first_roll": True,
                "reason": "Royal flush: 4,000 doubled on the first roll (R9, R24).",
                "clause": "R9",
                "direction": "across",
                "row": 0,
                "column": 0,
            },
            {
                "hand": "pair",
                "dice": (0, 5),
                "cards": ["As", "Ah"],
                "points": 50,
                "first_roll": False,
                "reason": "Pair: 50 (R9).",
                "clause": "R9",
                "direction": "down",
                "row": 0,
                "column": 0,
            },
        ],
        "grid": [
            {"die": die, "card": card, "row": row, "column": column}
            for die, card, row, column in (
                (0, "As", 0, 0),
                (1, "Ks", 0, 1),
                (2, "Qs", 0, 2),
                (3, "Js", 0, 3),
                (4, "Ts", 0, 4),
                (5, "Ah", 1, 0),
            )
        ],
        "all_dice_bonus": 0,
        "best_points": 8900,
        "proven": True,
    }


def test_nothing_laid() -> None:
    """A player may lay nothing: that is a layout, not the best one (R32)."""
    alone = game()
    state = do(alone, done(alone, *rolls(*ROYAL)), "lay", layout=[])
    assert (state.laid and (state.laid.points, state.laid.hands)) == (0, ())


@pytest.mark.parametrize("layout", ["connected", "unconnected", "either"])
@pytest.mark.parametrize("own", [None, [{"dice": [0, 1, 2, 3, 4]}]], ids=["best", "own"])
def test_no_grid_above_two_uses(layout: str, own: object) -> None:
    """Above two uses no layout has a grid, not even one in which no die is used twice (R34)."""
    alone = game(max_uses=3, layout=layout)
    state = do(alone, done(alone, *rolls(*ROYAL)), "lay", layout=own)
    laid = said(alone.view(state, None))["turn"]["laid"]
    assert (laid["grid"], {hand["direction"] for hand in laid["hands"]}) == (None, {None})


ALONE = "is a pair that crosses no other hand, so it doesn't count (R7)"


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        (
            [CROSSED[0], {**CROSSED[1], "dice": [5, 12], "row": 3}],
            [
                ("layout/1", "is not a hand: Ah 9s on dice 5 and 12 (R9)"),
                (
                    "layout",
                    "has 2 groups that share no die; all hands must be connected (R28): /layout/0; "
                    "/layout/1",
                ),
            ],
        ),
        ([{**CROSSED[1]}], [("layout/0", ALONE)]),
        ("best", [("layout", "must be a list of up to 13 lines")]),
        ([CROSSED[0]] * 14, [("layout", "must be a list of up to 13 lines")]),
        (
            [
                {"dice": [1, 1, 13], "direction": "up", "row": 0.5, "column": 1001},
                [],
                {"direction": "down", "colour": 1},
                {"dice": [3]},
            ],
            [
                ("layout/0/dice/1", "repeats die 1"),
                ("layout/0/dice/2", "must be the number of a die in the first roll, from 0 to 12"),
                ("layout/0/direction", "must be one of across, down"),
                ("layout/0/row", "must be a whole number between -1000 and 1000, or null"),
                ("layout/0/column", "must be a whole number between -1000 and 1000, or null"),
                ("layout/1", "must be an object"),
                (
                    "layout/2/colour",
                    "is not a known field; the fields are dice, direction, row, column",
                ),
                ("layout/2/dice", "is missing"),
                ("layout/3/dice", "must be a list of 2 to 13 dice"),
            ],
        ),
    ],
)
def test_layouts_refused(layout: object, expected: list[tuple[str, str]]) -> None:
    """Every rule that a layout breaks is reported, with a pointer into the layout (R32)."""
    alone = game()
    assert refused(alone, done(alone, *rolls(*ROYAL)), "lay", layout=layout) == expected


@pytest.mark.parametrize(
    ("layout", "allowed"),
    [
        (None, True),
        ([], True),
        (CROSSED, True),
        ([{"dice": [0, 5], "direction": None, "row": -1000, "column": 1000}], True),
        ([CROSSED[0]] * 14, False),
        ("best", False),
        ([[]], False),
        ([{"direction": "down"}], False),
        ([{"dice": [0, 0]}], False),
        ([{"dice": [0]}], False),
        ([{"dice": [0, 13]}], False),
        ([{"dice": [0, 5], "direction": "up"}], False),
        ([{"dice": [0, 5], "row": 1001}], False),
        ([{"dice": [0, 5], "column": 0.5}], False),
    ],
)
def test_layout_is_told_as_it_is_read(layout: object, allowed: bool) -> None:
    """The JSON Schema of a layout accepts what the action accepts (R32)."""
    alone = game()
    state = done(alone, *rolls(*ROYAL))
    bound = alone.moves(state)[0].values["layout"]
    assert Draft202012Validator(dict(bound_schema(bound))).is_valid(layout) == allowed
    if allowed:
        bound.read(layout)
    else:
        with pytest.raises(InvalidInput):
            bound.read(layout)


@pytest.mark.parametrize(
    ("risk", "score", "reason"),
    [
        (0, 0, "The risk die is blank: the turn scores nothing (R10)."),
        (1, 50, "The risk die shows 1: 50 points times 1 are 50 (R10)."),
        (2, 100, "The risk die shows 2: 50 points times 2 are 100 (R10)."),
        (3, 150, "The risk die shows 3: 50 points times 3 are 150 (R10)."),
        (4, 200, "The risk die shows 4: 50 points times 4 are 200 (R10)."),
    ],
)
def test_risk(risk: int, score: int, reason: str) -> None:
    """The risk die multiplies the turn's points, and a blank takes them (R10, R29)."""
    alone = game(layout="either")
    state = done(alone, *rolls(PAIR), ("lay",), ("risk", [risk]))
    assert said(state.news) == (
        {
            "what": "risked",
            "player": "ann",
            "risk": risk,
            "points": score,
            "total": score,
            "reason": reason,
        },
    )
    assert (state.totals, legal(alone, state)) == ((score,), [("roll", "ann")])


def test_bank() -> None:
    """Without a risk roll the points count as they are, and add up (R5, R10)."""
    alone = game(layout="either")
    turn = (*rolls(PAIR), ("lay",), ("bank",))
    state = done(alone, *turn, *turn)
    assert said(state.news) == (
        {
            "what": "banked",
            "player": "ann",
            "points": 50,
            "total": 100,
            "reason": "The 50 points count as they are, without a risk roll (R10).",
        },
    )
    assert alone.view(state, None)["turns_played"] == {"ann": 2}
