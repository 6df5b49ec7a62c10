"""What every variant describes, whatever its kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Annotated, Any, ClassVar, Generic

from service.rules.dice import DiceSet
from service.rules.field_types import (
    MAX_ID,
    Clause,
    Must,
    OneLine,
    at_least,
    between,
    line,
    mistakes_in,
    value_mistakes,
    written,
)
from service.rules.house_rules import HouseRules, KnownRule, RulesT, options
from service.rules.patterns import Match, Pattern
from service.rules.violations import InvalidInput

MAX_OUTCOMES = 65_535
"""The most different rolls or hands of a variant: all are enumerated, and numbered in 16 bits."""

MAX_SCORINGS = 500_000
"""The most scorings of a variant: each roll or hand in each box or rank, under each choice of the
switches that matter there. They are worked out at import, at some 10 microseconds each.
"""

Mistake = tuple[str, str]
"""A field of a description, and a sentence on what is wrong with it."""

VariantId = Annotated[
    str,
    written(
        "[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*",
        f"words of lower-case letters and digits, joined by hyphens, at most {MAX_ID} characters",
    ),
]
ClauseId = Annotated[str, written("[A-Za-z][A-Za-z0-9]*", f"letters and digits, at most {MAX_ID}")]
Step = Annotated[
    str, Must("a step of this kind of game", lambda step, variant: step in variant.step_words)
]


class WrongDescription(ValueError):
    """A variant that can't be played as described; the message names it and its mistakes."""


