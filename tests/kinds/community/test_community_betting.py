"""Hold'em with blinds, pot limit and no limit (H36), and how long it goes on (H35, H37)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.kinds.community.state import CommunityState
from service.rules.violations import InvalidInput
from tests.kinds.community.holdem_table import POCKETS, after, game_of, legal, refused, waiting
from tests.problems import breach
from tests.reasons import said

NO_LIMIT = {"betting": "no_limit", "ante": 0}
BLINDS = {"small_blind": 10, "big_blind": 20}


def begun(rules: dict[str, Any], *chips: int) -> tuple[Any, CommunityState]:
    """A game and its state at the first bet, where the players have so many `chips` left."""
    game = game_of(len(chips), **rules)
    state = replace(game.start(0), chips=chips)
    return game, after(game, POCKETS[len(chips)], state)


def test_blinds() -> None:
    """The first and the second player left of the dealer put in the blinds; the next one acts
    first, the big blind last, who may check or still raise (H36).
    """
    game = game_of(4, **NO_LIMIT, **BLINDS)
    state = after(game, POCKETS[4])
    assert (state.chips, state.paid) == ((500, 490, 480, 500), (0, 10, 20, 0))
    assert waiting(game, state) == ["dan", "ann", "ben", "cat"]
    view = game.view(state, None)
    assert (view["ante"], view["small_blind"], view["big_blind"], view["to_call"]) == (
        0,
        {"player": "ben", "amount": 10},
        {"player": "cat", "amount": 20},
        20,
    )
    assert legal(game, state) == [("call", "dan"), ("raise", "dan", 20, 480), ("fold", "dan")]
    called = after(game, "dan call, ann fold, ben call", state)
    assert legal(game, called) == [("check", "cat"), ("raise", "cat", 20, 480), ("fold", "cat")]
    raised = after(game, "cat raise 30", called)
    assert legal(game, raised) == [("call", "dan"), ("raise", "dan", 30, 450), ("fold", "dan")]
    flop = after(game, "cat check, ann roll_flop 1w 6b 3y", called)
    assert waiting(game, flop) == ["ben", "cat", "dan"]
    assert legal(game, flop)[1] == ("bet", "ben", 20, 480)


def test_two_players_with_blinds() -> None:
    """With two players the dealer has the small blind, and acts first in the open, second
    afterwards (H36).
    """
    game = game_of(2, **BLINDS)
    state = after(game, POCKETS[2])
    assert (state.paid, waiting(game, state)) == ((20, 30), ["ann", "ben"])
    view = game.view(state, "ben")
    assert [player["paid_in_round"] for player in view["players"]] == [10, 20]
    assert (view["small_blind"]["player"], view["big_blind"]["player"]) == ("ann", "ben")
    state = after(game, "ann call, ben check, ann roll_flop 1w 6b 3y", state)
    assert waiting(game, state) == ["ben", "ann"]


def test_a_big_blind_alone() -> None:
    """With a big blind alone the positions stay as they are (H36)."""
    game = game_of(3, **NO_LIMIT, big_blind=50)
    state = after(game, POCKETS[3])
    assert (state.paid, waiting(game, state)) == ((0, 0, 50), ["ann", "ben", "cat"])
    assert game.view(state, None)["small_blind"] is None
    game = game_of(2, **NO_LIMIT, big_blind=50)
    assert (game.start(0).paid, waiting(game, after(game, POCKETS[2]))) == ((0, 50), ["ann", "ben"])


def test_blinds_of_all_chips() -> None:
    """Who has less than ante and blind puts in everything. A call costs the most that anybody has
    put in, not the nominal blind; a raise is still at least the big blind (H36).
    """
    rules = {"betting": "no_limit", "starting_chips": 40, "ante": 10, **BLINDS, "big_blind": 50}
    game = game_of(3, **rules)
    state = after(game, POCKETS[3])
    assert (state.chips, state.paid) == ((30, 20, 0), (10, 20, 40))
    assert legal(game, state) == [("call", "ann"), ("fold", "ann")]
    rules = {**rules, "starting_chips": 200}
    game = game_of(4, **rules)
    short = replace(game.start(0), chips=(190, 180, 0, 190), paid=(10, 20, 40, 10))
    state = after(game, POCKETS[4], short)
    assert legal(game, state) == [("call", "dan"), ("raise", "dan", 50, 160), ("fold", "dan")]


def test_a_blind_that_puts_a_player_all_in() -> None:
    """The other one acts only if there is something to call; then the rest is rolled (H26, H30,
    H36).
    """
    game = game_of(2, **NO_LIMIT, **BLINDS)
    dealt = game.start(0)
    owing = after(game, POCKETS[2], replace(dealt, chips=(490, 0)))
    assert (owing.news, legal(game, owing)) == ((), [("call", "ann"), ("fold", "ann")])
    called = after(game, "ann call", owing)
    assert [news["what"] for news in called.news] == ["no_more_betting"]
    assert legal(game, called) == [("roll_flop", "ann")]
    even = after(game, POCKETS[2], replace(dealt, chips=(490, 0), paid=(10, 10)))
    assert [news["what"] for news in even.news] == ["no_more_betting"]
    assert legal(game, even) == [("roll_flop", "ann")]


def test_no_blind_is_raised_that_nobody_can_answer() -> None:
    """A raise needs an opponent who can put in more than the bet is now: one who will be all in by
    calling can't (H30).
    """
    game, state = begun({**NO_LIMIT, **BLINDS}, 490, 480)
    short = replace(state, chips=(10, 480))
    assert legal(game, short) == [("call", "ann"), ("fold", "ann")]
    game, state = begun({**NO_LIMIT, **BLINDS}, 500, 0, 10)
    assert legal(game, state) == [("call", "ann"), ("raise", "ann", 20, 480), ("fold", "ann")]
    game, state = begun(NO_LIMIT, 500, 30, 500)
    state = after(game, "ben check, cat bet 100, ann call", state)
    assert legal(game, state) == [("all_in", "ben"), ("fold", "ben")]
    game, state = begun({**NO_LIMIT, **BLINDS}, 0, 0, 300)
    state = replace(state, paid=(0, 10, 20), betting=None)
    assert "must be" in str(
        refused(game, after(game, "ann roll_flop 1w 6b 3y", state), "cat raise 20")[0].detail
    )


def test_bounds_without_a_limit() -> None:
    """With no limit, bets and raises are up to all chips, in multiples of 10; a bet is at least the
    big blind, or 10, and a raise at least the last bet or raise (H36).
    """
    game, state = begun(NO_LIMIT, 500, 400, 300)
    assert legal(game, state)[1] == ("bet", "ben", 10, 400)
    state = after(game, "ben bet 40", state)
    assert legal(game, state)[1] == ("raise", "cat", 40, 260)
    state = after(game, "cat raise 100", state)
    assert legal(game, state)[1] == ("raise", "ann", 100, 360)
    least = "must be a whole number between 100 and 360 and a multiple of 10"
    assert refused(game, state, "ann raise 90") == (breach(("amount",), least),)
    assert refused(game, state, "ann raise 105") == (breach(("amount",), least),)
    state = after(game, "ann raise 360", state)
    assert (state.chips[0], waiting(game, state)) == (0, ["ben", "cat"])
    assert legal(game, state) == [("all_in", "ben"), ("fold", "ben")]


def test_no_number_of_raises_is_too_many_without_a_limit() -> None:
    """`max_raises` is only for betting with a limit (H36)."""
    game, state = begun({**NO_LIMIT, "max_raises": 0}, 500, 500)
    state = after(game, "ben bet 10, ann raise 10, ben raise 10, ann raise 10, ben raise 10", state)
    assert legal(game, state)[1] == ("raise", "ann", 10, 450)


def test_an_all_in_of_less_than_a_raise() -> None:
    """Who has less than the least bet or raise beyond a call has `all_in`. It is a call that
    doesn't reopen the betting for those who have acted, but does for others (H36).
    """
    game, state = begun({**NO_LIMIT, **BLINDS}, 500, 490, 480, 60)
    state = after(game, "dan raise 40, ann call, ben fold, cat fold, ann roll_flop 1w 6b 3y", state)
    assert (state.chips, legal(game, state)) == ((440, 490, 480, 0), [("roll_turn", "ann")])

    game, state = begun(NO_LIMIT, 500, 500, 160, 500)
    state = after(game, "ben bet 100, cat call", state)
    state = replace(state, chips=(500, 400, 60, 150))
    assert legal(game, state) == [("call", "dan"), ("all_in", "dan"), ("fold", "dan")]
    state = after(game, "dan all_in", state)
    assert legal(game, state) == [("call", "ann"), ("raise", "ann", 100, 350), ("fold", "ann")]
    state = after(game, "ann call", state)
    assert waiting(game, state) == ["ben", "cat"]
    assert legal(game, state) == [("call", "ben"), ("fold", "ben")]
    state = after(game, "ben call", state)
    assert legal(game, state) == [("call", "cat"), ("fold", "cat")]
    state = after(game, "cat call", state)
    assert (state.betting, state.paid) == (None, (150, 150, 150, 150))


def test_several_all_ins_that_make_a_full_raise() -> None:
    """Several all-ins of less than a raise reopen the betting once a player faces a full raise in
    all; a raise is still at least the last full one (H36).
    """
    game, state = begun(NO_LIMIT, 200, 500, 140, 190)
    state = after(game, "ben bet 100, cat all_in, dan all_in", state)
    assert legal(game, state) == [("call", "ann"), ("all_in", "ann"), ("fold", "ann")]
    state = after(game, "ann all_in", state)
    assert (state.betting and state.betting.to_call, legal(game, state)) == (
        100,
        [("call", "ben"), ("fold", "ben")],
    )
    game, state = begun(NO_LIMIT, 500, 500, 140, 200)
    state = after(game, "ben bet 100, cat all_in, dan all_in, ann call", state)
    assert legal(game, state) == [("call", "ben"), ("raise", "ben", 100, 300), ("fold", "ben")]


def test_an_all_in_of_less_than_a_bet() -> None:
    """An all-in of less than the least bet must be called; who has checked can't raise it (H36)."""
    game, state = begun({**NO_LIMIT, **BLINDS, "big_blind": 50}, 500, 490, 80)
    state = after(game, "ann call, ben call, cat check, ann roll_flop 1w 6b 3y, ben check", state)
    assert legal(game, state)[1] == ("bet", "cat", 50, 80)
    short = replace(state, chips=(450, 450, 30))
    assert legal(game, short) == [("check", "cat"), ("all_in", "cat"), ("fold", "cat")]
    state = after(game, "cat all_in", short)
    assert legal(game, state)[1] == ("raise", "ann", 50, 420)
    state = after(game, "ann call", state)
    assert legal(game, state) == [("call", "ben"), ("fold", "ben")]


