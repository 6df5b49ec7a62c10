"""What every variant describes, whatever its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic

from service.rules.dice import DiceSet
from service.rules.house_rules import RulesT, options


class WrongDescription(ValueError):
    """A variant that can't be played as it is described; the message names it and what is wrong."""


@dataclass(frozen=True)
class Example:
    """A worked request for one operation (`evaluate`, `rank` or `score`), refused ones included."""

    operation: str
    summary: str
    request: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant(Generic[RulesT]):
    """A game as its rules describe it.

    `rolls` is how often a player may roll in a turn; `players` the least and the most players
    (None: no limit). `clauses` are the numbered rules in plain words; docstrings, ranks, boxes
    and refusals cite them; `steps` names those that set the steps of a whole game, each by a word
    for the step. `examples` are worked requests for the contract.
    """

    kind: ClassVar[str]

    id: str
    name: str
    summary: str
    dice: DiceSet
    rolls: int
    players: tuple[int, int | None]
    house_rules: type[RulesT]
    clauses: Mapping[str, str]
    examples: tuple[Example, ...] = ()
    steps: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def default_rules(self) -> RulesT:
        """The house rules when nobody changes any."""
        return self.house_rules()

    @cached_property
    def rule_names(self) -> frozenset[str]:
        """The names of the house rules."""
        return frozenset(option.name for option in options(self.house_rules))
