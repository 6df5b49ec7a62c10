"""Changes that count only once replicas have them (`WAIT_REPLICAS`)."""

from __future__ import annotations

from typing import Any

import redis

from service.sessions.store.deadline import seconds_left

REPLY_SECONDS = 0.2
"""How much of the time of a step is left for the reply. Redis looks only ten times a second whether
the replicas have had their time."""

CONFIRM = """
local version, snapshot = unpack(redis.call('HMGET', KEYS[1], 'v', 's'))
if not version then return 0 end
if ARGV[1] ~= '' and redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 then return 0 end
if ARGV[1] == '' and (version ~= ARGV[2] or redis.sha1hex(snapshot) ~= ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], 'v', version)
return 1
"""
"""Returns 1 if a change is there: its idempotency key ARGV[1], or without one, the version ARGV[2]
with the digest ARGV[3]. It writes the version again, which changes nothing: replicas that have this
write also have all before it. Valkey's WAIT is only for the writes of its own connection."""


def one_trip(client: object) -> bool:
    """Whether `run_on_replicas` can make a change: in a cluster, it follows no redirections."""
    return not isinstance(client, redis.RedisCluster)


def run_on_replicas(client: Any, count: int, key: str, command: tuple[Any, ...]) -> tuple[Any, int]:
    """Runs `command` on the server that has `key`, in one round trip with a wait for `count`
    replicas. Returns the reply, and how many replicas have the change.
    """
    if isinstance(client, redis.RedisCluster):
        client = client.get_redis_connection(client.get_node_from_key(key))
    milliseconds = max(1, int(1000 * (seconds_left() - REPLY_SECONDS)))  # 0 would be for ever
    pipeline = client.pipeline(transaction=False)
    pipeline.execute_command(*command)
    pipeline.execute_command("WAIT", count, milliseconds)
    reply, reached = pipeline.execute(raise_on_error=False)
    if isinstance(reply, Exception):
        raise reply
    return reply, reached if isinstance(reached, int) else 0
