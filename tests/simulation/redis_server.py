"""A Redis server in memory: the commands and scripts that the service uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from hashlib import sha1
from types import NoneType
from typing import Any, TypeAlias

from lupa.lua51 import LuaRuntime, lua_type

Reply: TypeAlias = "bytes | int | list[Any] | None"
"""The reply to a command."""

Call: TypeAlias = "Callable[[bytes, Sequence[bytes]], Reply]"
"""Runs a command: its name, and its arguments."""


class ScriptError(Exception):
    """An error that a script returned; the message is its line."""


class ErrorReply(Exception):
    """An error that the server replies with; the message is its line."""


class Scripts:
    """Runs scripts whose `redis.call` is `call`."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._lua = LuaRuntime(encoding=None, register_eval=False, register_builtins=False)
        self._array = self._lua.table_from
        self._lua.globals()[b"redis"] = self._array(
            {
                b"call": self._redis_call,
                b"pcall": self._redis_pcall,
                b"sha1hex": lambda text: sha1(text).hexdigest().encode(),
                b"error_reply": lambda line: self._array({b"err": line}),
                b"acl_check_cmd": lambda *_: True,
            }
        )
        self._compiled: dict[bytes, Callable[..., Any]] = {}

    def run(self, script: bytes, keys: Sequence[bytes], arguments: Sequence[bytes]) -> Reply:
        """Runs a script and returns its result. Raises `ScriptError`, or what `call` raises."""
        compiled = self._compiled.get(script)
        if compiled is None:
            compiled = self._lua.execute(b"return function(KEYS, ARGV) " + script + b"\nend")
            self._compiled[script] = compiled
        return _reply(compiled(self._array(list(keys)), self._array(list(arguments))))

    def _redis_call(self, name: bytes, *arguments: object) -> Any:
        return self._in_lua(self._call(name.upper(), [_argument(each) for each in arguments]))

    def _redis_pcall(self, name: bytes, *arguments: object) -> Any:
        try:
            return self._redis_call(name, *arguments)
        except ErrorReply as error:
            return self._array({b"err": str(error).encode()})

    def _in_lua(self, reply: Reply) -> Any:
        """A reply as a script gets it: nil becomes false."""
        if isinstance(reply, list):
            return self._array([self._in_lua(each) for each in reply])
        return False if reply is None else reply


def _argument(value: object) -> bytes:
    """An argument of `redis.call`, which may be a number."""
    return value if isinstance(value, bytes) else f"{value:.17g}".encode()


def _reply(result: Any) -> Reply:
    """The reply for what a script returned. A list ends at its first nil."""
    if result is None or result is False:
        return None
    if isinstance(result, bytes):
        return result
    if lua_type(result) != "table":
        return int(result)
    if (line := result[b"err"]) is not None:
        raise ScriptError(line.decode())
    replies: list[Reply] = []
    while (each := result[len(replies) + 1]) is not None:
        replies.append(_reply(each))
    return replies


class Stream(list[Sequence[bytes]]):
    """The entries of a stream: fields and values in turn. Their ids are left out."""


Value: TypeAlias = "dict[bytes, bytes] | list[bytes] | Stream"
"""The value of a key: a hash, a list or a stream."""

Dataset: TypeAlias = "tuple[dict[bytes, Value], dict[bytes, int]]"
"""All values, and when they expire, in milliseconds since 1970."""

WRITES = frozenset([b"DEL", b"HSET", b"PEXPIREAT", b"RPUSH", b"XADD"])
NEED_MEMORY = frozenset([b"HSET", b"RPUSH", b"XADD"])

WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value"
READ_ONLY = "READONLY You can't write against a read only replica."
NO_MEMORY = "OOM command not allowed when used memory > 'maxmemory'."
NO_DISK = "MISCONF Errors writing to the AOF file: No space left on device"
LOADING = "LOADING Redis is loading the dataset in memory"