def test_bounds_of_pot_limit() -> None:
    """In pot limit a bet is at most the pot, a raise at most the pot after the call; the least bet
    is always allowed (H36).
    """
    rules = {"betting": "pot_limit", "ante": 0, **BLINDS}
    game, state = begun(rules, 500, 490, 480)
    assert legal(game, state)[1] == ("raise", "ann", 20, 50)
    state = after(game, "ann raise 50", state)
    assert legal(game, state)[1] == ("raise", "ben", 50, 160)
    state = after(game, "ben call, cat fold, ann roll_flop 1w 6b 3y", state)
    assert legal(game, state)[1] == ("bet", "ben", 20, 160)
    game, state = begun({"betting": "pot_limit", "ante": 0}, 500, 500)
    assert legal(game, state)[1] == ("bet", "ben", 10, 10)
    state = after(game, "ben bet 10", state)
    assert legal(game, state)[1] == ("raise", "ann", 10, 20)


def test_bets_of_a_fixed_size() -> None:
    """With `fixed` bets and raises are exactly the limit; who has fewer chips puts in all of them,
    a raise like any other (H36).
    """
    rules = {"bet_size": "fixed", "small_limit": 50}
    game, state = begun(rules, 490, 490)
    assert legal(game, state)[1] == ("bet", "ben", 50, 50)
    assert refused(game, state, "ben bet 40") == (breach(("amount",), "must be 50"),)
    state = replace(after(game, "ben bet 50", state), chips=(80, 440))
    assert legal(game, state)[1] == ("raise", "ann", 30, 30)
    state = after(game, "ann raise 30", state)
    assert (state.betting and state.betting.raises, legal(game, state)) == (
        1,
        [("call", "ben"), ("fold", "ben")],
    )


