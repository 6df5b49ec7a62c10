"""The highest throw decides who begins."""

from __future__ import annotations

from random import Random

import orjson
import pytest

from service.engine.chance import OneDie
from service.engine.state import restore_part
from service.engine.turns import Starting
from service.rules.reasons import Because, as_json
from service.rules.sentences import Sentence
from tests.reasons import said

PLAYERS = ("ann", "ben", "cat", "dan")


def because(step: str, sentence: Sentence) -> Because:
    """The sentence with the step that it cites in place of a clause."""
    return {**as_json(sentence), "clause": step}


def thrown(players: int, *throws: tuple[int, tuple[int, ...]]) -> Starting:
    """The throws one after another, each as a seat and its dice."""
    starting = Starting.among(players)
    for seat, dice in throws:
        starting = starting.thrown(seat, dice)
    return starting


def test_everyone_throws_in_any_order() -> None:
    """Before the first throw, and after some, all the others still have to throw."""
    starting = thrown(4, (2, (6,)), (0, (1,)))
    assert Starting.among(4).to_throw == (0, 1, 2, 3)
    assert (starting.to_throw, starting.first) == ((1, 3), None)
    assert starting.news(PLAYERS, because) == ()


def test_the_highest_throw_begins() -> None:
    """The highest sum begins, wherever it sits (Y2, R2)."""
    starting = thrown(3, (0, (1, 6)), (1, (4, 4)), (2, (1, 1)))
    assert (starting.to_throw, starting.first) == ((), 1)
    assert said(starting.news(PLAYERS, because)) == (
        {
            "what": "begins",
            "player": "ben",
            "reason": "ben has the highest throw, 8, and begins (begin).",
        },
    )


def test_equal_highest_throws_throw_again() -> None:
    """Only those with the highest throw do so again, until one is highest (Y2, R2)."""
    first = [(0, (4,)), (1, (2,)), (2, (4,)), (3, (4,))]
    tied = thrown(4, *first)
    assert (tied.to_throw, tied.first) == ((0, 2, 3), None)
    reason = "ann, cat and dan tie for the highest throw, 4, and throw again (begin)."
    assert said(tied.news(PLAYERS, because)) == (
        {"what": "throw_again", "players": ["ann", "cat", "dan"], "reason": reason},
    )
    second = thrown(4, *first, (3, (3,)), (0, (0,)), (2, (3,)))
    assert (second.to_throw, second.first) == ((2, 3), None)
    third = thrown(4, *first, (3, (3,)), (0, (0,)), (2, (3,)), (2, (0,)), (3, (1,)))
    assert (third.to_throw, third.first) == ((), 3)
    assert third.as_json(PLAYERS) == {
        "ann": [[4], [0]],
        "ben": [[2]],
        "cat": [[4], [3], [0]],
        "dan": [[4], [3], [1]],
    }


def test_blanks_tie_like_any_throw() -> None:
    """If all show blanks, all throw again (R2, R10)."""
    starting = thrown(2, (0, (0,)), (1, (0,)))
    assert (starting.to_throw, starting.first) == ((0, 1), None)
    reason = "ann and ben tie for the highest throw, 0, and throw again (begin)."
    assert said(starting.news(PLAYERS, because)) == (
        {"what": "throw_again", "players": ["ann", "ben"], "reason": reason},
    )


def test_one_player_begins_without_a_throw() -> None:
    """A single player doesn't throw (Y2, R2)."""
    starting = Starting.among(1)
    assert (starting.to_throw, starting.first, starting.news(PLAYERS, because)) == ((), 0, ())


@pytest.mark.parametrize("players", [2, 3, 7])
def test_random_throws(players: int) -> None:
    """Whoever begins threw more than everyone in the first round that differed; JSON keeps it all.

    Checked by comparing whole sequences of throws: a longer one only ever goes with a tie before.
    """
    rng = Random(players)
    for _ in range(300):
        starting = Starting.among(players)
        while starting.to_throw:
            assert starting.first is None
            dice = OneDie((1, 2, 3, 4, 0, 0)).draw(rng.randrange)
            starting = starting.thrown(rng.choice(starting.to_throw), dice)
            stored = orjson.loads(orjson.dumps(starting))
            assert restore_part(Starting, stored) == starting
        ordered = sorted(range(players), key=lambda seat: starting.throws[seat])
        assert starting.first == ordered[-1]
        assert starting.throws[ordered[-1]] > starting.throws[ordered[-2]]
