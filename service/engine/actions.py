"""The actions of a game as its rules declare them, for moves, the contract and the docs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from service.engine.parameters import Bound


@dataclass(frozen=True, slots=True)
class Value:
    """A value that an action takes beside its name: what bounds it, and what it says."""

    bound: type[Bound]
    meaning: str


@dataclass(frozen=True, slots=True, eq=False)
class ActionKind:
    """An action that a game has.

    `meaning` says what it does, and `values` what it takes, in words that follow a colon. `dice`
    says which dice it rolls, as they are typed in; None if it rolls none.
    """

    name: str
    meaning: str
    values: Mapping[str, Value] = field(default_factory=dict)
    dice: str | None = None
