"""How many sessions are on the servers of a store."""

from __future__ import annotations

from typing import Any

import redis

MOST_KEYS = 5000
"""How many keys of a server are looked at, which takes it some two milliseconds. Of more keys they
are a sample: Redis goes through keys in the order of their hashes."""

COUNT = """
local cursor, seen, found = '0', 0, 0
repeat
  local page = redis.call('SCAN', cursor, 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    seen = seen + 1
    if key:sub(1, 6) == 'dice:{' and key:sub(-7) == ':events' then found = found + 1 end
  end
until cursor == '0' or seen >= tonumber(ARGV[1])
return {cursor == '0' and seen or redis.call('DBSIZE'), seen, found}
"""
"""How many keys the server has, how many of them were looked at, and how many of those are the
events of a session, of which each has one list."""


def count_sessions(client: Any) -> int:
    """Counts the sessions of all servers that have some."""
    command = ("EVAL", COUNT, 0, MOST_KEYS)
    if isinstance(client, redis.RedisCluster):
        replies = client.execute_command(*command, target_nodes=redis.RedisCluster.PRIMARIES)
        return sum(map(_estimate, replies.values()))
    return _estimate(client.execute_command(*command))


def _estimate(reply: Any) -> int:
    keys, seen, found = reply
    return round(found * keys / seen) if seen else 0
