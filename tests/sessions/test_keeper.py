"""What the keeper makes of the time that passes while it works."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from service.dice.house_rules import read_rules
from service.sessions.keeper import Asked, Keeper
from service.sessions.redis_url import connect
from service.sessions.seen import Illegal, Made, Seen, Stale
from service.sessions.session import Wish
from service.sessions.store import Client, Store
from service.variants import variants


class Clock:
    """A clock that a millisecond passes on whenever it is looked at."""

    def __init__(self) -> None:
        self.at = time.time_ns() // 1_000_000

    def __call__(self) -> int:
        """Milliseconds since 1970."""
        self.at += 1
        return self.at


@pytest.fixture
def client(socket_url: str) -> Iterator[Client]:
    """A client of a store."""
    with closing(connect(socket_url)) as made:
        yield made


def keeper_of(client: Client, clock: Clock) -> Keeper:
    """A process with a clock of its own."""
    return Keeper(Store(lambda: client), variants(), 60, clock)


def new(keeper: Keeper) -> Made:
    """A new session with turns of a second."""
    variant = variants()["dice-poker"]
    rules = read_rules(variant.house_rules, {"turn_seconds": 1})
    return keeper.make(variant, ["ann"], rules, typed_dice=False, client_seed="")


def roll(keeper: Keeper, made: Made, version: int | None) -> Seen:
    """A roll for a version, None for any."""
    asked = Asked(made.table_token, None if version is None else frozenset([version]))
    return keeper.act(made.seen.terms.id, asked, {"action": "roll"}, Wish("roll", None, {}))


def told(keeper: Keeper, made: Made) -> list[tuple[str, int]]:
    """Every event with its time."""
    _, events = keeper.history(made.seen.terms.id, made.table_token)
    return [(event.steps[0].action, event.at) for event in events]


def test_the_time_is_up_while_an_action_is_worked_out(client: Client) -> None:
    """An action that begins in time is done in time: no history has it after its turn."""
    clock = Clock()
    keeper = keeper_of(client, clock)
    made = new(keeper)
    ends = made.seen.position.state.deadline
    clock.at = ends - 2
    done = roll(keeper, made, 1)
    assert (done.position.version, done.position.at) == (2, ends - 1)
    clock.at = ends
    assert told(keeper, made) == [("create", ends - 1000), ("roll", ends - 1), ("time_up", ends)]


@pytest.mark.parametrize("asked", ["read", "history", "stale", "illegal"])
def test_what_the_clock_did_is_written_before_it_is_told(client: Client, asked: str) -> None:
    """Whoever is told that a turn ran out is told a version that stays: an action that was in time
    but is slower is for a version that has passed.
    """
    slow, punctual = Clock(), Clock()
    actor, teller = keeper_of(client, slow), keeper_of(client, punctual)
    made = new(actor)
    ends = made.seen.position.state.deadline
    slow.at, punctual.at = ends - 10, ends
    if asked == "read":
        assert teller.read(made.seen.terms.id, made.table_token).position.version == 2
    elif asked == "history":
        assert told(teller, made)[1:] == [("time_up", ends)]
    elif asked == "stale":
        with pytest.raises(Stale) as stale:
            roll(teller, made, 1)
        assert stale.value.version == 2
    else:
        wish, any_version = Wish("fly", None, {}), Asked(made.table_token, None)
        with pytest.raises(Illegal) as illegal:
            teller.act(made.seen.terms.id, any_version, {"action": "fly"}, wish)
        assert illegal.value.seen.position.version == 2
    with pytest.raises(Stale) as late:
        roll(actor, made, 1)
    assert late.value.version == 2
    assert told(teller, made) == [("create", ends - 1000), ("time_up", ends)]


def test_the_clock_does_not_keep_a_session(client: Client) -> None:
    """What the clock does is no action: the session is forgotten when it said it would be."""
    clock = Clock()
    keeper = keeper_of(client, clock)
    made = new(keeper)
    clock.at += 3_500
    seen = keeper.read(made.seen.terms.id, made.table_token)
    assert (seen.position.version, seen.expires_at) == (4, made.seen.expires_at)
    key = f"dice:{{{made.seen.terms.id}}}"
    left = client.execute_command("PTTL", key)
    assert 0 < left <= made.seen.expires_at - time.time_ns() // 1_000_000 + 1
    acted = roll(keeper, made, 4)
    assert acted.expires_at == acted.position.at + 60_000 > made.seen.expires_at
    again = keeper_of(client, clock).read(made.seen.terms.id, made.table_token)
    assert again.expires_at == acted.expires_at
