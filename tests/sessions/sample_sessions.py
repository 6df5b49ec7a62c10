"""Sessions that a random player plays without a store, from fixed seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from service.sessions.session import Event, Position, Terms, Wish, acted, begun, caught_up
from service.sessions.tokens import hashed
from service.variants import variants
from tests.engine.random_play import picked

CREATED_AT = 1_767_225_600_000
PLAYERS = ("ann", "ben", "cay")

SHORT: dict[str, dict[str, Any]] = {
    "poker-dice": {"rounds": 3},
    "roll-a-royal": {"turns": 2},
    "texas-holdem-dice": {"starting_chips": 40},
}
"""House rules by which games are short."""


def sample_terms(variant: str, *, typed_dice: bool = False, **rules: Any) -> Terms:
    """The terms of a session of `variant` that is always the same."""
    found = variants()[variant]
    return Terms(
        id="s" * 22,
        variant=found,
        players=PLAYERS,
        rules=found.house_rules(**{**SHORT.get(variant, {}), **rules}),
        seed=None if typed_dice else bytes(range(32)),
        client_seed="luck",
        tokens=tuple(map(hashed, ("table", *PLAYERS))),
        created_at=CREATED_AT,
        seconds=3_600,
    )


def steps(terms: Terms, seed: int) -> Iterator[tuple[Position, Sequence[Event]]]:
    """Every position of a whole game, with the events that led to it."""
    rng = Random(f"{terms.variant.id} {seed}")
    position, event = begun(terms)
    yield position, [event]
    while not position.state.over:
        now = position.at + rng.randrange(15_000)
        position, by_clock = caught_up(terms, position, now)
        if by_clock:
            yield position, by_clock
            continue
        move = rng.choice(terms.game.moves(position.state))
        values = {name: picked(rng, bound.shape) for name, bound in move.values.items()}
        wish = Wish(move.action, move.player, values)
        position, event = acted(terms, position, wish, now)
        yield position, [event]


def played(terms: Terms, seed: int = 1) -> tuple[Position, list[Event]]:
    """The end of a whole game, and all its events."""
    made = list(steps(terms, seed))
    return made[-1][0], [event for _, events in made for event in events]
