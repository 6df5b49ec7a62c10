"""Random games of Hold'em: against the reference, for leaks, for what is stored."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import orjson
import pytest

from service.api.sessions.answers import move_json
from service.kinds.community.state import CommunityState
from service.rules.house_rules import in_force
from service.variants.texas_holdem_dice import VARIANT
from tests.kinds.community.holdem_table import PLAYERS, game_of, legal, random_game
from tests.reference.holdem_game import HoldemGame

TABLES: list[dict[str, Any]] = [
    {"starting_chips": 60},
    {"starting_chips": 100, "ante": 30, "small_limit": 50, "big_limit": 100},
    {"starting_chips": 10},
    {"starting_chips": 200, "ante": 0, "small_limit": 200, "big_limit": 200, "max_raises": 100},
    {"starting_chips": 80, "max_raises": 0, "flop_rerolls": 0},
    {"starting_chips": 150, "ante": 20, "big_limit": 90, "yahtzee_flush": "off"},
    {"starting_chips": 150, "betting": "no_limit", "small_blind": 10, "big_blind": 20},
    {
        "betting": "pot_limit",
        "total_chips": 1_000,
        "ante": 0,
        "small_blind": 20,
        "big_blind": 20,
        "hands": 6,
        "flop_rerolls": 1,
    },
    {
        "starting_chips": 120,
        "betting": "no_limit",
        "big_blind": 50,
        "blinds_up": 2,
        "yahtzee_flush": "showdown",
    },
    {
        "starting_chips": 150,
        "bet_size": "fixed",
        "small_blind": 10,
        "big_blind": 10,
        "ante": 0,
        "blinds_up": 3,
    },
    {"starting_chips": 60, "kickers": False},
    {"starting_chips": 60, "kickers": False, "suits_break_ties": False},
]


SIX = pytest.param(6, marks=pytest.mark.proof)
"""More players, whose games take longer than those of all the others."""


@pytest.mark.parametrize("rules", TABLES)
@pytest.mark.parametrize(
    ("players", "games"),
    [(3, 4), *(pytest.param(n, 12, marks=pytest.mark.proof) for n in (2, 3, 4, 6))],
)
def test_games_agree_with_the_reference(players: int, games: int, rules: dict[str, Any]) -> None:
    """Legal moves, chips, what is put in, pots, payouts and winners are those of the reference,
    after every action of random games (H9-H18, H25-H27, H29-H31, H33-H37).
    """
    game = game_of(players, **rules)
    everyone = PLAYERS[:players]
    for seed in range(games):
        reference = HoldemGame(everyone, in_force(game.table.rules))
        assert legal(game, game.start(0)) == reference.legal()
        for _, action, state in random_game(game, seed):
            dice = action.dice if isinstance(action.dice, tuple) else ()
            amount = action.values.get("amount", 0)
            assert isinstance(amount, int)
            reference.act(action.name, action.player, amount, dice)
            assert legal(game, state) == reference.legal()
            assert dict(zip(everyone, state.chips, strict=True)) == reference.chips
            assert dict(zip(everyone, state.paid, strict=True)) == reference.paid
            assert list(state.winners) == reference.winners
            assert sum(state.chips) + sum(state.paid) == reference.total
            for news in state.news:
                if news["what"] == "showdown":
                    shown = [(p["amount"], p["eligible"], p["payouts"]) for p in news["pots"]]
                    assert shown == reference.pots
                    paid_out = Counter[str]()
                    for _, _, payouts in reference.pots:
                        paid_out.update(payouts)
                    assert news["payouts"] == dict(paid_out)
        assert reference.winners


def other_pocket(source: Random, state: CommunityState, seat: int) -> tuple[int, ...]:
    """Dice that could lie in a pocket instead, as far as the supply of dice goes (H24)."""
    dice = VARIANT.dice
    others = [pocket for at, pocket in enumerate(state.pockets) if at != seat]
    bag = [suit for suit in range(4) for _ in range(5)]
    for code in (*state.community, *[code for pocket in others for code in pocket]):
        bag.remove(dice.suit_of[code])
    return tuple(6 * suit + source.randrange(6) for suit in source.sample(bag, 2))


@pytest.mark.parametrize("players", [2, 3, SIX])
def test_a_hidden_pocket_leaves_no_trace(players: int) -> None:
    """Whatever another player has in the pocket, a player and the table see the same, may do the
    same, and after the next action see the same again, until pockets are shown (H2, H15).
    """
    game = game_of(players, starting_chips=80)
    source = Random(players)
    compared = changed = 0
    for seed in range(8):
        for before, action, after in random_game(game, seed):
            rolled = [seat for seat, pocket in enumerate(before.pockets) if pocket]
            if not rolled:
                continue
            seat = source.choice(rolled)
            pocket = other_pocket(source, before, seat)
            pockets = (*before.pockets[:seat], pocket, *before.pockets[seat + 1 :])
            instead = replace(before, pockets=pockets)
            assert game.moves(instead) == game.moves(before)
            for viewer in (None, *PLAYERS[:players]):
                same = game.view(instead, viewer) == game.view(before, viewer)
                if viewer != PLAYERS[seat]:
                    assert same
                else:
                    changed += not same
            shown = any(news["what"] == "showdown" for news in after.news)
            if action.dice is None and not shown:
                then, _ = game.play(instead, action)
                for viewer in (None, *PLAYERS[:players]):
                    if viewer != PLAYERS[seat]:
                        assert game.view(then, viewer) == game.view(after, viewer)
                compared += 1
    assert min(compared, changed) > 50


def dice_in(shown: Any) -> set[str]:
    """The dice named anywhere in `shown`."""
    text = json.dumps(shown)
    return {die for die in VARIANT.dice.notation if die in text}


@pytest.mark.parametrize("players", [2, 3, SIX])
def test_no_pocket_of_another_is_revealed(players: int) -> None:
    """What a player sees names only the community, their own pocket, and the dice of the last hand
    that were shown.
    """
    game = game_of(players, starting_chips=80)
    for seed in range(2):
        for _, _, state in random_game(game, seed):
            written = VARIANT.dice.written
            for seat, viewer in enumerate(PLAYERS[:players]):
                view = game.view(state, viewer)
                own = written(state.pockets[seat])
                assert view["pocket"] == (own or None)
                shown = {**view, "last_hand": None, "news": None}
                known = {*written(state.community), *own}
                assert dice_in(shown) <= known
                for news in (*state.news, view["last_hand"]):
                    if news and news["what"] not in ("showdown", "flop_rolled_again"):
                        assert dice_in(news) == set(news.get("community", ()))
            assert game.view(state, None)["pocket"] is None


@pytest.mark.parametrize("players", [2, 3, 6])
def test_what_is_seen_is_json(players: int) -> None:
    """The view and the moves of a player come back from JSON unchanged; a state is small."""
    game = game_of(players, starting_chips=60)
    for _, _, state in random_game(game, 7):
        for viewer in (None, "ann"):
            view = game.view(state, viewer)
            assert orjson.loads(orjson.dumps(view)) == view
        assert len(orjson.dumps(replace(state, news=()))) < 600
        moves = [move_json(move, typed_dice=True) for move in game.moves(state)]
        assert orjson.loads(orjson.dumps(moves)) == moves


@pytest.mark.parametrize("players", [2, SIX])
def test_dice_on_the_table_are_from_one_bag(players: int) -> None:
    """No suit ever shows more than five dice, with pockets and community together (H1, H24)."""
    game = game_of(players, starting_chips=80)
    for seed in range(5):
        for _, _, state in random_game(game, seed):
            VARIANT.check([*state.community, *[c for pocket in state.pockets for c in pocket]])


def test_the_last_hand_stays_as_it_was_told() -> None:
    """The last hand in a view is the news of its end, until the next hand has ended."""
    game = game_of(3, starting_chips=100)
    for seed in range(5):
        shown = None
        for _, _, state in random_game(game, seed):
            for news in state.news:
                if news["what"] in ("showdown", "won_without_showing"):
                    shown = news
            assert game.view(state, None)["last_hand"] == shown
        assert shown is not None


@pytest.mark.proof
def test_random_games_meet_everything() -> None:
    """The random games that these tests play come by all that can happen in a game."""
    met = Counter[str]()
    for players, rules in ((2, TABLES[0]), (3, TABLES[1]), (4, TABLES[3]), (6, TABLES[1])):
        for seed in range(12):
            for _, action, state in random_game(game_of(players, **rules), seed):
                met[action.name] += 1
                for news in state.news:
                    met[news["what"]] += 1
                    met["several pots"] += len(news.get("pots", ())) > 2
    rolls = {"roll_pocket", "roll_flop", "roll_flop_again", "roll_turn", "roll_river"}
    actions = {"check", "bet", "call", "raise", "all_in", "fold"}
    ends = {"showdown", "several pots", "won_without_showing", "out_of_chips", "game_over"}
    assert set(met) == rolls | actions | ends | {"flop_rolled_again", "no_more_betting"}
    assert min(met.values()) > 5
