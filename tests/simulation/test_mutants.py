"""The simulation finds mistakes: each test makes one in the service."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.api.sessions import answers
from service.sessions import computers, performing, repository, requests, session
from service.sessions.fair import FairDice
from service.sessions.repository import SessionRepository
from service.sessions.service import SessionService
from service.sessions.store import connect
from service.sessions.store.redis_store import Store
from service.sessions.view import SessionView
from tests.simulation.mutants import changed
from tests.simulation.records import Violated
from tests.simulation.simulation import Simulation

SEEDS = 500
"""How many seeds a mistake may take to be found; most take fewer than 20."""

MISTAKES: dict[str, tuple[str | Callable[..., Any], str, str]] = {
    "a key is used again": ("WRITE", "redis.call('HEXISTS', KEYS[3], ARGV[7]) == 1", "false"),
    "a key isn't stored": ("WRITE", "redis.call('HSET', KEYS[3], ARGV[7], ARGV[8])", ""),
    "a version is overwritten": ("WRITE", "(version or '0') ~= ARGV[1]", "false"),
    "a key creates two sessions": ("WRITE", "redis.call('HLEN', KEYS[4]) > 0", "false"),
    "an event is lost": ("WRITE", "for event = 12, #ARGV", "for event = 13, #ARGV"),
    "a snapshot is kept under another version": (
        "WRITE",
        "redis.call('HSET', KEYS[1], ARGV[5], ARGV[11])",
        "redis.call('HSET', KEYS[1], ARGV[5], snapshot)",
    ),
    "a key isn't looked up": (
        Store.read,
        "scripts.READ, [session, keys], [key]",
        "scripts.READ, [session, keys], [b'']",
    ),
    "a record is ignored": (SessionService.act, "if used is not None", "if False"),
    "a key is used for another action": (
        requests.recorded_version,
        "record[VERSION_BYTES:] != body",
        "False",
    ),
    "a repeated answer is the current one": (
        SessionRepository.at_version,
        "version == session.snapshot.version",
        "True",
    ),
    "a repeated creation has other tokens": (
        requests.CreationKey.tokens,
        "record[:SALT_BYTES], index",
        "token_bytes(SALT_BYTES), index",
    ),
    "a command is sent again": (
        Store._ask,
        "replies = client.ask(key, *commands)",
        "client.ask(key, *commands); replies = client.ask(key, *commands)",
    ),
    "a lost reply is taken for a refusal": (
        connect.never_ran,
        'or str(error) == "max number of clients reached"',
        "or True",
    ),
    "a session is read from the cache": (
        SessionRepository.load,
        "stored = self._store.read(session_id, key)",
        "if not key and self.recent.get(session_id): return self.recent.get(session_id), None\n"
        "    stored = self._store.read(session_id, key)",
    ),
    "a turn that ran out is shown before it is stored": (
        SessionService._catch_up,
        "self._sessions.save(session, [snapshot], events)",
        "type(session)(session.terms, snapshot, session.viewer, session.digest)",
    ),
    "a turn has no entry": (repository.has_news, "any(map(ne, turns, turns[1:]))", "False"),
    "an entry has the result before the last action": (
        SessionRepository._entry,
        "Result.of(terms, snapshot, history)",
        "Result.of(terms, snapshot, history[:-1])",
    ),
    "the clock is late": (SessionService._catch_up, "before, now,", "before, now - 1_000,"),
    "a player acts for another": (performing._player, "viewer not in (None, player)", "False"),
    "a computer draws at random": (
        computers._source,
        'hmac.digest(secret, b"computer:%d" % snapshot.version, "sha256")',
        "",
    ),
    "the moves of computers are lost": (performing.perform, "[event, *more]", "[event]"),
    "time is up for a computer": (
        session.catch_up,
        "not decision.awaits_dice",
        "not (decision.awaits_dice or overdue(snapshot, now))",
    ),
    "time goes back": (session.apply_action, "action.at < snapshot.at", "False"),
    "dice aren't from the seed": (
        FairDice.below,
        "_block(self._seed, self._client_seed, drawn, 0)[0]",
        "__import__('secrets').randbelow(252)",
    ),
    "a player sees what another sees": (
        SessionView.for_token,
        "viewer, self.digest",
        "self.viewer, self.digest",
    ),
    "a tag is everybody's": (SessionView._tag_for, "self._hides and viewer is not None", "False"),
    "the history shows hidden dice": (answers._step_json, "step.player != session.viewer", "False"),
    "the seed is shown before the end": (
        answers._revealed_seed,
        "dice.seed.hex() if dice.over",
        "dice.seed.hex() if True",
    ),
}
"""What is changed, a function or a script of the store, and how."""


def found() -> str:
    """What the simulation finds; "" if nothing."""
    for seed in range(SEEDS):
        try:
            Simulation(seed).run()
        except Violated as error:
            return f"seed {seed}: {error}"
    return ""


@pytest.mark.proof
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake: str) -> None:
    """A mistake in the code of sessions, or in the script that changes them, is found."""
    with changed(*MISTAKES[mistake]):
        assert found()
