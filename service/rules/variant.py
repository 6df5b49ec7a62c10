"""What every variant describes, whatever its kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Annotated, Any, ClassVar

from service.rules.dice import DiceSet
from service.rules.field_types import (
    MAX_ID,
    Clause,
    Mistake,
    Must,
    OneLine,
    at_least,
    between,
    check_fields,
    check_value,
    line,
    require,
    written,
)
from service.rules.house_rules import TURN_SECONDS, HouseRules, KnownRule, options
from service.rules.patterns import Match, Pattern
from service.rules.reasons import Because, as_json
from service.rules.sentences import Sentence, any_of
from service.rules.violations import InvalidInput

MAX_OUTCOMES = 65_535
"""The most different rolls or hands of a variant: all are enumerated, and numbered in 16 bits."""

MAX_SCORINGS = 500_000
"""The most scorings of a variant: each roll or hand in each box or rank, under each choice of the
switches that matter there. They are worked out at import, at some 10 microseconds each.
"""

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


OTHER_LANGUAGES = ("de",)
"""The codes of the languages besides English that there are texts in."""

LanguageCode = Annotated[
    str,
    Must(
        f"a language besides English: {any_of(OTHER_LANGUAGES)}",
        lambda code, _: code in OTHER_LANGUAGES,
    ),
]


TIME_UP, LEFT, TAKE_BACK = "time_up", "left", "take_back"
"""The events of all games: the clock runs out, a player leaves, and actions are taken back."""

EVERY_GAME = {
    "G1": "When the time that the house rule turn_seconds allows is up, the service decides for "
    "the player at that moment, and the game goes on.",
    "G2": "A player may leave, or be taken out by the table. Their turns pass, and they can't win "
    "unless everybody leaves.",
    "G3": "If players type their dice in, the table may go back to any earlier version, and a "
    "player to before their own last action, until somebody else acts. If the service rolls, only "
    "a choice can be taken back that rolled no die and showed none, until somebody acts.",
}
"""The clauses of every game, for a variant to have among its own."""


class WrongDescription(ValueError):
    """A variant that can't be played as described; the message names it and what is wrong."""


