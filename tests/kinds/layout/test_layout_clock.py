"""The clock of roll-a-royal, and players who leave (G1, G2)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.layout.game import LayoutGame
from service.kinds.layout.state import LayoutState
from service.variants.roll_a_royal import VARIANT, RollARoyalRules
from tests.engine.clocked import timed_out
from tests.kinds.layout.layout_table import PAIR, do, game, rolls
from tests.reasons import said
from tests.variants.test_roll_a_royal import LOW

SECOND = 1_000
BEGUN: tuple[tuple[str, Any], ...] = (("throw", [1]), ("throw", [2]))


def clocked(*players: str, typed_dice: bool = True) -> LayoutGame:
    """A game of two turns each with ten seconds for each, where pairs count alone."""
    rules = RollARoyalRules(layout="either", turns=2, turn_seconds=10)
    return LayoutGame(VARIANT, GameTable(players, rules, typed_dice=typed_dice))


def leave(game: LayoutGame, state: LayoutState, player: str) -> LayoutState:
    """The state after `player` left."""
    return game.play(state, Action("leave", player, 0))[0]


def whats(state: LayoutState) -> list[str]:
    """What the news is about."""
    return [entry["what"] for entry in state.news]


def test_a_turn_has_one_clock() -> None:
    """The clock starts with the turn, and neither rolls nor the layout start it again (G1)."""
    one = clocked("ann")
    state = one.start(0)
    actions: list[tuple[Any, ...]] = [*rolls(PAIR), ("lay",)]
    for action in actions:
        state = do(one, state, *action)
        assert state.deadline == 10 * SECOND
    state = do(one, state, "bank")
    assert state.deadline == 10 * SECOND, "the turn ended at the time of its last action, 0"


@pytest.mark.parametrize(
    ("actions", "what"),
    [
        ([], ["time_up", "passed"]),
        (rolls(PAIR), ["time_up", "laid", "banked"]),
        ([*rolls(PAIR), ("lay",)], ["time_up", "banked"]),
    ],
    ids=["nothing rolled", "rolled", "laid"],
)
def test_time_up(actions: list[tuple[str, list[str]]], what: list[str]) -> None:
    """The best layout is laid, and its points count; without a roll the turn passes (G1)."""
    one = clocked("ann")
    state = one.start(0)
    for action in actions:
        state = do(one, state, *action)
    state = timed_out(one, state)
    assert whats(state) == what
    assert said(state.news)[0]["reason"] == "ann's time is up (G1)."
    assert state.totals == ((50,) if actions else (0,))
    assert (state.played, state.deadline) == (1, 20 * SECOND)


def test_the_service_rolls() -> None:
    """A roll that is due when time is up is made where the service rolls (G1)."""
    one = clocked("ann", typed_dice=False)
    after, steps = one.time_up(one.start(0), 10 * SECOND, Random(1).randrange)
    assert [(step.player, step.action) for step in steps] == [
        (None, "time_up"),
        ("ann", "roll"),
        ("ann", "lay"),
        ("ann", "bank"),
    ]
    assert (len(steps[1].dice), after.played, after.over) == (13, 1, False)
    assert steps[2].decided is not None


def test_turns_of_who_left_pass() -> None:
    """Nobody waits for the turns of who left, and who left can't win (G2)."""
    two = game("ann", "ben", layout="either", turns=2)
    state = two.start(0)
    for action in (*BEGUN, *rolls(PAIR), ("lay",), ("bank",)):
        state = do(two, state, *action)
    state = leave(two, state, "ben")
    assert (whats(state), two.view(state, None)["to_act"]) == (["left"], ["ann"])
    for _ in range(2):
        state = do(two, state, "roll", LOW)
    assert (state.winners, whats(state)) == (("ann",), ["passed", "game_over"])
    assert [place["players"] for place in two.view(state, None)["places"]] == [["ann"], ["ben"]]
    reason = said(two.view(state, None))["places"][0]["reason"]
    assert reason == "Stayed to the end; ben left (G2)."


def test_leaving_amid_a_turn() -> None:
    """The turn of who leaves during it passes, with its points (G2)."""
    two = game("ann", "ben", layout="either")
    state = two.start(0)
    for action in (*BEGUN, *rolls(PAIR), ("lay",)):
        state = do(two, state, *action)
    state = leave(two, state, "ben")
    assert (state.totals, state.rolls, state.laid) == ((0, 0), (), None)
    assert two.view(state, None)["to_act"] == ["ann"]


def test_everybody_leaves() -> None:
    """If all leave, the game is over, and the highest total wins (G2)."""
    two = game("ann", "ben", layout="either", turns=None, target_score=100)
    state = two.start(0)
    for action in (*BEGUN, *rolls(PAIR), ("lay",), ("bank",)):
        state = do(two, state, *action)
    state = leave(two, leave(two, state, "ben"), "ann")
    assert (state.over, state.winners) == (True, ("ben",))
    assert said(state.news)[-1]["reason"] == "Everybody has left (G2)."
