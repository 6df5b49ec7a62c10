"""Sessions that a random player plays without a store, from fixed seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from service.sessions.requests import hash_token
from service.sessions.session import Event, Snapshot, Terms, apply_action, catch_up, start
from service.variants import variants
from tests.engine.random_play import action_of
from tests.short_games import short_rules

CREATED_AT = 1_767_225_600_000
PLAYERS = ("ann", "ben", "cay")


def sample_terms(variant: str, *, typed_dice: bool = False, **rules: Any) -> Terms:
    """The terms of a session of `variant` that is always the same."""
    found = variants()[variant]
    return Terms(
        id="s" * 22,
        variant=found,
        players=PLAYERS,
        rules=found.house_rules(**{**short_rules(found), **rules}),
        seed=None if typed_dice else bytes(range(32)),
        client_seed="luck",
        tokens=tuple(map(hash_token, ("table", *PLAYERS))),
        created_at=CREATED_AT,
        seconds=3_600,
    )


def steps(terms: Terms, seed: int) -> Iterator[tuple[Snapshot, Sequence[Event]]]:
    """Every snapshot of a whole game, with the events that led to it."""
    rng = Random(f"{terms.variant.id} {seed}")
    snapshot, event = start(terms)
    yield snapshot, [event]
    while not snapshot.state.over:
        now = snapshot.at + rng.randrange(15_000)
        snapshot, by_clock = catch_up(terms, snapshot, now)
        if by_clock:
            yield snapshot, by_clock
            continue
        move = rng.choice(terms.game.moves(snapshot.state))
        snapshot, event = apply_action(terms, snapshot, action_of(rng, move, now))
        yield snapshot, [event]


def played(terms: Terms, seed: int = 1) -> tuple[Snapshot, list[Event]]:
    """The end of a whole game, and all its events."""
    made = list(steps(terms, seed))
    return made[-1][0], [event for _, events in made for event in events]
