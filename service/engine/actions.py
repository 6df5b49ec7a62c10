"""The actions of games in steps: which there are, which are legal now, and which were performed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from service.engine.chance import Rolled, RollOf
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
    takes. `dice` says which dice to type in; None if it rolls none. `instead` is the value that can
    take the place of the dice, if there is one: exactly one of the two must be given.
    """

    name: str
    meaning: str
    values: Mapping[str, Value] = field(default_factory=dict)
    dice: str | None = None
    instead: str | None = None


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


LEAVE = ActionKind("leave", "leaves the game for good")
"""The action that every game has (G2)."""


News = dict[str, Any]
"""A consequence of an action, as JSON: `what` happened, often the player, and the reason."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action of an event: the player (None: nobody), values, dice, and the news that followed.

    `decided` is the result of `Game.decided`, as JSON; a replay uses it.
    """

    player: str | None
    action: str
    values: Mapping[str, Any] = field(default_factory=dict)
    dice: Rolled = ()
    news: tuple[News, ...] = ()
    decided: Any = None


@dataclass(frozen=True, slots=True)
class Action:
    """An action of `player` at the time `at`, in milliseconds since 1970.

    `values` are those that the move takes. `dice` are typed in; None if the service rolls them or
    if the action rolls none.
    """

    name: str
    player: str
    at: int
    values: Mapping[str, object] = field(default_factory=dict)
    dice: object = None


@dataclass(frozen=True, slots=True)
class Move:
    """An action that is legal now: the player who can perform it, and the bounds of its values.

    `dice` is what the rolled dice can show, None if it rolls none. A `forced` move leaves no
    choice: if the service rolls the dice, it performs the move at once.
    """

    kind: ActionKind
    player: str
    values: Mapping[str, Bound] = field(default_factory=dict)
    dice: RollOf | None = None
    forced: bool = False

    @property
    def action(self) -> str:
        """The name of the action."""
        return self.kind.name
