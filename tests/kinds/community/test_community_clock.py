"""Hold'em by the clock (G1), and with players who leave (G2)."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.community.game import CommunityGame
from service.kinds.community.state import CommunityState
from service.variants.texas_holdem_dice import VARIANT, HoldemRules
from tests.engine.clocked import timed_out
from tests.engine.random_play import action_of
from tests.kinds.community.holdem_table import PLAYERS, after, game_of, legal, refused, waiting
from tests.problems import breach
from tests.reasons import said
from tests.sampled import first

THREE = "ben roll_pocket 1r 2b, cat roll_pocket 5y 6y, ann roll_pocket 3w 4y"
FLOP = "ann roll_flop 1w 6b 3y"


def clocked(players: int, **rules: Any) -> CommunityGame:
    """A game with 20 seconds for each decision."""
    return game_of(players, turn_seconds=20, **rules)


def what(state: CommunityState) -> list[tuple[str, str | None]]:
    """What the last action led to, and for whom."""
    return [(news["what"], news.get("player")) for news in state.news]


def test_a_check_where_that_is_free() -> None:
    """When the time of a decision is up, the player checks where that is free (G1)."""
    game = clocked(3)
    state = after(game, THREE)
    late, steps = game.time_up(state, state.deadline or 0)
    assert [(step.player, step.action, dict(step.values)) for step in steps] == [
        (None, "time_up", {}),
        ("ben", "check", {}),
    ]
    assert said(steps[0].news) == (
        {"what": "time_up", "player": "ben", "reason": "ben's time is up (G1)."},
    )
    assert (waiting(game, late), late.deadline) == (["cat", "ann"], 40_000)


def test_otherwise_a_fold() -> None:
    """When the time of a decision is up that would cost chips, the player folds (G1)."""
    game = clocked(3)
    state = after(game, f"{THREE}, ben bet 10")
    late, steps = game.time_up(state, state.deadline or 0)
    assert (steps[1].player, steps[1].action) == ("cat", "fold")
    assert (late.folded, waiting(game, late)) == ((2,), ["ann"])
    late = timed_out(game, late)
    assert what(late) == [("time_up", "ann"), ("won_without_showing", "ben")]
    assert late.hand == 2


def test_each_decision_has_its_time() -> None:
    """The clock starts again with each decision, and runs on when somebody else leaves (G1)."""
    game = clocked(4)
    state = game.start(0)
    at = 0
    pockets = {"ben": ["1r", "2b"], "cat": ["5y", "6y"], "dan": ["1b", "2r"], "ann": ["3w", "4y"]}
    for player, dice in pockets.items():
        at += 5_000
        state, _ = game.play(state, Action("roll_pocket", player, at, dice=dice))
        assert state.deadline == at + 20_000
    state, _ = game.play(state, Action("leave", "dan", at + 5_000))
    assert (state.deadline, waiting(game, state)) == (at + 20_000, ["ben", "cat", "ann"])
    state, _ = game.play(state, Action("leave", "ben", at + 7_000))
    assert (state.deadline, waiting(game, state)) == (at + 27_000, ["cat", "ann"])


def test_who_has_not_rolled_a_pocket_folds() -> None:
    """Where dice are typed in, all who have not rolled their pocket fold (G1)."""
    game = clocked(4)
    late = timed_out(game, after(game, "cat roll_pocket 5y 6y, dan roll_pocket 1b 2r"))
    assert what(late) == [("time_up", "ben"), ("time_up", "ann")]
    assert (late.folded, waiting(game, late)) == ((1, 0), ["cat", "dan"])
    late = after(game, "cat check, dan check", late)
    assert legal(game, late) == [("roll_flop", "cat")]  # ann, who deals, wasn't there
    late = timed_out(game, game.start(0))
    assert what(late)[4:] == [("won_without_showing", "ann")]


def test_a_community_that_is_not_rolled() -> None:
    """Where dice are typed in, a dealer who doesn't roll folds, and the next player still in rolls,
    so that the hand ends (G1).
    """
    game = clocked(3)
    state = after(game, f"{THREE}, * check")
    late = timed_out(game, state)
    assert (what(late), legal(game, late)) == ([("time_up", "ann")], [("roll_flop", "ben")])
    assert late.folded == (0,)
    late = timed_out(game, late)
    assert what(late) == [("time_up", "ben"), ("won_without_showing", "cat")]
    assert (late.hand, late.away) == (2, False)
    folded = after(game, f"{THREE}, ben check, cat check, ann fold")
    assert legal(game, folded) == [("roll_flop", "ann")]
    late = timed_out(game, folded)
    assert (late.folded, legal(game, late)) == ((0,), [("roll_flop", "ben")])


def test_a_flop_that_is_not_rolled_again() -> None:
    """A checked flop stays if who has to roll it again folds, and fewer than two are able to bet
    (G1, H31).
    """
    game = clocked(3, flop_rerolls=None)
    state = after(game, f"{THREE}, * check, {FLOP}")
    state = after(game, "ben fold, * check", replace(state, paid=(10, 10, 10)))
    assert legal(game, state) == [("roll_flop_again", "ann")]
    all_in = replace(state, folded=(), chips=(490, 0, 490))
    late = timed_out(game, all_in)
    assert what(late) == [("time_up", "ann"), ("no_more_betting", None)]
    assert legal(game, late) == [("roll_turn", "ben")]


def test_leaving_in_turn_and_out_of_turn() -> None:
    """A hand is folded, whoever's turn it is; what was put in stays in the pot (G2)."""
    game = game_of(3)
    state = after(game, f"{THREE}, ben bet 10, ben leave")
    assert said(state.news) == (
        {"what": "left", "player": "ben", "reason": "ben has left the game (G2)."},
    )
    assert (state.left, state.folded, waiting(game, state)) == ((1,), (1,), ["cat", "ann"])
    assert legal(game, state)[0] == ("call", "cat")
    state = after(game, "cat leave", state)
    assert what(state) == [("left", "cat"), ("won_without_showing", "ann"), ("game_over", None)]
    assert said(state.news[-1])["reason"] == "ann is the last player left and wins the game (H16)."
    assert (state.winners, state.chips) == (("ann",), (530, 480, 490))
    players = game.view(state, None)["players"]
    shown = [(player["id"], player["left"], player["out"]) for player in players]
    assert shown == [("ann", False, False), ("ben", True, True), ("cat", True, True)]


