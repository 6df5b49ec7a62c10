"""Random games of beat it or bust, followed by a reference that shares no code with them."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from itertools import count as count_up
from random import Random
from typing import Any

import orjson
import pytest

from service.api.sessions.answers import move_json
from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.ranking.game import RankingGame
from service.kinds.ranking.state import RankingState
from service.variants.poker_dice import VARIANT, PokerDiceRules
from tests.engine.clocked import timed_out
from tests.engine.random_play import play
from tests.reasons import said
from tests.reference.beat_or_bust import Bookkeeper

NAMES = ("ann", "ben", "cat", "dan", "eve", "fay", "gus", "hal")

TOLD_WITH_REASON = {"rank", "strength", "dice", "reason"}
"""Fields of the news that the reference doesn't compute."""


def random_table(seed: int, count: int) -> GameTable:
    """`count` players with 1 to 40 chips; one game of four has a clock."""
    rng = Random(seed)
    rules = PokerDiceRules(
        pairs_rank=rng.random() < 0.5,
        starting_chips=rng.choice([rng.randint(1, 12), 40]),
        stakes=rng.choice(["smallest_stack", "own_stack"]),
        rounds=rng.choice([None, *[rng.randint(1, 20)] * 3]),
        turn_seconds=rng.choice([None, None, None, 30]),
    )
    return GameTable(NAMES[:count], rules, typed_dice=rng.random() < 0.5)


def without_reasons(view: dict[str, Any]) -> dict[str, Any]:
    """The view without fields that the reference doesn't compute; each reason is a sentence."""
    read = orjson.loads(orjson.dumps(said(view)))
    for news in read["news"]:
        assert news["reason"].endswith(").")
        for name in TOLD_WITH_REASON & set(news):
            del news[name]
    for player in read["players"]:
        assert (player.pop("reason") is None) == (player["standing"] in ("in", "to_decide"))
    for hand in (read["best"], read["turn"]):
        if hand is not None:
            assert (hand.pop("strength") is None) == (hand["rank"] is None)
    if read["turn"] is not None:
        assert (read["turn"].pop("reason") is None) == (read["turn"]["rank"] is None)
    return dict(read)


@pytest.mark.parametrize("count", range(2, 9))
@pytest.mark.parametrize("rounds", [15, pytest.param(2_860, marks=pytest.mark.proof)])
def test_the_bookkeeper_agrees(count: int, rounds: int) -> None:
    """After every action of random games, table, moves and news are as the clauses say; in make
    proofs, for 20,000 rounds that came to a roll.
    """
    played = 0
    for seed in count_up(1_000 * count):
        played += followed(seed, count)
        if played >= rounds:
            return


def followed(seed: int, count: int) -> int:
    """The rounds of a random game that came to a roll; the bookkeeper followed them all.

    All chips are in stacks and pot; a state comes back from its JSON exactly, and is small.
    """
    table = random_table(seed, count)
    assert isinstance(table.rules, PokerDiceRules)
    rules = table.rules
    game = RankingGame(VARIANT, table)
    book = Bookkeeper(
        table.players,
        rules.starting_chips,
        rules.rounds,
        pairs_rank=rules.pairs_rank,
        own_stack=rules.stakes == "own_stack",
    )
    assert without_reasons(game.view(game.start(0), None)) == book.table()

    rolled: set[int] = set()

    def watch(before: RankingState, action: Action, after: RankingState) -> None:
        if action.name == "roll":
            rolled.add(before.round)
        listed = [move_json(move, typed_dice=False) for move in game.legal_moves(before)]
        for move in listed:
            assert move.pop("keep", None) is None or book.rolled
        there = [name for name in book.players if book.standing[name] not in ("left", "no_chips")]
        assert listed == [*book.legal(), *({"action": "leave", "player": name} for name in there)]
        assert action.dice is None or isinstance(action.dice, tuple)
        if before.deadline is not None:
            late = deepcopy(book)
            late.time_up()
            assert without_reasons(game.view(timed_out(game, before), None)) == late.table()
        others_turn = action.name == "leave" and action.player != book.to_act
        was = book.number, book.to_act
        if action.name == "leave":
            book.leave(action.player)
        else:
            book.follow(action.name, action.values, action.dice)
        goes_on = others_turn and was == (book.number, book.to_act)
        if rules.turn_seconds is None or book.over:
            assert after.deadline is None
        else:
            assert after.deadline == (before.deadline if goes_on else action.at + 30_000)
        view = without_reasons(game.view(after, table.players[0]))
        assert view == book.table()
        stacks = sum(player["stack"] for player in view["players"])
        assert stacks + view["pot"] == rules.starting_chips * len(table.players)
        assert len(orjson.dumps(after)) < 400 + 250 * len(after.news) + 20 * len(table.players)

    leaving = 0.01 if seed % 2 else 0.0
    last = play(game, Random(seed), watch, most=1_000_000, leaving=leaving)
    assert last.over
    assert game.moves(last) == ()
    return len(rolled)


def test_random_games_see_everything() -> None:
    """The random games come to every step, standing and phase there is, so all were compared."""
    steps: Counter[str] = Counter()

    for seed in range(40):
        game = RankingGame(VARIANT, random_table(seed, 2 + seed % 7))

        def watch(before: RankingState, action: Action, after: RankingState) -> None:
            steps.update([action.name, before.phase, *after.standings])
            steps.update(news["what"] for news in after.news)

        play(game, Random(seed), watch, most=1_000_000, leaving=0.01)
    assert set(steps) == {
        *("leave", "left", "ante", "meet", "sit_out", "fold", "roll", "stop", "check", "raise"),
        *("antes", "raises", "rolling", "betting"),
        *("to_decide", "in", "sat_out", "folded", "bust", "beaten", "no_chips"),
        *("sits_out", "folds", "busts", "put_out", "collects", "out_of_chips"),
        *("round_begins", "game_over"),
    }