def test_the_big_blind_is_not_one_of_the_raises() -> None:
    """With a limit the big blind is a bet: three raises may follow (H11, H36)."""
    game, state = begun(BLINDS, 480, 470)
    state = after(game, "ann raise 10, ben raise 10, ann raise 10", state)
    assert (state.betting and state.betting.raises, legal(game, state)) == (
        3,
        [("call", "ben"), ("fold", "ben")],
    )


def test_chips_of_the_box() -> None:
    """The chips of the set are divided evenly, in multiples of 10; the rest is out of the game
    (H18, H35).
    """
    assert game_of(3, total_chips=1_000, ante=0).start(0).chips == (330, 330, 330)
    assert game_of(6, total_chips=60, ante=0).start(0).chips == (10,) * 6


def test_a_number_of_hands() -> None:
    """After the last hand the most chips win; equal stacks share the win (H37)."""
    game = game_of(3, hands=2)
    state = after(game, f"{POCKETS[3]}, ben bet 10, cat fold, ann fold")
    assert (state.over, state.hand) == (False, 2)
    pockets = "cat roll_pocket 1r 2b, ann roll_pocket 3w 4y, ben roll_pocket 5y 6y"
    won = after(game, f"{pockets}, cat check, ann bet 10, ben fold, cat fold", state)
    assert (won.over, won.chips, won.winners) == (True, (510, 510, 480), ("ann", "ben"))
    assert said(won.news[1]) == {
        "what": "game_over",
        "winners": ["ann", "ben"],
        "reason": "After 2 hands, the most chips win (H37).",
    }
    alone = after(game, f"{pockets}, cat fold, ann fold", state)
    assert (alone.chips, alone.winners) == ((480, 540, 480), ("ben",))


