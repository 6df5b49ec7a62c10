"""The game of roll-a-royal in steps: each clause that a session follows."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from service.dice.house_rules import HouseRules
from service.dice.layout import LayoutRules
from service.dice.refusal import Refused
from service.games.game import Action, Table
from service.games.layout_game import LayoutGame
from service.games.layout_state import LayoutState
from service.variants.roll_a_royal import VARIANT
from tests.variants.test_roll_a_royal import LOW, ROYAL

SPADES = ["As", "Ks", "Qs", "Js", "Ts", "9s", "8s", "7s", "6s", "5s", "4s", "3s", "2s"]
PAIR = ["Jh", "Jd", *["--"] * 11]
CROSSED = [
    {"dice": [0, 1, 2, 3, 4], "direction": "across", "row": 0, "column": 0},
    {"dice": [0, 5], "direction": "down", "row": 0, "column": 0},
]


def game(*players: str, **rules: Any) -> LayoutGame:
    """A game with typed dice; one player unless there are more."""
    return LayoutGame(VARIANT, Table(players or ("ann",), LayoutRules(**rules), typed_dice=True))


def do(
    game: LayoutGame, state: LayoutState, action: str, dice: object = None, **values: object
) -> LayoutState:
    """After an action of whoever can act."""
    player = game.moves(state)[0].player
    return game.apply(state, Action(action, player, 0, values, dice))


def done(game: LayoutGame, *actions: tuple[Any, ...]) -> LayoutState:
    """From the start on, one action after the other: names, some with dice."""
    state = game.start(0)
    for action in actions:
        state = do(game, state, *action)
    return state


def refused(
    game: LayoutGame, state: LayoutState, action: str, dice: object = None, **values: object
) -> list[tuple[str, str]]:
    """Why an action of whoever can act is refused: where, as a pointer, and what is said."""
    with pytest.raises(Refused) as refused:
        do(game, state, action, dice, **values)
    return [("/".join(map(str, fault.path)), fault.detail) for fault in refused.value.faults]


def legal(game: LayoutGame, state: LayoutState) -> list[tuple[str, str]]:
    """The legal actions, and whose they are."""
    return [(move.action, move.player) for move in game.moves(state)]


def rolls(*rolls: list[str]) -> list[tuple[str, list[str]]]:
    """The actions of a turn's rolls."""
    return [("roll", roll) for roll in rolls]


def test_highest_throw_begins() -> None:
    """Everyone throws the risk die, the highest begins, and play goes round the table (R2)."""
    table = game("ann", "ben", "cay")
    state = done(table, ("throw", [2]), ("throw", [4]))
    assert legal(table, state) == [("throw", "cay")]
    assert [move.forced for move in table.moves(state)] == [True]
    seen = table.seen(state, "ann")
    assert (seen["phase"], seen["to_act"], seen["throws"], "order" in seen) == (
        "throwing",
        ["cay"],
        {"ann": [[2]], "ben": [[4]], "cay": []},
        False,
    )
    state = do(table, state, "throw", [0])
    reason = "ben threw the most, 4, and begins (R2)."
    assert state.news == ({"what": "begins", "player": "ben", "reason": reason},)
    seen = table.seen(state, "ann")
    assert (seen["phase"], seen["to_act"], seen["order"], "throws" in seen) == (
        "rolling",
        ["ben"],
        ("ben", "cay", "ann"),
        False,
    )


def test_throws_in_any_order() -> None:
    """Any of those still to throw may throw next (R2)."""
    table = game("ann", "ben", "cay")
    state = table.start(0)
    assert legal(table, state) == [("throw", "ann"), ("throw", "ben"), ("throw", "cay")]
    state = table.apply(state, Action("throw", "ben", 0, dice=[1]))
    assert (legal(table, state), state.news) == ([("throw", "ann"), ("throw", "cay")], ())
    with pytest.raises(Refused) as refused:
        table.apply(state, Action("throw", "ben", 0, dice=[1]))
    told = "can't throw now, only ann or cay can"
    assert [(fault.path, fault.detail) for fault in refused.value.faults] == [(("player",), told)]


