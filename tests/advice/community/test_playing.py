"""How computers bet in Hold'em: legally in every game, as their strength says, and repeatably."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from service.advice.choosing import Chosen, Strength
from service.advice.community.playing import STYLES, Spot, Style, decide, planned, play
from service.advice.community.rounds import facing
from service.advice.community.strategy import all_classes, strategy
from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.community.game import CommunityGame
from service.kinds.community.state import CommunityState
from service.kinds.community.variant import CommunityRanking
from service.rules.house_rules import read_rules
from service.rules.reasons import spoken
from service.variants.texas_holdem_dice import VARIANT
from tests.advice.community.matches import OPPONENTS, all_hands, best, match
from tests.trial_games.small_holdem import VARIANT as SMALL

NAMES = ("ann", "ben", "cat", "dan")


def begun(variant: CommunityRanking, players: int, rules: dict[str, Any]) -> CommunityGame:
    """A game of so many players."""
    return CommunityGame(
        variant, GameTable(NAMES[:players], read_rules(variant.house_rules, rules))
    )


def chosen(game: CommunityGame, state: CommunityState, strength: Strength, seed: int) -> Chosen:
    """What the player who has to bet chooses, by what that player sees."""
    moves = game.moves(state)
    player, dice = moves[0].player, game.variant.dice
    view = game.view(state, player)
    pocket = dice.read_codes(view["pocket"], (game.variant.pocket,))
    community = dice.read_codes(view["community"], (len(view["community"]),))
    spot = Spot.of(game.variant, view, player)
    rules, source = game.table.rules, Random(seed)
    return play(game.variant, rules, spot, pocket, community, moves, strength, source)


def played(game: CommunityGame, seed: int, actions: int) -> list[tuple[str, Chosen]]:
    """What players of all strengths chose in so many actions of a game; the engine checks them."""
    source, state, choices = Random(seed), game.start(0), []
    for number in range(actions):
        if state.over:
            break
        player = game.moves(state)[0].player
        action = Action(game.moves(state)[0].action, player, 0)
        if state.betting:
            strength = [*STYLES][NAMES.index(player)]
            choice = chosen(game, state, strength, number)
            choices.append((player, choice))
            values = {name: each for name, each in choice.action.items() if name != "action"}
            action = Action(choice.action["action"], player, 0, values)
        state, _ = game.play(state, action, source.randrange)
    return choices


@pytest.mark.parametrize(
    ("variant", "players", "rules"),
    [
        (VARIANT, 2, {}),
        (VARIANT, 2, {"starting_chips": 60, "bet_size": "fixed"}),
        (VARIANT, 3, {"betting": "pot_limit", "small_blind": 10, "big_blind": 20}),
        (VARIANT, 4, {"betting": "no_limit", "starting_chips": 200, "kickers": False}),
        (VARIANT, 4, {"max_raises": 0, "ante": 0}),
        (SMALL, 2, {}),
    ],
)
def test_choices_are_legal(variant: CommunityRanking, players: int, rules: dict[str, Any]) -> None:
    """Players of all strengths can play whole games, whatever the betting; reasons have texts."""
    for seed in range(3):
        for player, choice in played(begun(variant, players, rules), seed, 80):
            assert player in NAMES
            assert spoken(choice.because).startswith("The hand is worth ")


def test_knows_only_the_view() -> None:
    """A choice is repeated with the same seed, and doesn't depend on pockets of others."""
    game = begun(VARIANT, 2, {})
    state = game.start(0)
    for name in ("ann", "ben"):
        state, _ = game.play(state, Action("roll_pocket", name, 0), Random(name).randrange)
    ann, ben = state.pockets
    for strength in STYLES:
        for other in (ann, (0, 0)):  # ben acts first
            hidden = CommunityState(**{**fields(state), "pockets": (other, ben)})
            found = [chosen(game, each, strength, 3) for each in (state, state, hidden)]
            assert found[0] == found[1] == found[2]
            planned = "by_strategy" if strength is Strength.BEST else "by_equity"
            assert found[0].because["decided_by"] == planned


def fields(state: CommunityState) -> dict[str, Any]:
    """The fields of `state` by name."""
    return {name: getattr(state, name) for name in state.__dataclass_fields__}


def test_spots() -> None:
    """What all see of a table becomes the decision that the strategy has a plan for."""
    game = begun(VARIANT, 2, {})
    state, source = game.start(0), Random(5)
    script = ["roll_pocket", "roll_pocket", "check", "bet", "raise", "call", "roll_flop", "bet"]
    spots = []
    for name in script:
        move = next(move for move in game.moves(state) if move.action == name)
        values = {"amount": 10} if name in ("bet", "raise") else {}
        if state.betting:
            spots.append(Spot.of(VARIANT, game.view(state, move.player), move.player))
        state, _ = game.play(state, Action(name, move.player, 0, values), source.randrange)
    assert [spot.node for spot in spots] == [0, 1, facing(1, 1), facing(1, 2), 0]
    assert [spot.past(10).chips for spot in spots] == [0, 0, 0, 0, 2]
    assert spots[3] == Spot(0, 50, 10, 10, 2, 1, 2, acts_first=False)