class RedisServer:
    """A server whose clock is `now`, in milliseconds since 1970.

    `removes` is called with each key that is deleted or expires, before it is.
    """

    def __init__(
        self, now: Callable[[], int], removes: Callable[[bytes], object] = lambda _: None
    ) -> None:
        self.refuses: str | None = None
        """The error that it replies with: to every command (LOADING), or to writes."""
        self._now, self._removes = now, removes
        self._values: dict[bytes, Value] = {}
        self._expiries: dict[bytes, int] = {}
        self._scripts = Scripts(self._call)
        self.wrote = False
        """Whether the last command has written anything."""
        self._commands: dict[bytes, Callable[..., Reply]] = {
            b"DBSIZE": self._dbsize,
            b"DEL": self._del,
            b"EVAL": self._eval,
            b"HEXISTS": self._hexists,
            b"HGET": self._hget,
            b"HLEN": self._hlen,
            b"HMGET": self._hmget,
            b"HSET": self._hset,
            b"INFO": self._info,
            b"LLEN": self._llen,
            b"LRANGE": self._lrange,
            b"PEXPIREAT": self._pexpireat,
            b"PUBLISH": self._publish,
            b"RPUSH": self._rpush,
            b"XADD": self._xadd,
            b"XLEN": self._xlen,
        }

    def execute(self, *command: object) -> Reply:
        """Returns the reply to a command: bytes, numbers, lists or None. Raises `ErrorReply`."""
        if self.refuses == LOADING:
            raise ErrorReply(LOADING)
        self.wrote = False
        name, *arguments = map(_encoded, command)
        return self._call(name.upper(), arguments)

    def dataset(self) -> Dataset:
        """A copy of all values and expiries, for `restore`."""
        self.expire()
        return self.values(b""), dict(self._expiries)

    def restore(self, dataset: Dataset) -> None:
        """Replaces everything by `dataset`."""
        self._values, self._expiries = deepcopy(dataset[0]), dict(dataset[1])

    def values(self, prefix: bytes) -> dict[bytes, Value]:
        """A copy of the values whose keys start with `prefix`, even of those to be expired."""
        return {key: copy(value) for key, value in self._values.items() if key.startswith(prefix)}

    def expire(self) -> None:
        """Removes what has expired; otherwise that happens when somebody asks for it."""
        for key in list(self._values):
            self._at(key)

    def _call(self, name: bytes, arguments: Sequence[bytes]) -> Reply:
        """Runs a command, maybe of a script. A refusal comes before the first write of a script."""
        refused = NEED_MEMORY if self.refuses == NO_MEMORY else WRITES
        if self.refuses and not self.wrote and name in refused:
            raise ErrorReply(self.refuses)
        self.wrote = self.wrote or name in WRITES
        return self._commands[name](*arguments)

    def _at(self, key: bytes) -> Value | None:
        """The value of a key that is there and has not expired."""
        expires = self._expiries.get(key)
        if expires is not None and expires <= self._now():
            self._remove(key)
        return self._values.get(key)

    def _hash(self, key: bytes) -> dict[bytes, bytes]:
        value = self._at(key)
        if isinstance(value, list):
            raise ErrorReply(WRONG_TYPE)
        return value or {}

    def _list(self, key: bytes) -> list[bytes]:
        value = self._at(key)
        if isinstance(value, (dict, Stream)):
            raise ErrorReply(WRONG_TYPE)
        return value or []

    def _remove(self, key: bytes) -> None:
        self._removes(key)
        del self._values[key]
        self._expiries.pop(key, None)

    def _del(self, *keys: bytes) -> int:
        there = [key for key in dict.fromkeys(keys) if self._at(key) is not None]
        for key in there:
            self._remove(key)
        return len(there)

    def _eval(self, script: bytes, count: bytes, *arguments: bytes) -> Reply:
        keys = int(count)
        return self._scripts.run(script, arguments[:keys], arguments[keys:])

    def _hexists(self, key: bytes, field: bytes) -> int:
        return int(field in self._hash(key))

    def _hget(self, key: bytes, field: bytes) -> bytes | None:
        return self._hash(key).get(field)

    def _hlen(self, key: bytes) -> int:
        return len(self._hash(key))

    def _hmget(self, key: bytes, *fields: bytes) -> list[bytes | None]:
        stored = self._hash(key)
        return [stored.get(field) for field in fields]

    def _hset(self, key: bytes, *pairs: bytes) -> int:
        stored = self._hash(key)
        before = len(stored)
        stored.update(zip(pairs[::2], pairs[1::2], strict=True))
        self._values[key] = stored
        return len(stored) - before

    def _dbsize(self) -> int:
        return len(self._values)

    def _info(self, _section: bytes) -> bytes:
        return b"used_memory:2\r\nmaxmemory:%d\r\n" % (self.refuses == NO_MEMORY)

    def _llen(self, key: bytes) -> int:
        return len(self._list(key))

    def _lrange(self, key: bytes, start: bytes, stop: bytes) -> list[bytes]:
        stored = self._list(key)
        first, last = (int(end) + len(stored) * (int(end) < 0) for end in (start, stop))
        return stored[max(first, 0) : max(last + 1, 0)]

    def _pexpireat(self, key: bytes, at: bytes) -> int:
        if self._at(key) is None:
            return 0
        self._expiries[key] = int(at)
        self._at(key)
        return 1

    def _publish(self, _channel: bytes, _message: bytes) -> int:
        return 0

    def _rpush(self, key: bytes, *values: bytes) -> int:
        stored = self._list(key)
        stored.extend(values)
        self._values[key] = stored
        return len(stored)

    def _stream(self, key: bytes) -> Stream:
        value = self._at(key)
        if not isinstance(value, (Stream, NoneType)):
            raise ErrorReply(WRONG_TYPE)
        return value or Stream()

    def _xadd(self, key: bytes, *words: bytes) -> bytes:
        """The words are MAXLEN ~ 10000 *, and then fields and values."""
        stored = self._stream(key)
        stored.append(words[4:])
        self._values[key] = stored
        return b"an id"

    def _xlen(self, key: bytes) -> int:
        return len(self._stream(key))


def _encoded(word: object) -> bytes:
    """A word of a command as redis-py sends it."""
    return word if isinstance(word, bytes) else str(word).encode()
