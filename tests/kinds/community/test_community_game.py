"""A session of Hold'em from the antes to the river, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from service.api.sessions.answers import move_json
from service.rules.violations import Violation
from tests.kinds.community.holdem_table import after, game_of, legal, refused, waiting
from tests.problems import breach
from tests.reasons import said

TWO = "ben roll_pocket 1r 2b, ann roll_pocket 3w 4y"
THREE = "ben roll_pocket 1r 2b, cat roll_pocket 5y 6y, ann roll_pocket 3w 4y"
FLOP = "ann roll_flop 1w 6b 3y"

TEN = "must be 10"


def test_chips_are_divided_evenly_and_everyone_antes() -> None:
    """Everyone starts with the same chips (H18, H27) and has put in the ante (H9)."""
    state = game_of(6).start(0)
    assert (state.chips, state.paid, state.dealer) == ((490,) * 6, (10,) * 6, 0)
    state = game_of(2, ante=50, starting_chips=200).start(0)
    assert (state.chips, state.paid) == ((150, 150), (50, 50))
    state = game_of(2, ante=0).start(0)
    assert (state.chips, state.paid) == ((500, 500), (0, 0))


def test_a_hand_step_by_step() -> None:
    """Two pocket dice each, three on the flop, one on the turn, one on the river, and betting on
    each (H2, H9); the dealer rolls the community.
    """
    game = game_of(2)
    state = game.start(0)
    assert legal(game, state) == [("roll_pocket", "ben"), ("roll_pocket", "ann")]
    state = after(game, TWO, state)
    assert legal(game, state) == [("check", "ben"), ("bet", "ben", 10, 10), ("fold", "ben")]
    view: list[tuple[Any, ...]] = []
    for roll in (FLOP, "ann roll_turn 5r", "ann roll_river 5b"):
        state = after(game, "ben bet 10, ann call", state)
        view.append((legal(game, state), game.view(state, None)["stage"]))
        state = after(game, roll, state)
        view.append((waiting(game, state), game.view(state, None)["community"]))
    assert view == [
        ([("roll_flop", "ann")], "flop"),
        (["ben", "ann"], ["1w", "6b", "3y"]),
        ([("roll_turn", "ann")], "turn"),
        (["ben", "ann"], ["1w", "6b", "3y", "5r"]),
        ([("roll_river", "ann")], "river"),
        (["ben", "ann"], ["1w", "6b", "3y", "5r", "5b"]),
    ]


def test_rolls_are_forced_and_pockets_are_hidden() -> None:
    """A roll leaves nothing to decide, a bet does; only rolls of pockets are hidden (H2)."""
    game = game_of(2)
    state = game.start(0)
    dice = {
        "type": "array",
        "items": {"type": "string", "enum": list(game.variant.dice.notation)},
        "minItems": 2,
        "maxItems": 2,
    }
    assert [move_json(move, typed_dice=True) for move in game.moves(state)] == [
        {"action": "roll_pocket", "player": "ben", "dice": dice},
        {"action": "roll_pocket", "player": "ann", "dice": dice},
    ]
    assert [move.forced for move in game.moves(state)] == [True, True]
    state = after(game, TWO, state)
    assert [move.forced for move in game.moves(state)] == [False, False, False]
    assert game.hidden == {"roll_pocket"}


def test_pockets_are_typed_in_any_order() -> None:
    """At a real table each player types in their own pocket, in any order (H2)."""
    game = game_of(3)
    state = after(game, "cat roll_pocket 5y 6y")
    assert legal(game, state) == [("roll_pocket", "ben"), ("roll_pocket", "ann")]
    state = after(game, "ann roll_pocket 3w 4y, ben roll_pocket 1r 2b", state)
    assert waiting(game, state) == ["ben", "cat", "ann"]


def test_left_of_the_dealer_acts_first_and_play_goes_clockwise() -> None:
    """The first to act sits left of the dealer on every round, folded players aside (H9)."""
    game = game_of(3)
    state = after(game, THREE)
    assert waiting(game, state) == ["ben", "cat", "ann"]
    state = after(game, f"ben fold, * check, {FLOP}", state)
    assert waiting(game, state) == ["cat", "ann"]
    state = after(game, "cat bet 10, ann raise 10, cat call, ann roll_turn 5r", state)
    assert waiting(game, state) == ["cat", "ann"]


def test_the_dealer_rolls_even_after_folding() -> None:
    """A dealer who has folded still rolls the community for the others (H2)."""
    game = game_of(3)
    state = after(game, f"{THREE}, ben check, cat check, ann fold")
    assert legal(game, state) == [("roll_flop", "ann")]


def test_check_bet_call_raise_fold() -> None:
    """While nobody has bet: check, bet, fold; then call, raise, fold, adding the difference
    (H10).
    """
    game = game_of(3, small_limit=30)
    state = after(game, f"{THREE}, ben bet 20")
    assert legal(game, state) == [("call", "cat"), ("raise", "cat", 10, 30), ("fold", "cat")]
    state = after(game, "cat raise 30, ann call, ben call", state)
    assert (state.paid, state.betting) == ((60, 60, 60), None)
    view = game.view(after(game, f"{THREE}, ben bet 20, cat raise 30, ann fold"), None)
    assert (view["to_act"], view["to_call"], view["pot"], view["raises"]) == (["ben"], 30, 100, 1)
    assert [(player["paid"], player["paid_in_round"]) for player in view["players"]] == [
        (10, 0),
        (30, 20),
        (60, 50),
    ]


def test_limits_of_the_rounds() -> None:
    """Bets and raises are at most 10 on open and flop, 20 on turn and river (H11)."""
    game = game_of(2)
    state = after(game, TWO)
    limits = []
    for roll in (FLOP, "ann roll_turn 5r", "ann roll_river 5b", None):
        bet = legal(game, state)[1]
        state = after(game, "ben bet 10", state)
        limits.append((bet, legal(game, state)[1]))
        if roll:
            state = after(game, f"ann call, {roll}", state)
    small = (("bet", "ben", 10, 10), ("raise", "ann", 10, 10))
    big = (("bet", "ben", 10, 20), ("raise", "ann", 10, 20))
    assert limits == [small, small, big, big]


def test_at_most_three_raises_in_a_round() -> None:
    """After three raises only call and fold are left; the next round has three again (H11)."""
    game = game_of(2)
    state = after(game, f"{TWO}, ben bet 10, ann raise 10, ben raise 10, ann raise 10")
    assert legal(game, state) == [("call", "ben"), ("fold", "ben")]
    state = after(game, f"ben call, {FLOP}, ben bet 10", state)
    assert legal(game, state)[1] == ("raise", "ann", 10, 10)
    game = game_of(2, max_raises=0)
    assert legal(game, after(game, f"{TWO}, ben bet 10")) == [("call", "ann"), ("fold", "ann")]


def test_a_round_ends_when_all_have_put_in_the_same() -> None:
    """After a raise, everyone else acts again; then the round is over (H12)."""
    game = game_of(3)
    state = after(game, f"{THREE}, ben check, cat bet 10, ann raise 10")
    assert waiting(game, state) == ["ben", "cat"]
    state = after(game, "ben call, cat call", state)
    assert legal(game, state) == [("roll_flop", "ann")]


def test_a_checked_flop_is_rolled_again() -> None:
    """If everyone checks on the flop, its dice are rolled again in their suits, and bet on again,
    as often as everyone checks (H13, H26).
    """
    game = game_of(2)
    state = after(game, f"{TWO}, * check, {FLOP}, * check")
    assert legal(game, state) == [("roll_flop_again", "ann")]
    suits = "must be white, like the die that is rolled again"
    assert refused(game, state, "ann roll_flop_again 1r 6b 3y") == (breach(("dice", 0), suits),)
    state = after(game, "ann roll_flop_again 2w 2b 2y", state)
    assert said(state.news) == (
        {
            "what": "flop_rolled_again",
            "was": ["1w", "6b", "3y"],
            "is": ["2w", "2b", "2y"],
            "reason": "Everyone checked, so the flop was rolled again (H13).",
        },
    )
    assert (waiting(game, state), game.view(state, None)["stage"]) == (["ben", "ann"], "flop")
    state = after(game, "* check, ann roll_flop_again 3w 4b 5y", state)
    assert game.view(state, None)["community"] == ["3w", "4b", "5y"]
    state = after(game, "ben bet 10, ann call, ann roll_turn 1r, * check", state)
    assert legal(game, state) == [("roll_river", "ann")]  # a checked turn is never rolled again


def test_a_flop_is_not_rolled_again_by_house_rule() -> None:
    """With `flop_rerolls` a flop is rolled again so often in each hand; then it stays (H34)."""
    game = game_of(2, flop_rerolls=0)
    state = after(game, f"{TWO}, * check, {FLOP}, * check")
    assert legal(game, state) == [("roll_turn", "ann")]
    game = game_of(2, flop_rerolls=1)
    once = f"* check, {FLOP}, * check, ann roll_flop_again 2w 2b 2y, * check"
    state = after(game, f"{TWO}, {once}")
    assert legal(game, state) == [("roll_turn", "ann")]
    state = after(
        game, "ann roll_turn 1r, ben fold, ann roll_pocket 3w 4y, ben roll_pocket 1r 2b", state
    )
    state = after(game, once.replace("ann roll", "ben roll"), state)
    assert legal(game, state) == [("roll_turn", "ben")]


def test_a_flop_with_a_fold_and_checks_is_rolled_again() -> None:
    """Everyone still in has checked, even if somebody has folded (H13, H31)."""
    game = game_of(3)
    state = after(game, f"{THREE}, * check, {FLOP}, ben fold, cat check, ann check")
    assert legal(game, state) == [("roll_flop_again", "ann")]


def test_all_in() -> None:
    """A player who can't call may go all in, and can then neither act nor be asked (H14)."""
    game = game_of(3, starting_chips=30, ante=10, small_limit=20, big_limit=20)
    state = after(game, f"{THREE}, ben bet 10, cat raise 10")
    assert legal(game, state) == [("call", "ann"), ("fold", "ann")]
    state = after(game, "ann call, ben call", state)
    assert legal(game, state) == [("roll_flop", "ann")]
    assert said(state.news) == (
        {
            "what": "no_more_betting",
            "reason": "Nobody can bet any more, so the rest of the community is rolled (H26).",
        },
    )
    players = game.view(state, None)["players"]
    assert [(player["chips"], player["all_in"]) for player in players] == [(0, True)] * 3
    state = after(game, f"{FLOP}, ann roll_turn 5r", state)
    assert legal(game, state) == [("roll_river", "ann")]


