"""What every variant describes, whatever its kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, ClassVar, Generic

from service.rules.dice import DiceSet
from service.rules.field_types import texts_of, type_mistakes
from service.rules.foreign import is_foreign, pattern_fault, reason
from service.rules.house_rules import HouseRules, KnownRule, RulesT, options
from service.rules.patterns import Described, Pattern

MAX_OUTCOMES = 65_535
"""The most different rolls or hands of a variant: all are enumerated, and numbered in 16 bits."""

MAX_SCORINGS = 500_000
"""The most scorings of a variant: each roll or hand in each box or rank, under each choice of the
switches that matter there. They are worked out at import, at some 10 microseconds each.
"""

MAX_ID, MAX_NAME, MAX_TEXT = 64, 100, 2_000
"""The most characters of an id, of the name of a game, and of any other text."""

MAX_ROLLS = 100
"""The most rolls in a turn."""

Mistake = tuple[str, str]
"""A field of a description, and a sentence on what is wrong with it."""

_VARIANT_ID = re.compile("[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*")
_CLAUSE_ID = re.compile("[A-Za-z][A-Za-z0-9]*")
_PART_ID = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")
_NO_TEXT = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff]")
"""Control characters, other ends of lines, and lone surrogates, which UTF-8 can't encode."""


class WrongDescription(ValueError):
    """A variant that can't be played as described; the message names it and its mistakes."""


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
    known_rules: ClassVar[tuple[KnownRule, ...]] = ()
    """The house rules that the games of this kind read by name, if the variant has them."""

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
            name = str(self.id)
            raise WrongDescription(
                f"{name if name.isprintable() else ascii(name):.80}: {sentences}"
            )

    def mistakes(self) -> Iterator[Mistake]:
        """The mistakes that a variant of any kind can have."""
        if not _VARIANT_ID.fullmatch(self.id) or len(self.id) > MAX_ID:
            yield (
                "id",
                "must be words of lower-case letters and digits, joined by hyphens, at most "
                f"{MAX_ID} characters",
            )
        for name in ("name", "summary"):
            if not getattr(self, name).strip():
                yield name, "must not be empty"
        if len(self.name) > MAX_NAME:
            yield "name", f"must be at most {MAX_NAME} characters"
        for clause, text in self.clauses.items():
            if not _CLAUSE_ID.fullmatch(clause) or len(clause) > MAX_ID or not text.strip():
                yield (
                    "clauses",
                    f"{clause!r:.80} must be letters and digits, at most {MAX_ID}, with a text",
                )
            yield from text_mistakes("clauses", text)
        for name, text in texts_of(self):
            yield from text_mistakes(name, text)
        for step, clause in self.steps.items():
            if step not in self.step_words:
                known = ", ".join(sorted(self.step_words))
                yield "steps", f"{step!r} is not a step of this kind of game; its steps are {known}"
            yield from self.clause_mistakes("steps", step, clause)
        yield from self._house_rule_mistakes()
        least, most = self.players
        if least < 1 or (most is not None and most < least):
            yield "players", "must be the least and the most players, from 1"
        if not 1 <= self.rolls <= MAX_ROLLS:
            yield "rolls", f"must be from 1 to {MAX_ROLLS}"
        yield from self._example_mistakes()
        for sentence in self.dice.mistakes():
            yield "dice", sentence

    def kind_mistakes(self) -> Iterator[Mistake]:
        """The mistakes that only a variant of this kind can have."""
        yield from ()

    def _house_rule_mistakes(self) -> Iterator[Mistake]:
        """A class without `@dataclass`, fields that aren't options, and invalid options.

        `dataclass` collects the fields, so a class without it would have none. In a class with
        slots, `in_force` would find none, because it reads `vars`.
        """
        for part in self.house_rules.__mro__:
            if not issubclass(part, HouseRules):
                continue
            if "__dataclass_fields__" not in vars(part) or "__slots__" in vars(part):
                yield "house_rules", f"{part.__name__} must be decorated: @dataclass(frozen=True)"
                return
            if "__post_init__" in vars(part):
                yield (
                    "house_rules",
                    f"{part.__name__} must not have __post_init__: players can combine all values",
                )
                return
        odd = [field.name for field in fields(self.house_rules) if "clause" not in field.metadata]
        if odd:
            yield "house_rules", f"{odd[0]} must be made by switch, choice or amount"
            return
        declared = options(self.house_rules)
        yield from self.id_mistakes("house_rules", [option.name for option in declared])
        for option in declared:
            for sentence in option.mistakes():
                yield "house_rules", sentence
            if isinstance(option.clause, str):
                yield from self.clause_mistakes("house_rules", option.name, option.clause)
            if isinstance(option.meaning, str):
                yield from text_mistakes("house_rules", option.meaning)

    def _example_mistakes(self) -> Iterator[Mistake]:
        """Examples without a name for the contract, two of one operation with the same name, and
        requests that JSON can't hold.
        """
        names: set[tuple[str, str]] = set()
        for example in self.examples:
            if not example.name:
                yield "examples", f"an example of {example.operation} must have a summary"
            elif (example.operation, example.name) in names:
                yield "examples", f"two of {example.operation} are called {example.summary!r}"
            names.add((example.operation, example.name))
            try:
                json.dumps(example.request, allow_nan=False, ensure_ascii=False).encode()
            except (TypeError, ValueError, RecursionError) as error:
                reason = f"the request of {example.summary!r} can't be JSON: {error}"
                yield "examples", " ".join(reason.split())

    def clause_mistakes(self, field: str, what: str, clause: str) -> Iterator[Mistake]:
        """A mistake in `field` if `what` cites a clause that doesn't exist."""
        if clause not in self.clauses:
            yield field, f"{what} cites {clause!r}, which is not a clause"

    def id_mistakes(self, field: str, ids: Sequence[str]) -> Iterator[Mistake]:
        """A mistake in `field` for each of `ids` with other characters, or used twice."""
        for index, name in enumerate(ids):
            if not _PART_ID.fullmatch(name) or len(name) > MAX_ID:
                yield (
                    field,
                    f"{name!r} must be lower-case letters, digits and underscores, at most "
                    f"{MAX_ID} of them",
                )
            if name in ids[:index]:
                yield field, f"the id {name!r} is used twice"

    def rule_mistakes(self, field: str, what: str, rule: str, type_: str) -> Iterator[Mistake]:
        """A mistake in `field` if `what` names no house rule, or one that isn't of `type_`."""
        types = {option.name: option.type for option in options(self.house_rules)}
        if rule not in types:
            yield field, f"{what} names {rule!r}, which is not a house rule"
        elif types[rule] != type_:
            yield field, f"{what} names {rule!r}, which is {types[rule]} and not {type_}"

    def known_rule_mistakes(self, field: str, known: KnownRule, chip: int = 1) -> Iterator[Mistake]:
        """The mistakes in a house rule with the name of `known`, which games read."""
        for option in options(self.house_rules):
            if option.name == known.name:
                for sentence in known.mistakes(option, chip):
                    yield field, sentence

    def pattern_mistakes(
        self, field: str, what: str, pattern: Pattern, count: int
    ) -> Iterator[Mistake]:
        """The mistakes in the pattern of `what` in `field`, for hands of `count` dice.

        A pattern from outside can raise anything, and return anything.
        """
        try:
            wrong = [*pattern.mistakes()] if isinstance(pattern, Described) else []
            size, colours = pattern.size(count), pattern.colours
        except Exception as error:
            yield field, f"the pattern of {what} raises {reason(error)}"
            return
        for sentence in wrong:
            yield field, f"{what}: {sentence}"
        if type(size) is not int or not isinstance(colours, tuple):
            yield (
                field,
                f"the pattern of {what} must have a whole number as its size and a tuple as its "
                f"colours, not {size!r:.80} and {colours!r:.80}",
            )
            return
        if size > count:
            yield field, f"{what} needs {size} dice, but a hand has {count}"
        if colours and colours != self.dice.colours:
            yield field, f"{what} has different colours from the dice"

    def foreign_mistakes(
        self, field: str, what: str, pattern: Pattern, count: int
    ) -> Iterator[Mistake]:
        """A mistake if a pattern from outside fails with any roll of `count` dice."""
        if is_foreign(pattern):
            rolls = combinations_with_replacement(range(1, self.dice.faces + 1), count)
            fault = pattern_fault(pattern, rolls)
            if fault:
                yield field, f"the pattern of {what} {fault}"

    def scoring_mistakes(
        self, field: str, outcomes: int, parts: int, switches: Sequence[str]
    ) -> Iterator[Mistake]:
        """A mistake in `field`, which has so many `parts`, if there are too many scorings."""
        scorings = outcomes * parts * 2 ** len(switches)
        if scorings > MAX_SCORINGS:
            under = f", under {2 ** len(switches)} choices of house rules," if switches else ""
            yield (
                field,
                f"{outcomes} rolls in each of {parts} {field}{under} are {scorings} scorings, more "
                f"than the allowed {MAX_SCORINGS}",
            )

    def because(self, step: str, sentence: str) -> str:
        """`sentence` as a reason, with the clause that the variant cites for `step`."""
        if step not in self.step_words:
            raise LookupError(f"{step!r} is not a step of a {self.kind}")
        clause = self.steps.get(step)
        return f"{sentence} ({clause})." if clause else f"{sentence}."

    @cached_property
    def default_rules(self) -> RulesT:
        """The house rules with their defaults."""
        return self.house_rules()

    @cached_property
    def rule_names(self) -> frozenset[str]:
        """The names of the house rules."""
        return frozenset(option.name for option in options(self.house_rules))


def text_mistakes(field: str, text: str) -> Iterator[Mistake]:
    """A mistake in `field` if `text` is too long, or has characters that no line of text has."""
    if len(text) > MAX_TEXT:
        yield field, f"the text {text!r:.40} must be at most {MAX_TEXT} characters"
    elif _NO_TEXT.search(text):
        yield field, f"the text {text!r:.80} must be one line, without control characters"