@dataclass(frozen=True)
class Example:
    """A request for an operation such as `evaluate`.

    The contract has the first one of each operation that gets an answer, with that answer.
    """

    operation: OneLine
    summary: OneLine
    request: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What the contract calls it: the words of the summary, joined by underscores."""
        return "_".join(re.findall(r"[a-z0-9]+", self.summary.lower()))


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant:
    """A game as its rules describe it.

    `rolls` is the number of rolls in a turn. `players` are the least and the most players (None: no
    limit). `clauses` are the numbered rules in plain words; docstrings, ranks, boxes and violations
    cite them. `steps` maps each event of a game to the clause cited as its reason. `examples` are
    requests for the contract. `texts` translates texts of the game: for each language, texts by the
    English ones. Ids are translated in words, such as "full house".
    """

    kind: ClassVar[str]
    step_words: ClassVar[frozenset[str]] = frozenset((TIME_UP, LEFT, TAKE_BACK))
    """The events of a game of this kind for which a variant can cite clauses."""
    known_rules: ClassVar[tuple[KnownRule, ...]] = ()
    """The house rules that the games of this kind read by name, if the variant has them."""

    id: VariantId
    name: Annotated[str, line(100)]
    summary: OneLine
    dice: DiceSet
    rolls: Annotated[int, between(1, 100)]
    players: tuple[Annotated[int, at_least(1)], Annotated[int, at_least(1)] | None]
    house_rules: type[HouseRules]
    clauses: Mapping[ClauseId, OneLine]
    examples: tuple[Example, ...] = ()
    steps: Mapping[Step, Clause] = field(default_factory=dict)
    texts: Mapping[LanguageCode, Mapping[OneLine, OneLine]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises `WrongDescription` with what is wrong, each with its field.

        Fields that others refer to come first, single values before contradictions between them,
        and those before what only follows from all of them.
        """
        try:
            check_fields(self, self, only=("clauses", "house_rules"))
            self._check_house_rules()
            check_fields(self, self, only=("dice",))
            check_fields(self, self)
            self._check_contradictions()
            self.check_kind()
        except Mistake as mistake:
            message = f"{self.id!s:.80}: {mistake}"
            if not message.isprintable():
                message = ascii(message)[1:-1]
            raise WrongDescription(message) from mistake

    def _check_house_rules(self) -> None:
        """Raises `Mistake` for a class without `@dataclass`, and for wrong options.

        `dataclass` collects the fields, so a class without it would have none. In a class with
        slots, `in_force` would find none, because it reads `vars`.
        """
        for part in filter(lambda part: issubclass(part, HouseRules), self.house_rules.__mro__):
            require(
                "__dataclass_fields__" in vars(part)
                and vars(part).keys().isdisjoint(("__slots__", "__post_init__")),
                f"house_rules: {part.__name__} must be decorated with @dataclass(frozen=True), and "
                "have no __post_init__, because players can combine all values",
            )
        for each in fields(self.house_rules):
            made = "clause" in each.metadata
            require(made, f"house_rules: {each.name} must be made by switch, choice or amount")
        for option in options(self.house_rules):
            check_fields(option, self, f"house_rules: {option.name}")
            for name in ("default", "typed_default"):
                try:
                    option.read(getattr(option, name))
                except InvalidInput as refused:
                    detail = refused.violations[0].detail
                    raise Mistake(f"house_rules: {option.name}.{name} {detail}") from refused
        self.check_known_rule("house_rules", TURN_SECONDS)

    def _check_contradictions(self) -> None:
        """Raises `Mistake` for contradictions between fields that a variant of any kind has."""
        least, most = self.players
        require(most is None or least <= most, "players: must be the least and the most players")
        self.dice.check()
        names: set[tuple[str, str]] = set()
        for example in self.examples:
            name = example.operation, example.name
            require(
                example.name and name not in names,
                f"examples: those of {example.operation} must have different summaries of letters "
                f"or digits, not {example.summary!r:.80}",
            )
            names.add(name)
            with trying(f"examples: the request of {example.summary!r:.80} must be JSON, but"):
                json.dumps(example.request, allow_nan=False, ensure_ascii=False).encode()

    def check_kind(self) -> None:
        """Raises `Mistake` for what is wrong only in a variant of this kind."""

    def check_known_rule(self, field: str, known: KnownRule, chip: int = 1) -> None:
        """Raises `Mistake` for a house rule with the name of `known`, if games can't read it."""
        for option in options(self.house_rules):
            wanted = known.wanted(option, chip) if option.name == known.name else None
            require(not wanted, f"{field}: {option.name} must be {wanted}")

    def check_words(self, words: str) -> None:
        """Raises `Mistake` for words by code of the game that no reason can hold."""
        check_value(words, OneLine, self, "its words")

    def check_scorings(
        self, field: str, outcomes: int, parts: int, switches: Sequence[str]
    ) -> None:
        """Raises `Mistake` if there are too many scorings in `field`, which has so many `parts`."""
        choices = 2 ** len(switches)
        scorings = outcomes * parts * choices
        require(
            scorings <= MAX_SCORINGS,
            f"{field}: {outcomes} rolls in each of {parts} {field}, under {choices} choices of "
            f"house rules, are {scorings} scorings, more than the allowed {MAX_SCORINGS}",
        )

    def because(self, step: str, sentence: Sentence) -> Because:
        """`sentence` as a reason, with the clause that the variant cites for `step`."""
        if step not in self.step_words:
            raise LookupError(f"{step!r} is not a step of a {self.kind}")
        clause = self.steps.get(step)
        return {**as_json(sentence), "clause": clause} if clause else as_json(sentence)

    def news(self, what: str, step: str, sentence: Sentence, **fields: Any) -> dict[str, Any]:
        """What follows from an action, as JSON, with its reason as in `because`."""
        return {"what": what, **fields, "because": self.because(step, sentence)}

    @cached_property
    def default_rules(self) -> HouseRules:
        """The house rules with their defaults."""
        return self.house_rules()

    @cached_property
    def rule_types(self) -> Mapping[str, str]:
        """The type of each house rule: "boolean", "integer" or "string"."""
        return {option.name: option.type for option in options(self.house_rules)}

    @cached_property
    def rule_choices(self) -> Mapping[str, tuple[str, ...]]:
        """The words of each house rule that is a choice."""
        rules = options(self.house_rules)
        return {option.name: option.choices for option in rules if option.choices}

    @cached_property
    def rule_clauses(self) -> Mapping[str, str]:
        """The clause of each house rule."""
        return {option.name: option.clause for option in options(self.house_rules)}

    @property
    def rule_names(self) -> Set[str]:
        """The names of the house rules."""
        return self.rule_types.keys()


def matches_of(
    pattern: Pattern, rolls: Iterable[tuple[int, ...]]
) -> list[tuple[tuple[int, ...], Match]]:
    """Every one of `rolls` that makes `pattern`, and how.

    Raises `Mistake` if there is none, or if a match has other dice than its roll.
    """
    matches = [(dice, match) for dice in rolls if (match := pattern.match(dice)) is not None]
    for dice, match in matches:
        if not (
            isinstance(match, Match)
            and sorted(match.making + match.rest) == [*dice]
            and {*match.compared} <= {*match.making}
        ):
            must = f"must give None or a Match of the dice {dice}, not {match!r:.80}"
            raise Mistake(f"its pattern {must}")
    require(matches, "no roll makes its pattern")
    return matches


@contextmanager
def trying(what: str) -> Iterator[None]:
    """Raises `Mistake` that begins with `what` for any error of a check, or of code of the game."""
    try:
        yield
    except Mistake as mistake:
        raise Mistake(f"{what}: {mistake}") from mistake
    except Exception as error:
        raise Mistake(f"{what} raises {reason(error)}") from error


def reason(error: BaseException) -> str:
    """The class of `error` and its message, in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
