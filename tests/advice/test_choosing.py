"""The players of the service in beat it or bust and in games of layouts: what they choose."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from service.advice.choosing import Choice, Chosen, Strength
from service.advice.layout import choosing as layout
from service.advice.ranking import choosing as ranking
from service.advice.ranking.chances import options, winners
from service.advice.ranking.position import RankingPosition, RankingTurn
from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.layout.cards import Turn
from service.kinds.layout.game import LayoutGame
from service.kinds.layout.own_layout import read_lines
from service.kinds.layout.state import CardRoll, shown
from service.kinds.ranking.game import RankingGame
from service.rules.house_rules import HouseRules
from service.variants.poker_dice import VARIANT as POKER_DICE
from service.variants.poker_dice import PokerDiceRules
from service.variants.roll_a_royal import VARIANT as ROLL_A_ROYAL
from service.variants.roll_a_royal import RollARoyalRules

STRENGTHS = {each.value: each for each in Strength}


def test_weaker_players_lose_more() -> None:
    """On average, each strength loses less of the chance to win than the one below it."""
    rules, lost = POKER_DICE.default_rules, dict.fromkeys(Strength, 0.0)
    source = Random(2)
    for _ in range(300):
        dice = tuple(source.choices(range(1, 7), k=5))
        position = RankingPosition(dice, source.randint(1, 2), None, 2)
        found = {
            tuple(option.keep or ()) if option.keep is not None else None: option.loss
            for option in options(POKER_DICE, rules, position)
        }
        for strength in Strength:
            action, _ = ranking.choose_option(POKER_DICE, rules, position, strength, source)
            lost[strength] += found[tuple(action["keep"]) if "keep" in action else None]
    losses = [lost[strength] / 300 for strength in Strength]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == 0 < losses[-2] < 0.01 < losses[0] < 0.2


def chips(view: dict[str, Any]) -> Chosen:
    """What the best player does about chips."""
    rules = POKER_DICE.default_rules
    return ranking.choose(Choice(POKER_DICE, rules, view, (), Strength.BEST, Random(0)))


def seat(name: str, standing: str, stack: int = 100) -> dict[str, Any]:
    """A player at the table."""
    return {"id": name, "standing": standing, "stack": stack}


def test_chips_by_value() -> None:
    """Of two players, the first wins 44 % of the rounds and names the smallest ante; the second
    meets it; a raise that costs more than it brings on average is folded.
    """
    players = [seat("ann", "to_decide"), seat("ben", "to_decide")]
    view: dict[str, Any] = {
        "phase": "ante", "to_act": ["ann"], "starter": "ann", "players": players, "best": None,
        "turn": None, "pot": 0, "price": None,
    }  # fmt: skip
    first, second = winners(POKER_DICE, POKER_DICE.default_rules, None, [RankingTurn((), 3)] * 2)[
        1:
    ]
    assert (round(first, 2), round(second, 2)) == (0.44, 0.56)
    assert chips(view) == (
        {"action": "ante", "amount": 1},
        {"decided_by": "best_value", "expected": round(2 * first - 1, 1)},
    )
    asked = [seat("ann", "in"), seat("ben", "to_decide")]
    view = {**view, "phase": "antes", "to_act": ["ben"], "players": asked, "pot": 10, "price": 10}
    assert chips(view) == (
        {"action": "meet"},
        {"decided_by": "best_value", "expected": round(20 * second - 10, 1)},
    )
    five_fives = {"player": "ann", "dice": [5, 5, 5, 5, 5]}
    view = {**view, "phase": "raises", "best": five_fives, "pot": 40, "price": 20}
    assert chips(view) == ({"action": "fold"}, {"decided_by": "best_value", "expected": 0.0})


def test_raises() -> None:
    """With a hand that is hard to beat, what the others still meet is raised; with a bad hand,
    nothing is.
    """
    view = {
        "phase": "betting", "to_act": ["ann"], "starter": "ann", "turn": None, "pot": 20,
        "price": None, "players": [seat("ann", "in"), seat("ben", "in")],
        "best": {"player": "ann", "dice": [3, 3, 3, 6, 6]},
    }  # fmt: skip
    stays, beaten = winners(
        POKER_DICE, POKER_DICE.default_rules, (3, 3, 3, 6, 6), [RankingTurn((), 3)]
    )
    values = {
        raised: stays * (20 + 2 * raised) - raised if beaten * (20 + 2 * raised) >= raised else 20.0
        for raised in (1, 10, 20, 40, 100)
    }
    best = max(values, key=values.__getitem__)
    assert values[best] >= 20 > stays * 20
    assert chips(view) == (
        {"action": "raise", "amount": best},
        {"decided_by": "best_value", "expected": round(values[best], 1)},
    )
    worst = {**view, "best": {"player": "ann", "dice": [1, 2, 4, 5, 6]}}
    assert chips(worst)[0] == {"action": "check"}


GAMES = [
    (RankingGame, POKER_DICE, PokerDiceRules(rounds=20), ranking.choose),
    pytest.param(
        *(RankingGame, POKER_DICE, PokerDiceRules(rounds=None, stakes="own_stack")),
        ranking.choose,
        marks=pytest.mark.proof,
    ),
    (LayoutGame, ROLL_A_ROYAL, RollARoyalRules(turns=2), layout.choose),
    (LayoutGame, ROLL_A_ROYAL, RollARoyalRules(turns=None, target_score=3000), layout.choose),
]


@pytest.mark.parametrize(("kind", "variant", "rules", "choose"), GAMES)
def test_whole_games(kind: Any, variant: Any, rules: HouseRules, choose: Any) -> None:
    """Players of all strengths end a game; each knows no more than their view of it, as JSON."""
    game = kind(variant, GameTable((*STRENGTHS,), rules))
    state, source, done = game.start(0), Random(3), Counter[str]()
    while not state.over:
        (player, *_) = game.to_act(state)
        (move, *_) = game.moves(state)
        action = {"action": move.action}
        if not move.forced:
            view = json.loads(json.dumps(game.view(state, player)))
            action, because = choose(Choice(variant, rules, view, (), STRENGTHS[player], source))
            done[because["decided_by"]] += 1
        values = {name: value for name, value in action.items() if name != "action"}
        act = Action(action["action"], player, 0, values)
        state, _ = game.play(state, act, source.randrange)
    assert len(done) >= 3


def rolls_that_open(source: Random) -> tuple[tuple[str, ...], ...]:
    """The rolls of a whole turn of Roll-a-Royal that opened."""
    rules = RollARoyalRules()
    while True:
        rolls: tuple[tuple[str, ...], ...] = ()
        while len(rolls) < 3 and (not rolls or "--" in shown(rolls)):
            roll = CardRoll(ROLL_A_ROYAL, rules, rolls).draw(source.randrange)
            rolls = (*rolls, tuple(map(str, roll)))
        if not ROLL_A_ROYAL.lacks(ROLL_A_ROYAL.read_rolls(rolls), rules):
            return rolls


def turns(count: int, source: Random) -> list[Turn]:
    """Whole turns of Roll-a-Royal that opened."""
    return [ROLL_A_ROYAL.read_rolls(rolls_that_open(source)) for _ in range(count)]


def test_layouts() -> None:
    """Strong players lay the best layout; weak ones now and then a worse one, which is legal."""
    rules, source = RollARoyalRules(), Random(4)
    worse = Counter[Strength]()
    for turn, strength in product(turns(40, source), Strength):
        best = ROLL_A_ROYAL.evaluate(turn, rules).points
        action, because = layout.lay(ROLL_A_ROYAL, rules, turn, strength, source)
        points = 0
        if action["layout"]:
            lines = read_lines(action["layout"], 13, 100)
            points = ROLL_A_ROYAL.score(turn, lines, rules).points
        if points == best:
            assert because == {"decided_by": "laid_best_known", "points": best}
        else:
            assert because == {"decided_by": "laid_below_best", "points": points, "best": best}
            worse[strength] += 1
    assert worse[Strength.BEST] == worse[Strength.HARD] == 0
    assert 0 < worse[Strength.MEDIUM] < worse[Strength.EASY] < 40


def test_the_last_turn_is_played_to_win() -> None:
    """Who is ahead with the points of the last turn banks them, and who isn't risks them."""
    rules = RollARoyalRules(turns=10)
    view = {
        "order": ["ann", "ben"],
        "turns": 10,
        "turns_played": {"ann": 10, "ben": 9},
        "turn": {"player": "ben", "laid": {"points": 700}},
    }

    def played(ann: int) -> Chosen:
        given = {**view, "totals": {"ann": ann, "ben": 1000}}
        return layout.choose(Choice(ROLL_A_ROYAL, rules, given, (), Strength.BEST, Random(0)))

    assert played(1650) == ({"action": "bank"}, {"decided_by": "best_chance", "percent": 100})
    assert played(1750) == ({"action": "risk"}, {"decided_by": "best_chance", "percent": 50})


def test_reaching_the_target_first_is_not_a_win() -> None:
    """The round is played to its end (R34), so the next player can still win. Of three standings,
    points put ann ahead of ben by little and by much, or bring the target in the last turn.
    """
    rules = RollARoyalRules(turns=None, target_score=2500)

    def played(player: str, ann: int, ben: int, points: int) -> Chosen:
        view = {
            "order": ["ann", "ben"],
            "turns": None,
            "turns_played": {"ann": 7 + (player == "ben"), "ben": 7},
            "turn": {"player": player, "laid": {"points": points}},
            "totals": {"ann": ann, "ben": ben},
        }
        return layout.choose(Choice(ROLL_A_ROYAL, rules, view, (), Strength.BEST, Random(0)))

    by_little, by_much = played("ann", 2000, 2450, 510), played("ann", 2000, 100, 3000)
    assert by_little.action == {"action": "risk"}
    assert by_little.because["percent"] < 60
    assert by_much.action == {"action": "bank"}
    assert by_much.because["percent"] > 80
    ends = played("ben", 2510, 2450, 100)
    assert ends == ({"action": "bank"}, {"decided_by": "best_chance", "percent": 100})
