"""Mistakes in the service, made on purpose: the simulation has to find them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from textwrap import dedent
from typing import Any
from unittest import mock

from service.sessions.store import scripts


@contextmanager
def changed(what: str | Callable[..., Any], old: str, new: str) -> Iterator[None]:
    """The service with `new` instead of `old` in the source of a function, wherever it is used, or
    in a script of the store.
    """
    if isinstance(what, str):
        with mock.patch.object(scripts, what, _replaced(getattr(scripts, what), old, new)):
            yield
        return
    original, made = inspect.unwrap(what), dict[str, Any]()
    source = dedent(inspect.getsource(original))
    exec(_replaced(source, old, new), original.__globals__, made)
    code, original.__code__ = original.__code__, inspect.unwrap(made[what.__name__]).__code__
    try:
        yield
    finally:
        original.__code__ = code


def _replaced(source: str, old: str, new: str) -> str:
    assert source.count(old) == 1, f"{old!r} should be once in {source}"
    return source.replace(old, new)
