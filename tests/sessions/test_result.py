"""How games came out, by their histories."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from service.engine.actions import Action
from service.sessions.result import Result
from service.sessions.session import Event, apply_action, start
from service.variants.dice_poker import VARIANT as DICE_POKER
from tests.sessions.sample_sessions import PLAYERS, played, sample_terms

VARIANTS = ("dice-poker", "poker-dice", "roll-a-royal", "texas-holdem-dice", "yahtzee-deluxe")

HAND_ENDS = ("showdown", "won_without_showing")


def news_of(events: list[Event]) -> list[dict[str, Any]]:
    """All news, in order."""
    return [news for event in events for step in event.steps for news in step.news]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whole_games(variant: str, seed: int) -> None:
    """A result agrees with the state and the history of the game: the winners come first, the
    points decide, and the last round has the final scores.
    """
    terms = sample_terms(variant)
    snapshot, events = played(terms, seed)
    state = snapshot.state
    result = Result.of(terms, snapshot, events)
    assert result.ended_at == snapshot.at
    assert {PLAYERS[seat] for seat, place in enumerate(result.places) if place == 1} == set(
        state.winners
    )
    if terms.game.counts == "total":
        view = terms.game.view(state, None)
        said = {
            player: (place["place"], place["total"])
            for place in view["places"]
            for player in place["players"]
        }
        found = zip(result.places, result.scores, strict=True)
        assert said == dict(zip(PLAYERS, found, strict=True))
    by_score = sorted(zip(result.places, result.scores, strict=True))
    assert [-score for _, score in by_score] == sorted(-score for _, score in by_score)
    assert result.rounds[-1].scores == tuple(result.scores)
    whats = Counter(news["what"] for news in news_of(events))
    if variant == "texas-holdem-dice":
        assert len(result.rounds) == sum(whats[what] for what in HAND_ENDS)
    elif variant == "poker-dice":
        assert len(result.rounds) == whats["collects"]
    elif variant == "roll-a-royal":
        assert sum(result.turns) == len(result.rounds)
    else:
        boxes = len(state.cards[0])
        assert (result.turns, len(result.rounds)) == ([boxes] * 3, 3 * boxes)


@pytest.mark.parametrize("variant", VARIANTS)
def test_as_the_game_stands(variant: str) -> None:
    """Before anything was played all share the first place."""
    terms = sample_terms(variant)
    snapshot, event = start(terms)
    result = Result.of(terms, snapshot, [event])
    assert (result.places, result.turns, result.ended_at) == ([1, 1, 1], [0, 0, 0], None)
    assert result.rounds == []


def test_who_left_is_behind() -> None:
    """Who left is placed behind all others whatever their points, and the turns that were passed
    since are none of theirs (G2).
    """
    terms = sample_terms("dice-poker", typed_dice=True, turn_seconds=None)
    snapshot, event = start(terms)
    events = [event]

    def act(name: str, player: str, dice: object = None, **values: object) -> None:
        nonlocal snapshot
        action = Action(name, player, snapshot.at, values, dice)
        snapshot, done = apply_action(terms, snapshot, action)
        events.append(done)

    act("roll", "ann", [6, 6, 6, 6, 6])
    act("score", "ann", box="chance")
    act("leave", "ann")
    for box in (box.id for box in DICE_POKER.boxes):
        for player in ("ben", "cay"):
            act("roll", player, [1, 1, 1, 1, 2])
            act("cross_out" if player == "cay" else "score", player, box=box)
    result = Result.of(terms, snapshot, events)
    assert snapshot.state.over
    assert (result.places, result.turns) == ([3, 1, 2], [1, 13, 13])
    assert result.scores[0] == 30 > result.scores[2] == 0
    assert len(result.rounds) == 39
