"""What every variant describes, whatever its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, Generic

from service.rules.dice import DiceSet
from service.rules.field_types import type_mistakes
from service.rules.house_rules import RulesT, options
from service.rules.patterns import Pattern
from service.rules.violations import InvalidInput

MAX_OUTCOMES = 65_535
"""The most different rolls or hands of a variant: all are enumerated, and numbered in 16 bits."""

MAX_ID = 64
"""The most characters of an id."""

Mistake = tuple[str, str]
"""A field of a description, and a sentence on what is wrong with it."""

_VARIANT_ID = re.compile("[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*")
_CLAUSE_ID = re.compile("[A-Za-z][A-Za-z0-9]*")
_PART_ID = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")


class WrongDescription(ValueError):
    """A variant that can't be played as described; the message names it, the field and why."""


@dataclass(frozen=True)
class Example:
    """A request for an operation such as `evaluate`, which may refuse it.

    The contract has it with its answer.
    """

    operation: str
    summary: str
    request: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What the contract calls it: the words of the summary, joined by underscores."""
        return "_".join(re.findall(r"[a-z0-9]+", self.summary.lower()))


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant(Generic[RulesT]):
    """A game as its rules describe it.

    `rolls` is the number of rolls in a turn. `players` are the least and the most players (None: no
    limit). `clauses` are the numbered rules in plain words; docstrings, ranks, boxes and violations
    cite them. `steps` maps each event of a game to the clause cited as its reason. `examples` are
    requests for the contract.
    """

    kind: ClassVar[str]
    step_words: ClassVar[frozenset[str]] = frozenset()
    """The events of a game of this kind for which a variant can cite clauses."""

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
        """Raises `WrongDescription` with every mistake, each with its field.

        Values are checked only if all have the right types, and what is special to a kind only if
        there are no other mistakes.
        """
        mistakes = [*type_mistakes(self)] or [*self.mistakes()] or [*self.kind_mistakes()]
        if mistakes:
            sentences = "; ".join(f"{field}: {sentence}" for field, sentence in mistakes)
            raise WrongDescription(f"{self.id}: {sentences}")

    def mistakes(self) -> Iterator[Mistake]:
        """The mistakes that a variant of any kind can have."""
        if not _VARIANT_ID.fullmatch(self.id) or len(self.id) > MAX_ID:
            yield (
                "id",
                f"must be words of small letters and digits, joined by hyphens, at most {MAX_ID} "
                "characters",
            )
        for name in ("name", "summary"):
            if not getattr(self, name).strip():
                yield name, "must not be empty"
        for clause, text in self.clauses.items():
            if not _CLAUSE_ID.fullmatch(clause) or not text:
                yield "clauses", f"{clause!r} must be letters and digits, with a text"
        for step, clause in self.steps.items():
            if step not in self.step_words:
                known = ", ".join(sorted(self.step_words))
                yield "steps", f"{step!r} is no step of this kind of game; there are {known}"
            yield from self.clause_mistakes("steps", step, clause)
        yield from self._house_rule_mistakes()
        least, most = self.players
        if least < 1 or (most is not None and most < least):
            yield "players", "must be the least and the most players, from 1"
        if self.rolls < 1:
            yield "rolls", "must be 1 or more"
        yield from self._example_mistakes()
        for sentence in self.dice.mistakes():
            yield "dice", sentence

    def kind_mistakes(self) -> Iterator[Mistake]:
        """The mistakes that only a variant of this kind can have."""
        yield from ()

    def _house_rule_mistakes(self) -> Iterator[Mistake]:
        """House rules that are no options, or have a wrong default or clause."""
        odd = [field.name for field in fields(self.house_rules) if "clause" not in field.metadata]
        if odd:
            yield "house_rules", f"{odd[0]} must be made by switch, choice or amount"
            return
        for option in options(self.house_rules):
            yield from self.clause_mistakes("house_rules", option.name, option.clause)
            try:
                option.read(option.default)
            except InvalidInput as refused:
                yield "house_rules", f"the default of {option.name} {refused.violations[0].detail}"

    def _example_mistakes(self) -> Iterator[Mistake]:
        """Examples without a name for the contract, and two of one operation with the same name."""
        names: set[tuple[str, str]] = set()
        for example in self.examples:
            if not example.name:
                yield "examples", f"an example of {example.operation} must have a summary"
            elif (example.operation, example.name) in names:
                yield "examples", f"two of {example.operation} are called {example.summary!r}"
            names.add((example.operation, example.name))

    def clause_mistakes(self, field: str, what: str, clause: str) -> Iterator[Mistake]:
        """A mistake in `field` if `what` cites a clause that doesn't exist."""
        if clause not in self.clauses:
            yield field, f"{what} cites {clause!r}, which is no clause"

    def id_mistakes(self, field: str, ids: Sequence[str]) -> Iterator[Mistake]:
        """A mistake in `field` for each of `ids` with other characters, or used twice."""
        for index, name in enumerate(ids):
            if not _PART_ID.fullmatch(name) or len(name) > MAX_ID:
                yield (
                    field,
                    f"{name!r} must be small letters, digits and underscores, at most {MAX_ID} of "
                    "them",
                )
            if name in ids[:index]:
                yield field, f"the id {name!r} is used twice"

    def rule_mistakes(self, field: str, what: str, rule: str, type_: str) -> Iterator[Mistake]:
        """A mistake in `field` if `what` names no house rule, or one that isn't of `type_`."""
        types = {option.name: option.type for option in options(self.house_rules)}
        if rule not in types:
            yield field, f"{what} names {rule!r}, which is no house rule"
        elif types[rule] != type_:
            yield field, f"{what} names {rule!r}, which is {types[rule]} and not {type_}"

    def pattern_mistakes(
        self, field: str, what: str, pattern: Pattern, count: int
    ) -> Iterator[Mistake]:
        """The mistakes in the pattern of `what` in `field`, for hands of `count` dice."""
        if pattern.size(count) > count:
            yield field, f"{what} needs {pattern.size(count)} dice of {count}"
        if pattern.colours and pattern.colours != self.dice.colours:
            yield field, f"{what} has other colours than the dice"

    @cached_property
    def default_rules(self) -> RulesT:
        """The house rules with their defaults."""
        return self.house_rules()

    @cached_property
    def rule_names(self) -> frozenset[str]:
        """The names of the house rules."""
        return frozenset(option.name for option in options(self.house_rules))
