"""The scripts that Redis runs for sessions, each completely or not at all, what they are given and
what they return. Their keys are those of `redis_store`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SECONDS = 3600
"""In how many seconds a client may create as many sessions as its limit says."""

SNAPSHOT_EVERY = 128
"""How many versions apart snapshots are kept, so that no long history is replayed from the start. A
game of `dice-poker` for two has fewer versions."""


def is_kept(version: int) -> bool:
    """Whether the snapshot of this version is kept."""
    return version % SNAPSHOT_EVERY == 0


LONG = 1000
"""From how many events on a session is long: few games have as many. It is refused further ones
when the store has hardly any room left."""

GROWN = 2_000
"""How many bytes of memory a key takes in the end, since sessions grow as they are played. One has
two to four keys: of a game of `dice-poker` for two, they grow from some 0.8 KB to some 5 KB."""

MOST_KEYS = 5000
"""How many keys of a server `COUNT` looks at, which takes it some two milliseconds. Of more keys
they are a sample: Redis goes through keys in the order of their hashes."""

FULL = b"full"
"""What a script returns if there is no room."""

_MEMORY = """
local function uses_more_than(share, least)
  local memory = redis.pcall('INFO', 'memory')
  if type(memory) ~= 'string' then return false end
  local used = math.max(tonumber(memory:match('used_memory:(%d+)') or 0), least)
  local most = tonumber(memory:match('maxmemory:(%d+)') or 0)
  return most > 0 and used > most * share
end
"""
"""Defines a function for scripts: whether more than this share of the memory is used, if it is at
`least` so many bytes. It isn't if the store doesn't say, or has no limit."""

READ = """
return {redis.call('HMGET', KEYS[1], 't', 'v', 's'),
        ARGV[1] ~= '' and redis.call('HGET', KEYS[2], ARGV[1])}
"""
"""Terms, version and snapshot, and the record of an idempotency key."""

REPLAY = """
local from = ARGV[1] - ARGV[1] % ARGV[2]
while from > 0 do
  local snapshot = redis.call('HGET', KEYS[1], 's' .. from)
  if snapshot then return {from, snapshot, redis.call('LRANGE', KEYS[2], from, ARGV[3] - 1)} end
  from = from - ARGV[2]
end
return {0, false, redis.call('LRANGE', KEYS[2], 0, ARGV[3] - 1)}
"""
"""The last snapshot up to the version ARGV[1], of those that are kept every ARGV[2] versions: its
version (0 if there is none), the snapshot, and the events from there up to version ARGV[3]."""

_CHANGE = f"""{_MEMORY}
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
if redis.call('LLEN', KEYS[2]) >= {LONG} and uses_more_than(0.9, 0) then return 'full' end
redis.call('HLEN', KEYS[3])
redis.call('HSET', KEYS[1], 'v', ARGV[3], 's', ARGV[4])
if not version then redis.call('HSET', KEYS[1], 't', ARGV[9]) end
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], ARGV[5], ARGV[11]) end
for event = 12, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[event]) end
if ARGV[7] ~= '' then redis.call('HSET', KEYS[3], ARGV[7], ARGV[8]) end
for key = 1, 3 do redis.call('PEXPIREAT', KEYS[key], ARGV[6]) end
if KEYS[4] then
  redis.call('HSET', KEYS[4], 'v', ARGV[3])
  redis.call('PEXPIREAT', KEYS[4], ARGV[10])
end
redis.call('PUBLISH', KEYS[1], ARGV[3])
"""

WRITE = f"{_CHANGE}return 1\n"
"""Changes a session from the version ARGV[1] (0: there is none yet), whose snapshot has the digest
ARGV[2], to the version ARGV[3]. Returns 1 if it did, 'full' if the session is long and the store
has hardly any room, and 0 if the session is at another version or snapshot, or if the idempotency
key ARGV[7] was used before. The snapshot ARGV[11] is kept as ARGV[5]. KEYS[4] marks the id of a new
session as taken until ARGV[10]; nothing is changed if it was taken before, whether or not the
session is still there. The mark is a hash because that needs no further permission.

Redis undoes nothing, so whatever it refuses must be refused before the first write. It checks its
memory and that it is a master at the first write only. LLEN and HLEN fail for keys of another type,
and acl_check_cmd (from Redis 7 on) for missing permissions."""

WRITE_AND_ADD = f"""
local entry = {{}}
for _ = 1, tonumber(table.remove(ARGV)) do table.insert(entry, 1, table.remove(ARGV)) end
{_CHANGE}
local added = redis.pcall('XADD', unpack(entry))
return type(added) == 'table' and added.err or 1
"""
"""`WRITE`, and an entry for a stream: the last argument says how many words before it are those of
XADD. If Redis refuses the entry, the change is made all the same, and the error is returned. The
stream is not among the keys: a user who may not use it could run no such script at all."""

STREAM_LENGTH = 10_000
"""How many of its last entries the stream keeps at least."""

ADMIT = f"""{_MEMORY}
local counts, made = tonumber(table.remove(ARGV)), table.remove(KEYS)
if not (KEYS[4] and redis.call('HLEN', KEYS[4]) > 0) then
  local keys = redis.pcall('DBSIZE')
  if uses_more_than(0.75, type(keys) == 'number' and keys * {GROWN} or 0) then return 'full' end
  if counts > 0 then
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local ends = now + 3600000
    local full_at = math.min(tonumber(redis.call('HGET', made, 'f') or 0), ends)
    full_at = math.max(full_at, now) + counts
    if full_at > ends then return math.floor(ends - full_at) end
    redis.call('HSET', made, 'f', string.format('%d', full_at))
    redis.call('PEXPIREAT', made, string.format('%d', full_at))
  end