def test_who_left_gets_no_new_hand() -> None:
    """Blinds and dealer skip players who left; their chips are out of play (G2)."""
    game = game_of(4, small_blind=10, big_blind=20)
    pockets = "ben roll_pocket 1r 2b, cat roll_pocket 5y 6y, dan roll_pocket 1b 2r"
    state = after(game, f"{pockets}, ann roll_pocket 3w 4y, ben leave, dan fold, ann fold")
    assert (state.hand, state.dealer, state.left) == (2, 2, (1,))
    assert (state.chips, state.paid) == ((460, 480, 530, 470), (30, 0, 10, 20))
    view = game.view(state, None)
    assert (view["small_blind"]["player"], view["big_blind"]["player"]) == ("dan", "ann")
    assert [move[1] for move in legal(game, state)] == ["dan", "ann", "cat"]
    assert [move.player for move in game.legal_moves(state) if move.action == "leave"] == [
        "ann",
        "cat",
        "dan",
    ]


def test_the_next_one_rolls_for_a_dealer_who_left() -> None:
    """The next player who is there rolls for a dealer who left, and deals the next hand (G2)."""
    game = game_of(3)
    state = after(game, f"{THREE}, * check, ann leave")
    assert legal(game, state) == [("roll_flop", "ben")]
    state = after(game, "ben roll_flop 1w 6b 3y, ben bet 10, cat fold", state)
    assert (state.dealer, [move[1] for move in legal(game, state)]) == (1, ["cat", "ben"])


def test_a_dealer_who_leaves_before_rolling_a_pocket() -> None:
    """Who leaves before their pocket is rolled folds without one (G2)."""
    game = game_of(3)
    state = after(game, "ben roll_pocket 1r 2b, ann leave, cat roll_pocket 5y 6y, * check")
    assert legal(game, state) == [("roll_flop", "ben")]
    state = after(game, "ben roll_pocket 1r 2b, ann leave, cat leave")
    assert (state.winners, what(state)[-1]) == (("ben",), ("game_over", None))


