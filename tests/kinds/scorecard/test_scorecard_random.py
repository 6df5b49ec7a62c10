"""Hundreds of random games of score cards, followed by a reference that shares no code."""

from __future__ import annotations

from dataclasses import asdict
from random import Random

import pytest

from service.engine.actions import LEAVE, Action, Move
from service.engine.chance import Below
from service.engine.game import GameTable
from service.engine.parameters import Keep, OneOf
from service.kinds.scorecard.game import ScoreCardGame
from service.kinds.scorecard.state import ScoreCardState
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from service.variants.yahtzee_deluxe import VARIANT as YAHTZEE_DELUXE
from service.variants.yahtzee_deluxe import YahtzeeDeluxeRules
from tests.engine.clocked import timed_out
from tests.engine.random_play import SECOND, action_of
from tests.reference import score_card_games as reference

NAMES = ("ann", "ben", "cat", "dan", "eve", "fay")


def random_rules(rng: Random, variant: ScoreCard) -> HouseRules:
    """House rules of `variant` at random."""
    if variant is YAHTZEE_DELUXE:
        return YahtzeeDeluxeRules(
            direction=rng.choice(("clockwise", "counter_clockwise")),
            starting_throw=rng.choice(("all_dice", "one_die")),
        )
    return DicePokerRules(
        extra_five_bonus=rng.choice((0, 0, 50, 100)),
        joker=rng.random() < 0.5,
        five_alike_is_full_house=rng.random() < 0.5,
        turn_seconds=rng.choice((None, 1, 30)),
        throw_to_begin=rng.random() < 0.5,
        zero_only_if_nothing_fits=rng.random() < 0.5,
    )


def source(rng: Random) -> Below:
    """A source of chance, often one that draws all dice alike, so that rare boxes are filled."""
    if rng.random() < 0.5:
        return rng.randrange
    face = rng.randrange(6)
    return lambda below: face % below


def as_told(move: Move) -> tuple[str, str, int | None, list[str] | None]:
    """A move as the reference has it, nothing else in it."""
    assert set(move.values) <= {"keep", "box"}
    keep, box = move.values.get("keep"), move.values.get("box")
    kept = keep.count - 1 if isinstance(keep, Keep) else None
    boxes = list(box.words) if isinstance(box, OneOf) else None
    assert (move.dice is None) == (boxes is not None)
    assert move.forced == (move.action == "throw")
    return move.action, move.player, kept, boxes


def check(game: ScoreCardGame, state: ScoreCardState, slow: reference.ScoreCardGame) -> None:
    """All that `state` says is what the reference has."""
    assert [as_told(move) for move in game.moves(state)] == slow.legal()
    leavers = [move.player for move in game.legal_moves(state) if move.kind is LEAVE]
    assert leavers == ([] if slow.over() else slow.there())
    view = game.view(state, None)
    assert view["cards"].keys() == set(slow.players)
    for player, shown in view["cards"].items():
        card = slow.card(player)
        assert list(shown["scores"].items()) == [(box, card.get(box)) for box in slow.boxes]
        assert shown["total"] == slow.total(player)
    assert len(slow.turns) == state.turns
    if slow.throwing():
        assert (view["phase"], view["to_act"]) == ("throwing", slow.throwing())
        assert (state.deadline is None) == (game.lasts is None)
        return
    assert view["order"] == slow.order()
    assert state.deadline == slow.deadline()
    if slow.over():
        assert (view["phase"], view["to_act"], view["winners"]) == ("over", [], slow.winners())
        return
    player = slow.to_act()
    rolled = slow.rolls[-1] if slow.rolls else None
    assert (view["phase"], view["to_act"]) == ("playing", [player])
    assert view["turn"]["player"] == player
    assert view["turn"]["dice"] == rolled
    assert view["turn"]["rolls_left"] == 3 - len(slow.rolls)
    assert view["turn"]["scores"] == (slow.worth(player, rolled) if rolled else None)


@pytest.mark.parametrize("variant", [DICE_POKER, YAHTZEE_DELUXE], ids=lambda v: str(v.id))
@pytest.mark.parametrize(
    ("seed", "games"), [(0, 8), *(pytest.param(n, 30, marks=pytest.mark.proof) for n in range(5))]
)
def test_random_games(variant: ScoreCard, seed: int, games: int) -> None:
    """Cards, totals, turn order, deadlines and every list of legal moves are the reference's."""
    rng = Random(f"{variant.id} {seed}")
    for number in range(games):
        players = NAMES[: rng.randint(1, 6 if number % 5 == 0 else 3)]
        rules = random_rules(rng, variant)
        game = ScoreCardGame(variant, GameTable(players, rules))
        slow = reference.ScoreCardGame(players, variant is DICE_POKER, asdict(rules), 5)
        state, at = game.start(5), 5
        check(game, state, slow)
        while not state.over:
            if state.deadline is not None and not state.starting and rng.random() < 0.1:
                at = state.deadline
                state = timed_out(game, state)
                slow.time_up()
            elif not state.starting and rng.random() < 0.01:
                at += rng.randrange(SECOND)
                player = rng.choice(slow.there())
                state, _ = game.play(state, Action(LEAVE.name, player, at))
                slow.leave(player, at)
            else:
                at += rng.randrange(SECOND)
                move = rng.choice(game.moves(state))
                action = action_of(rng, move, at)
                state, dice = game.play(state, action, source(rng))
                box = action.values.get("box")
                assert box is None or isinstance(box, str)
                one = slow.rules.get("starting_throw") == "one_die"
                assert action.name != "throw" or len(dice) == (1 if one else variant.dice.count)
                slow.act(action.name, action.player, box, [int(die) for die in dice], at)
            check(game, state, slow)
        assert state.turns == len(players) * len(variant.boxes)
        for player, shown in game.view(state, None)["cards"].items():
            written = {**shown["scores"], "extra_fives": shown.get("extra_fives", 0)}
            if variant is YAHTZEE_DELUXE:
                del written["extra_fives"]
            card = variant.read_card(written)
            assert variant.total(card, rules).total == slow.total(player)
