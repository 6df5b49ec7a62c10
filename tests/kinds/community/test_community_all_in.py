"""Hold'em with players all in: what the others may still do, and what is rolled (H13, H30, H31)."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from service.rules.reasons import spoken
from tests.kinds.community.holdem_table import POCKETS, after, game_of, legal, refused, waiting

HIGH = {"small_limit": 200, "big_limit": 200}

NO_MORE = "Nobody can bet any more, so the rest of the community is rolled (H26)."


def test_who_faces_players_all_in_can_only_call_or_fold() -> None:
    """Where all others still in are all in, no raise is offered or accepted (H30)."""
    game = game_of(2, **HIGH)
    state = replace(game.start(0), chips=(490, 50))
    state = after(game, f"{POCKETS[2]}, ben bet 50", state)
    assert legal(game, state) == [("call", "ann"), ("fold", "ann")]
    assert "must be call, fold or leave now" in str(refused(game, state, "ann raise 10")[0].detail)
    state = after(game, "ann call", state)
    assert (state.chips, state.paid) == ((440, 0), (60, 60))
    assert [spoken(news["because"]) for news in state.news] == [NO_MORE]
    assert legal(game, state) == [("roll_flop", "ann")]


def test_a_raise_is_offered_while_one_other_can_answer() -> None:
    """One opponent with chips is enough for a raise, even if all others are all in; once that
    opponent has folded, nobody can raise (H30).
    """
    game = game_of(4, **HIGH)
    state = replace(game.start(0), chips=(490, 20, 20, 490))
    state = after(game, f"{POCKETS[4]}, ben bet 20, cat call", state)
    assert legal(game, state) == [("call", "dan"), ("raise", "dan", 10, 200), ("fold", "dan")]
    raised = after(game, "dan raise 30", state)
    assert legal(game, raised) == [("call", "ann"), ("raise", "ann", 10, 200), ("fold", "ann")]
    folded = after(game, "dan fold", state)
    assert legal(game, folded) == [("call", "ann"), ("fold", "ann")]


def test_players_who_folded_can_answer_nothing() -> None:
    """Players who have folded can't answer a raise, whatever chips they have (H30)."""
    game = game_of(3, **HIGH)
    state = replace(game.start(0), chips=(490, 490, 40))
    state = after(game, f"{POCKETS[3]}, ben fold, cat bet 40", state)
    assert legal(game, state) == [("call", "ann"), ("fold", "ann")]


def test_nobody_is_asked_who_has_nothing_to_call() -> None:
    """With fewer than two players able to bet, the remaining dice are rolled: nobody is asked to
    check (H30).
    """
    game = game_of(3, **HIGH)
    state = replace(game.start(0), chips=(490, 490, 40))
    state = after(
        game, f"{POCKETS[3]}, ben bet 40, cat call, ann call, ann roll_flop 1w 6b 3y", state
    )
    assert waiting(game, state) == ["ben", "ann"]
    state = after(game, "ben fold", state)
    assert [spoken(news["because"]) for news in state.news] == [NO_MORE]
    assert legal(game, state) == [("roll_turn", "ann")]
    state = after(game, "ann roll_turn 5r", state)
    assert legal(game, state) == [("roll_river", "ann")]


def test_a_raise_of_an_earlier_release_is_played_on() -> None:
    """A stored hand in which somebody raised what nobody could answer goes on: what is beyond the
    others' chips comes back as a pot of its own (H14, H30).
    """
    game = game_of(2, **HIGH)
    state = replace(game.start(0), chips=(490, 50))
    called = after(game, f"{POCKETS[2]}, ben bet 50, ann call", state)
    raised = replace(called, chips=(340, 0), paid=(160, 60))
    stored = game.restore(orjson.loads(orjson.dumps(raised)))
    script = "ann roll_flop 1w 1b 6y, ann roll_turn 2w, ann roll_river 3r"
    (news, *_) = after(game, script, stored).news
    assert [(pot["amount"], pot["payouts"]) for pot in news["pots"]] == [
        (120, {"ben": 120}),
        (100, {"ann": 100}),
    ]


