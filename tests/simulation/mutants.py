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
def changed(function: Callable[..., Any], old: str, new: str) -> Iterator[None]:
    """The service with `new` instead of `old` in the source of a function, wherever it is used."""
    original = inspect.unwrap(function)
    source = dedent(inspect.getsource(original))
    assert source.count(old) == 1, f"{old!r} should be once in {function.__qualname__}"
    made: dict[str, Any] = {}
    exec(source.replace(old, new), original.__globals__, made)
    code, original.__code__ = original.__code__, inspect.unwrap(made[function.__name__]).__code__
    try:
        yield
    finally:
        original.__code__ = code


@contextmanager
def changed_script(name: str, old: str, new: str) -> Iterator[None]:
    """The service with `new` instead of `old` in a script of the store."""
    script = getattr(scripts, name)
    assert script.count(old) == 1, f"{old!r} should be once in {name}"
    with mock.patch.object(scripts, name, script.replace(old, new)):
        yield
