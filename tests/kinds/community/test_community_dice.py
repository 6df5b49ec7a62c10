"""The dice of a session of Hold'em: out of the bag, hidden, and what they hold."""

from __future__ import annotations

from service.engine.actions import Action
from tests.kinds.community.holdem_table import after, game_of, refused
from tests.problems import breach

FLOP = "ann roll_flop 1w 6b 3y"


def test_typed_dice_beyond_the_supply() -> None:
    """A sixth red die is refused without revealing in whose pocket the others are (H24)."""
    game = game_of(2)
    state = after(game, "ben roll_pocket 1r 2r, ann roll_pocket 3r 4r, * check")
    detail = "can't be red: the set has only 5 red dice (H24)"
    violation = breach(("dice", 2), detail)
    assert refused(game, state, "ann roll_flop 5r 6b 6r") == (violation,)
    missing = breach(("dice",), "is missing: this game's dice are typed in")
    assert refused(game, state, "ann roll_flop") == (missing,)


def test_dice_of_folded_pockets_stay_out_of_the_bag() -> None:
    """A pocket that was folded is not put back into the bag (H24)."""
    game = game_of(3)
    pockets = "ben roll_pocket 1r 2r, cat roll_pocket 3r 4r, ann roll_pocket 6b 6w"
    state = after(game, f"{pockets}, ben fold, cat check, ann check")
    assert [violation.path for violation in refused(game, state, "ann roll_flop 5r 6r 6y")] == [
        ("dice", 1)
    ]


def test_dice_are_drawn_from_what_is_left() -> None:
    """The bag of the service lacks what lies on the table, hidden or not (H2, H24)."""
    game = game_of(2)
    state = after(game, "ben roll_pocket 1r 2r, ann roll_pocket 3r 4r, * check")
    asked: list[int] = []

    def first(bound: int) -> int:
        asked.append(bound)
        return 0

    _, dice = game.play(state, Action("roll_flop", "ann", 0), first)
    assert dice == ("1r", "1b", "1b")
    assert asked == [16, 6, 15, 6, 14, 6]


def test_what_a_player_sees_before_the_flop() -> None:
    """A player sees their own pocket and what it holds (H23, H28), and no other pocket."""
    game = game_of(2)
    state = after(game, "ben roll_pocket 6r 6b, ann roll_pocket 3w 4w")
    view = {viewer: game.view(state, viewer) for viewer in ("ann", "ben", None)}
    assert [(seen["pocket"], seen["holding"]) for seen in view.values()] == [
        (
            ["3w", "4w"],
            {"rank": None, "clause": "H23", "best": [], "holds": {"pair": False, "suited": True}},
        ),
        (
            ["6r", "6b"],
            {"rank": None, "clause": "H23", "best": [], "holds": {"pair": True, "suited": False}},
        ),
        (None, None),
    ]
    player = {
        "chips": 490, "paid": 10, "paid_in_round": 0, "folded": False, "all_in": False,
        "left": False, "out": False,
    }  # fmt: skip
    assert view[None] == {
        "over": False,
        "winners": [],
        "phase": "betting",
        "hand": 1,
        "stage": "open",
        "dealer": "ann",
        "to_act": ["ben"],
        "to_call": 0,
        "raises": 0,
        "rounds": [],
        "pot": 20,
        "ante": 10,
        "small_blind": None,
        "big_blind": None,
        "players": [{"id": "ann", **player}, {"id": "ben", **player}],
        "community": [],
        "pocket": None,
        "holding": None,
        "last_hand": None,
        "news": [],
    }


def test_what_a_pocket_holds_from_the_flop_on() -> None:
    """The best five dice so far, even if they can't win (H3, H5, H21, H22)."""
    game = game_of(2)
    holdings = []
    state = after(game, f"ben roll_pocket 6r 6b, ann roll_pocket 2w 4w, * check, {FLOP}")
    holdings.append([game.view(state, name)["holding"] for name in ("ann", "ben")])
    state = after(game, "ben bet 10, ann call, ann roll_turn 2r, * check, ann roll_river 5w", state)
    holdings.append([game.view(state, name)["holding"] for name in ("ann", "ben")])
    assert [[(held["rank"], held["clause"], held["best"]) for held in two] for two in holdings] == [
        [
            ("high_die", "H22", ["6b", "4w", "3y", "2w", "1w"]),
            ("three_of_a_kind", "H4", ["6r", "6b", "6b", "3y", "1w"]),
        ],
        [
            ("straight", "H4", ["6b", "5w", "4w", "3y", "2w"]),
            ("three_of_a_kind", "H4", ["6r", "6b", "6b", "5w", "3y"]),
        ],
    ]