def test_antes_that_take_all() -> None:
    """A player with less than the ante puts in everything; the rest is rolled (H9, H14, H26)."""
    game = game_of(2, starting_chips=10, ante=50)
    state = game.start(0)
    assert (state.chips, state.paid) == ((0, 0), (10, 10))
    state = after(game, f"{TWO}, {FLOP}", state)
    assert legal(game, state) == [("roll_turn", "ann")]


def test_the_last_not_folded_takes_the_pot_without_showing() -> None:
    """Once all but one have folded the hand is over, and no pocket is shown (H15); chips that
    nobody called return.
    """
    game = game_of(3)
    state = after(game, f"{THREE}, ben bet 10, cat fold, ann fold")
    news = {
        "what": "won_without_showing",
        "player": "ben",
        "community": [],
        "payouts": {"ben": 40},
        "returned": {"ben": 10},
        "reason": "Everyone else has folded, so ben takes the pot without showing (H15).",
    }
    assert said((state.news, game.view(state, "cat")["last_hand"])) == ((news,), news)
    # The next hand: antes are in, the dealer's role has passed to ben.
    assert (state.hand, state.dealer, state.chips) == (2, 1, (480, 510, 480))
    assert legal(game, state) == [("roll_pocket", name) for name in ("cat", "ann", "ben")]