def test_a_checked_flop_is_rolled_again_beside_players_all_in_or_folded() -> None:
    """Players all in or folded don't keep a checked flop from being rolled again, as long as two
    players able to bet are left (H13, H31).
    """
    game = game_of(4, **HIGH)
    state = replace(game.start(0), chips=(490, 490, 40, 490))
    script = f"{POCKETS[4]}, ben bet 40, cat call, dan call, ann call, ann roll_flop 1w 6b 3y"
    state = after(game, script, state)
    assert waiting(game, state) == ["ben", "dan", "ann"]
    state = after(game, "ben check, dan fold, ann check", state)
    assert legal(game, state) == [("roll_flop_again", "ann")]
    state = after(game, "ann roll_flop_again 2w 2b 2y", state)
    assert waiting(game, state) == ["ben", "ann"]


@pytest.mark.parametrize("fold", ["ben check, ann fold", "ben fold"])
def test_a_checked_flop_stays_with_fewer_than_two_able_to_bet(fold: str) -> None:
    """With fewer than two players able to bet, the flop stays and the turn is rolled (H31)."""
    game = game_of(3, **HIGH)
    state = replace(game.start(0), chips=(490, 490, 40))
    script = f"{POCKETS[3]}, ben bet 40, cat call, ann call, ann roll_flop 1w 6b 3y, {fold}"
    state = after(game, script, state)
    assert legal(game, state) == [("roll_turn", "ann")]


def test_a_flop_that_nobody_can_bet_on_stays() -> None:
    """A flop on which everyone is all in was not checked: the turn is rolled (H26, H31)."""
    game = game_of(2, starting_chips=10)
    state = after(game, f"{POCKETS[2]}, ann roll_flop 1w 6b 3y")
    assert legal(game, state) == [("roll_turn", "ann")]


def test_a_shared_yahtzee_flush_is_split_among_those_who_paid_into_each_pot() -> None:
    """Players who share a yahtzee flush split each pot among those of them who paid into it (H29,
    H31).
    """
    game = game_of(3, **HIGH)
    state = replace(game.start(0), chips=(490, 490, 40))
    script = """ben roll_pocket 1w 2b, cat roll_pocket 5y 6y, ann roll_pocket 3w 4y,
        ben bet 40, cat call, ann call, ann roll_flop 6r 6r 6r,
        ben bet 100, ann call, ann roll_turn 6r, * check, ann roll_river 6r, * check"""
    state = after(game, script, state)
    assert [(pot["eligible"], pot["payouts"]) for pot in state.news[0]["pots"]] == [
        (["ben", "cat", "ann"], {"ben": 50, "cat": 50, "ann": 50}),
        (["ben", "ann"], {"ben": 100, "ann": 100}),
    ]
    assert state.winners == ("ben", "cat", "ann")


def test_a_yahtzee_flush_takes_pots_without_a_stake() -> None:
    """The holder of a yahtzee flush takes every pot, even one that they paid nothing into; its
    `eligible` still lists who paid (H17, H31).
    """
    game = game_of(3, **HIGH, yahtzee_flush="showdown")
    state = replace(game.start(0), chips=(490, 490, 40))
    script = """ben roll_pocket 1r 2b, cat roll_pocket 6y 6y, ann roll_pocket 3w 4r,
        ben bet 40, cat call, ann call, ann roll_flop 6y 6y 6y,
        ben bet 100, ann call, ann roll_turn 2w, * check, ann roll_river 3r, * check"""
    state = after(game, script, state)
    assert [(pot["eligible"], pot["payouts"]) for pot in state.news[0]["pots"]] == [
        (["ben", "cat", "ann"], {"cat": 150}),
        (["ben", "ann"], {"cat": 200}),
    ]
    assert state.winners == ("cat",)