@pytest.mark.parametrize(
    ("rules", "players", "found"),
    [
        ({}, 2, True),
        ({"ante": 20, "small_limit": 20, "big_limit": 40, "yahtzee_flush": "off"}, 2, True),
        ({}, 3, False),
        ({"betting": "no_limit"}, 2, False),
        ({"small_blind": 10, "big_blind": 10}, 2, False),
        ({"big_limit": 10}, 2, False),
        ({"kickers": False}, 2, False),
        ({"suits_break_ties": False}, 2, False),
    ],
)
def test_planned(rules: dict[str, Any], players: int, found: bool) -> None:
    """The strategy is for two players with the default hands, and limits in proportion to the
    default ones.
    """
    ante = rules.get("ante", 10)
    spot = Spot(0, players * ante, 0, ante, 0, players - 1, players, acts_first=True)
    assert planned(read_rules(VARIANT.house_rules, rules), spot) is found


def test_not_planned_without_the_rounds_before() -> None:
    """After the pockets, the strategy depends on how the rounds before were closed."""
    rules = VARIANT.default_rules
    spot = Spot(2, 60, 0, 30, 0, 1, 2, acts_first=True)
    assert not planned(rules, spot)
    assert planned(rules, replace(spot, closings=(1, facing(0, 1))))
    raised = Spot(0, 50, 10, 20, 1, 1, 2, acts_first=False)  # not only the antes
    assert not planned(rules, raised)


def test_styles() -> None:
    """Folds below the price, bets from an equity on, and more for each bet; errors are random."""
    equity = np.array([0.1, 0.3, 0.55, 0.65, 0.75])
    free, price = Spot(3, 60, 0, 30, 0, 1, 2, True), Spot(3, 60, 20, 20, 1, 1, 2, True)
    half = np.full(5, 0.5)
    assert decide(Style(), free, equity, half).tolist() == [1, 1, 1, 2, 2]
    assert decide(Style(), price, equity, half).tolist() == [0, 1, 1, 1, 2]
    assert decide(Style(fold_below=0.6), price, equity, half).tolist() == [0, 0, 0, 1, 2]
    assert decide(Style(error=0.2), free, equity, half + 0.49).tolist() == [1, 1, 2, 2, 2]
    assert decide(Style(range=0.5), price, equity, half).tolist() == [0, 0, 0, 1, 1]
    assert decide(Style(bluffs=0.2), free, equity, half / 5).tolist() == [2, 2, 1, 2, 2]
    assert decide(Style(), replace(free, stage=1), equity, half).tolist() == [1, 1, 2, 2, 2]
    assert decide(Style(), replace(price, stage=1), equity, half).tolist() == [0, 1, 1, 1, 2]


def test_a_flop_that_would_be_rolled_again() -> None:
    """Players bet more often on a flop that is rolled again if all check (H13) than on one that
    stays.
    """
    found = set()
    for seed in range(40):
        actions = []
        for rules in ({}, {"flop_rerolls": 0}):
            game, source = begun(VARIANT, 2, rules), Random(seed)
            state = game.start(0)
            for name in ("roll_pocket", "roll_pocket", "check", "check", "roll_flop"):
                action = Action(name, game.moves(state)[0].player, 0)
                state, _ = game.play(state, action, source.randrange)
            actions.append(chosen(game, state, Strength.HARD, 1).action["action"])
        found.add(tuple(actions))
    assert found == {("check", "check"), ("bet", "bet"), ("bet", "check")}


@pytest.mark.proof
def test_wins() -> None:
    """`best` wins chips from others in few hands, where it wins many; all dice from both seats."""
    found = {name: match(best, OPPONENTS[name], 2_000, 1) for name in ("always call", "tight")}
    assert {name for name, won in found.items() if won.mean > 3 * won.error} == {*found}
    assert match(best, best, 500, 1).mean == pytest.approx(0, abs=10)


@pytest.mark.proof
def test_classes() -> None:
    """A hand at the table is in the class in which the solver and the matches have it."""
    deals = all_hands().deal(300, np.random.default_rng(2))
    for player in (0, 1):
        classes = all_classes(strategy().cuts, all_hands().held(deals, player).outlooks)
        for deal, *found in zip(deals.tolist(), *classes, strict=True):
            pocket, community = deal[2 * player : 2 * player + 2], deal[4:]
            outlooks = strategy().outlooks(VARIANT.default_rules, pocket, community)
            stages = range(1, len(outlooks) + 1)
            assert [strategy().class_of(outlooks[:stage])[0] for stage in stages] == found


@pytest.mark.proof
@pytest.mark.parametrize("name", OPPONENTS)
def test_wins_many_hands(name: str) -> None:
    """`best` wins chips from all others by three standard errors over 50,000 hands."""
    won = match(best, OPPONENTS[name], 25_000, 1)
    assert won.mean > 3 * won.error


def test_share_of_choices() -> None:
    """Weaker players fold and raise with other hands than stronger ones."""
    equity = np.linspace(0, 1, 1_001)
    spot = Spot(2, 60, 20, 20, 1, 1, 2, acts_first=True)
    source = np.random.default_rng(1)
    counts = {
        strength: Counter[int](OPPONENTS[strength](spot, equity, np.array([]), source).tolist())
        for strength in ("easy", "medium", "hard")
    }
    assert counts["hard"] == {0: 438, 1: 337, 2: 226}
    assert all(len(count) == 3 for count in counts.values())