@pytest.mark.parametrize(
    ("line", "violation"),
    [
        ("ben bet 20", breach(("amount",), TEN)),
        ("ben bet 0", breach(("amount",), TEN)),
        ("ben bet", breach(("amount",), "is missing")),
        ("ben check 10", breach(("amount",), "is not a field of check; it has none")),
        ("ben check 6r", breach(("dice",), "must be left out: check rolls no dice")),
        ("ben call", breach(("action",), "must be check, bet, fold or leave now")),
        ("cat check", breach(("player",), "can't check now; only ben can")),
        ("ann roll_flop 1r 2r 3r", breach(("action",), "must be check, bet, fold or leave now")),
    ],
)  # fmt: skip
def test_what_is_refused_on_the_open(line: str, violation: Violation) -> None:
    """Bets beyond the bounds, actions out of turn or of another time are refused by name (H10,
    H11, H27).
    """
    game = game_of(3)
    assert refused(game, after(game, THREE), line) == (violation,)


@pytest.mark.parametrize("amount", [15, 40, 5])
def test_raises_are_multiples_within_the_limit(amount: int) -> None:
    """A raise is a multiple of 10 up to the limit (H11, H27)."""
    game = game_of(2, small_limit=30)
    detail = "must be a whole number between 10 and 30 and a multiple of 10"
    state = after(game, f"{TWO}, ben bet 10")
    assert refused(game, state, f"ann raise {amount}") == (breach(("amount",), detail),)
