"""Few cases for make test, and all or many for make proofs and make faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy


def first(
    cases: Iterable[Any], marker: pytest.MarkDecorator = pytest.mark.proof, count: int = 1
) -> list[Any]:
    """The parameters `cases` of a test: all but the first `count` have the `marker`.

    A tuple has the values of several arguments.
    """
    each = [case if isinstance(case, tuple) else (case,) for case in cases]
    marks = [()] * count + [marker] * (len(each) - count)
    return [pytest.param(*case, marks=mark) for case, mark in zip(each, marks, strict=True)]


def sampled(
    few: int, many: int, **strategies: SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    """Runs a test for a `few` cases of `strategies`, and in make proofs for `many`."""

    def decorated(test: Callable[..., None]) -> Callable[[int], None]:
        @pytest.mark.parametrize("cases", [few, pytest.param(many, marks=pytest.mark.proof)])
        def run(cases: int) -> None:
            settings(max_examples=cases, deadline=None)(given(**strategies)(test))()

        run.__doc__ = test.__doc__
        return run

    return decorated
