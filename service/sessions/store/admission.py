"""What the store takes while it has little room, and how many sessions each client may create.

It keeps room for the sessions that are there, and most of all for those of usual length.
"""

from __future__ import annotations

from dataclasses import dataclass

SECONDS = 3600
"""In how many seconds a client may create as many sessions as its limit says."""

LONG = 1000
"""From how many events on a session is long: few games have as many. It is refused further ones
when the store has hardly any room left."""

GROWN = 2_000
"""How many bytes of memory a key takes in the end, since sessions grow as they are played. One has
two to four keys: of a game of `dice-poker` for two, they grow from some 0.8 KB to some 5 KB."""

FULL = b"full"
"""What a script returns if there is no room."""

MEMORY = """
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

ADMIT = f"""{MEMORY}
local quota, made = tonumber(table.remove(ARGV)), table.remove(KEYS)
if not (KEYS[4] and redis.call('HLEN', KEYS[4]) > 0) then
  local keys = redis.pcall('DBSIZE')
  if uses_more_than(0.75, type(keys) == 'number' and keys * {GROWN} or 0) then return 'full' end
  if quota > 0 then
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local ends = now + 3600000
    local full_at = math.min(tonumber(redis.call('HGET', made, 'f') or 0), ends)
    full_at = math.max(full_at, now) + 3600000 / quota
    if full_at > ends then return math.floor(ends - full_at) end
    redis.call('HSET', made, 'f', string.format('%d', full_at))
    redis.call('PEXPIREAT', made, string.format('%d', full_at))
  end
end
"""
"""Runs before a new session is stored, in the same script; takes the last key and the last argument
for itself. Returns `FULL` if more than three quarters of the memory are used, or will be once all
sessions have grown: the rest is for the sessions that are there. The last argument is how many
sessions a client may create in an hour, 0 for any number, and the last key keeps when the client
may create all of them again. Returns the negative of the milliseconds until the next one if it may
create none now. A request that is repeated is let through, since it creates nothing (KEYS[4])."""


ASK = f"{ADMIT} return 1"
"""Only asks whether a client may create a session, and counts it."""


@dataclass(frozen=True, slots=True)
class CreationLimit:
    """`client` may create `quota` sessions in an hour."""

    client: str
    quota: int

    @property
    def key(self) -> str:
        """The key of the client, in which the store counts."""
        return f"dice:clients:{self.client}"


class StoreFull(Exception):
    """The store keeps the room that is left for other sessions; nothing was done."""


class TooManySessions(Exception):
    """A client may create no session for the next `seconds`."""

    def __init__(self, quota: int, seconds: int) -> None:
        super().__init__(f"no more than {quota} sessions an hour")
        self.quota, self.seconds = quota, seconds
