"""Scripts as Redis runs them: Lua 5.1, with `KEYS`, `ARGV` and `redis`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha1
from typing import Any, TypeAlias

from lupa.lua51 import LuaRuntime, lua_type

Reply: TypeAlias = "bytes | int | list[Any] | None"
"""The reply to a command."""

Call: TypeAlias = "Callable[[bytes, Sequence[bytes]], Reply]"
"""Runs a command: its name, and its arguments."""


class ScriptError(Exception):
    """An error that a script returned; the message is its line."""


class Scripts:
    """Runs scripts whose `redis.call` is `call`."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._lua = LuaRuntime(encoding=None, register_eval=False, register_builtins=False)
        self._array = self._lua.table_from
        self._lua.globals()[b"redis"] = self._array(
            {
                b"call": self._redis_call,
                b"pcall": self._redis_call,
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