def test_leaving_after_folding_or_all_in() -> None:
    """Who has folded may leave, too, and so may who is all in, whose hand is folded then (G2)."""
    game = game_of(3, starting_chips=40, small_limit=30, big_limit=30)
    state = after(game, f"{THREE}, ben fold, ben leave")
    assert (state.folded, state.left, waiting(game, state)) == ((1,), (1,), ["cat", "ann"])
    state = after(game, "cat bet 30, ann call, cat leave", state)
    assert (state.winners, state.chips) == (("ann",), (90, 30, 0))


def test_who_cannot_leave() -> None:
    """Who has left, or is out of the game, can't leave; nor can anybody once it is over (G2)."""
    game = game_of(3)
    state = after(game, f"{THREE}, cat leave")
    there = "must be a player who is still in the game: ann or ben"
    assert refused(game, state, "cat leave") == (breach(("player",), there),)
    out = replace(game.start(0), chips=(490, 490, 0), paid=(10, 10, 0))
    assert refused(game, out, "cat leave") == (breach(("player",), there),)
    over = after(game, "ann leave", state)
    ended = breach(("action",), "can't be performed: the game is over")
    assert refused(game, over, "ben leave") == (ended,)


def test_who_left_does_not_win_by_chips() -> None:
    """After the last hand, the most chips win among those who are there (G2, H37)."""
    game = game_of(3, hands=1)
    state = replace(game.start(0), chips=(40, 900, 500))
    state = after(game, f"{THREE}, ben leave, cat fold", state)
    assert (state.winners, state.chips) == (("cat",), (70, 900, 500))


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("games", first([6, 60]))
def test_games_end_whoever_goes_away(players: int, typed: bool, games: int) -> None:
    """Random games in which players leave and run out of time end, no chips are lost, and no state
    lists what can't be done (G1, G2).
    """
    for seed in range(games):
        rng = Random(seed)
        rules = HoldemRules(turn_seconds=1, starting_chips=100, small_blind=10, big_blind=10)
        table = GameTable(PLAYERS[:players], rules, typed_dice=typed)
        game = CommunityGame(VARIANT, table)
        state = game.start(0)
        while not state.over:
            moves = game.legal_moves(state)
            forced = moves[0].forced and (not typed or rng.random() < 0.7)
            if not forced and rng.random() < 0.3:
                state = timed_out(game, state, None if typed else rng.randrange)
            else:
                leaving = [move for move in moves if move.action == "leave"]
                playing = [move for move in moves if move not in leaving]
                move = rng.choice(leaving if not forced and rng.random() < 0.03 else playing)
                action = action_of(rng, move, 0)
                if typed and move.dice:
                    dice = game.chance(state, move, {}).draw(rng.randrange)
                    action = replace(action, dice=list(dice))
                state, _ = game.play(state, action, None if typed else rng.randrange)
            assert sum(state.chips) + sum(state.paid) == 100 * players
            acting = {PLAYERS.index(move.player) for move in game.moves(state)}
            assert acting.isdisjoint(state.left)
            assert bool(acting) != state.over
        assert {PLAYERS.index(name) for name in state.winners}.isdisjoint(state.left)


@pytest.mark.parametrize(
    ("rolled", "leaves"),
    [
        ("ben roll_pocket 1r 2b, ann roll_pocket 3w 4y", "cat"),
        ("ben roll_pocket 1r 2b, cat roll_pocket 5y 6y", "ann"),
        ("ben roll_pocket 1r 2b, cat roll_pocket 5y 6y", "ben"),
    ],
    ids=["the last without dice", "the dealer", "one with dice"],
)
def test_leaving_while_pockets_are_rolled(rolled: str, leaves: str) -> None:
    """The betting begins once all who are still there have their pockets (G2, H2)."""
    game = clocked(3)
    state = after(game, rolled)
    state, _ = game.play(state, Action("leave", leaves, 0))
    if leaves == "ben":
        assert game.view(state, None)["to_act"] == ["ann"]
        state = after(game, "ann roll_pocket 3w 4y", state)
    first = "cat" if leaves == "ben" else "ben"
    assert (game.view(state, None)["phase"], waiting(game, state)[0]) == ("betting", first)