def test_equal_highest_throws_again() -> None:
    """Those who share the highest throw go on alone, until one is higher (R2)."""
    table = game("ann", "ben", "cay")
    state = done(table, ("throw", [3]), ("throw", [2]), ("throw", [3]))
    assert state.news == (
        {
            "what": "throw_again",
            "players": ["ann", "cay"],
            "reason": "ann and cay threw the most, 3 each, and throw again (R2).",
        },
    )
    assert legal(table, state) == [("throw", "ann"), ("throw", "cay")]
    state = do(table, do(table, state, "throw", [0]), "throw", [0])
    assert table.seen(state, None)["throws"] == {"ann": [[3], [0]], "ben": [[2]], "cay": [[3], [0]]}
    state = do(table, do(table, state, "throw", [0]), "throw", [1])
    assert legal(table, state) == [("roll", "cay")]
    assert table.seen(state, None)["order"] == ("cay", "ann", "ben")


def test_one_player_throws_nothing() -> None:
    """Alone a player begins with a roll, and the roll is theirs to make (R1, R2)."""
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
    """A first roll below jacks ends the turn with nothing, and the reason is told (R3, R31)."""
    two = game("ann", "ben")
    state = done(two, ("throw", [2]), ("throw", [1]), ("roll", LOW))
    assert state.news == (
        {
            "what": "passed",
            "player": "ann",
            "dice": tuple(LOW),
            "missing": "The first roll must hold a pair of jacks or better, or any hand above a "
            "pair; its best is a pair of nines (R25).",
            "reason": "A turn that doesn't open scores nothing (R31).",
            "total": 0,
        },
    )
    seen = two.seen(state, None)
    assert (legal(two, state), seen["turns_played"], seen["turn"]["dice"]) == (
        [("roll", "ben")],
        {"ann": 1, "ben": 0},
        (),
    )


def test_opening_left_out() -> None:
    """Under `opening` none any first roll goes on (R25)."""
    alone = game(opening="none")
    assert legal(alone, done(alone, ("roll", LOW))) == [("roll", "ann"), ("lay", "ann")]


