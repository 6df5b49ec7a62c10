"""The actions that a game declares, for its moves, the contract and the docs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from service.engine.parameters import REQUIRED, Bound


@dataclass(frozen=True, slots=True)
class Value:
    """A value that an action takes: the class of its bounds, and its meaning."""

    bound: type[Bound]
    meaning: str


@dataclass(frozen=True, slots=True, eq=False)
class ActionKind:
    """An action that a game has.

    `meaning` says what it does, in words that follow a colon; `values` are the values that it
    takes. `dice` says which dice to type in; None if it rolls none.
    """

    name: str
    meaning: str
    values: Mapping[str, Value] = field(default_factory=dict)
    dice: str | None = None


def optional_values(kinds: Collection[ActionKind]) -> frozenset[str]:
    """The values that one of `kinds`, which are actions of the same name, takes and another lacks
    or has a default for.
    """
    return frozenset(
        name
        for one in kinds
        for name in one.values
        if any(
            name not in kind.values or kind.values[name].bound.default is not REQUIRED
            for kind in kinds
        )
    )
