"""The server of the simulation is a Redis, as far as the service uses one."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from hashlib import sha1
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis

from tests.sessions import servers
from tests.simulation.redis_server import NO_MEMORY, READ_ONLY, ErrorReply, RedisServer, ScriptError
from tests.simulation.store_client import SCRIPTS

SEQUENCES = 25
COMMANDS = 60

STREAM = b"games"

FAR = 4_102_444_800_000
"""An expiry in 2100."""

SESSION = [b"dice:{s}", b"dice:{s}:events", b"dice:{s}:keys", b"dice:{s}:taken"]


@pytest.fixture(scope="module")
def real() -> Iterator[redis.Redis]:
    """A client of a real server."""
    with (
        tempfile.TemporaryDirectory() as folder,
        servers.on_a_socket(servers.either(), Path(folder)) as url,
        closing(redis.Redis.from_url(url, protocol=2)) as client,
    ):
        yield client


def script_arguments(name: str, rng: Random) -> tuple[Sequence[bytes], Sequence[object]]:
    """Keys and arguments for a script, which often fit what is stored."""
    snapshot = rng.choice([b"snapshot 1", b"snapshot 2", b"\x00\xff"])
    version = rng.choice([0, 0, 1, 2, 126, 127, 128, 300])
    match name:
        case "READ":
            return [SESSION[0], SESSION[2]], [rng.choice([b"", b"key"])]
        case "REPLAY":
            version = rng.choice([1, 2, 128, 129, 300])
            return SESSION[:2], [version, 128, version + rng.choice([0, 1, 200])]
        case "CONFIRM":
            return [SESSION[0], SESSION[2]], [rng.choice([b"other", b"key"])]
        case "REMOVE":
            return SESSION[:3], rng.choice([[], [version, sha1(snapshot).hexdigest()]])
        case "WRITE_AND_ADD" | "CREATE_AND_ADD":
            other = "WRITE" if name == "WRITE_AND_ADD" else "CREATE"
            keys, given = script_arguments(other, rng)
            stream = rng.choice([STREAM, STREAM, SESSION[0]])
            words = [stream, "MAXLEN", "~", 10_000, "*", "version", version]
            last = len(given) - (other == "CREATE")
            return keys, [*given[:last], *words, len(words), *given[last:]]
        case "WRITE" | "CREATE":
            kept = rng.choice(["", f"s{version + 1}"])
            digest = sha1(rng.choice([snapshot, b"snapshot 1"])).hexdigest()
            at = rng.choice([FAR, FAR, FAR, 1])
            key = rng.choice([b"", b"key", b"other"])
            events = [b"event", b""][: rng.randint(0, 2)]
            before = [version, digest, version + 1, snapshot, kept, at, key, b"record", b"terms"]
            keys = SESSION[: rng.choice([3, 4])]
            if name == "CREATE":  # without a limit for a client: that depends on the microsecond
                return [*keys, SESSION[0]], [*before, FAR, snapshot, *events, 0]
            return keys, [*before, FAR, snapshot, *events]
    raise AssertionError(f"{name} is a new script: say here what it takes")


def command(rng: Random) -> tuple[object, ...]:
    """A command that the service or one of its scripts uses."""
    if rng.random() < 0.7:
        script, name = rng.choice(sorted(SCRIPTS.items()))
        keys, arguments = script_arguments(name, rng)
        return "EVAL", script, len(keys), *keys, *arguments
    key = rng.choice(SESSION)
    version = rng.choice([0, 1, 2, 127, 128])
    return rng.choice(
        [
            ("DBSIZE",),
            ("DEL", key, rng.choice(SESSION)),
            ("HEXISTS", key, "v"),
            ("HGET", key, "v"),
            ("HLEN", key),
            ("HMGET", key, "v", "none", "s"),
            ("HSET", SESSION[0], "v", version, "s", b"snapshot 1"),
            ("HSET", key, "s128", b"snapshot 128"),
            ("LLEN", key),
            ("LRANGE", key, rng.randint(-3, 3), rng.randint(-3, 3)),
            ("PEXPIREAT", key, rng.choice([FAR, FAR + 1, 1])),
            ("PUBLISH", key, version),
            ("RPUSH", SESSION[1], *[b"event %d" % number for number in range(version + 1)]),
            ("RPUSH", key, b"event"),
        ]
    )


def outcome(execute: Callable[..., Any], *words: object) -> object:
    """A reply, or the code of an error."""
    try:
        return execute(*words)
    except redis.ResponseError as error:
        return getattr(error, "status_code", None) or str(error).split()[0]
    except (ErrorReply, ScriptError) as error:
        return str(error).split()[0]


def contents(execute: Callable[..., Any]) -> list[object]:
    """Everything that is stored."""
    scripts = {
        "hash": "return redis.call('HMGET', KEYS[1], 't', 'v', 's', 's2', 's128', 'key', 'other')",
        "list": "return redis.call('LRANGE', KEYS[1], 0, -1)",
    }
    found = [outcome(execute, "EVAL", text, 1, key) for key in SESSION for text in scripts.values()]
    return [*found, outcome(execute, "XLEN", STREAM)]


@pytest.mark.parametrize("refuses", [None, READ_ONLY, NO_MEMORY], ids=["well", "replica", "full"])
def test_same_replies(real: redis.Redis, refuses: str | None) -> None:
    """Random commands and scripts of the service get the same replies from a real server, and leave
    the same contents; also when it is a replica, or full.
    """
    for number in range(SEQUENCES):
        rng = Random(number)
        real.flushall()
        simulated = RedisServer(lambda: time.time_ns() // 1_000_000)
        for step in range(COMMANDS):
            if step == COMMANDS // 2:
                simulated.refuses = refuses
                if refuses == READ_ONLY:
                    real.execute_command("REPLICAOF", "127.0.0.1", "1")
                elif refuses == NO_MEMORY:
                    real.config_set("maxmemory", 1)
            words = command(rng)
            expected = outcome(real.execute_command, *words)
            assert outcome(simulated.execute, *words) == expected, (number, step, words)
        assert contents(simulated.execute) == contents(real.execute_command)
        real.execute_command("REPLICAOF", "NO", "ONE")
        real.config_set("maxmemory", 0)