def test_blanks_are_rolled_again() -> None:
    """Blanks alone are rolled again, up to three rolls in all, and only if there are any (R3)."""
    alone = game()
    state = done(alone, *rolls(ROYAL[0]))
    assert alone.seen(state, None)["turn"] == {
        "player": "ann",
        "rolls": (tuple(ROYAL[0]),),
        "dice": tuple(ROYAL[0]),
        "blanks": (6, 8),
        "rolls_left": 2,
        "opened": True,
        "laid": None,
    }
    told = alone.moves(state)[0].told(typed_dice=True)
    assert (told["dice"]["minItems"], told["dice"]["maxItems"]) == (2, 2)
    state = done(alone, *rolls(*ROYAL))
    assert alone.seen(state, None)["turn"]["dice"] == (
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


NOTATION = (
    "must be a rank (2 to 9, T or 10, J, Q, K, A) and a suit letter (s, h, d, c), "
    "such as Ac, or -- for a blank"
)


@pytest.mark.parametrize(
    ("before", "roll", "expected"),
    [
        ([], LOW[:11], [("dice", "must hold 13 faces, not 11 (R1)")]),
        ([], "As", [("dice", "must be a list of faces")]),
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
            [ROYAL[0]],
            ["Kc", "2d", "3d"],
            [
                ("dice", "must hold 2 faces, one for each blank of the roll before, not 3 (R21)"),
                ("dice/2", "is rolled where no blank was (R3)"),
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
    """Typed dice are held to the notation, the blanks and a set's cards (R3, R20, R21)."""
    alone = game()
    assert refused(alone, done(alone, *rolls(*before)), "roll", roll) == expected


def test_repeated_cards() -> None:
    """Home-made sets may show a card twice, if that was agreed (R20)."""
    alone = game(repeated_cards=True)
    state = done(alone, *rolls(["Jh", "Jh", *["--"] * 11]), ("lay",))
    assert state.laid is not None
    assert state.laid.points == 0


def test_laying_the_best() -> None:
    """Without a layout of one's own the best is laid, and its points are fixed (R4, R32)."""
    alone = game()
    state = done(alone, *rolls(*ROYAL), ("lay",))
    assert state.news == (
        {
            "what": "laid",
            "player": "ann",
            "points": 8900,
            "best_points": 8900,
            "proven": True,
            "reason": "The layout is worth 8900 points, and none is worth more (R32).",
        },
    )
    seen = alone.seen(state, None)
    assert (seen["phase"], legal(alone, state)) == ("laid", [("bank", "ann"), ("risk", "ann")])
    laid = seen["turn"]["laid"]
    played = VARIANT.evaluate(VARIANT.read_rolls(ROYAL), LayoutRules())
    assert [(hand["dice"], hand["points"]) for hand in laid["hands"]] == [
        (hand.dice, hand.line.points) for hand in played.hands
    ]
    assert [(cell["die"], cell["row"], cell["column"]) for cell in laid["grid"]] == played.grid


def test_own_layout() -> None:
    """A layout of the player's own counts as it lies, and the best is told (R32)."""
    alone = game()
    state = do(alone, done(alone, *rolls(*ROYAL)), "lay", layout=CROSSED)
    assert state.news[0]["reason"] == (
        "The layout is worth 8050 points; there is one with 8900 (R32)."
    )
    laid = alone.seen(state, None)["turn"]["laid"]
    assert laid == {
        "points": 8050,
        "hands": [
            {
                "hand": "royal_flush",
                "dice": (0, 1, 2, 3, 4),
                "cards": ["As", "Ks", "Qs", "Js", "Ts"],
                "points": 8000,
                "first_roll": True,
                "reason": "Royal flush: 4000 doubled on the first roll (R9, R24).",
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


def test_free_directions() -> None:
    """Above two uses hands need no place, and there is no grid (R27)."""
    alone = game(max_uses=3)
    layout = [{"dice": [0, 1, 2, 3, 4]}, {"dice": [0, 5]}, {"dice": [3, 9]}]
    state = do(alone, done(alone, *rolls(*ROYAL)), "lay", layout=layout)
    laid = alone.seen(state, None)["turn"]["laid"]
    assert (laid["points"], laid["grid"]) == (8100, None)
    assert {(hand["direction"], hand["row"]) for hand in laid["hands"]} == {(None, None)}


ALONE = "is a pair that crosses nothing, and so doesn't count (R7)"


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        (
            [CROSSED[0], {**CROSSED[1], "dice": [5, 12], "row": 3}],
            [
                ("layout/1", "is no hand: Ah 9s on dice 5 and 12 (R9)"),
                (
                    "layout",
                    "falls into 2 groups that share no die, and must be one (R28): /layout/0; "
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
                ("layout/0/dice/1", "is die 1 a second time"),
                ("layout/0/dice/2", "must be a die by its number in the first roll, from 0 to 12"),
                ("layout/0/direction", "must be one of across, down"),
                ("layout/0/row", "must be a whole number between -1000 and 1000, or null"),
                ("layout/0/column", "must be a whole number between -1000 and 1000, or null"),
                ("layout/1", "must be an object"),
                (
                    "layout/2/colour",
                    "is not a field here; known are dice, direction, row, column",
                ),
                ("layout/2/dice", "is missing"),
                ("layout/3/dice", "must be a list of 2 to 13 dice"),
            ],
        ),
    ],
)
def test_layouts_refused(layout: object, expected: list[tuple[str, str]]) -> None:
    """Every rule that a layout breaks is told, with its place under the layout (R32)."""
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
        ([{"dice": [0, 5], "colour": 1}], False),
    ],
)
def test_layout_is_told_as_it_is_read(layout: object, allowed: bool) -> None:
    """The bounds of a layout as JSON Schema take what the action takes (R32)."""
    alone = game()
    state = done(alone, *rolls(*ROYAL))
    shape = alone.moves(state)[0].told(typed_dice=True)["layout"]
    assert Draft202012Validator(shape).is_valid(layout) == allowed
    action = Action("lay", "ann", 0, {"layout": layout})
    if allowed:
        alone.prepare(state, action)
    else:
        with pytest.raises(Refused):
            alone.prepare(state, action)


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
    assert state.news == (
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
    assert state.news == (
        {
            "what": "banked",
            "player": "ann",
            "points": 50,
            "total": 100,
            "reason": "The 50 points count as they are, without a risk roll (R10).",
        },
    )
    assert alone.seen(state, None)["turns_played"] == {"ann": 2}


TURN = (*rolls(PAIR), ("lay",))
"""A turn of 50 points, where pairs count alone."""


def test_end_after_the_turns() -> None:
    """After the agreed turns each the highest total wins (R5)."""
    two = game("ann", "ben", layout="either", turns=1)
    begun = (("throw", [1]), ("throw", [2]))
    state = done(two, *begun, *TURN, ("risk", [3]))
    assert not state.over
    state = done(two, *begun, *TURN, ("risk", [3]), *TURN, ("bank",))
    assert (state.over, state.winners, two.moves(state)) == (True, ("ben",), ())
    assert state.news[1:] == (
        {
            "what": "game_over",
            "winners": ("ben",),
            "reason": "Everyone has had 1 turn, and 150 is the highest total (R5).",
        },
    )
    seen = two.seen(state, None)
    assert (seen["phase"], seen["to_act"], seen["turn"]) == ("over", [], None)
    assert seen["places"] == [
        {
            "place": 1,
            "players": ["ben"],
            "total": 150,
            "reason": "A total of 150 is 100 more than 50 (R5).",
        },
        {"place": 2, "players": ["ann"], "total": 50, "reason": "The lowest total here: 50."},
    ]


def test_equal_totals_share() -> None:
    """Equal highest totals share the win (R5)."""
    two = game("ann", "ben", turns=1)
    state = done(two, ("throw", [1]), ("throw", [2]), ("roll", LOW), ("roll", LOW))
    assert state.winners == ("ann", "ben")
    assert two.seen(state, None)["places"] == [
        {
            "place": 1,
            "players": ["ann", "ben"],
            "total": 0,
            "reason": "A total of 0 each; equal totals share the place (R5).",
        }
    ]


@pytest.mark.parametrize("turns", [None, 10])
def test_target_reached(turns: int | None) -> None:
    """The game is over as soon as a total reaches the agreed score (R5)."""
    two = game("ann", "ben", layout="either", turns=turns, target_score=100)
    state = done(two, ("throw", [2]), ("throw", [1]), *TURN, ("bank",), *TURN, ("risk", [2]))
    assert (state.totals, state.winners) == ((50, 100), ("ben",))
    assert state.news[1]["reason"] == "A total of 100 reaches the 100 that were agreed (R5)."


def test_turns_end_a_game_before_its_target() -> None:
    """With both agreed, whichever comes first ends the game (R5)."""
    alone = game(layout="either", turns=1, target_score=1000)
    assert done(alone, *TURN, ("bank",)).winners == ("ann",)


def test_a_game_without_end() -> None:
    """House rules without turns and without a target are refused (R5)."""
    with pytest.raises(Refused) as refused:
        game(turns=None).start(0)
    assert [(fault.path, fault.detail) for fault in refused.value.faults] == [
        (("house_rules",), "must hold turns or target_score: a game without both never ends")
    ]


@pytest.mark.parametrize(
    "dice", [[SPADES], [[*SPADES[:11], "--", "--"], ["3s", "--"], ["2s"]]], ids=["first", "third"]
)
def test_super_royal(dice: list[list[str]]) -> None:
    """All dice of one suit win at once, whatever the totals, with their best layout (R9, R30)."""
    two = game("ann", "ben", target_score=1_000_000, layout="either")
    ahead = (*rolls(*ROYAL), ("lay",), ("risk", [4]))
    state = done(two, ("throw", [2]), ("throw", [1]), *ahead, *rolls(*dice))
    points = VARIANT.evaluate(VARIANT.read_rolls(dice), two.rules).points
    assert state.news == (
        {
            "what": "super_royal",
            "player": "ben",
            "points": points,
            "total": points,
            "reason": "All dice show cards of one suit (R9).",
        },
        {
            "what": "game_over",
            "winners": ("ben",),
            "reason": "A super royal wins the game at once (R9).",
        },
    )
    assert (state.over, state.winners, state.totals[1], two.moves(state)) == (
        True,
        ("ben",),
        points,
        (),
    )
    assert state.totals[0] > points
    seen = two.seen(state, None)
    assert (seen["phase"], seen["turn"]["laid"]["points"]) == ("over", points)
    assert seen["turns_played"] == {"ann": 1, "ben": 1}
    assert [(place["players"], place["reason"]) for place in seen["places"]] == [
        (["ben"], "A super royal wins the game at once (R9)."),
        (["ann"], f"The lowest total here: {state.totals[0]}."),
    ]


def test_after_the_end() -> None:
    """Nothing can be done once the game is over."""
    alone = game(turns=1)
    state = done(alone, ("roll", LOW))
    with pytest.raises(Refused, match="action is not possible any more: the game is over"):
        alone.apply(state, Action("roll", "ann", 0))


def test_wrong_player_or_action() -> None:
    """Only whoever's turn it is can act, and only as the step allows."""
    two = game("ann", "ben")
    state = done(two, ("throw", [2]), ("throw", [1]))
    with pytest.raises(Refused, match="player can't roll now, only ann can"):
        two.apply(state, Action("roll", "ben", 0, {}, LOW))
    assert refused(two, state, "lay") == [("action", "must be one of roll now")]
    assert refused(two, state, "roll") == [("dice", "is missing: this game's dice are typed in")]


def test_plain_house_rules() -> None:
    """A variant without rules of its own is played by the defaults (R5)."""
    plain = LayoutGame(VARIANT, Table(("ann",), HouseRules()))
    assert (plain.rules, plain.start(0).over) == (LayoutRules(), False)
