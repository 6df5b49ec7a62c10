"""What every variant describes, whatever its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic

from service.rules.dice import DiceSet
from service.rules.house_rules import RulesT, options
from service.rules.patterns import Pattern
from service.rules.violations import InvalidInput

OPERATIONS = ("evaluate", "rank", "score", "batch")
"""What examples can be of."""

MOST_OUTCOMES = 65_535
"""The most different rolls or hands of a variant: all are listed, and numbered in 16 bits."""

Wrong = tuple[str, str]
"""A field of a description, and what is wrong in it."""

_VARIANT_ID = re.compile("[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*")
_CLAUSE_ID = re.compile("[A-Za-z][A-Za-z0-9]*")
_PART_ID = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")


class WrongDescription(ValueError):
    """A variant that can't be played as it is described; the message names it and what is wrong."""


@dataclass(frozen=True)
class Example:
    """A worked request for one of `OPERATIONS`, refused ones included."""

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
    step_words: ClassVar[frozenset[str]] = frozenset()
    """The steps of a whole game of this kind, for which a variant can name clauses."""

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

    def __post_init__(self) -> None:
        """Raises `WrongDescription` naming everything wrong, each with its field.

        What is special to a kind is looked at only where all else is right.
        """
        wrong = [*self.wrong()] or [*self.wrong_for_kind()]
        if wrong:
            told = "; ".join(f"{field}: {what}" for field, what in wrong)
            raise WrongDescription(f"{self.id}: {told}")

    def wrong(self) -> Iterator[Wrong]:
        """What is wrong with the description, whatever its kind: field and sentence."""
        if not _VARIANT_ID.fullmatch(self.id):
            yield "id", "must be words of small letters and digits, joined by hyphens"
        for clause, text in self.clauses.items():
            if not _CLAUSE_ID.fullmatch(clause) or not text:
                yield "clauses", f"{clause!r} must be letters and digits, with a text"
        for step, clause in self.steps.items():
            if step not in self.step_words:
                known = ", ".join(sorted(self.step_words))
                yield "steps", f"{step!r} is no step of this kind of game; there are {known}"
            yield from self.wrong_clause("steps", step, clause)
        for option in options(self.house_rules):
            yield from self.wrong_clause("house_rules", option.name, option.clause)
            try:
                option.read(option.default)
            except InvalidInput as refused:
                yield "house_rules", f"the default of {option.name} {refused.violations[0].detail}"
        least, most = self.players
        if least < 1 or (most is not None and most < least):
            yield "players", "must be the least and the most players, from 1"
        if self.rolls < 1:
            yield "rolls", "must be 1 or more"
        for example in self.examples:
            if example.operation not in OPERATIONS:
                yield "examples", f"{example.operation!r} is none of {', '.join(OPERATIONS)}"
        for what in self.dice.wrong():
            yield "dice", what

    def wrong_for_kind(self) -> Iterator[Wrong]:
        """What is wrong with the description of a variant of this kind."""
        yield from ()

    def wrong_clause(self, field: str, what: str, clause: str) -> Iterator[Wrong]:
        """That `what` in `field` cites a clause that doesn't exist, if so."""
        if clause not in self.clauses:
            yield field, f"{what} cites {clause!r}, which is no clause"

    def wrong_ids(self, field: str, ids: Sequence[str]) -> Iterator[Wrong]:
        """What is wrong with `ids` in `field`: odd characters, or one used twice."""
        for place, name in enumerate(ids):
            if not _PART_ID.fullmatch(name):
                yield field, f"{name!r} must be small letters, digits and underscores"
            if name in ids[:place]:
                yield field, f"the id {name!r} is used twice"

    def wrong_rule(self, field: str, what: str, rule: str, type_: str) -> Iterator[Wrong]:
        """That `what` in `field` names a house rule that isn't there or isn't of `type_`, if so."""
        types = {option.name: option.type for option in options(self.house_rules)}
        if rule not in types:
            yield field, f"{what} names {rule!r}, which is no house rule"
        elif types[rule] != type_:
            yield field, f"{what} names {rule!r}, which is {types[rule]} and not {type_}"

    def wrong_pattern(self, field: str, what: str, pattern: Pattern, count: int) -> Iterator[Wrong]:
        """What is wrong with the pattern of `what` in `field`, for hands of `count` dice."""
        if pattern.size(count) > count:
            yield field, f"{what} needs {pattern.size(count)} dice of {count}"
        if pattern.colours and pattern.colours != self.dice.colours:
            yield field, f"{what} has other colours than the dice"

    @cached_property
    def default_rules(self) -> RulesT:
        """The house rules when nobody changes any."""
        return self.house_rules()

    @cached_property
    def rule_names(self) -> frozenset[str]:
        """The names of the house rules."""
        return frozenset(option.name for option in options(self.house_rules))
