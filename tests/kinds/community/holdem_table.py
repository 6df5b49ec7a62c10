"""A table of Hold'em at which games are played by the script, or at random."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from service.api.sessions.answers import bound_schema
from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.community.game import CommunityGame
from service.kinds.community.state import CommunityState
from service.rules.violations import InvalidInput, Violation
from service.variants.texas_holdem_dice import VARIANT, HoldemRules
from tests.engine.random_play import play

PLAYERS = ("ann", "ben", "cat", "dan", "eve", "fay")

POCKETS = {
    2: "ben roll_pocket 1r 2b, ann roll_pocket 3w 4y",
    3: "ben roll_pocket 1r 2b, cat roll_pocket 5y 6y, ann roll_pocket 3w 4y",
    4: """ben roll_pocket 1r 2b, cat roll_pocket 5y 6y, dan roll_pocket 1b 2r,
        ann roll_pocket 3w 4y""",
}
"""The pockets of so many players, rolled in order."""

Played = list[tuple[CommunityState, Action, CommunityState]]


def codes(dice: str) -> tuple[int, ...]:
    """Dice in notation, with spaces between, as codes."""
    written = dice.split()
    return VARIANT.dice.read_codes(written, (len(written),))


def game_of(players: int, **rules: Any) -> CommunityGame:
    """A game of the first of `PLAYERS` under house rules."""
    return CommunityGame(
        VARIANT, GameTable(PLAYERS[:players], HoldemRules(**rules), typed_dice=True)
    )


def action_of(line: str) -> Action:
    """An action as written: `ben bet 10`, `ann roll_pocket 6r 6b`."""
    player, name, *rest = line.split()
    if rest and rest[0].isdigit():
        return Action(name, player, 0, {"amount": int(rest[0])})
    return Action(name, player, 0, dice=rest or None)


def after(game: CommunityGame, script: str, state: CommunityState | None = None) -> CommunityState:
    """The state after a script, from the start of the game or from `state` on.

    Actions are parted by commas; `*` stands for all who are to act, one after the other.
    """
    state = state or game.start(0)
    for line in script.replace("\n", " ").split(","):
        if line.strip().startswith("*"):
            for player in waiting(game, state):
                state, _ = game.play(state, action_of(line.replace("*", player)))
        else:
            state, _ = game.play(state, action_of(line))
    return state


def waiting(game: CommunityGame, state: CommunityState) -> list[str]:
    """The players who have yet to act in this round."""
    return [game.table.players[seat] for seat in state.betting.to_act] if state.betting else []


def legal(game: CommunityGame, state: CommunityState) -> list[tuple[Any, ...]]:
    """The legal moves: action, player and, where there is an amount, its least and its most."""
    return [
        (
            move.action,
            move.player,
            *[
                bound
                for shape in map(bound_schema, move.values.values())
                for bound in (shape["minimum"], shape["maximum"])
            ],
        )
        for move in game.moves(state)
    ]


def refused(game: CommunityGame, state: CommunityState, line: str) -> tuple[Violation, ...]:
    """What is wrong with an action."""
    with pytest.raises(InvalidInput) as refusal:
        game.play(state, action_of(line))
    return refusal.value.violations


def random_game(game: CommunityGame, seed: int) -> Played:
    """A whole game at random: every action with the states before and after it."""
    played: Played = []
    play(game, Random(seed), lambda *step: played.append(step))
    return played
