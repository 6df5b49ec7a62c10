"""Players who leave a game of score cards (G2)."""

from __future__ import annotations

import pytest

from service.engine.actions import Action
from service.kinds.scorecard.game import ScoreCardGame
from service.kinds.scorecard.state import ScoreCardState
from service.rules.violations import InvalidInput
from service.variants.dice_poker import DicePokerRules
from tests.engine.clocked import timed_out
from tests.engine.random_play import SECOND
from tests.kinds.scorecard.scorecard_play import POKER_BOXES, TWO, act, poker, turn
from tests.kinds.scorecard.test_scorecard_clock import throwing
from tests.problems import breach
from tests.reasons import said

THREE = ("ann", "ben", "cat")


def leave(game: ScoreCardGame, state: ScoreCardState, player: str, at: int = 0) -> ScoreCardState:
    """The state after `player` left."""
    return game.play(state, Action("leave", player, at))[0]


def zero(player: str, box: str) -> dict[str, object]:
    """The news of a turn of somebody who left."""
    reason = f"{player} gives up the turn: {box} gets a zero (G2)."
    entry = {"what": "crossed_out", "player": player, "dice": [], "box": box, "score": 0}
    return {**entry, "reason": reason}


def left(player: str) -> dict[str, object]:
    """The news that `player` left."""
    return {"what": "left", "player": player, "reason": f"{player} has left the game (G2)."}


def test_zeros_when_the_turns_come() -> None:
    """The open boxes of who left get zeros when their turns come; no turn is waited for (G2)."""
    game = poker(THREE)
    state = turn(game, game.start(0), [1] * 5, "ones")
    state = leave(game, state, "cat")
    assert said(state.news) == (left("cat"),)
    assert (state.left, game.view(state, None)["to_act"]) == ((2,), ["ben"])
    state = turn(game, state, [2] * 5, "twos")
    assert said(state.news)[1:] == (zero("cat", "ones"),)
    assert game.view(state, None)["to_act"] == ["ann"]


def test_the_player_at_turn() -> None:
    """The turn of a player who leaves during it gets a zero, whatever the dice (G2)."""
    game = poker(TWO)
    state = leave(game, act(game, game.start(0), "roll", [6] * 5), "ann")
    assert said(state.news) == (left("ann"), zero("ann", "ones"))
    assert (state.dice, state.rolls, game.view(state, None)["to_act"]) == ((), 0, ["ben"])


def test_the_clock_goes_on() -> None:
    """The clock of a turn runs on if somebody else leaves, and starts again with the next turn."""
    game = poker(THREE, DicePokerRules(turn_seconds=30))
    state = leave(game, game.start(0), "cat", at=5 * SECOND)
    assert state.deadline == 30 * SECOND
    assert leave(game, state, "ann", at=9 * SECOND).deadline == 39 * SECOND


def test_who_left_can_not_win() -> None:
    """Who left comes last, behind those who stayed with fewer points (G2)."""
    game = poker(TWO)
    state = leave(game, turn(game, game.start(0), [6] * 5, "five_of_a_kind"), "ann")
    for box in POKER_BOXES:
        state = turn(game, state, [1, 1, 2, 3, 6], box, "cross_out")
    assert state.winners == ("ben",)
    assert said(state.news[-1])["places"] == [
        {"place": 1, "players": ["ben"], "total": 0, "reason": "Stayed to the end; ann left (G2)."},
        {"place": 2, "players": ["ann"], "total": 50, "reason": "The lowest total here: 50."},
    ]


def test_everybody_leaves() -> None:
    """If all leave, the game is over, and the highest total wins (G2)."""
    game = poker(TWO)
    state = leave(game, turn(game, game.start(0), [6] * 5, "five_of_a_kind"), "ben")
    state = leave(game, state, "ann")
    assert (state.over, state.winners, game.legal_moves(state)) == (True, ("ann",), [])
    assert [entry["what"] for entry in state.news] == [
        "left",
        *["crossed_out"] * (12 + 12),
        "game_over",
    ]


def test_once_only() -> None:
    """Who has left can't leave again, and nobody can once the game is over."""
    game = poker(THREE)
    state = leave(game, game.start(0), "cat")
    with pytest.raises(InvalidInput) as refused:
        leave(game, state, "cat")
    there = breach(("player",), "must be a player who is still in the game: ann or ben")
    assert refused.value.violations == (there,)
    over = leave(game, leave(game, state, "ann"), "ben")
    with pytest.raises(InvalidInput) as refused:
        leave(game, over, "ben")
    assert refused.value.violations == (
        breach(("action",), "can't be performed: the game is over"),
    )


def test_before_it_is_known_who_begins() -> None:
    """Who left doesn't throw, and their throws don't count (G2)."""
    game = throwing(THREE)
    state = leave(game, game.start(0), "ann")
    assert [entry["what"] for entry in state.news] == ["left"]
    state = act(game, state, "throw", [6, 6], player="ben")
    state = act(game, state, "throw", [6, 6], player="cat")
    assert game.view(state, None)["to_act"] == ["ben", "cat"]
    state = leave(game, state, "ben")
    gone = {"what": "left", "player": "ben", "reason": "ben has left the game."}
    assert said(state.news) == (gone,)
    assert game.view(state, None)["to_act"] == ["cat"]


def test_leaving_and_being_late() -> None:
    """Who left amid throws neither has to throw again nor begins, also if time is up (G1, G2)."""
    game = throwing(THREE)
    state = act(game, game.start(0), "throw", [4, 4], player="ann")
    state = act(game, state, "throw", [4, 4], player="ben")
    state = timed_out(game, leave(game, state, "ben"))
    assert (state.starting, game.view(state, None)["to_act"]) == (None, ["ann"])
    late = timed_out(game, leave(game, game.start(0), "ann"))
    assert game.view(late, None)["to_act"] == ["ben"]
    assert said(late.news)[-1]["reason"] == "Nobody threw, so ben begins."


def test_everybody_leaves_amid_throws() -> None:
    """If all leave before it is known who begins, the game is over (G2)."""
    game = throwing(TWO)
    state = leave(game, leave(game, game.start(0), "ann"), "ben")
    assert (state.over, state.winners) == (True, TWO)