def test_blinds_that_rise() -> None:
    """Ante and blinds double every so many hands; limits don't (H37)."""
    game = game_of(2, **BLINDS, blinds_up=2)
    state = game.start(0)
    asked = []
    for hand in range(1, 6):
        dealer, other = ("ann", "ben") if hand % 2 else ("ben", "ann")
        view = game.view(state, None)
        asked.append((view["ante"], view["small_blind"]["amount"], view["big_blind"]["amount"]))
        rolls = f"{other} roll_pocket 1r 2b, {dealer} roll_pocket 3w 4y"
        begun = after(game, rolls, state)
        assert legal(game, begun)[1] == ("raise", dealer, 10, 10)
        state = after(game, f"{dealer} fold", begun)
    assert asked == [(10, 10, 20), (10, 10, 20), (20, 20, 40), (20, 20, 40), (40, 40, 80)]


@pytest.mark.parametrize(
    ("rules", "violations"),
    [
        (
            {"bet_size": "fixed", "betting": "no_limit"},
            [
                (
                    ("house_rules", "bet_size"),
                    "contradicts /house_rules/betting: bets of a fixed size are only for betting "
                    "with a limit (H36)",
                ),
                (
                    ("house_rules", "betting"),
                    "contradicts /house_rules/bet_size: bets of a fixed size are only for betting "
                    "with a limit (H36)",
                ),
            ],
        ),
        (
            {"small_blind": 20, "big_blind": 10},
            [
                (
                    ("house_rules", "small_blind"),
                    "contradicts /house_rules/big_blind: the small blind can't be above the big "
                    "blind (H36)",
                ),
                (
                    ("house_rules", "big_blind"),
                    "contradicts /house_rules/small_blind: the small blind can't be above the big "
                    "blind (H36)",
                ),
            ],
        ),
        (
            {"total_chips": 20},
            [
                (
                    ("house_rules", "total_chips"),
                    "must be at least 30: a chip for each of /players (H35)",
                )
            ],
        ),
    ],
)  # fmt: skip
def test_house_rules_that_contradict_each_other(
    rules: dict[str, Any], violations: list[tuple[tuple[str, ...], str]]
) -> None:
    """House rules that contradict each other are refused; both are named (H35, H36)."""
    with pytest.raises(InvalidInput) as refusal:
        game_of(3, **rules)
    assert list(refusal.value.violations) == [breach(path, text) for path, text in violations]
