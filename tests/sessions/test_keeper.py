"""What the keeper makes of the time that passes while it works."""

from __future__ import annotations

import time
from contextlib import closing

from service.dice.house_rules import read_rules
from service.sessions.keeper import Asked, Keeper
from service.sessions.redis_url import connect
from service.sessions.session import Wish
from service.sessions.store import Store
from service.variants import variants


class Clock:
    """A clock that a millisecond passes on whenever it is looked at."""

    def __init__(self) -> None:
        self.at = time.time_ns() // 1_000_000

    def __call__(self) -> int:
        """Milliseconds since 1970."""
        self.at += 1
        return self.at


def test_the_time_is_up_while_an_action_is_worked_out(socket_url: str) -> None:
    """An action that begins in time is done in time: no history has it after its turn."""
    clock, variant = Clock(), variants()["dice-poker"]
    rules = read_rules(variant.house_rules, {"turn_seconds": 1})
    with closing(connect(socket_url)) as client:
        keeper = Keeper(Store(lambda: client), variants(), 60, clock)
        made = keeper.make(variant, ["ann"], rules, typed_dice=False, client_seed="")
        ends = made.seen.position.state.deadline
        clock.at = ends - 2
        asked = Asked(made.table_token, frozenset([1]))
        done = keeper.act(made.seen.terms.id, asked, {"action": "roll"}, Wish("roll", None, {}))
        assert (done.position.version, done.position.at) == (2, ends - 1)
        clock.at = ends
        _, events = keeper.history(made.seen.terms.id, made.table_token)
        told = [(event.steps[0].action, event.at) for event in events]
        assert told == [("create", ends - 1000), ("roll", ends - 1), ("time_up", ends)]