end
"""
"""Runs before a new session is stored, in the same script; takes the last key and the last argument
for itself. Returns `FULL` if more than three quarters of the memory are used, or will be once all
sessions have grown: the rest is for the sessions that are there. The last argument is for how many
milliseconds the session counts for its client (`CreationLimit`), 0 if it doesn't, and the last key
keeps when the client may create all of its sessions again. Returns the negative of the milliseconds
until the next one if it may create none now. A request that is repeated is let through, since it
creates nothing (KEYS[4])."""

ASK = f"{ADMIT} return 1"
"""Only asks whether a client may create a session, and counts it."""

CONFIRM = """
local version = redis.call('HGET', KEYS[1], 'v')
if not version or redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'v', version)
return 1
"""
"""Returns 1 if the change with the idempotency key ARGV[1] is there. It writes the version again,
which changes nothing: replicas that have this write also have all before it. A WAIT alone wouldn't
do, as it is only for the writes of its own connection."""

JOIN = """
local version, joined = unpack(redis.call('HMGET', KEYS[1], 'v', 'j'))
if not version then return false end
joined = joined or ''
if ARGV[1] ~= '' and not (joined .. ' '):find(' ' .. ARGV[1] .. ' ', 1, true) then
  joined = joined .. ' ' .. ARGV[1]
  redis.call('HSET', KEYS[1], 'j', joined)
end
return joined
"""
"""The seats whose players have joined, each after a space, with the seat ARGV[1] if it isn't empty;
false if there is no session. The version remains: joining changes nothing in the game."""

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


@dataclass(frozen=True, slots=True)
class CreationLimit:
    """`client` may create `quota` sessions in an hour; the new one `counts` as so many."""

    client: str
    quota: int
    counts: int = 1

    @property
    def milliseconds(self) -> float:
        """For how long the new session counts: at most for an hour, or none could be created."""
        return 3_600_000 * min(self.counts, self.quota) / self.quota

    @property
    def key(self) -> str:
        """The key of the client, in which the store counts."""
        return f"dice:clients:{self.client}"


@dataclass(frozen=True, slots=True)
class Stored:
    """A session as stored, with the record of an idempotency key if that was used."""

    terms: bytes
    version: int
    snapshot: bytes
    key_record: bytes | None


@dataclass(frozen=True, slots=True)
class Change:
    """A write, made only if the session is at `expected_version` with a snapshot of
    `expected_digest`.

    Both are of what is stored now (see `codec.digest`); 0 and "" for a session that isn't there.
    `expires_at` is in milliseconds since 1970. `key` and `key_record` are stored for an
    idempotency key, both empty without one. `terms` are those of a new session. `taken_until` (0
    for a random id) is when its id may be used again, in milliseconds since 1970. `limit` is that
    of the client who creates the session, None for no limit. `kept` has the snapshot of an earlier
    version that is kept, if the events pass one, as (version, snapshot). `entry` has the fields and
    values for the stream, none for no entry.
    """

    expected_version: int
    expected_digest: str
    version: int
    snapshot: bytes
    events: Sequence[bytes]
    expires_at: int
    key: bytes = b""
    key_record: bytes = b""
    terms: bytes = b""
    taken_until: int = 0
    limit: CreationLimit | None = None
    kept: Sequence[tuple[int, bytes]] = ()
    entry: Sequence[bytes | str | int] = ()

    def arguments(self) -> list[Any]:
        """The arguments of `WRITE`."""
        kept = [*self.kept, *([(self.version, self.snapshot)] if is_kept(self.version) else ())]
        version, snapshot = kept[-1] if kept else (None, b"")
        return [
            self.expected_version,
            self.expected_digest,
            self.version,
            self.snapshot,
            f"s{version}" if version else "",
            self.expires_at,
            self.key,
            self.key_record,
            self.terms,
            self.taken_until,
            snapshot,
            *self.events,
        ]


@dataclass(frozen=True, slots=True)
class Replay:
    """How a session came to a version: the snapshot of `from_version`, and the events since then.

    Without such a snapshot it is None, `from_version` is 0, and the events are all there are.
    """

    from_version: int
    snapshot: bytes | None
    events: Sequence[bytes]
