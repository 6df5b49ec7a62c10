"""The states of games in steps: what all have, and how they come back from what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from service.engine.actions import News
from service.rules.breaches import Breach
from service.rules.violations import InvalidInput, Violation

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The fields that all states have. A state is an immutable dataclass of JSON types, with tuples
    for lists.

    `deadline` is the time at which the clock runs out, in milliseconds since 1970; None without a
    clock. `left` are the seats of the players who left, in that order. `winners` is empty until the
    game is over; several tie. `news` is about the last action only.
    """

    deadline: int | None = None
    left: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()
    news: tuple[News, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.winners)


LEAST_WITH_CHIPS = 2
"""How many players must have chips for a game to go on from paper."""


def check_stacks(field: str, stacks: Sequence[int]) -> None:
    """Raises `InvalidInput`, with the path to `field`, if too few of the `stacks` have chips."""
    if sum(map(bool, stacks)) < LEAST_WITH_CHIPS:
        raise InvalidInput(Violation((field,), Breach.TOO_FEW_WITH_CHIPS(minimum=LEAST_WITH_CHIPS)))


PartT = TypeVar("PartT", bound="DataclassInstance")


def restore_part(part: type[PartT], stored: Any, **parts: type) -> PartT:
    """The dataclass `part` of a state from its stored JSON, which has lists instead of tuples.

    `parts` are the classes of those of its fields that are dataclasses themselves, or None. Fields
    that `part` doesn't have are ignored: a later release may add some. Raises `KeyError` if one is
    missing; `restore` fills in those that older releases don't have.
    """
    values = {name: _with_tuples(stored[name]) for name in part.__dataclass_fields__}
    for name, inner in parts.items():
        if values[name] is not None:
            values[name] = restore_part(inner, values[name])
    return part(**values)


def _with_tuples(value: Any) -> Any:
    """`value` with tuples instead of lists, but for those in objects, such as news."""
    if type(value) is not list:
        return value
    if list in map(type, value):
        return tuple([_with_tuples(item) for item in value])
    return tuple(value)