@dataclass(frozen=True)
class Example:
    """A request for an operation such as `evaluate`, which may refuse it.

    The contract has it with its answer.
    """

    operation: OneLine
    summary: OneLine
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

    id: VariantId
    name: Annotated[str, line(100)]
    summary: OneLine
    dice: DiceSet
    rolls: Annotated[int, between(1, 100)]
    players: tuple[Annotated[int, at_least(1)], Annotated[int, at_least(1)] | None]
    house_rules: type[RulesT]
    clauses: Mapping[ClauseId, OneLine]
    examples: tuple[Example, ...] = ()
    steps: Mapping[Step, Clause] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises `WrongDescription` with what is wrong, each with its field.

        Fields that others refer to come first, single values before contradictions between them,
        and those before what only follows from all of them.
        """
        mistakes = (
            self._wrong_values("clauses", "house_rules")
            or [*self._house_rule_mistakes()]
            or self._wrong_values("dice")
            or self._wrong_values()
            or [*self.mistakes()]
            or [*self.kind_mistakes()]
        )
        if mistakes:
            sentences = "; ".join(f"{field}: {sentence}" for field, sentence in mistakes)
            message = f"{self.id!s:.80}: {sentences}"
            raise WrongDescription(message if message.isprintable() else ascii(message)[1:-1])

    def _wrong_values(self, *only: str) -> list[Mistake]:
        """The values in the fields `only`, or in all, that their annotations don't allow."""
        return [
            (field, f"{in_words(path)}{phrase}")
            for (field, *path), phrase in mistakes_in(self, self, only)
        ]

    def _house_rule_mistakes(self) -> Iterator[Mistake]:
        """A class without `@dataclass`, fields that aren't options, and invalid options.

        `dataclass` collects the fields, so a class without it would have none. In a class with
        slots, `in_force` would find none, because it reads `vars`.
        """
        for part in filter(lambda part: issubclass(part, HouseRules), self.house_rules.__mro__):
            own = vars(part)
            if "__dataclass_fields__" not in own or "__slots__" in own or "__post_init__" in own:
                yield (
                    "house_rules",
                    f"{part.__name__} must be decorated with @dataclass(frozen=True), and have "
                    "no __post_init__, because players can combine all values",
                )
                return
        odd = [field.name for field in fields(self.house_rules) if "clause" not in field.metadata]
        if odd:
            yield "house_rules", f"{odd[0]} must be made by switch, choice or amount"
            return
        for option in options(self.house_rules):
            wrong = [*mistakes_in(option, self)]
            for path, phrase in wrong:
                yield "house_rules", f"{in_words([option.name, *path])}{phrase}"
            try:
                if not wrong:
                    option.read(option.default)
            except InvalidInput as refused:
                yield "house_rules", f"{option.name}.default {refused.violations[0].detail}"

    def mistakes(self) -> Iterator[Mistake]:
        """The contradictions between fields that a variant of any kind can have."""
        least, most = self.players
        if most is not None and most < least:
            yield "players", "must be the least and the most players"
        for sentence in self.dice.mistakes():
            yield "dice", sentence
        names = [(example.operation, example.name) for example in self.examples]
        for example in self.examples:
            if not example.name or names.count((example.operation, example.name)) > 1:
                yield (
                    "examples",
                    f"those of {example.operation} must have different summaries of letters or "
                    f"digits, not {example.summary!r:.80}",
                )
            try:
                json.dumps(example.request, allow_nan=False, ensure_ascii=False).encode()
            except (TypeError, ValueError, RecursionError) as error:
                yield (
                    "examples",
                    f"the request of {example.summary!r:.80} must be JSON: {reason(error)}",
                )

    def kind_mistakes(self) -> Iterator[Mistake]:
        """The mistakes that only a variant of this kind can have."""
        yield from ()

    def known_rule_mistakes(self, field: str, known: KnownRule, chip: int = 1) -> Iterator[Mistake]:
        """The mistake in a house rule with the name of `known`, if games can't read it."""
        for option in options(self.house_rules):
            wanted = known.wanted(option, chip) if option.name == known.name else None
            if wanted:
                yield field, f"{option.name} must be {wanted}"

    def check_words(self, words: str) -> None:
        """Raises `WrongDescription` for words by code of the game that no reason can hold."""
        for _, phrase in value_mistakes(words, OneLine, self):
            raise WrongDescription(f"its words {phrase}")

    def scoring_mistakes(
        self, field: str, outcomes: int, parts: int, switches: Sequence[str]
    ) -> Iterator[Mistake]:
        """A mistake in `field`, which has so many `parts`, if there are too many scorings."""
        scorings = outcomes * parts * 2 ** len(switches)
        if scorings > MAX_SCORINGS:
            yield (
                field,
                f"{outcomes} rolls in each of {parts} {field}, under {2 ** len(switches)} choices "
                f"of house rules, are {scorings} scorings, more than the allowed {MAX_SCORINGS}",
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
    def rule_types(self) -> Mapping[str, str]:
        """The type of each house rule: "boolean", "integer" or "string"."""
        return {option.name: option.type for option in options(self.house_rules)}

    @property
    def rule_names(self) -> Set[str]:
        """The names of the house rules."""
        return self.rule_types.keys()


def matches_of(
    pattern: Pattern, rolls: Iterable[tuple[int, ...]]
) -> list[tuple[tuple[int, ...], Match]]:
    """Every one of `rolls` that makes `pattern`, and how.

    Raises `WrongDescription` if there is none, or if a match has other dice than its roll.
    """
    matches = [(dice, match) for dice in rolls if (match := pattern.match(dice)) is not None]
    for dice, match in matches:
        if (
            not isinstance(match, Match)
            or sorted(match.making + match.rest) != [*dice]
            or not {*match.compared} <= {*match.making}
        ):
            detail = f"its pattern must give None or a Match of the dice {dice}, not {match!r:.80}"
            raise WrongDescription(detail)
    if not matches:
        raise WrongDescription("no roll makes its pattern")
    return matches


def tried(field: str, part: str, check: Callable[[], None]) -> Iterator[Mistake]:
    """The mistake in a `part` that `check` raises, or the code of the game that it calls."""
    try:
        check()
    except WrongDescription as error:
        yield field, f"{part}: {error}"
    except Exception as error:
        yield field, f"{part} raises {reason(error)}"


def in_words(path: Sequence[str]) -> str:
    """The beginning of a sentence on the value at `path`: `pair.pattern.sizes[0] `."""
    return f"{'.'.join(path)} ".replace(".[", "[").lstrip()


def reason(error: BaseException) -> str:
    """The class of `error` and its message, in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
