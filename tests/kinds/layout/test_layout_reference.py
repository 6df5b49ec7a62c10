"""Random games of roll-a-royal, followed by a slow reading of the rules; and their states."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import orjson
import pytest

from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.layout.game import LayoutGame
from service.kinds.layout.state import LayoutState
from service.kinds.layout.variant import LayoutRules
from service.variants.roll_a_royal import DICE_SET, VARIANT, RollARoyalRules
from tests.engine.random_play import play
from tests.reference.crossword import worth
from tests.reference.grid_reader import points_of_grid

RULES = [
    LayoutRules(turns=2),
    LayoutRules(turns=2, opening="none"),
    LayoutRules(turns=3, layout="unconnected"),
    LayoutRules(turns=None, target_score=1500, layout="either"),
    LayoutRules(turns=3, target_score=600),
    RollARoyalRules(turns=None, target_score=600, opening="none"),
    RollARoyalRules(turns=None, target_score=600, opening="none", finish_round=False),
]


SPADES = replace(
    VARIANT,
    dice=replace(
        VARIANT.dice, dice_set=tuple((f"{rank}s",) * 4 + ("--",) * 2 for rank in "23456789TJQKA")
    ),
)
"""Spades on every die, which make many a super royal."""

Grid = list[tuple[int, int, int]]
"""Die, row and column of each die that is laid."""


def opens(roll: list[str]) -> bool:
    """Jacks or better, or any hand above a pair, looked for one by one (R25)."""
    cards = [face for face in roll if face != "--"]
    ranks = Counter(card[0] for card in cards)
    suits = Counter(card[1] for card in cards)
    if any(ranks[rank] >= 2 for rank in "JQKA"):
        return True
    if max(ranks.values(), default=0) >= 3 or max(suits.values(), default=0) >= 5:
        return True
    return any(set("A23456789TJQKA"[low : low + 5]) <= set(ranks) for low in range(10))


class Follower:
    """What the rules allow and add up to, from the actions and dice alone."""

    def __init__(self, players: tuple[str, ...], rules: LayoutRules) -> None:
        self.rules = rules
        self.players = list(players)
        self.order = list(players) if len(players) == 1 else []
        self.rounds: list[dict[str, int]] = [{}]
        self.throwing = list(players)
        self.totals = dict.fromkeys(players, 0)
        self.turns = dict.fromkeys(players, 0)
        self.faces: list[str] = []
        self.first: list[bool] = []
        self.rolls = 0
        self.points: int | None = None
        self.winners: list[str] = []

    def legal(self) -> list[tuple[str, str]]:
        """The legal actions and whose they are."""
        if self.winners:
            return []
        if not self.order:
            return [("throw", player) for player in self.throwing]
        player = self.order[0]
        if self.points is not None:
            return [("bank", player), ("risk", player)]
        actions = []
        if not self.rolls or (self.rolls < 3 and "--" in self.faces):
            actions.append(("roll", player))
        if self.rolls:
            actions.append(("lay", player))
        return actions

    def follow(self, action: Action, dice: list[Any], grid: Grid) -> None:
        """Takes an action; `grid` is where the dice lie once they are laid."""
        if action.name == "throw":
            self._throw(action.player, dice[0])
        elif action.name == "roll":
            self._roll(action.player, dice, grid)
        elif action.name == "lay":
            self.points, _ = points_of_grid(grid, self.faces, self.first, self.rules.layout)
        else:
            self._end((self.points or 0) * (dice[0] if action.name == "risk" else 1))

    def _throw(self, player: str, value: int) -> None:
        self.rounds[-1][player] = value
        self.throwing.remove(player)
        if self.throwing:
            return
        thrown = self.rounds[-1]
        self.throwing = [one for one in self.players if thrown.get(one, -1) == max(thrown.values())]
        self.rounds.append({})
        if len(self.throwing) == 1:
            while self.players[0] != self.throwing[0]:
                self.players.append(self.players.pop(0))
            self.order = list(self.players)

    def _roll(self, player: str, dice: list[str], grid: Grid) -> None:
        left = list(dice)
        if self.rolls:
            self.faces = [left.pop(0) if face == "--" else face for face in self.faces]
        else:
            self.faces = left
            self.first = [face != "--" for face in left]
            if self.rules.opening != "none" and not opens(self.faces):
                self._end(0)
                return
        self.rolls += 1
        suits = {face[-1] for face in self.faces}
        if len(suits) == 1 and suits != {"-"}:
            points, _ = points_of_grid(grid, self.faces, self.first, self.rules.layout)
            self.totals[player] += points
            self.turns[player] += 1
            self.winners = [player]

    def _end(self, score: int) -> None:
        player = self.order.pop(0)
        self.order.append(player)
        self.totals[player] += score
        self.turns[player] += 1
        self.rolls, self.faces, self.points = 0, [], None
        target, turns = self.rules.target_score, self.rules.turns
        reached = target is not None and max(self.totals.values()) >= target
        if getattr(self.rules, "finish_round", True) and len(set(self.turns.values())) > 1:
            reached = False  # others have had fewer turns (R34)
        if reached or (turns is not None and set(self.turns.values()) == {turns}):
            most = max(self.totals.values())
            self.winners = [name for name, total in self.totals.items() if total == most]


PLAYERS = [("ann", "ben"), ("ann",), ("ann", "ben", "cay", "dan")]


@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
@pytest.mark.parametrize(
    ("players", "games"),
    [(PLAYERS[0], 4), *(pytest.param(each, 12, marks=pytest.mark.proof) for each in PLAYERS)],
)
def test_random_games(players: tuple[str, ...], games: int, rules: LayoutRules) -> None:
    """Legal moves, order, opening, points, totals and winners are those of a slow reading."""
    for seed in range(games):
        game = LayoutGame(SPADES if seed % 3 == 0 else VARIANT, GameTable(players, rules))
        follower = Follower(players, rules)

        def watch(
            before: LayoutState,
            action: Action,
            after: LayoutState,
            follower: Follower = follower,
            game: LayoutGame = game,
        ) -> None:
            assert before != after, action
            assert len(orjson.dumps(after)) < 1024
            view = game.view(after, None)
            assert [(move.action, move.player) for move in game.moves(before)] == follower.legal()
            laid = view["turn"] and view["turn"]["laid"]
            grid = [(at["die"], at["row"], at["column"]) for at in laid["grid"]] if laid else []
            dice = action.dice
            follower.follow(action, list(dice) if isinstance(dice, tuple) else [], grid)
            assert (view["totals"], view["turns_played"]) == (follower.totals, follower.turns)
            assert (sorted(view["winners"]), view["over"]) == (
                sorted(follower.winners),
                bool(follower.winners),
            )
            if follower.points is not None:
                assert laid["points"] == follower.points
                assert sum(hand["points"] for hand in laid["hands"]) == sum(
                    worth([(follower.faces[die], follower.first[die]) for die in hand["dice"]])
                    for hand in laid["hands"]
                )

        last = play(game, Random(seed), watch)
        assert (last.over, follower.legal()) == (True, [])


def test_server_dice() -> None:
    """Each die shows a face of its own in the published set, in the order of the draws (R20)."""
    game = LayoutGame(VARIANT, GameTable(("ann",), LayoutRules()))
    state = game.start(0)
    asked: list[int] = []

    def below(count: int) -> int:
        asked.append(count)
        return 3 if len(asked) < 3 else 4

    _, roll = game.play(state, Action("roll", "ann", 0), below)
    assert (roll, asked) == (("Jc", "Qc", *["--"] * 11), [6] * 13)
    game = LayoutGame(VARIANT, GameTable(("ann",), LayoutRules(opening="none")))
    state, _ = game.play(state, Action("roll", "ann", 0, dice=roll))
    _, again = game.play(state, Action("roll", "ann", 1), lambda _: 0)
    assert again == tuple(die[0] for die in DICE_SET[2:])
