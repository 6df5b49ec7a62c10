"""The clock of a turn of the game of score cards, and what a turn shows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from service.engine.game import GameTable
from service.kinds.scorecard.game import ScoreCardGame
from service.kinds.scorecard.state import ScoreCardState
from service.rules.house_rules import HouseRules, amount
from service.variants.dice_poker import DicePokerRules
from tests.engine.clocked import timed_out
from tests.engine.random_play import SECOND
from tests.kinds.scorecard.scorecard_play import ONE, POKER_BOXES, TWO, act, poker, turn
from tests.reasons import said
from tests.trial_games import two_boxes


def without_clock(game: ScoreCardGame) -> ScoreCardState:
    """The last state of a game in which nobody ever acts."""
    state = game.start(0)
    while not state.over:
        state = timed_out(game, state)
    return state


def test_nobody_starts() -> None:
    """If nobody ever rolls, all cards fill with zeros, and the game is a tie (D6, D14)."""
    state = without_clock(poker(TWO, DicePokerRules()))
    reason = "A total of 0 each; equal totals tie (D6)."
    places = [{"place": 1, "players": ["ann", "ben"], "total": 0, "reason": reason}]
    ended = {"what": "game_over", "winners": ["ann", "ben"], "places": places}
    assert said(state.news[2:]) == ({**ended, "reason": "All cards are full (D1)."},)
    assert (state.winners, state.deadline) == (("ann", "ben"), None)


def test_what_is_seen_in_a_turn() -> None:
    """Dice, what they are worth in open boxes, and rolls left (D7)."""
    game = poker(TWO, DicePokerRules())
    state = game.start(5_000)
    view = game.view(state, "ben")
    blank = {"scores": dict.fromkeys(POKER_BOXES), "upper": 0, "bonus": 0, "lower": 0, "total": 0}
    before = {
        "player": "ann",
        "round": 1,
        "rolls_left": 3,
        "dice": None,
        "scores": None,
        "best": None,
    }
    assert view == {
        "over": False,
        "winners": [],
        "news": [],
        "phase": "playing",
        "to_act": ["ann"],
        "order": ["ann", "ben"],
        "turn": before,
        "cards": {"ann": blank, "ben": blank},
    }
    state = act(game, state, "roll", [6, 5, 2, 2, 2], at=9_000)
    scores = {**dict.fromkeys(POKER_BOXES, 0), "twos": 6, "fives": 5, "sixes": 6}
    scores |= {"three_of_a_kind": 17, "chance": 17}
    assert game.view(state, None)["turn"] == {
        **before,
        "rolls_left": 2,
        "dice": [6, 5, 2, 2, 2],
        "scores": scores,
        "best": {"box": "three_of_a_kind", "score": 17},
    }


def test_the_clock() -> None:
    """A turn lasts 30 seconds from the end of the one before, rolls or not; the first one begins
    with the session (D7, D14, D16).
    """
    game = poker(TWO, DicePokerRules())
    state = game.start(1_000)
    assert state.deadline == 31_000
    state = act(game, state, "roll", [1] * 5, at=20_000)
    assert state.deadline == 31_000
    state = act(game, state, "score", box="ones", at=25_000)
    assert state.deadline == 55_000
    state = timed_out(game, state)
    assert (state.deadline, game.view(state, None)["to_act"]) == (85_000, ["ann"])


@pytest.mark.parametrize(("seconds", "deadline"), [(None, None), (1, 1_000), (86_400, 86_400_000)])
def test_turn_seconds(seconds: int | None, deadline: int | None) -> None:
    """The house rule says how long a turn lasts, null for no limit (D14)."""
    assert poker(TWO, DicePokerRules(turn_seconds=seconds)).start(0).deadline == deadline


@pytest.mark.parametrize(
    ("rules", "before", "dice", "box", "score"),
    [
        ({}, [], [3, 3, 3, 5, 5], "full_house", 25),
        ({}, [], [2, 2, 2, 5, 6], "three_of_a_kind", 17),
        ({}, [([2, 2, 2, 1, 1], "three_of_a_kind")], [2, 2, 2, 5, 6], "chance", 17),
        ({}, [([1, 2, 3, 4, 6], box) for box in POKER_BOXES[5:]], [6] * 5, "ones", 0),
        (
            {"joker": True},
            [([4] * 5, "five_of_a_kind"), ([4] * 5, "fours")],
            [4] * 5,
            "large_straight",
            40,
        ),
        (
            {"five_alike_is_full_house": True},
            [([1] * 5, "five_of_a_kind")],
            [1] * 5,
            "full_house",
            25,
        ),
    ],
    ids=["the most", "first of equals", "used", "zero in the first", "joker", "house rule"],
)
def test_time_up_after_a_roll(
    rules: dict[str, bool],
    before: list[tuple[list[int], str]],
    dice: list[int],
    box: str,
    score: int,
) -> None:
    """The dice as they lie go in the open box worth most, the first in card order (D14)."""
    game = poker(ONE, DicePokerRules(**rules))
    state = game.start(0)
    for earlier, used in before:
        state = turn(game, state, earlier, used)
    state = timed_out(game, act(game, state, "roll", dice))
    up, entry, *_ = said(state.news)
    assert up == {"what": "time_up", "player": "ann", "reason": "ann's time is up (D14)."}
    assert entry["what"] == "written"
    assert (entry["dice"], entry["box"], entry["score"]) == (dice, box, score)
    assert game.view(state, None)["cards"]["ann"]["scores"][box] == score


def test_time_up_without_a_roll() -> None:
    """A zero goes in the first open box (D14)."""
    game = poker(ONE, DicePokerRules())
    state = turn(game, game.start(0), [1] * 5, "ones")
    state = timed_out(game, state)
    reason = "ann gives up the turn: twos gets a zero (D14)."
    entry = {"what": "crossed_out", "player": "ann", "dice": [], "box": "twos", "score": 0}
    assert said(state.news[1:]) == ({**entry, "reason": reason},)


def test_time_up_earns_bonuses() -> None:
    """What the clock writes counts like any turn, further fives too; without dice nothing (D10)."""
    game = poker(ONE, DicePokerRules(extra_five_bonus=100))
    state = turn(game, game.start(0), [6] * 5, "five_of_a_kind")
    state = timed_out(game, act(game, state, "roll", [6] * 5))
    assert [entry["what"] for entry in state.news] == ["time_up", "written", "repeat_bonus"]
    state = timed_out(game, state)
    assert [entry["what"] for entry in state.news] == ["time_up", "crossed_out"]
    assert game.view(state, None)["cards"]["ann"]["extra_fives"] == 1


@dataclass(frozen=True)
class TimedRules(HouseRules):
    """A clock."""

    turn_seconds: int = amount(30, clause="B1", meaning="Seconds of a turn.", minimum=1, maximum=60)


def throwing(players: tuple[str, ...]) -> ScoreCardGame:
    """A game with a clock that begins with throws, whose dice are typed in."""
    variant = replace(two_boxes.VARIANT, id="timed", house_rules=TimedRules, throw_to_begin=True)
    return ScoreCardGame(variant, GameTable(players, TimedRules(), typed_dice=True))


def test_the_clock_of_a_throw() -> None:
    """Each throw has a clock; then that of the first turn starts (D16, G1, Y2)."""
    game = throwing(TWO)
    state = act(game, game.start(0), "throw", [5, 5], at=SECOND)
    assert state.deadline == 31 * SECOND
    state = act(game, state, "throw", [6, 6], at=2 * SECOND)
    assert state.deadline == 32 * SECOND
    reason = "ben has the highest throw, 12, and begins."
    assert said(state.news) == ({"what": "begins", "player": "ben", "reason": reason},)


@pytest.mark.parametrize(
    ("throws", "begins", "reason"),
    [
        ({"cat": [1, 1]}, "cat", "cat has the highest throw, 2, and begins."),
        ({}, "ann", "Nobody threw, so ann begins."),
    ],
    ids=["one threw", "nobody threw"],
)
def test_who_does_not_throw_in_time(throws: dict[str, list[int]], begins: str, reason: str) -> None:
    """Who hasn't thrown when time is up doesn't begin, unless nobody has thrown (G1)."""
    game = throwing(("ann", "ben", "cat"))
    state = game.start(0)
    for player, dice in throws.items():
        state = act(game, state, "throw", dice, player=player)
    state = timed_out(game, state)
    late = [player for player in ("ann", "ben", "cat") if player not in throws]
    up = [
        {"what": "time_up", "player": player, "reason": f"{player}'s time is up."}
        for player in late
    ]
    assert said(state.news) == (*up, {"what": "begins", "player": begins, "reason": reason})
    assert (state.deadline, game.view(state, None)["to_act"]) == (60 * SECOND, [begins])
