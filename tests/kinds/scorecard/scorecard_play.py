"""Playing games of score cards action by action, with typed dice."""

from __future__ import annotations

from typing import Any

import pytest

from service.api.sessions.answers import move_json
from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.scorecard.game import ScoreCardGame
from service.kinds.scorecard.state import ScoreCardState
from service.rules.house_rules import HouseRules
from service.rules.violations import InvalidInput, Violation
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from service.variants.yahtzee_deluxe import VARIANT as YAHTZEE_DELUXE

ONE, TWO = ("ann",), ("ann", "ben")

POKER_BOXES = [box.id for box in DICE_POKER.boxes]

YAHTZEE_BOXES = [box.id for box in YAHTZEE_DELUXE.boxes]

NO_CLOCK = DicePokerRules(turn_seconds=None)


def poker(players: tuple[str, ...] = TWO, rules: DicePokerRules = NO_CLOCK) -> ScoreCardGame:
    """A game of dice-poker whose dice are typed in."""
    return ScoreCardGame(DICE_POKER, GameTable(players, rules, typed_dice=True))


def yahtzee(players: tuple[str, ...] = ONE) -> ScoreCardGame:
    """A game of Yahtzee Deluxe whose dice are typed in."""
    return ScoreCardGame(YAHTZEE_DELUXE, GameTable(players, HouseRules(), typed_dice=True))


def act(
    game: ScoreCardGame,
    state: ScoreCardState,
    name: str,
    dice: object = None,
    *,
    player: str | None = None,
    at: int = 0,
    **values: object,
) -> ScoreCardState:
    """The state after an action, of whoever can act first if no player is named."""
    moves = game.moves(state)
    player = player or (moves[0].player if moves else game.table.players[0])
    return game.play(state, Action(name, player, at, values, dice))[0]


def turn(
    game: ScoreCardGame, state: ScoreCardState, dice: list[int], box: str, name: str = "score"
) -> ScoreCardState:
    """The state after a turn of one roll."""
    return act(game, act(game, state, "roll", dice), name, box=box)


def violations(
    game: ScoreCardGame, state: ScoreCardState, name: str, dice: object = None, **values: Any
) -> tuple[Violation, ...]:
    """All that is wrong with an action."""
    with pytest.raises(InvalidInput) as refused:
        act(game, state, name, dice, **values)
    return refused.value.violations


def listed(game: ScoreCardGame, state: ScoreCardState) -> list[dict[str, Any]]:
    """All legal moves as JSON."""
    return [move_json(move, typed_dice=True) for move in game.moves(state)]


def turn_to_begin(player: str, count: int, boxes: list[str], most: int) -> list[dict[str, Any]]:
    """The JSON of the moves before a turn with `count` dice: a roll, or the whole turn in one of
    `boxes`, which have up to `most` points.
    """
    turn = {
        "box": {"type": "string", "enum": boxes},
        "points": {"type": "integer", "minimum": 0, "maximum": most},
        "dice": shape(count),
    }
    return [
        {"action": "roll", "player": player, "dice": shape(count)},
        {"action": "write", "player": player, **turn},
    ]


def shape(count: int) -> dict[str, Any]:
    """The JSON of typed dice."""
    face = {"type": "integer", "minimum": 1, "maximum": 6}
    return {"type": "array", "items": face, "minItems": count, "maxItems": count}
