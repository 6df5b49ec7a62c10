"""The scripts that Redis runs for a session, completely or not at all. Its keys are those of
`redis_store`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.sessions.store import admission

READ = """
return {redis.call('HMGET', KEYS[1], 't', 'v', 's'),
        ARGV[1] ~= '' and redis.call('HGET', KEYS[2], ARGV[1])}
"""
"""Terms, version and snapshot, and the record of an idempotency key."""

REPLAY = """
local from = ARGV[1] - ARGV[1] % ARGV[2]
while from > 0 do
  local snapshot = redis.call('HGET', KEYS[1], 's' .. from)
  if snapshot then return {from, snapshot, redis.call('LRANGE', KEYS[2], from, ARGV[1] - 1)} end
  from = from - ARGV[2]
end
return {0, false, redis.call('LRANGE', KEYS[2], 0, ARGV[1] - 1)}
"""
"""The last snapshot up to the version ARGV[1], of those that are kept every ARGV[2] versions: its
version (0 if there is none), the snapshot, and the events from there up to version ARGV[1]."""

WRITE = f"""{admission.MEMORY}
if redis.acl_check_cmd and not (redis.acl_check_cmd('LLEN', KEYS[2])
    and redis.acl_check_cmd('HLEN', KEYS[3])
    and redis.acl_check_cmd('HSET', KEYS[1], 'v', '')
    and redis.acl_check_cmd('RPUSH', KEYS[2], '')
    and redis.acl_check_cmd('PEXPIREAT', KEYS[1], 0)
    and redis.acl_check_cmd('PUBLISH', KEYS[1], '')) then
  return redis.error_reply('NOPERM LLEN, HLEN, HSET, RPUSH, PEXPIREAT or PUBLISH')
end
if ARGV[7] ~= '' and redis.call('HEXISTS', KEYS[3], ARGV[7]) == 1 then return 0 end
if KEYS[4] and redis.call('HLEN', KEYS[4]) > 0 then return 0 end
local version, snapshot = unpack(redis.call('HMGET', KEYS[1], 'v', 's'))
if (version or '0') ~= ARGV[1] then return 0 end
if version and redis.sha1hex(snapshot) ~= ARGV[2] then return 0 end
if redis.call('LLEN', KEYS[2]) >= {admission.LONG} and uses_more_than(0.9, 0) then return 'full' end
redis.call('HLEN', KEYS[3])
redis.call('HSET', KEYS[1], 'v', ARGV[3], 's', ARGV[4])
if not version then redis.call('HSET', KEYS[1], 't', ARGV[9]) end
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], ARGV[5], ARGV[4]) end
for event = 11, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[event]) end
if ARGV[7] ~= '' then redis.call('HSET', KEYS[3], ARGV[7], ARGV[8]) end
for key = 1, 3 do redis.call('PEXPIREAT', KEYS[key], ARGV[6]) end
if KEYS[4] then
  redis.call('HSET', KEYS[4], 'v', ARGV[3])
  redis.call('PEXPIREAT', KEYS[4], ARGV[10])
end
redis.call('PUBLISH', KEYS[1], ARGV[3])
return 1
"""
"""Changes a session from the version ARGV[1] (0: there is none yet), whose snapshot has the digest
ARGV[2], to the version ARGV[3]. Returns 1 if it did, 'full' if the session is long and the store
has hardly any room, and 0 if the session is at another version or snapshot, or if the idempotency
key ARGV[7] was used before. KEYS[4] marks the id of a new session as taken until ARGV[10]; nothing
is changed if it was taken before, whether or not the session is still there. The mark is a hash
because that needs no further permission.

Redis undoes nothing, so whatever it refuses must be refused before the first write. It checks its
memory and that it is a master at the first write only. LLEN and HLEN fail for keys of another type,
and acl_check_cmd (from Redis 7 on) for missing permissions."""

POLICY = """
local memory, replication = redis.pcall('INFO', 'memory'), redis.pcall('INFO', 'replication')
return {type(memory) == 'string' and memory:match('maxmemory_policy:([%w-]+)') or '',
        type(replication) == 'string' and replication:match('connected_slaves:(%d+)') or ''}
"""
"""What the server does when its memory is full, and how many replicas it has; both are empty if the
service may not ask."""

REMOVE = """
if ARGV[1] then
  local version, snapshot = unpack(redis.call('HMGET', KEYS[1], 'v', 's'))
  if version ~= ARGV[1] or redis.sha1hex(snapshot) ~= ARGV[2] then return 0 end
end
redis.call('PUBLISH', KEYS[1], 0)
return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
"""
"""Deletes a session, with arguments only if it is at the version ARGV[1], whose snapshot has the
digest ARGV[2]; returns how many of its keys there were. Its id remains taken."""


def eval_command(script: str, keys: Sequence[str], arguments: Sequence[Any]) -> tuple[Any, ...]:
    """The command that runs a script. Its text is sent each time, which saves a round trip to load
    it.
    """
    return "EVAL", script, len(keys), *keys, *arguments
