"""The betting of random hands, against PokerKit (H9-H12, H14, H16, H25, H27, H30, H36)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from service.engine.actions import Action
from service.kinds.community.game import CommunityGame
from service.kinds.community.state import CommunityState
from service.rules.house_rules import in_force
from service.variants.texas_holdem_dice import VARIANT
from tests.kinds.community.holdem_table import game_of, legal
from tests.reference.holdem_betting import IN_ANY_BETTING, UNIT, WITHOUT_LIMIT, CardTable

HANDS_OF_A_GAME = 5
"""The most hands that are played with the stacks that players end up with."""

MANY = 4_000
"""So many hands of each number of players are 20,000 of each kind of betting."""

ACTIONS = {"check", "bet", "call", "raise", "all_in", "fold"}

BETTING: dict[str, dict[str, Any]] = {
    "limit": {"betting": "limit", "bet_size": "up_to"},
    "fixed": {"betting": "limit", "bet_size": "fixed"},
    "pot_limit": {"betting": "pot_limit"},
    "no_limit": {"betting": "no_limit"},
}


def some_rules(rng: Random, betting: str) -> dict[str, Any]:
    """House rules with an ante or blinds, in which stacks soon are short."""
    big = UNIT * rng.choice([0, 1, 2, 5, 10])
    small = UNIT * rng.choice([0, big // UNIT // 2, big // UNIT])
    return {
        **BETTING[betting],
        "ante": UNIT * rng.choice([0, 1, 3] if big else [1, 3]),
        "small_blind": small,
        "big_blind": big,
        "small_limit": UNIT * rng.choice([1, 2, 5]),
        "big_limit": UNIT * rng.choice([2, 4, 10]),
        "max_raises": rng.choice([0, 1, 3, 3, 3]),
        "starting_chips": 1000,
        "flop_rerolls": 0,  # H13: nothing like it with cards
        "yahtzee_flush": "off",  # H17: likewise
    }


def some_stacks(rng: Random, players: int, rules: Mapping[str, Any]) -> list[int]:
    """The stacks of all players: often such that each goes all in with a little more than the one
    before, and the first of them can answer.
    """
    if rng.random() < 0.5:
        return [UNIT * rng.randint(1, rng.choice([5, 20, 50])) for _ in range(players)]
    raised = rules["ante"] + 2 * rules["big_blind"]
    stacks = sorted(raised + UNIT * rng.randint(1, 15) for _ in range(players - 1))
    first = rng.randrange(players)
    return [*stacks[first:], UNIT * 50, *stacks[:first]]


def with_stacks(game: CommunityGame, stacks: Sequence[int], rng: Random) -> CommunityState:
    """A new hand of players who have `stacks`, after one in which all but one folded."""
    state = game.start(0)
    while state.hand == 1:
        move = game.legal_moves(state)[0]
        action = Action(move.action if move.forced else "fold", move.player, 0)
        if len(state.folded) == len(stacks) - 2:
            state = replace(state, chips=tuple(stacks), paid=(0,) * len(stacks))
        state, _ = game.play(state, action, rng.randrange)
    return state


def chosen(rng: Random, moves: Sequence[tuple[Any, ...]]) -> tuple[str, int]:
    """An action and its amount, drawn from legal `moves`: a bet is often the least or the most.

    PokerKit lets nobody fold for nothing (H10).
    """
    names = [move[0] for move in moves]
    often = {"fold": 0 if "check" in names else 1, "all_in": 8}
    name, *bounds = rng.choices(moves, [often.get(name, 4) for name in names])[0]
    if not bounds:
        return name, 0
    least, most = bounds
    return name, rng.choice([least, most, rng.randrange(least, most + 1, UNIT)])


def play_hand(
    game: CommunityGame, state: CommunityState, rng: Random
) -> tuple[CommunityState, Counter[str]]:
    """Plays a hand here and at a table of PokerKit, and compares them; the state after it, and
    what was met.
    """
    hand, met = state.hand, Counter(hands=1)
    players, dice = game.table.players, VARIANT.dice
    seats = [(state.dealer + step) % len(players) for step in range(1, len(players) + 1)]
    seats = [seat for seat in seats if state.dealt_in(seat)]
    table = CardTable(stacks_of(state, seats), in_force(game.table.rules))
    while state.hand == hand and not state.over:
        move = game.legal_moves(state)[0]
        if move.forced:
            state, _ = game.play(state, Action(move.action, move.player, 0), rng.randrange)
            continue
        pockets = [dice.written(state.pockets[seat]) for seat in seats]
        table.deal(pockets, dice.written(state.community))
        moves = [(name, *bounds) for name, _, *bounds in legal(game, state)]
        chips = [state.chips[seat] for seat in seats]
        to_act = seats.index(players.index(move.player))
        assert (to_act, chips, moves) == (table.player, table.chips, table.legal()), str(table)
        name, amount = chosen(rng, moves)
        met[name] += 1
        values = {"amount": amount} if amount else {}
        state, _ = game.play(state, Action(name, move.player, 0, values), rng.randrange)
        table.act(name, amount)
    assert state.last is not None
    shown = [dice.written(state.last.pockets[seat]) for seat in seats]
    assert stacks_of(state, seats) == table.end(shown, dice.written(state.last.community)), str(
        table
    )
    return state, met + Counter(table.met)


def stacks_of(state: CommunityState, seats: Sequence[int]) -> list[int]:
    """The chips of players before a hand, which has just been dealt."""
    return [state.chips[seat] + state.paid[seat] for seat in seats]


@pytest.mark.parametrize("hands", [10, pytest.param(MANY, marks=pytest.mark.proof)])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("betting", BETTING)
def test_betting_agrees_with_pokerkit(betting: str, players: int, hands: int) -> None:
    """In random hands of unequal stacks, with antes and blinds, each decision has the player and
    the actions that PokerKit has, with the same least and most amounts; the stacks are the same at
    each decision and after the hand.
    """
    rng = Random(f"{betting} {players}")
    met = Counter[str]()
    while met["hands"] < hands:
        rules = some_rules(rng, betting)
        game = game_of(players, **rules)
        state = with_stacks(game, some_stacks(rng, players, rules), rng)
        for _ in range(HANDS_OF_A_GAME):
            state, more = play_hand(game, state, rng)
            met += more
            if state.over:
                break
    if (players, hands) == (6, MANY):
        without_limit = WITHOUT_LIMIT if betting in ("pot_limit", "no_limit") else set()
        assert met.keys() == ACTIONS | IN_ANY_BETTING | without_limit | {"hands"}
