"""A player who only ever picks from what is legal, at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from service.api.schemas.shapes import JsonSchema
from service.api.sessions.answers import bound_schema
from service.engine.actions import LEAVE, Action, Move
from service.engine.game import Game
from service.engine.state import State
from service.rules.variant import Variant

VariantT = TypeVar("VariantT", bound=Variant)
StateT = TypeVar("StateT", bound=State)

SECOND = 1_000


def picked(rng: Random, shape: JsonSchema) -> Any:
    """Any value that `shape`, as moves list their bounds, allows."""
    if "const" in shape:
        return shape["const"]
    if "enum" in shape:
        return rng.choice(list(shape["enum"]))
    if shape.get("type") == "integer":
        step = shape.get("multipleOf", 1)
        return rng.randrange(shape["minimum"], shape["maximum"] + 1, step)
    if shape.get("type") == "array" and shape.get("uniqueItems"):
        items = range(shape["items"]["minimum"], shape["items"]["maximum"] + 1)
        most = min(shape.get("maxItems", len(items)), len(items))
        return rng.sample(items, rng.randint(shape.get("minItems", 0), most))
    return shape["default"]


def action_of(rng: Random, move: Move, at: int) -> Action:
    """`move` with values picked at random, dice not rolled yet."""
    bounds = {name: bound for name, bound in move.values.items() if name != move.kind.instead}
    shapes = {name: bound_schema(bound) for name, bound in bounds.items()}
    values = {name: picked(rng, shape) for name, shape in shapes.items()}
    return Action(move.action, move.player, at, values)


def play(
    game: Game[VariantT, StateT],
    rng: Random,
    watch: Callable[[StateT, Action, StateT], None],
    *,
    most: int = 100_000,
    leaving: float = 0.0,
) -> StateT:
    """A whole game, each state handed to `watch` with the action that led to it; the last state.

    Forced moves are made first, as the service makes them; before each action, with the chance
    `leaving`, a player leaves. Fails beyond `most` actions.
    """
    state = game.start(0)
    for step in range(most):
        moves = game.moves(state)
        if not moves:
            return state
        move = moves[0] if moves[0].forced else rng.choice(moves)
        if leaving and rng.random() < leaving:
            move = rng.choice([each for each in game.legal_moves(state) if each.kind is LEAVE])
        action = action_of(rng, move, step * SECOND)
        declared = {value: kind.bound for value, kind in move.kind.values.items()}
        assert {value: type(bound) for value, bound in move.values.items()}.items() <= (
            declared.items()
        ), "a move takes what its action declares"
        assert move.kind in (*game.actions(game.variant), LEAVE), (
            "a move is one of the game's actions"
        )
        after, dice = game.play(state, action, rng.randrange)
        if dice:
            action = replace(action, dice=dice)
            assert game.play(state, action)[0] == after, "the same dice typed in do the same"
        watch(state, action, after)
        state = after
    raise AssertionError(f"the game still goes on after {most} actions")
